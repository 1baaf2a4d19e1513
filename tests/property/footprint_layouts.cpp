// One grid in three layouts is one grid; what is filled lies between its neighbours.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "unit/footprint/grid_text.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;

struct Hour {
  int wind, gas;  // MWh
};
std::vector<Hour> any_hours() {
  std::vector<Hour> hours;
  for (int i = *rc::gen::inRange(1, 60); i > 0; --i)
    hours.push_back({*rc::gen::inRange(0, 5000), *rc::gen::inRange(1, 5000)});
  return hours;
}

const base::Instant kFirst = base::parse_instant("2021-03-13T20Z");  // over a change of the clock

std::string stamp(std::size_t hour) {
  return base::format_instant(base::advance(kFirst, 1.0 * units::h, hour));
}

std::string as_columns(const std::vector<Hour>& hours) {
  std::string text = "datetime_utc,WND,NG\n";
  for (std::size_t i = 0; i < hours.size(); ++i)
    text +=
        stamp(i) + "," + std::to_string(hours[i].wind) + "," + std::to_string(hours[i].gas) + "\n";
  return text;
}

std::string as_bulk(const std::vector<Hour>& hours) {
  std::string wind, gas;
  for (std::size_t i = hours.size(); i-- > 0;) {
    const std::string comma = i > 0 ? "," : "";
    wind += "[\"" + stamp(i) + "\"," + std::to_string(hours[i].wind) + "]" + comma;
    gas += "[\"" + stamp(i) + "\"," + std::to_string(hours[i].gas) + "]" + comma;
  }
  const auto line = [](const std::string& id, const std::string& data) {
    return R"({"series_id":"EBA.)" + id + R"(.H","units":"megawatthours","data":[)" + data + "]}\n";
  };
  return line("XX-ALL.NG.NG", "") + line("BPAT-ALL.NG.WND", wind) + line("BPAT-ALL.NG.NG", gas);
}

// A step of an hour in four: a quarter of the energy each.
std::string as_quarters(const std::vector<Hour>& hours) {
  std::string text = "datetime_utc,WND_MW,NG\n";
  for (std::size_t i = 0; i < 4 * hours.size(); ++i)
    text += base::format_instant(base::advance(kFirst, 15.0 * units::min, i)) + "," +
            std::to_string(hours[i / 4].wind) + "," + std::to_string(hours[i / 4].gas / 4.0) + "\n";
  return text;
}

void expect_same(const GridHours& a, const GridHours& b) {
  RC_ASSERT(a.intensity.start == b.intensity.start);
  RC_ASSERT(a.intensity.size() == b.intensity.size());
  for (std::size_t i = 0; i < a.intensity.size(); ++i) {
    // A few products and sums in another order.
    RC_ASSERT(std::abs(a.intensity.values[i] / b.intensity.values[i] - 1) < 1e-14);
    RC_ASSERT(std::abs(a.generation.values[i] / b.generation.values[i] - 1) < 1e-14);
  }
}

RC_GTEST_PROP(Layouts, OneGridInThreeLayoutsIsOne, ()) {
  const std::vector<Hour> hours = any_hours();
  const GridHours columns = testing::grid_of(as_columns(hours));
  expect_same(columns, testing::grid_of(as_bulk(hours), {.region = "BPAT"}));
  expect_same(columns, testing::grid_of(as_quarters(hours)));
}

RC_GTEST_PROP(Layouts, FilledHoursLieBetweenTheirNeighbours, ()) {
  const int before = *rc::gen::inRange(100, 900), after = *rc::gen::inRange(100, 900);
  const int num_missing = *rc::gen::inRange(1, 4);
  const std::string text =
      "datetime_utc,intensity_g_per_kwh\n" + stamp(0) + "," + std::to_string(before) + "\n" +
      stamp(static_cast<std::size_t>(num_missing) + 1) + "," + std::to_string(after) + "\n";
  const GridHours grid = testing::grid_of(text, {.fill = Fill::interpolate});
  RC_ASSERT(grid.reading.num_filled == num_missing);
  RC_ASSERT(grid.intensity.size() == static_cast<std::size_t>(num_missing) + 2);
  for (int k = 1; k <= num_missing; ++k) {
    const double expected = before + (after - before) * static_cast<double>(k) / (num_missing + 1);
    const double got = grid.intensity.values[static_cast<std::size_t>(k)].in(units::g_per_kWh);
    RC_ASSERT(std::abs(got / expected - 1) < 1e-14);  // a few roundings
  }
}

}  // namespace
}  // namespace greenline::footprint
