#include "footprint/stamps.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;
namespace units = base::units;

// How much a header looks like the UTC time column; 0: not at all.
int time_score(std::string_view header) {
  const std::vector<std::string> words = column_words(header);
  int score = 0;
  for (const char* word : {"datetime", "timestamp", "time"})
    if (has_word(words, word)) score = 3;
  if (score == 0 && has_word(words, "date")) score = 2;
  if (has_word(words, "utc") || has_word(words, "gmt")) score += 3;
  return has_word(words, "local") ? std::min(score, 1) : score;
}

Stamp stamp_of_header(const std::vector<std::string>& words) {
  const auto any_of = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const char* name) { return has_word(words, name); });
  };
  // System operators write HE and HB for hour ending and hour beginning.
  const bool end = any_of({"end", "ending", "ends", "stop", "until", "he"});
  const bool start = any_of({"start", "starting", "starts", "begin", "beginning", "begins", "hb"});
  if (end == start) return Stamp::automatic;
  return end ? Stamp::end : Stamp::start;
}

// A number of one or two digits (`width` 4: exactly four) and the mark after it.
std::optional<int> take_number(std::string_view& text, std::size_t width, char mark) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || value < 0 || text.front() == '-' || size > width ||
      (width == 4 && size != 4))
    return std::nullopt;
  text.remove_prefix(size);
  if (mark == 0) return value;
  if (!text.starts_with(mark)) return std::nullopt;
  text.remove_prefix(1);
  return value;
}

// "7/1/2023 5:00:00 AM", the month first; with or without seconds and AM or PM. Nothing when the
// text is not of this form.
std::optional<Instant> american_time(std::string_view text) {
  base::CivilTime c;
  const auto month = take_number(text, 2, '/'), day = month ? take_number(text, 2, '/') : month;
  const auto year = day ? take_number(text, 4, ' ') : day;
  const auto hour = year ? take_number(text, 2, ':') : year;
  const auto minute = hour ? take_number(text, 2, 0) : hour;
  if (!minute) return std::nullopt;
  c = {.year = *year, .month = *month, .day = *day, .hour = *hour, .minute = *minute};
  if (text.starts_with(':')) {
    text.remove_prefix(1);
    const auto second = take_number(text, 2, 0);
    if (!second) return std::nullopt;
    c.second = *second;
  }
  if (text == " AM" || text == " PM") {
    if (c.hour < 1 || c.hour > 12) return std::nullopt;
    c.hour = c.hour % 12 + (text == " PM" ? 12 : 0);
  } else if (!text.empty()) {
    return std::nullopt;
  }
  if (c.month < 1 || c.month > 12 || c.day < 1 || c.day > base::days_in_month(c.year, c.month) ||
      c.hour > 23 || c.minute > 59 || c.second > 59 || c.year < 1700 || c.year > 2200)
    return std::nullopt;
  return base::from_civil_utc(c);
}

Instant time_of(const io::CsvTable& table, std::size_t row, std::size_t column, Clock clock) {
  const std::string_view text = table.cell(row, column);
  if (clock == Clock::american) {
    if (const auto time = american_time(text)) return *time;
  }
  try {
    return base::parse_instant(text);
  } catch (const base::UserError& error) {
    throw base::DataError("bad-time",
                          fmt::format("column {}, row {}: {}", base::quoted(table.header()[column]),
                                      row + 1, error.message()),
                          error.hint(), table.where(row, column));
  }
}

}  // namespace

std::size_t time_column(const io::CsvTable& table) {
  const std::vector<std::string>& header = table.header();
  std::size_t best = 0;
  int best_score = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const int score = time_score(header[i]);
    if (score > best_score) best = i, best_score = score;
  }
  if (best_score > 0) return best;
  throw base::DataError(
      "unknown-layout",
      fmt::format(
          "no time column; expected datetime, timestamp or a name with UTC, got columns: {}",
          fmt::join(header, ", ")),
      "name the column of the UTC times datetime_utc", table.where_header());
}

