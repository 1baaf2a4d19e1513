#include "verb/fields.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::shop {

namespace units = base::units;

enum class Shape { flat, window_max };
std::span<const verb::EnumName> enum_names(Shape) {
  static constexpr verb::EnumName kNames[] = {{0, "flat", "the same in every hour"},
                                              {1, "window-max", ""}};
  return kNames;
}

struct Site {
  double pue = 1.1;
  base::Power cap;
};
void describe(verb::Fields& f, Site& s) {
  f(s.pue, "pue", "power usage effectiveness").bounds(1.0, 10.0).source("a survey");
  f(s.cap, "cap", "power limit").bounds(0.0 * units::W);
}

struct Choice {
  std::string name;
  base::Power wind;
};
void describe(verb::Fields& f, Choice& c) {
  f(c.name, "name", "what it is called").required();
  f(c.wind, "wind", "nameplate");
}

struct Request {
  std::int64_t tokens = 15;
  base::Power load = 70.0 * units::MW;
  std::optional<base::Time> limit;
  std::vector<base::Power> steps;
  std::vector<std::string> names;
  Shape shape = Shape::flat;
  std::string compat;
  base::Instant start;
  std::filesystem::path file;
  bool repeat = true;
  Site site;
  std::vector<Choice> options;
};
void describe(verb::Fields& f, Request& r) {
  f(r.tokens, "tokens", "training tokens").positive();
  f(r.load, "load", "mean load").bounds(0.0 * units::W, 1.0 * units::GW);
  f(r.limit, "limit", "longest time");
  f(r.steps, "steps", "power steps").bounds(0.0 * units::W);
  f(r.names, "names", "names");
  f(r.shape, "load_shape", "shape of the day");
  f(r.compat, "compat", "reference to follow").choices({"", "carbon-explorer"});
  f(r.start, "start", "first hour");
  f(r.file, "file", "a file");
  f(r.repeat, "repeat", "repeat the year");
  f(r.site, "site", "");
  f(r.options, "options", "named changes");
}

class FieldsTest : public testing::Test {
 protected:
  FieldsTest() { describe(fields, request); }

  void flag(std::string_view name, std::string_view text) {
    verb::Field* field = fields.find(name);
    ASSERT_NE(field, nullptr) << name;
    field->set_text(text, {verb::Origin::Kind::flag, {}, field->flag()});
  }
  base::UserError refused(std::string_view name, std::string_view text) {
    try {
      flag(name, text);
    } catch (const base::UserError& e) {
      return e;
    }
    ADD_FAILURE() << name << " accepted " << text;
    return base::UserError("none", "");
  }
  static io::Value placed(io::Value value, std::size_t line) {
    value.set_where({"study.toml", line, 3});
    return value;
  }

  Request request;
  verb::Fields fields;
};

TEST_F(FieldsTest, KnowsEveryMemberByItsPath) {
  EXPECT_EQ(fields.names(), (std::vector<std::string>{
                                "tokens", "load", "limit", "steps", "names", "load_shape", "compat",
                                "start", "file", "repeat", "site.pue", "site.cap", "options"}));
  EXPECT_EQ(fields.find("load_shape")->flag(), "--load-shape");
  EXPECT_EQ(fields.find("site.pue")->flag(), "--site.pue");
  EXPECT_EQ(fields.find("load")->default_text(), "70 MW");
  EXPECT_EQ(fields.find("limit")->default_text(), "");
  EXPECT_TRUE(fields.find("repeat")->is_switch());
  EXPECT_TRUE(fields.find("steps")->is_repeated());
  EXPECT_TRUE(fields.find("options")->is_file_only());
  EXPECT_EQ(fields.find("load_shape")->choice_names(),
            (std::vector<std::string>{"flat", "window-max"}));
}

TEST_F(FieldsTest, ReadsEachTypeFromText) {
  flag("tokens", "15T");
  flag("load", "500 kW");
  flag("limit", "60 days");
  flag("load_shape", "window-max");
  flag("start", "2026-01-01");
  flag("repeat", "false");
  flag("site.pue", "1.25");
  EXPECT_EQ(request.tokens, 15'000'000'000'000);
  EXPECT_EQ(request.load, 0.5 * units::MW);
  EXPECT_EQ(request.limit, 60.0 * units::day);
  EXPECT_EQ(request.shape, Shape::window_max);
  EXPECT_EQ(request.start, base::parse_instant("2026-01-01T00:00:00Z"));
  EXPECT_FALSE(request.repeat);
  EXPECT_EQ(request.site.pue, 1.25);
}

// 2^53 + 1 is no double: a detour through one would lose the last digit.
TEST_F(FieldsTest, ReadsLargeIntegersDigitByDigit) {
  flag("tokens", "9007199254740993");
  EXPECT_EQ(request.tokens, 9007199254740993);
  EXPECT_EQ(refused("tokens", "1.5").code(), "bad-value");
}

TEST_F(FieldsTest, RepeatedFlagsAddUpAndReplaceTheFile) {
  fields.set_from(io::Value::Object{{"steps", io::Value::Array{"1 W", "2 W", "3 W"}}});
  ASSERT_EQ(request.steps.size(), 3U);
  flag("steps", "5 W");
  flag("steps", "6 W");
  EXPECT_EQ(request.steps, (std::vector<base::Power>{5.0 * units::W, 6.0 * units::W}));
}

