// Words of power and run logs: lines, decimals and times, read where they stand.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace greenline::mlperf {

// The lines of a text, without their ends ("\n" or "\r\n").
class LogLines {
 public:
  explicit LogLines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    const void* end = std::memchr(rest_.data(), '\n', rest_.size());
    terminated_ = end != nullptr;
    const std::size_t size =
        terminated_ ? static_cast<std::size_t>(static_cast<const char*>(end) - rest_.data())
                    : rest_.size();
    line_ = rest_.substr(0, size);
    rest_.remove_prefix(terminated_ ? size + 1 : size);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
  }

  std::string_view line() const { return line_; }
  std::uint32_t number() const { return number_; }  // from 1
  bool terminated() const { return terminated_; }   // false: the text ends inside this line

 private:
  std::string_view rest_, line_;
  std::uint32_t number_ = 0;
  bool terminated_ = false;
};

// The whole text as a decimal number, "nan" and "inf" too; nothing for anything else (hexadecimal,
// thousands separators, a sign "+").
std::optional<double> decimal(std::string_view text);
std::optional<std::int64_t> integer(std::string_view text);

// The number that `text` begins with, up to a comma or its end, and takes it off; false, with
// `text` as it was, where decimal() would refuse it.
bool take_decimal(std::string_view& text, double& value);

// "08-04-2021 11:39:42.365", month first, in UTC, as ns since 1970; one to nine digits of a second.
// Nothing for anything else, and for times that do not exist or lie outside 1970 to 2261.
std::optional<std::int64_t> month_first_ns(std::string_view text);

// Milliseconds since 1970 as text, "1715898650602" or "1715898650602.25", as ns; the text is read
// as integers. Digits below a nanosecond are refused.
std::optional<std::int64_t> milliseconds_ns(std::string_view text);

}  // namespace greenline::mlperf
