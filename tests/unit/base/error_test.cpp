#include "base/error.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/quantity.hpp"

namespace greenline::base {
namespace {

TEST(Location, SaysWhatItKnows) {
  EXPECT_EQ((Location{"a.csv", 3, 7}.text()), "a.csv:3:7");
  EXPECT_EQ((Location{"a.csv", 3, 0}.text()), "a.csv:3");
  EXPECT_EQ((Location{"a.csv", 0, 7}.text()), "a.csv");
  EXPECT_EQ((Location{"", 3, 7}.text()), "line 3:7");
  EXPECT_EQ(Location{}.text(), "");
}

TEST(Error, CarriesWhatWhereAndNextStep) {
  const DataError error("missing-hour", "hour 7 is missing", "add the row", {"a.csv", 8, 1});
  EXPECT_STREQ(error.what(), "a.csv:8:1: hour 7 is missing; add the row");
  EXPECT_EQ(error.code(), "missing-hour");
  EXPECT_EQ(error.message(), "hour 7 is missing");
  EXPECT_EQ(error.hint(), "add the row");
  EXPECT_EQ(error.where().line, 8u);
}

TEST(Error, EachKindHasItsExitCode) {
  EXPECT_EQ(exit_code(UserError("a-b", "").kind()), 2);
  EXPECT_EQ(exit_code(DataError("a-b", "").kind()), 3);
  EXPECT_EQ(exit_code(UnsupportedError("a-b", "").kind()), 4);
  EXPECT_EQ(exit_code(InternalError("").kind()), 70);
}

TEST(Quoted, ShowsControlBytesAndWhatIsNotUtf8) {
  EXPECT_EQ(quoted("a\nb\x7f"), "\"a\\x0ab\\x7f\"");
  EXPECT_EQ(quoted("5 \u00b5s \u20ac \U0001F600"), "\"5 \u00b5s \u20ac \U0001F600\"");
  EXPECT_EQ(quoted("\xff\xc0\x80"), "\"\\xff\\xc0\\x80\"");
  EXPECT_EQ(quoted("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"");  // a surrogate
  EXPECT_EQ(quoted("\xe2\x82"), "\"\\xe2\\x82\"");           // cut short
}

TEST(Quoted, ShortensBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\u20ac";
  const std::string out = base::quoted(text);
  EXPECT_LT(out.size(), 90u);
  EXPECT_NE(out.find("..."), std::string::npos);
  EXPECT_EQ(out.find("\\x"), std::string::npos);
}

TEST(Nearest, FindsSlipsAbbreviationsAndCase) {
  const std::vector<std::string> known{"llama3-70b", "llama3-8b", "gpt3-175b", "h100-sxm", "h200"};
  EXPECT_EQ(nearest("lama3-70b", known, 1), std::vector<std::string>{"llama3-70b"});
  EXPECT_EQ(nearest("Llama3_70B", known), std::vector<std::string>{"llama3-70b"});
  EXPECT_EQ(nearest("h100", known), (std::vector<std::string>{"h100-sxm", "h200"}));
  EXPECT_EQ(nearest("sxm", known), std::vector<std::string>{"h100-sxm"});
  EXPECT_EQ(nearest("lalma3-70b", known, 1), std::vector<std::string>{"llama3-70b"});
  EXPECT_TRUE(nearest("mixtral", known).empty());
  EXPECT_TRUE(nearest("", known).empty());
  EXPECT_TRUE(nearest(std::string(100000, 'x'), known).empty());
}

TEST(UnknownName, NamesTheNearestOrTheFewThatThereAre) {
  const std::vector<std::string> known{"ERCO", "CISO"};
  const UserError near = unknown_name("grid region", "ERC0", known, "see catalog list");
  EXPECT_EQ(near.code(), "unknown-grid-region");
  EXPECT_EQ(near.message(), "unknown grid region \"ERC0\"; nearest: ERCO");
  EXPECT_EQ(near.hint(), "see catalog list");
  EXPECT_EQ(unknown_name("grid region", "Mars", known).message(),
            "unknown grid region \"Mars\"; known: ERCO, CISO");
}

TEST(Checks, PrintBothValues) {
  try {
    GL_CHECK_EQ(2 + 2, 5);
    FAIL() << "not thrown";
  } catch (const InternalError& error) {
    EXPECT_NE(error.message().find("2 + 2 == 5, got 4 and 5"), std::string::npos)
        << error.message();
  }
  EXPECT_NO_THROW(GL_CHECK_LE(1.0 * units::h, 60.0 * units::min));
  EXPECT_THROW(GL_CHECK_LT(1.0 * units::h, 60.0 * units::min), InternalError);
  EXPECT_THROW(GL_CHECK_NE(std::string("a"), std::string("a")), InternalError);
  EXPECT_THROW(GL_CHECK_GE(std::nan(""), 0.0), InternalError);
}

TEST(Checks, UserCheckBuildsItsMessageOnFailureOnly) {
  int built = 0;
  const auto message = [&] {
    ++built;
    return std::string("a message");
  };
  GL_USER_CHECK(true, "some-code", message());
  EXPECT_EQ(built, 0);
  EXPECT_THROW(GL_USER_CHECK(false, "some-code", message()), UserError);
  EXPECT_EQ(built, 1);
}

}  // namespace
}  // namespace greenline::base
