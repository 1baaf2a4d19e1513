#include "verb/expression.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/json.hpp"

namespace greenline::verb {
namespace {

namespace units = base::units;

const io::Value& result() {
  static const io::Value kResult = io::parse_json(R"({
    "energy_kwh": 1000, "duration_s": 7200, "coverage": 0.75, "t": 4, "h": 2, "fits": true, "status": "ok",
    "market_kgco2e": null, "market_kgco2e_why": "no contract",
    "operational": {"location_kgco2e": 2000},
    "hours": [{"energy_kwh": 1, "g_per_kwh": 300, "name": "a"}, {"energy_kwh": 3, "g_per_kwh": 100, "name": "b"}],
    "holes": [{"x": 1}, {"x": null}], "none": [],
    "load_w": {"start": "2021-01-01T00:00:00Z", "step_s": 3600, "values": [10, 30]}
  })",
                                                  "result.json");
  return kResult;
}

double number(std::string_view text) {
  const ExpressionValue v = evaluate(text, lookup_in(result()));
  EXPECT_FALSE(v.is_column) << text;
  return v.values.at(0);
}
bool truth(std::string_view text) { return evaluate_truth(text, lookup_in(result())); }
std::string refusal(std::string_view text) {
  try {
    evaluate_truth(text, lookup_in(result()));
  } catch (const base::UserError& e) {
    return e.code() + ": " + e.what();
  }
  return "none";
}

