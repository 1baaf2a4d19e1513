#include "base/utf8.hpp"

#include <string>

#include <gtest/gtest.h>

namespace greenline::base {
namespace {

// The definition of UTF-8, written out: the bytes of one code.
std::string encoded(char32_t code) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto tail = [&](int shift) { return byte(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0U | code >> 6U), tail(0)};
  if (code < 0x10000) return {byte(0xE0U | code >> 12U), tail(6), tail(0)};
  return {byte(0xF0U | code >> 18U), tail(12), tail(6), tail(0)};
}

TEST(Utf8, ReadsEveryCodeAndNoSurrogate) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    const std::string text = encoded(code) + "x";
    const Utf8Character c = first_character(text);
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    ASSERT_EQ(c.size, is_surrogate ? 0 : text.size() - 1) << std::hex << std::uint32_t{code};
    ASSERT_EQ(c.code, is_surrogate ? 0 : code);
  }
}

TEST(Utf8, RefusesWhatIsCutOverlongOrTooHigh) {
  for (const char* bad :
       {"\x80", "\xC3", "\xC3(", "\xE2\x82", "\xF0\x9F\x98", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF"})
    EXPECT_EQ(first_character(bad).size, 0U) << bad;
}

}  // namespace
}  // namespace greenline::base
