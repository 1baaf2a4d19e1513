#include "io/toml.hpp"

#include <gtest/gtest.h>

#include "io/json.hpp"
#include "unit/io/expect_error.hpp"

namespace greenline::io {
namespace {

using base::DataError;
using testing::contains;
using testing::error_of;
using testing::starts_with;

Value parsed(std::string_view text) { return parse_toml(text, "t.toml"); }
std::string toml_error(std::string_view code, std::string_view text) {
  return error_of<DataError>(code, [&] { parsed(text); });
}
std::string place_of(const Value& root, std::string_view path) {
  const Value* v = root.find_path(path);
  return v == nullptr ? "absent" : v->where().text();
}

constexpr std::string_view kStudy =
    "# study\n"
    "title = \"x\"   # c\n"
    "[run.grid]\n"
    "  when = 2024-05-01T00:00:00Z\n"
    "day = 2024-05-01\n"
    "  \"\xC3\xBC k\" = [ 1, 2.5,\n"
    "   { x = 1, y.z = true } ]\n"
    "[run]\n"
    "q.r = 1e3\n"
    "[[option]]\n"
    "name = \"\"\"two\nlines\"\"\"\n"
    "[[option]]\n"
    "name = 'lit'\n";

TEST(Toml, EveryKindOfValue) {
  const Value v = parsed(kStudy);
  EXPECT_EQ(v.find_path("title")->as_text(), "x");
  EXPECT_EQ(v.find_path("run.grid.when")->as_date_time().text, "2024-05-01T00:00:00Z");
  EXPECT_EQ(v.find_path("run.grid.day")->as_date_time().text, "2024-05-01");
  EXPECT_EQ(v.find_path("run.grid.\xC3\xBC k.1")->as_double(), 2.5);
  EXPECT_TRUE(v.find_path("run.grid.\xC3\xBC k.2.y.z")->as_bool());
  EXPECT_EQ(v.find_path("run.q.r")->as_double(), 1000);
  EXPECT_EQ(v.find_path("option.0.name")->as_text(), "two\nlines");
  EXPECT_EQ(v.find_path("option.1.name")->as_text(), "lit");
}

TEST(Toml, ValuesStandWhereTheyStart) {
  const Value v = parsed(kStudy);
  EXPECT_EQ(v.where().text(), "t.toml:1:1");
  EXPECT_EQ(place_of(v, "title"), "t.toml:2:9");
  EXPECT_EQ(place_of(v, "run.grid"), "t.toml:3:1");
  EXPECT_EQ(place_of(v, "run.grid.when"), "t.toml:4:10");
  EXPECT_EQ(place_of(v, "run.grid.\xC3\xBC k"), "t.toml:6:11");
  EXPECT_EQ(place_of(v, "run.grid.\xC3\xBC k.1"), "t.toml:6:16");
  EXPECT_EQ(place_of(v, "run.grid.\xC3\xBC k.2.y.z"), "t.toml:7:19");
  EXPECT_EQ(place_of(v, "run.q.r"), "t.toml:9:7");
  EXPECT_EQ(place_of(v, "option.0.name"), "t.toml:11:8");
  EXPECT_EQ(place_of(v, "option.1"), "t.toml:13:1");
}

TEST(Toml, MembersKeepTheOrderOfTheFile) {
  const Value v = parsed("z = 1\na = 2\n[m]\ny = 1\nb = 2\n[c]\n");
  std::string order;
  for (const auto& [key, value] : v.as_object()) order += key;
  for (const auto& [key, value] : v.find("m")->as_object()) order += key;
  EXPECT_EQ(order, "zamcyb");
}

TEST(Toml, ErrorsHaveAPlace) {
  EXPECT_TRUE(starts_with(toml_error("bad-toml", "a = 1\nb = \n"), "t.toml:2:"));
  EXPECT_TRUE(starts_with(toml_error("bad-toml", "a = 1\na = 2\n"), "t.toml:2:"));
  EXPECT_TRUE(starts_with(toml_error("bad-toml", "[a]\nb = 1\n[a]\n"), "t.toml:3:1"));
  EXPECT_TRUE(starts_with(toml_error("bad-toml", "a = \"\xFF\"\n"), "t.toml:1:"));
  EXPECT_TRUE(starts_with(toml_error("bad-toml", std::string_view("a\0b = 1\n", 8)), "t.toml:1:"));
  toml_error("bad-toml", "a = [1,\n");
  toml_error("bad-toml", "a = 9223372036854775808\n");
  toml_error("bad-toml", "a = 1e999\n");
}

TEST(Toml, NanAndInfinityAreRefusedByName) {
  EXPECT_EQ(toml_error("not-finite", "a = 1\nload = nan\n"),
            "t.toml:2:8: expected a finite number, got nan");
  toml_error("not-finite", "a = -inf\n");
}

// `times` copies of `text`, `between` them.
std::string repeated(std::size_t times, std::string_view text, std::string_view between = "") {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) (all += i == 0 ? "" : between) += text;
  return all;
}

TEST(Toml, DepthIsBoundedHoweverItIsMade) {
  constexpr std::size_t kMany = 100'000;
  const std::string part = "a.b.c.d";
  EXPECT_TRUE(
      starts_with(toml_error("bad-toml", "a=" + repeated(kMany, "[")), "t.toml:1:259: nested"));
  EXPECT_TRUE(contains(toml_error("bad-toml", repeated(kMany, "a", ".") + "=1"), "nested deeper"));
  EXPECT_TRUE(
      contains(toml_error("bad-toml", "[" + repeated(kMany, "a", ".") + "]"), "nested deeper"));
  EXPECT_TRUE(contains(toml_error("bad-toml", "a=" + repeated(kMany, "{a=")), "nested deeper"));
  EXPECT_TRUE(
      contains(toml_error("bad-toml", "a=" + repeated(kMany, "{" + part + "=[")), "nested deeper"));
  EXPECT_TRUE(contains(
      toml_error("bad-toml", "[" + repeated(250, "a", ".") + "]\n" + repeated(10, "b", ".") + "=1"),
      "nested deeper"));
}

// What TOML reads, JSON writes and reads: both count the root.
TEST(Toml, DepthLimitIsThatOfJson) {
  const auto levels = [](std::size_t n) { return repeated(n, "a", ".") + " = 1\n"; };
  const Value deepest = parsed(levels(256) + "[b]\n");
  EXPECT_EQ(parse_json(write_json(deepest), "again"), deepest);
  EXPECT_TRUE(starts_with(toml_error("bad-toml", "\n" + levels(257)), "t.toml:2:"));
  std::string arrays;  // each [[a.a…]] adds a table and an array: 2 levels a part
  for (std::size_t n = 1; n <= 128; ++n) arrays += "[[" + repeated(n, "a", ".") + "]]\n";
  EXPECT_TRUE(contains(toml_error("bad-toml", arrays), "nested deeper"));
}

TEST(Toml, DepthCountsOnlyWhatNests) {
  parsed("a=" + repeated(250, "[") + repeated(250, "]"));
  parsed("[" + repeated(250, "a", ".") + "]\n");
  std::string flat;
  for (int i = 0; i < 1000; ++i) {
    const std::string n = std::to_string(i);
    flat += "[t" + n + ".sub]\nx.y = 1.5\nl = [[1.5, 2.5], [{a.b = 1}],\n [3.5]] # [[[[ ....\n";
    flat += "s = \"[[[[ \\\" ....\"\nm = '''\n[[[['....'''\nd = \"\"\"[[[[\"\"\"\"\n[[t" + n +
            ".arr]]\n";
  }
  EXPECT_EQ(parsed(flat).as_object().size(), 1000U);
}

}  // namespace
}  // namespace greenline::io
