// Any bytes are a grid or an error that names a place. What is a grid is finite, hourly and serves
// its own hours.
#include "footprint/grid_file.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "require.hpp"

using namespace greenline;

namespace {

void check(const footprint::GridHours& grid, std::size_t num_rows) {
  require(grid.intensity.size() == num_rows && num_rows > 0);
  require(grid.intensity.start.ns % 3'600'000'000'000 == 0);
  for (const base::CarbonIntensity i : grid.intensity.values)
    require(std::isfinite(i.base_value()) && i.base_value() >= 0);
  require(grid.hour_index(grid.intensity.start) == 0);
  require(grid.hour_index(grid.intensity.time(num_rows - 1)) == num_rows - 1);
  // A month later: served when the source holds a whole year, refused otherwise unless it is
  // covered.
  const base::Instant later = grid.intensity.end() + 30.0 * base::units::day;
  try {
    require(grid.hour_index(later) < num_rows);
    require(grid.whole_year);
  } catch (const base::UserError& error) {
    require(error.code() == "grid-too-short" && !grid.whole_year);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const catalog::Catalog facts{base::Settings{}};
  if (size == 0) return 0;
  footprint::GridInput input;
  input.stamp = static_cast<footprint::Stamp>(data[0] % 3);
  base::Journal journal;
  try {
    const io::CsvTable table =
        io::parse_csv(std::string(reinterpret_cast<const char*>(data + 1), size - 1), "fuzz");
    check(footprint::read_grid(table, input, facts, journal), table.num_rows());
  } catch (const base::DataError& error) {
    require(!error.code().empty() && !error.where().file.empty());
  } catch (const base::UserError& error) {
    require(!error.code().empty());
  }
  return 0;
}