bool names_zone(std::string_view text) {
  if (text.ends_with('Z') || text.ends_with('z') || text.ends_with("UTC")) return true;
  const std::size_t date = text.size() > 4 && text[4] == '-' ? 10 : 8;  // 2021-05-01, 20210501
  return text.size() > date && text.find_first_of("+-", date) != std::string_view::npos;
}

Stamps read_stamps(const io::CsvTable& table, std::size_t column,
                   const std::vector<std::size_t>& rows, Clock clock) {
  if (rows.empty())
    throw base::DataError("no-rows", "the file has a header and no rows", "", table.where_header());
  const std::vector<std::string> words = column_words(table.header()[column]);
  const bool utc = has_word(words, "utc") || has_word(words, "gmt");
  Stamps stamps;
  stamps.file = table.name();
  stamps.header = table.header()[column];
  stamps.said = stamp_of_header(words);
  stamps.where = [&table, &rows, column](std::size_t i) { return table.where(rows[i], column); };
  stamps.times.reserve(rows.size());
  const bool first = names_zone(table.cell(rows[0], column));
  for (const std::size_t row : rows) {
    stamps.times.push_back(time_of(table, row, column, clock));
    if (utc || names_zone(table.cell(row, column)) == first) continue;
    throw base::DataError(
        "mixed-zones",
        fmt::format("row {}: {} {} a time zone, unlike the rows before", row + 1,
                    base::quoted(table.cell(row, column)), first ? "does not name" : "names"),
        "write all times alike, best in UTC: 2021-05-01T00:00Z", table.where(row, column));
  }
  stamps.zoned = utc || first;
  stamps.local = has_word(words, "local") && !stamps.zoned;
  return stamps;
}

namespace {

constexpr std::int64_t kMinuteNs = 60'000'000'000;

// Both readings of a wall clock; equal unless the clock shows it twice. Throws where it is skipped.
struct Readings {
  Instant earlier, later;
};
Readings readings(Instant wall, const std::string& timezone) {
  const base::CivilTime c = base::civil_utc(wall);
  return {base::from_civil_local(c, timezone, base::Fold::earlier),
          base::from_civil_local(c, timezone, base::Fold::later)};
}

// The jump itself has no reading when the clock is set forward: 02:00 is 03:00. A file whose stamps
// end their steps may write either.
std::optional<Instant> end_before_jump(Instant wall, const std::string& timezone) {
  try {
    const Instant before = readings({wall.ns - kMinuteNs}, timezone).later;
    return Instant{before.ns + kMinuteNs};
  } catch (const base::DataError&) {
    return std::nullopt;
  }
}

Readings readings_of_row(const Stamps& stamps, std::size_t row, const std::string& timezone,
                         Stamp stamp) {
  try {
    return readings(stamps.times[row], timezone);
  } catch (const base::DataError& error) {
    if (stamp == Stamp::end) {
      if (const auto jump = end_before_jump(stamps.times[row], timezone)) return {*jump, *jump};
    }
    throw base::DataError(error.code(), error.message(), error.hint(), stamps.where(row));
  }
}

}  // namespace

void resolve_local(Stamps& stamps, const std::string& timezone, Stamp stamp, base::Time step) {
  const std::size_t n = stamps.times.size();
  std::vector<Readings> both;
  both.reserve(n);
  for (std::size_t row = 0; row < n; ++row)
    both.push_back(readings_of_row(stamps, row, timezone, stamp));
  // The first of two equal readings is the earlier; what follows by one step is the right one.
  for (std::size_t row = 0; row < n; ++row) {
    const auto [earlier, later] = both[row];
    Instant chosen = earlier;
    if (row > 0 && earlier <= stamps.times[row - 1]) chosen = later;
    // A file that begins in the second of the two hours goes on with what follows it.
    if (row == 0 && earlier != later && n > 1 && both[1].earlier == both[1].later &&
        both[1].earlier == later + step)
      chosen = later;
    stamps.times[row] = chosen;
  }
}

}  // namespace greenline::footprint
