#include "footprint/hour_axis.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"

namespace greenline::footprint {
namespace {

using base::Instant;
namespace units = base::units;

constexpr std::int64_t kHourNs = 3'600'000'000'000;
constexpr std::int64_t kShortestStepNs = kHourNs / 60;

base::Time time_of(std::int64_t ns) { return static_cast<double>(ns) * 1e-9 * units::s; }

std::string text_of_step(base::Time step) {
  return step == 1.0 * units::h ? "1 h" : base::format_quantity(step);
}

// What the stamps mean, said in the journal.
Stamp decide_stamp(const Stamps& stamps, Stamp asked, base::Journal& journal) {
  if (stamps.said != Stamp::automatic && asked != Stamp::automatic && asked != stamps.said) {
    throw base::UserError(
        "stamp-contradiction",
        fmt::format("--stamp is {}, but column {} says that a stamp is the {} of its hour",
                    base::enum_name(asked), base::quoted(stamps.header),
                    base::enum_name(stamps.said)),
        "leave --stamp out, or rename the column if its name is wrong", stamps.where(0));
  }
  if (asked != Stamp::automatic) return asked;
  if (stamps.said != Stamp::automatic) return stamps.said;
  const std::string why =
      fmt::format("{}: column {} does not say whether a stamp starts or ends its hour", stamps.file,
                  base::quoted(stamps.header));
  journal.assumed({"--stamp", "start", why});
  journal.notice(why + "; the start is assumed");
  return Stamp::start;
}

void say_shift(const Stamps& stamps, base::Time step, base::Journal& journal) {
  const bool by_header = stamps.said == Stamp::end;
  const bool hourly = step == 1.0 * units::h;
  journal.notice(fmt::format("{}: {} stamps end their {} ({}); all are shifted by -{} to its start",
                             stamps.file, stamps.times.size(), hourly ? "hour" : "step",
                             by_header ? fmt::format("column {}", base::quoted(stamps.header))
                                       : std::string("--stamp end"),
                             text_of_step(step)));
}

// The first power station is of 1882; scenarios reach a century ahead. Beyond lie misread dates,
// and the ends of what an Instant holds.
void check_year(const Stamps& stamps, std::size_t row) {
  constexpr int kFirstYear = 1882, kLastYear = 2200;
  const int year = base::civil_utc(stamps.times[row]).year;
  if (year >= kFirstYear && year <= kLastYear) return;
  throw base::DataError(
      "implausible-time",
      fmt::format("row {}: the year {}; expected {} to {}", row + 1, year, kFirstYear, kLastYear),
      "check how the date is written", stamps.where(row));
}

// The most frequent distance of two rows, of equally frequent ones the shortest; an hour where the
// rows lie whole hours apart, so that a longer distance is a gap. ns.
std::int64_t common_step(const std::vector<Instant>& times) {
  std::map<std::int64_t, std::size_t> num_of;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] > times[i - 1]) ++num_of[times[i].ns - times[i - 1].ns];
  std::int64_t best = kHourNs;
  std::size_t most = 0;
  for (const auto& [step, num] : num_of)
    if (num > most) best = step, most = num;
  return best % kHourNs == 0 ? kHourNs : best;
}

struct Order {
  std::vector<std::uint32_t> rows;  // (num_rows) of the file, oldest first
  std::int64_t step = kHourNs;      // ns
};

// Oldest first; a file may run the other way round, as those of the EIA do.
Order put_in_order(Stamps& stamps, base::Journal& journal) {
  Order order;
  order.rows.resize(stamps.times.size());
  std::iota(order.rows.begin(), order.rows.end(), 0u);
  if (stamps.times.front() > stamps.times.back()) {
    std::reverse(stamps.times.begin(), stamps.times.end());
    std::reverse(order.rows.begin(), order.rows.end());
    stamps.where = [where = stamps.where, last = stamps.times.size() - 1](std::size_t row) {
      return where(last - row);
    };
    journal.notice(stamps.file + ": newest first; read from the end");
  }
  order.step = common_step(stamps.times);
  return order;
}

// Messages for two neighbours that are not one step apart.
class StepFault {
 public:
  StepFault(const Stamps& stamps, const Order& order, std::size_t row)
      : stamps_(stamps), order_(order), row_(row) {}

  [[noreturn]] void raise() const {
    const Instant before = stamps_.times[row_ - 1], got = stamps_.times[row_];
    if (got <= before) raise_not_later();
    const std::int64_t apart = got.ns - before.ns;
    const base::Time step = time_of(order_.step);
    if (kHourNs % order_.step != 0 || order_.step < kShortestStepNs)
      fail("not-hourly",
           fmt::format("the step is {}, not 1 h or a part that divides it",
                       base::format_quantity(time_of(apart))),
           "average the values to whole hours");
    if (is_mixed(apart))
      fail("mixed-steps",
           fmt::format("the step is {}, but {} elsewhere", text_of_step(time_of(apart)),
                       text_of_step(step)),
           "bring all rows to one step");
    const double missing = static_cast<double>(apart - order_.step) / 3.6e12;
    fail("missing-hour",
         order_.step == kHourNs
             ? fmt::format("{:.0f} hour{} missing", missing, missing > 1 ? "s are" : " is")
             : fmt::format("{} missing", base::format_quantity(missing * units::h)),
         "add the missing rows; --fill interpolate repairs up to 3 hours of a grid file");
  }

  // A gap is a whole number of steps. Steps of another length twice in a row are no gap.
  bool is_mixed(std::int64_t apart) const {
    if (apart % order_.step != 0) return true;
    return order_.step < kHourNs && row_ + 1 < stamps_.times.size() &&
           stamps_.times[row_ + 1].ns - stamps_.times[row_].ns == apart;
  }

