// Grid files: the order of columns and the unit of the numbers do not matter, and an intensity lies
// between its factors.
#include <algorithm>
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

const std::vector<std::string> kFuels = {"WND", "SUN", "WAT", "OIL", "NG", "COL", "NUC", "OTH"};

using Rows = std::vector<std::vector<int>>;  // (num_hours, num_fuels), MWh

Rows any_rows() {
  const auto hour = rc::gen::container<std::vector<int>>(kFuels.size(), rc::gen::inRange(0, 1000));
  Rows rows = *rc::gen::nonEmpty(rc::gen::container<Rows>(hour));
  for (std::vector<int>& row : rows) ++row[4];  // no hour without generation
  return rows;
}

GridHours grid_in_order(const Rows& rows, const std::vector<std::size_t>& order, const char* unit,
                        int scale) {
  std::string header = "datetime_utc";
  for (const std::size_t f : order) header += "," + kFuels[f] + unit;
  return testing::grid_of(
      testing::hourly_csv(header, "2021-05-01T00Z", rows.size(), [&](std::size_t i) {
        std::string cells;
        for (const std::size_t f : order)
          cells += (cells.empty() ? "" : ",") + std::to_string(rows[i][f] * scale);
        return cells;
      }));
}

RC_GTEST_PROP(GridFile, ColumnOrderAndUnitDoNotMatter, ()) {
  const Rows rows = any_rows();
  std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5, 6, 7};
  const GridHours a = grid_in_order(rows, order, "", 1);
  std::rotate(order.begin(), order.begin() + *rc::gen::inRange(0, 8), order.end());
  const GridHours b = grid_in_order(rows, order, "_kwh", 1000);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // Eight products and additions, in another order.
    RC_ASSERT(std::abs(a.intensity.values[i] / b.intensity.values[i] - 1) < 1e-14);
    RC_ASSERT(a.intensity.values[i] >=
              11.0 * (1 - 1e-14) * units::g_per_kWh);  // wind, the lowest factor of the set
    RC_ASSERT(a.intensity.values[i] <=
              820.0 * (1 + 1e-14) * units::g_per_kWh);  // coal, the highest
  }
}

}  // namespace
}  // namespace greenline::footprint
