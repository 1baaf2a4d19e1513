#include "io/json.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "unit/io/expect_error.hpp"

namespace greenline::io {
namespace {

using base::DataError;
using testing::contains;
using testing::error_of;
using testing::starts_with;

Value parsed(std::string_view text) { return parse_json(text, "t.json"); }
std::string json_error(std::string_view code, std::string_view text) {
  return error_of<DataError>(code, [&] { parsed(text); });
}
std::string place_of(const Value& root, std::string_view path) {
  const Value* v = root.find_path(path);
  return v == nullptr ? "absent" : v->where().text();
}

TEST(Json, EveryKindOfValue) {
  const Value v =
      parsed(R"({"n":null,"b":true,"i":-7,"d":2.5e3,"t":"\u00fc\n","a":[1,[]],"o":{}})");
  EXPECT_TRUE(v.find("n")->is_null());
  EXPECT_TRUE(v.find("b")->as_bool());
  EXPECT_EQ(v.find("i")->as_int(), -7);
  EXPECT_EQ(v.find("d")->as_double(), 2500);
  EXPECT_EQ(v.find("t")->as_text(), "\xC3\xBC\n");
  EXPECT_EQ(v.find("a")->as_array().size(), 2U);
  EXPECT_TRUE(v.find("o")->as_object().empty());
}

TEST(Json, ObjectsKeepTheOrderOfTheFile) {
  const Value v = parsed(R"({"z":1,"a":2,"m":3})");
  std::string order;
  for (const auto& [key, value] : v.as_object()) order += key;
  EXPECT_EQ(order, "zam");
}

TEST(Json, ValuesStandWhereTheyStart) {
  const Value v = parsed(
      "{\"a\" : [1, 2.5e3,\n"
      "  {\"\xC3\xBC\": \"\xC3\xA9\\\"\", \"k\": null}, -0],\r\n"
      "\t\"b\":true, \"c\": {\n"
      "    \"d\": \"x:,[]{}\", \"e\": false\n"
      "  }\n"
      "}");
  EXPECT_EQ(v.where().text(), "t.json:1:1");
  EXPECT_EQ(place_of(v, "a"), "t.json:1:8");
  EXPECT_EQ(place_of(v, "a.0"), "t.json:1:9");
  EXPECT_EQ(place_of(v, "a.1"), "t.json:1:12");
  EXPECT_EQ(place_of(v, "a.2"), "t.json:2:3");
  EXPECT_EQ(place_of(v, "a.2.\xC3\xBC"), "t.json:2:9");
  EXPECT_EQ(place_of(v, "a.2.k"), "t.json:2:21");  // characters, not bytes
  EXPECT_EQ(place_of(v, "a.3"), "t.json:2:28");
  EXPECT_EQ(place_of(v, "b"), "t.json:3:6");
  EXPECT_EQ(place_of(v, "c.d"), "t.json:4:10");
  EXPECT_EQ(place_of(v, "c.e"), "t.json:4:26");
  EXPECT_EQ(parsed("\xEF\xBB\xBF 1").where().text(), "t.json:1:2");
}

TEST(Json, ErrorsStandAtTheWrongToken) {
  const auto at = [](std::string_view text) {
    const std::string what = json_error("bad-json", text);
    return what.substr(0, what.find(": "));
  };
  EXPECT_EQ(at("[1,,2]"), "t.json:1:4");
  EXPECT_EQ(at("[,1]"), "t.json:1:2");
  EXPECT_EQ(at("[1,\n  tru]"), "t.json:2:3");
  EXPECT_EQ(at("[NaN]"), "t.json:1:2");
  EXPECT_EQ(at("{\"a\" \"b c\"}"), "t.json:1:6");
  EXPECT_EQ(at("[1 234]"), "t.json:1:4");
  EXPECT_EQ(at("[01]"), "t.json:1:3");
  EXPECT_EQ(at("[1,\n2"), "t.json:2:2");
  EXPECT_EQ(at("{\"a\":1} x"), "t.json:1:9");
  EXPECT_EQ(at("[\"ab\xFF\"]"), "t.json:1:5");
  EXPECT_EQ(at(""), "t.json:1:1");
  EXPECT_EQ(at("{\"a\":1,}"), "t.json:1:8");
}

TEST(Json, ErrorsSayWhatIsThere) {
  EXPECT_TRUE(contains(json_error("bad-json", "[NaN]"), "got \"NaN\""));
  EXPECT_TRUE(contains(json_error("bad-json", "{\"a\" \"b\"}"), "expected ':', got \"b\""));
  EXPECT_EQ(json_error("bad-json", "{\"k\":1,\n \"k\":2}"),
            "t.json:2:2: duplicate key \"k\"; the first is at line 1, column 2");
}

TEST(Json, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  parsed(nested(256));
  EXPECT_TRUE(starts_with(json_error("bad-json", nested(257)), "t.json:1:257: nested deeper"));
  json_error("bad-json", std::string(1'000'000, '['));
}

TEST(Json, WholeNumbersAreExactOrRefused) {
  EXPECT_EQ(parsed("9223372036854775807").as_int(), INT64_MAX);
  EXPECT_EQ(parsed("-9223372036854775808").as_int(), INT64_MIN);
  EXPECT_EQ(parsed("9223372036854775808").as_double(), 0x1p63);
  EXPECT_EQ(parsed("18446744073709551616").as_double(), 0x1p64);
  EXPECT_EQ(parsed("-18446744073709551616").as_double(), -0x1p64);
  EXPECT_TRUE(
      starts_with(json_error("number-out-of-range", "[1, 9223372036854775809]"), "t.json:1:5: "));
  json_error("number-out-of-range", "18446744073709551617");
  json_error("number-out-of-range", "-9223372036854775809");
}

TEST(Json, NumbersBeyondDoubleAreRefused) {
  EXPECT_TRUE(
      starts_with(json_error("number-out-of-range", "[0,\n 1e999]"), "t.json:2:2: \"1e999\""));
  json_error("number-out-of-range", "-1e999");
  json_error("number-out-of-range", "1e-999");
  EXPECT_EQ(parsed("0e-999").as_double(), 0);
}

TEST(Json, WritesOneLineOrIndented) {
  const Value v =
      Value::Object{{"a", Value::Array{1, 2.5, Value{}}}, {"b", true}, {"c", Value::Object{}}};
  EXPECT_EQ(write_json(v, 0), R"({"a":[1,2.5,null],"b":true,"c":{}})");
  EXPECT_EQ(write_json(v),
            "{\n  \"a\": [\n    1,\n    2.5,\n    null\n  ],\n  \"b\": true,\n  \"c\": {}\n}");
}

TEST(Json, WritesTextThatIsSafeInAScript) {
  EXPECT_EQ(write_json("</script>"), R"("\u003c/script>")");
  EXPECT_EQ(write_json("\xE2\x80\xA8\xE2\x80\xA9"), R"("\u2028\u2029")");
  EXPECT_EQ(write_json("\"\\\b\x01\n\r\t"), R"("\"\\\u0008\u0001\n\r\t")");
  EXPECT_EQ(write_json(Value::Object{{"<k>", 1}}, 0), R"({"\u003ck>":1})");
  EXPECT_EQ(write_json("\xC3\xBC\xF0\x9F\x8C\xB1"), "\"\xC3\xBC\xF0\x9F\x8C\xB1\"");
}

TEST(Json, BytesThatAreNotTextBecomeTheReplacementCharacter) {
  const std::string replaced =
      "\"a\xEF\xBF\xBD"
      "b\"";
  EXPECT_EQ(write_json("a\xFF"
                       "b"),
            replaced);
  EXPECT_EQ(write_json("a\xC3"
                       "b"),
            replaced);
  for (const char* wrong :
       {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\x80"})
    EXPECT_NO_THROW(parsed(write_json(wrong))) << "overlong, surrogate or too high";
}

TEST(Json, WritesNumbersThatReadBackToTheSameDouble) {
  EXPECT_EQ(write_json(0.1), "0.1");
  EXPECT_EQ(write_json(1.0), "1");
  EXPECT_TRUE(std::signbit(parsed(write_json(-0.0)).as_double()));
  for (const double d :
       {0x1p53, 0x1p63, 0x1p64, 0x1p80, 1e22, 1e23, 5e-324, 1.7976931348623157e308})
    EXPECT_EQ(parsed(write_json(d)).as_double(), d);
  EXPECT_THROW(write_json(std::nan("")), base::InternalError);
  EXPECT_THROW(write_json(-HUGE_VAL), base::InternalError);
}

}  // namespace
}  // namespace greenline::io