 private:
  [[noreturn]] void raise_not_later() const {
    const auto end = stamps_.times.begin() + static_cast<std::ptrdiff_t>(row_);
    const auto earlier = std::find(stamps_.times.begin(), end, stamps_.times[row_]);
    if (earlier == end)
      fail("unsorted-hours", "the hours are not in order", "sort the rows by time");
    const auto first = static_cast<std::size_t>(earlier - stamps_.times.begin());
    fail("duplicate-hour",
         fmt::format("this hour stands on line {} already", stamps_.where(first).line),
         "keep one of the two rows; local times repeat an hour when the clock is set back, UTC "
         "never does");
  }
  [[noreturn]] void fail(const char* code, const std::string& what, const char* hint) const {
    const Instant expected{stamps_.times[row_ - 1].ns + order_.step};
    throw base::DataError(
        code,
        fmt::format("row {}: {}; expected {}, got {}", order_.rows[row_] + 1, what,
                    base::format_instant(expected), base::format_instant(stamps_.times[row_])),
        hint, stamps_.where(row_));
  }

  const Stamps& stamps_;
  const Order& order_;
  std::size_t row_;
};

// The row of each step from the first to the last.
std::vector<std::uint32_t> rows_of_steps(const Stamps& stamps, const Order& order,
                                         std::size_t longest_gap) {
  const std::int64_t longest = order.step + static_cast<std::int64_t>(longest_gap) * kHourNs;
  if (stamps.times.size() > 1 && (kHourNs % order.step != 0 || order.step < kShortestStepNs))
    StepFault(stamps, order, 1).raise();
  std::vector<std::uint32_t> rows{order.rows[0]};
  for (std::size_t row = 1; row < stamps.times.size(); ++row) {
    const std::int64_t apart = stamps.times[row].ns - stamps.times[row - 1].ns;
    if (apart != order.step) {
      const StepFault fault(stamps, order, row);
      if (apart <= 0 || apart > longest || fault.is_mixed(apart)) fault.raise();
    }
    for (std::int64_t missing = order.step; missing < apart; missing += order.step)
      rows.push_back(kNoRow);
    rows.push_back(order.rows[row]);
  }
  return rows;
}

void check_whole_hours(const Stamps& stamps, Instant start, const HourAxis& axis) {
  if (start.ns % kHourNs != 0)
    throw base::DataError(
        "not-hourly",
        fmt::format("the hours begin off the hour; expected a whole hour of UTC, got {}",
                    base::format_instant(start)),
        "average the values to whole hours of UTC", stamps.where(0));
  const std::size_t rest = axis.rows.size() % axis.steps_per_hour;
  if (rest != 0)
    throw base::DataError(
        "not-hourly",
        fmt::format("the last hour has {} of its {} steps", rest, axis.steps_per_hour),
        "cut the file at a whole hour", stamps.where(stamps.times.size() - 1));
}

void settle_zone(Stamps& stamps, const AxisInput& input, Stamp stamp, std::int64_t step,
                 base::Journal& journal) {
  if (stamps.zoned) {
    if (!input.timezone.empty())
      journal.notice(fmt::format("{}: the times name their zone; --tz {} gives the local days only",
                                 stamps.file, input.timezone));
    return;
  }
  if (!input.timezone.empty()) {
    resolve_local(stamps, input.timezone, stamp, time_of(step));
    return;
  }
  if (stamps.local)
    throw base::DataError("no-time-zone",
                          fmt::format("column {} has local times and no zone; expected --tz",
                                      base::quoted(stamps.header)),
                          "name the zone: --tz America/Los_Angeles", stamps.where(0));
  journal.assumed({"time zone", "UTC",
                   fmt::format("{}: neither column {} nor its times name a zone", stamps.file,
                               base::quoted(stamps.header))});
}

}  // namespace

HourAxis make_hour_axis(Stamps stamps, const AxisInput& input, base::Journal& journal) {
  check_year(stamps, 0);
  check_year(stamps, stamps.times.size() - 1);
  const Order order = put_in_order(stamps, journal);
  HourAxis axis;
  axis.stamp = decide_stamp(stamps, input.stamp, journal);
  settle_zone(stamps, input, axis.stamp, order.step, journal);
  axis.rows = rows_of_steps(stamps, order, input.longest_gap);
  axis.step = time_of(order.step);
  axis.steps_per_hour = static_cast<std::size_t>(kHourNs / order.step);
  const bool ends = axis.stamp == Stamp::end;
  axis.start = ends ? Instant{stamps.times[0].ns - order.step} : stamps.times[0];
  check_whole_hours(stamps, axis.start, axis);
  if (ends) say_shift(stamps, axis.step, journal);
  axis.num_hours = axis.rows.size() / axis.steps_per_hour;
  return axis;
}

HourAxis read_hour_axis(const io::CsvTable& table, Stamp stamp, base::Journal& journal) {
  const std::size_t column = time_column(table);
  std::vector<std::size_t> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const Stamps stamps = read_stamps(table, column, rows, Clock::iso);
  HourAxis axis = make_hour_axis(stamps, {.stamp = stamp}, journal);
  if (axis.steps_per_hour != 1)
    throw base::DataError("not-hourly",
                          fmt::format("the step is {}, not 1 h", base::format_quantity(axis.step)),
                          "average the values to whole hours", stamps.where(1));
  if (axis.rows.front() != 0)
    throw base::DataError("unsorted-hours", "the newest hour is first", "sort the rows by time",
                          stamps.where(0));
  axis.time_column = column;
  return axis;
}

}  // namespace greenline::footprint