TEST_F(FieldsTest, NamesWhatIsOutOfBounds) {
  const base::UserError negative = refused("load", "-5W");
  EXPECT_EQ(negative.code(), "out-of-bounds");
  EXPECT_EQ(negative.message(), "--load is -5 W; expected 0 W to 1 GW");
  EXPECT_EQ(refused("load", "2 GW").code(), "out-of-bounds");
  EXPECT_EQ(refused("tokens", "0").message(), "--tokens is 0; expected more than 0");
  EXPECT_EQ(refused("steps", "-1 W").code(), "out-of-bounds");
  EXPECT_EQ(refused("load", "5 kWh").code(), "bad-quantity");
  EXPECT_EQ(refused("load", "NaN").code(), "bad-quantity");
  EXPECT_EQ(refused("load", "5").code(), "bad-quantity");
}

TEST_F(FieldsTest, NamesTheInputOfABadTime) {
  EXPECT_EQ(refused("start", "soon").code(), "bad-time");
  EXPECT_TRUE(refused("start", "soon").message().starts_with("--start: bad time \"soon\""));
}

TEST_F(FieldsTest, NamesTheNearestChoice) {
  const base::UserError e = refused("load_shape", "window-mx");
  EXPECT_EQ(e.code(), "bad-choice");
  EXPECT_NE(e.message().find("nearest: window-max"), std::string::npos) << e.message();
  EXPECT_EQ(e.hint(), "choices: flat, window-max");
  EXPECT_EQ(refused("compat", "carbon-explore").code(), "bad-choice");
}

TEST_F(FieldsTest, ReadsTablesOfAFile) {
  fields.set_from(io::Value::Object{
      {"load", "5 MW"},
      {"start", io::Value::DateTime{"2026-03-01"}},
      {"site", io::Value::Object{{"pue", 1.5}}},
      {"options", io::Value::Array{io::Value::Object{{"name", "windy"}, {"wind", "50 MW"}}}}});
  EXPECT_EQ(request.load, 5.0 * units::MW);
  EXPECT_EQ(request.start, base::parse_instant("2026-03-01T00:00:00Z"));
  EXPECT_EQ(request.site.pue, 1.5);
  ASSERT_EQ(request.options.size(), 1U);
  EXPECT_EQ(request.options.front().name, "windy");
  EXPECT_EQ(request.options.front().wind, 50.0 * units::MW);
  EXPECT_EQ(fields.find("options")->text(), "name = windy, wind = 50 MW");
  EXPECT_EQ(fields.find("tokens")->origin().text(), "default");
}

TEST_F(FieldsTest, WhatItWritesItReadsBack) {
  flag("steps", "3 W");
  flag("load", "123456.789 W");
  fields.set_from(
      io::Value::Object{{"options", io::Value::Array{io::Value::Object{{"name", "a"}}}}});
  Request copy;
  verb::Fields again;
  describe(again, copy);
  for (const auto& field : fields.all()) {
    if (field->is_set()) again.find(field->name())->set_value(field->value(), {});
  }
  EXPECT_EQ(copy.load, request.load);
  EXPECT_EQ(copy.steps, request.steps);
  EXPECT_EQ(copy.options.front().name, "a");
  EXPECT_EQ(copy.start, request.start);
}

// What a file says wrongly is named with its place.
TEST_F(FieldsTest, ComplaintsAboutAFileSayWhere) {
  struct Wrong {
    io::Value::Object table;
    const char* code;
    const char* part;
  };
  const std::vector<Wrong> all = {
      {{{"lod", placed("5 MW", 7)}}, "unknown-key", "nearest: load"},
      {{{"site", placed(io::Value::Object{{"pu", placed(1.0, 7)}}, 6)}},
       "unknown-key",
       "nearest: site.pue"},
      {{{"load", placed("-5 MW", 7)}}, "out-of-bounds", "load is -5 MW"},
      {{{"load", placed("5 furlongs", 7)}}, "bad-quantity", "furlongs"},
      {{{"load", placed(true, 7)}}, "bad-value", "power"},
      {{{"site", placed(3, 7)}}, "bad-value", "expected a table"},
      {{{"options", placed(3, 7)}}, "bad-value", "expected an array of tables"},
      {{{"start", placed("soon", 7)}}, "bad-time", "soon"},
      {{{"options", io::Value::Array{placed(io::Value::Object{{"wind", "1 W"}}, 7)}}},
       "missing-input",
       "--name"},
  };
  for (const Wrong& wrong : all) {
    try {
      fields.set_from(wrong.table);
      ADD_FAILURE() << wrong.part;
    } catch (const base::UserError& e) {
      EXPECT_EQ(e.code(), wrong.code) << e.what();
      EXPECT_EQ(e.where().text(), "study.toml:7:3") << e.what();
      EXPECT_NE(std::string(e.what()).find(wrong.part), std::string::npos) << e.what();
    }
  }
}

TEST_F(FieldsTest, ListsOfTablesComeFromFilesOnly) {
  EXPECT_EQ(refused("options", "name=a").code(), "file-only");
}

TEST(Fields, ARequiredInputMustBeGiven) {
  Choice choice;
  verb::Fields fields;
  describe(fields, choice);
  EXPECT_THROW(fields.check_required(), base::UserError);
  fields.find("name")->set_text("a", {verb::Origin::Kind::flag, {}, "--name"});
  EXPECT_NO_THROW(fields.check_required());
}

}  // namespace greenline::shop
