#include "footprint/hour_axis.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;
namespace units = base::units;

constexpr std::int64_t kHourNs = 3'600'000'000'000;

// How much a header looks like the UTC time column; 0: not at all.
int time_score(std::string_view header) {
  const std::vector<std::string> words = column_words(header);
  if (has_word(words, "local")) return 0;
  int score = 0;
  for (const char* word : {"datetime", "timestamp", "time"})
    if (has_word(words, word)) score = 2;
  if (score == 0 && has_word(words, "date")) score = 1;
  if (has_word(words, "utc") || has_word(words, "gmt")) score += 3;
  return score;
}

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

std::optional<Stamp> stamp_of_header(std::string_view header) {
  const std::vector<std::string> words = column_words(header);
  const auto any_of = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const char* name) { return has_word(words, name); });
  };
  // System operators write HE and HB for hour ending and hour beginning.
  const bool end = any_of({"end", "ending", "ends", "stop", "until", "he"});
  const bool start = any_of({"start", "starting", "starts", "begin", "beginning", "begins", "hb"});
  if (end == start) return std::nullopt;
  return end ? Stamp::end : Stamp::start;
}

// What the stamps mean, said in the journal.
Stamp decide_stamp(const io::CsvTable& table, std::size_t column, Stamp asked,
                   base::Journal& journal) {
  const std::string& header = table.header()[column];
  const std::optional<Stamp> said = stamp_of_header(header);
  if (said && asked != Stamp::automatic && asked != *said) {
    throw base::UserError(
        "stamp-contradiction",
        fmt::format("--stamp is {}, but column {} says that a stamp is the {} of its hour",
                    base::enum_name(asked), base::quoted(header), base::enum_name(*said)),
        "leave --stamp out, or rename the column if its name is wrong", table.where_header());
  }
  if (asked == Stamp::automatic && !said) {
    const std::string why =
        fmt::format("{}: column {} does not say whether a stamp starts or ends its hour",
                    table.name(), base::quoted(header));
    journal.assumed({"--stamp", "start", why});
    journal.notice(why + "; the start is assumed");
    return Stamp::start;
  }
  const Stamp stamp = said.value_or(asked);
  if (stamp == Stamp::end) {
    journal.notice(fmt::format(
        "{}: {} stamps end their hour ({}); all are shifted by -1 h to its start", table.name(),
        table.num_rows(),
        said ? fmt::format("column {}", base::quoted(header)) : std::string("--stamp end")));
  }
  return stamp;
}

// True when a time says its own zone: a trailing Z or UTC, or an offset after the clock.
bool names_zone(std::string_view text) {
  if (text.ends_with('Z') || text.ends_with('z') || text.ends_with("UTC")) return true;
  const std::size_t clock = text.find(':');
  return clock != std::string_view::npos &&
         text.find_first_of("+-", clock) != std::string_view::npos;
}

// Times of a column that says nothing of UTC: either all name a zone, or none does and UTC is
// assumed. In a mixture the assumption may be wrong for the rest.
void check_zones(const io::CsvTable& table, std::size_t column, base::Journal& journal) {
  const std::vector<std::string> words = column_words(table.header()[column]);
  if (has_word(words, "utc") || has_word(words, "gmt")) return;
  const bool first = names_zone(table.cell(0, column));
  for (std::size_t row = 1; row < table.num_rows(); ++row) {
    if (names_zone(table.cell(row, column)) == first) continue;
    throw base::DataError(
        "mixed-zones",
        fmt::format("row {}: {} {} a time zone, unlike the rows before", row + 1,
                    base::quoted(table.cell(row, column)), first ? "does not name" : "names"),
        "write all times alike, best in UTC: 2021-05-01T00:00Z", table.where(row, column));
  }
  if (!first)
    journal.assumed({"time zone", "UTC",
                     fmt::format("{}: neither column {} nor its times name a zone", table.name(),
                                 base::quoted(table.header()[column]))});
}

// The first power station is of 1882; scenarios reach a century ahead. Beyond lie misread dates,
// and the ends of what an Instant holds.
void check_year(const io::CsvTable& table, std::size_t column, const std::vector<Instant>& times,
                std::size_t row) {
  constexpr int kFirstYear = 1882, kLastYear = 2200;
  const int year = base::civil_utc(times[row]).year;
  if (year >= kFirstYear && year <= kLastYear) return;
  throw base::DataError(
      "implausible-time",
      fmt::format("row {}: the year {}; expected {} to {}", row + 1, year, kFirstYear, kLastYear),
      "check how the date is written", table.where(row, column));
}

// What is wrong between two rows that are not one hour apart.
base::DataError wrong_step(const io::CsvTable& table, std::size_t column,
                           const std::vector<Instant>& times, std::size_t row) {
  const Instant before = times[row - 1], got = times[row];
  const Instant expected = base::advance(before, 1.0 * units::h, 1);
  const auto error = [&](const char* code, const std::string& what, const char* hint) {
    return base::DataError(code,
                           fmt::format("row {}: {}; expected {}, got {}", row + 1, what,
                                       base::format_instant(expected), base::format_instant(got)),
                           hint, table.where(row, column));
  };
  if (got <= before) {
    const auto end = times.begin() + static_cast<std::ptrdiff_t>(row);
    const auto earlier = std::find(times.begin(), end, got);
    if (earlier == end)
      return error("unsorted-hours", "the hours are not in order", "sort the rows by time");
    const auto first_row = static_cast<std::size_t>(earlier - times.begin());
    return error(
        "duplicate-hour",
        fmt::format("this hour stands on line {} already", table.where(first_row, column).line),
        "keep one of the two rows; local times repeat an hour when the clock is set back, UTC "
        "never does");
  }
  if (got > expected && got.ns % kHourNs == before.ns % kHourNs) {
    const double hours = (got - expected).in(units::h);
    return error("missing-hour",
                 fmt::format("{:.0f} hour{} missing", hours, hours > 1 ? "s are" : " is"),
                 "add the missing rows; nothing is filled in");
  }
  return error("not-hourly",
               fmt::format("the step is {}, not 1 h", base::format_quantity(got - before)),
               "average the values to whole hours");
}

}  // namespace

HourAxis read_hour_axis(const io::CsvTable& table, Stamp stamp, base::Journal& journal) {
  const std::size_t column = time_column(table);
  if (table.num_rows() == 0)
    throw base::DataError("no-rows", "the file has a header and no rows", "", table.where_header());
  const std::vector<Instant> times = table.instants(table.header()[column]);
  check_year(table, column, times, 0);
  check_year(table, column, times, times.size() - 1);
  for (std::size_t row = 1; row < times.size(); ++row) {
    if (times[row] - times[row - 1] != 1.0 * units::h) throw wrong_step(table, column, times, row);
  }
  if (times[0].ns % kHourNs != 0) {
    throw base::DataError(
        "not-hourly",
        fmt::format("the hours begin off the hour; expected a whole hour of UTC, got {}",
                    base::format_instant(times[0])),
        "average the values to whole hours of UTC", table.where(0, column));
  }
  check_zones(table, column, journal);
  const bool ends = decide_stamp(table, column, stamp, journal) == Stamp::end;
  return {ends ? times[0] - 1.0 * units::h : times[0], times.size(), column};
}

}  // namespace greenline::footprint
