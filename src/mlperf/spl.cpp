#include "mlperf/spl.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {
namespace {

constexpr std::array<std::string_view, 4> kMessages = {"NOTICE", "ERROR", "WARNING", "INFO"};
constexpr std::array<std::string_view, 6> kNames = {"Time", "Watts", "Volts", "Amps", "PF", "Mark"};
constexpr std::size_t kNumFields = 2 * kNames.size();

class Reader {
 public:
  explicit Reader(SplTrace& trace) : trace_(trace) {}

  void line(const LogLines& lines) {
    const std::string_view line = lines.line();
    if (!line.starts_with("Time,")) {
      ++trace_.num_other_lines;
      return;
    }
    if (usual_sample(line, lines.number())) return;
    split(line);
    if (num_fields_ >= 3 && is_message(fields_[2])) {
      ++trace_.num_messages;
    } else if (num_fields_ < kNumFields && !lines.terminated()) {
      trace_.is_truncated = true;
    } else {
      refuse_sample(line, lines.number());
    }
  }

 private:
  static bool is_message(std::string_view word) {
    return std::find(kMessages.begin(), kMessages.end(), word) != kMessages.end();
  }

  // The rest of a line, word by word.
  struct Rest {
    std::string_view text;
    bool skip(std::string_view word) {
      if (!text.starts_with(word)) return false;
      text.remove_prefix(word.size());
      return true;
    }
    std::string_view field() {
      std::size_t size = 0;
      while (size < text.size() && text[size] != ',') ++size;
      const std::string_view word = text.substr(0, size);
      text.remove_prefix(size);
      return word;
    }
  };

  // A line as nearly all are, read in one go; false for any other, which is then looked at closely.
  bool usual_sample(std::string_view line, std::uint32_t number) {
    Rest rest{line};
    SplSample s;
    s.line = number;
    if (!rest.skip("Time,")) return false;
    const auto time = time_of(rest.field());
    const auto read = [&](std::string_view name, double& value) {
      return rest.skip(name) && take_decimal(rest.text, value);
    };
    if (!time || !read(",Watts,", s.watts) || !read(",Volts,", s.volts) ||
        !read(",Amps,", s.amps) || !read(",PF,", s.power_factor) || !rest.skip(",Mark,"))
      return false;
    s.time_ns = *time;
    s.mark = mark(rest.field());
    rest_ = rest.skip(",") ? rest.text : std::string_view();
    s.num_channels = num_channels();
    trace_.samples.push_back(s);
    return true;
  }

  // Rows of one hour follow each other: what stands before the minutes is read once.
  std::optional<std::int64_t> time_of(std::string_view text) {
    constexpr std::size_t kHour = 14;   // "MM-DD-YYYY hh:"
    constexpr std::size_t kUsual = 23;  // with milliseconds
    const auto digit = [&](std::size_t i) { return std::int64_t{text[i]} - '0'; };
    const auto is_digit = [&](std::size_t i) { return digit(i) >= 0 && digit(i) <= 9; };
    if (text.size() != kUsual || text.substr(0, kHour) != hour_ || text[16] != ':' ||
        text[19] != '.' || text[14] > '5' || text[17] > '5' ||
        !(is_digit(14) && is_digit(15) && is_digit(17) && is_digit(18) && is_digit(20) &&
          is_digit(21) && is_digit(22))) {
      const auto time = month_first_ns(text);
      if (time) {
        constexpr std::int64_t kHourNs = 3'600'000'000'000;
        hour_ = text.substr(0, kHour);
        hour_ns_ = *time - *time % kHourNs;
      }
      return time;
    }
    const std::int64_t seconds = (digit(14) * 10 + digit(15)) * 60 + digit(17) * 10 + digit(18);
    const std::int64_t milliseconds = digit(20) * 100 + digit(21) * 10 + digit(22);
    return hour_ns_ + (seconds * 1000 + milliseconds) * 1'000'000;
  }

  // The first kNumFields fields, and where the rest begins.
  void split(std::string_view line) {
    num_fields_ = 0;
    rest_ = {};
    std::size_t begin = 0;
    while (num_fields_ < kNumFields) {
      const void* comma = std::memchr(line.data() + begin, ',', line.size() - begin);
      const std::size_t end =
          comma ? static_cast<std::size_t>(static_cast<const char*>(comma) - line.data())
                : line.size();
      fields_[num_fields_++] = line.substr(begin, end - begin);
      if (!comma) return;
      begin = end + 1;
    }
    rest_ = line.substr(begin);
  }

  // Says what is wrong with a line that is no usual sample.
  [[noreturn]] void refuse_sample(std::string_view line, std::uint32_t number) const {
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (2 * i >= num_fields_ || fields_[2 * i] != kNames[i])
        refuse(line, number, 2 * i, fmt::format("\"{}\"", kNames[i]),
               i > 1 ? "numbers are written without thousands separators" : "");
    if (!month_first_ns(fields_[1]))
      refuse(line, number, 1, "a time MM-DD-YYYY hh:mm:ss.fff", "the month stands first");
    for (std::size_t i = 0; i < 4; ++i)
      if (!decimal(fields_[2 * i + 3]))
        refuse(line, number, 2 * i + 3, fmt::format("a number of {}", kNames[i + 1]), "");
    refuse(line, number, kNumFields - 1, "a mark", "");
  }

  std::uint16_t mark(std::string_view name) {
    if (!trace_.marks.empty() && trace_.marks.back() == name)
      return static_cast<std::uint16_t>(trace_.marks.size() - 1);
    const auto found = std::find(trace_.marks.begin(), trace_.marks.end(), name);
    if (found != trace_.marks.end())
      return static_cast<std::uint16_t>(found - trace_.marks.begin());
    if (trace_.marks.size() == std::numeric_limits<std::uint16_t>::max())
      throw base::DataError("too-large", "more than 65535 different marks", "",
                            {trace_.name, 0, 0});
    trace_.marks.emplace_back(name);
    return static_cast<std::uint16_t>(trace_.marks.size() - 1);
  }

  std::uint16_t num_channels() const {
    std::uint16_t n = 0;
    std::string_view rest = rest_;
    while (!rest.empty() && n < std::numeric_limits<std::uint16_t>::max()) {
      if (rest.starts_with("Ch") || rest.starts_with("Analyzer")) ++n;
      const std::size_t comma = rest.find(',');
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    return n;
  }

  [[noreturn]] void refuse(std::string_view line, std::uint32_t number, std::size_t field,
                           std::string_view expected, std::string hint) const {
    const bool is_there = field < num_fields_;
    const std::size_t column =
        is_there ? static_cast<std::size_t>(fields_[field].data() - line.data()) + 1
                 : line.size() + 1;
    throw base::DataError(
        "bad-spl",
        fmt::format("expected {} as field {}, got {}", expected, field + 1,
                    is_there ? base::quoted(fields_[field]) : "the end of the line"),
        std::move(hint), {trace_.name, number, column});
  }

  SplTrace& trace_;
  std::array<std::string_view, kNumFields> fields_;
  std::size_t num_fields_ = 0;
  std::string_view rest_;  // after the mark
  std::string_view hour_;  // of the last time that was read, as text and in ns since 1970
  std::int64_t hour_ns_ = 0;
};

}  // namespace

SplTrace parse_spl(std::string_view text, std::string name) {
  constexpr std::size_t kUsualLine = 120;
  SplTrace trace;
  trace.name = std::move(name);
  trace.samples.reserve(text.size() / kUsualLine + 1);
  Reader reader(trace);
  LogLines lines(text);
  while (lines.next()) reader.line(lines);
  return trace;
}

}  // namespace greenline::mlperf