TEST(Expression, BindsAsOnPaper) {
  EXPECT_EQ(number("1 + 2 × 3"), 7);
  EXPECT_EQ(number("(1 + 2) * 3"), 9);
  EXPECT_EQ(number("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(number("-2 ^ 2"), -4);
  EXPECT_EQ(number("2 ^ -1"), 0.5);
  EXPECT_EQ(number("8 ÷ 4 / 2"), 1);
  EXPECT_EQ(number("10 − 4 - 3"), 3);
  EXPECT_EQ(number("--3"), 3);
  EXPECT_EQ(number("2 · 1e3"), 2000);
  EXPECT_TRUE(truth("1 > 2 or 1 < 2 and 3 ≥ 3"));
  EXPECT_FALSE(truth("(1 < 2 or 1 < 2) and 3 > 3"));
  EXPECT_TRUE(truth("1 + 1 == 2"));
  EXPECT_TRUE(truth("1 ≠ 2"));
}

TEST(Expression, AUnitFollowsItsNumber) {
  EXPECT_EQ(number("1.2 MWh"), (1.2 * units::MWh).base_value());
  EXPECT_EQ(number("3 tCO2e"), 3e6);
  EXPECT_EQ(number("60 days"), 60 * 86400.0);
  EXPECT_DOUBLE_EQ(number("361 gCO2e/kWh"), 361 / 3.6e6);
  EXPECT_EQ(number("1h30m"), 5400);
  EXPECT_TRUE(truth("energy_kwh < 1.2 MWh and duration_s < 1 day"));
  EXPECT_TRUE(truth("operational.location_kgco2e == 2 tCO2e"));
}

// A name that is also a unit stays a name where no number is before it.
TEST(Expression, NamesAndUnitsDoNotMix) {
  EXPECT_EQ(number("2 × t"), 8);
  EXPECT_EQ(number("10 / h"), 5);
  EXPECT_EQ(number("7200 s / duration_s"), 1);
  EXPECT_EQ(number("1000 kWh/energy_kwh"), 1);
  EXPECT_TRUE(truth("t > 3 and h < 3"));
}

TEST(Expression, ReadsColumns) {
  EXPECT_DOUBLE_EQ(number("sum(hours.energy_kwh × hours.g_per_kwh)"), 600);
  EXPECT_EQ(number("count(hours.name)"), 2);
  EXPECT_EQ(number("max(hours.energy_kwh)"), (3.0 * units::kWh).base_value());
  EXPECT_EQ(number("mean(hours.g_per_kwh) / hours.0.g_per_kwh"), 2.0 / 3.0);
  EXPECT_EQ(number("sum(load_w)"), 40);
  EXPECT_EQ(number("max(0, coverage - 1)"), 0);
  EXPECT_EQ(number("min(1 kWh, energy_kwh, 2 kWh)"), 3.6e6);
  EXPECT_EQ(number("count(none)"), 0);
  EXPECT_EQ(number("count(hours)"), 2);
  EXPECT_EQ(number("count(holes.x)"), 2);
}

TEST(Expression, ComparesTextAndTruth) {
  EXPECT_TRUE(truth("status == \"ok\""));
  EXPECT_TRUE(truth("status != 'does_not_fit' and fits == 1"));
  EXPECT_TRUE(truth("hours.1.name == 'b'"));
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<const char*, const char*>> all = {
      {"", "bad-expression: expected a number, a name or ( but the expression ends at column 1"},
      {"coverage >", "ends at column 11"},
      {"coverage > )", "expected a number, a name or ( at column 12"},
      {"(coverage > 1", "expected )"},
      {"coverage 1", "expected an operator or the end at column 10"},
      {"1 < 2 < 3", "comparisons do not chain"},
      {"coverag > 1", "unknown-path: the result has no \"coverag\"; nearest: coverage"},
      {"hours.energy > 1", "unknown-path"},
      {"hours.7.energy_kwh > 1 kWh", "asks for row 7, the table has 2 rows"},
      {"energy_kwh > 1000", "unit-mismatch"},
      {"energy_kwh > 1 day", "unit-mismatch"},
      {"energy_kwh + duration_s > 1", "unit-mismatch"},
      {"coverage", "is no condition"},
      {"coverage and fits", "connect comparisons"},
      {"hours.energy_kwh > 1 kWh", "column of 2 truths"},
      {"sum(coverage) > 1", "take a column"},
      {"mean(none) > 1", "no rows"},
      {"sum(holes.x) > 1", "not-a-number: \"holes.x\" is n/a in row 1"},
      {"market_kgco2e > 1 t", "no contract"},
      {"status > 1", "text"},
      {"sqrt(energy_kwh) > 1", "square root"},
      {"exp(energy_kwh) > 1", "without unit"},
      {"1 / 0 > 1", "no finite value"},
      {"ln(0) > 1", "no finite value"},
      {"2 ^ 0.5 > 1", "whole number"},
      {"5 furlongs > 1", "furlongs"},
      {"median(hours.energy_kwh) > 1", "unknown function \"median\""},
      {"hours.energy_kwh × load_w.values > 1", "column"},
      {"'open == 1", "closing quote"},
      {"a..b > 1", "is no path"},
      {"$ > 1", "column 1"},
      {"NaN > 1", "unknown-path"},
  };
  for (const auto& [text, part] : all)
    EXPECT_NE(refusal(text).find(part), std::string::npos) << text << "\n" << refusal(text);
}

// Unicode operators count as one column.
TEST(Expression, CountsCharactersNotBytes) {
  EXPECT_NE(refusal("1 × × 2").find("column 5"), std::string::npos) << refusal("1 × × 2");
}

TEST(Expression, IsBounded) {
  EXPECT_NE(refusal(std::string(100'000, '(')).find("bad-expression"), std::string::npos);
  EXPECT_NE(refusal(std::string(1'000, '(')).find("nested more than"), std::string::npos);
  EXPECT_NE(refusal(std::string(1'000, '-') + "1 > 0").find("nested more than"), std::string::npos);
  // Long but flat is fine.
  std::string sum = "0";
  for (int i = 0; i < 10'000; ++i) sum += " + 1";
  EXPECT_EQ(number(sum), 10'000);
}

TEST(Expression, QuotesALongExpressionShortened) {
  const std::string text = refusal(std::string(5'000, '1') + " kWh > 1\x1b");
  EXPECT_NE(text.find("bad-expression"), std::string::npos);
  EXPECT_LT(text.size(), 400U);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Expression, ListsNamesInOrder) {
  EXPECT_EQ(names_in("b + a × b > max(a.c, 3 t)"), (std::vector<std::string>{"b", "a", "a.c"}));
}

}  // namespace
}  // namespace greenline::verb
