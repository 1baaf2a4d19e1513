// Any bytes, CSV or JSON lines, are a grid or an error that names a place. What is a grid is
// finite, hourly and serves its own hours. The first byte chooses flags.
#include "footprint/grid_file.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "require.hpp"

using namespace greenline;

namespace {

void check(const footprint::GridHours& grid) {
  const std::size_t num_rows = grid.intensity.size();
  require(num_rows > 0 && !grid.reading.layout.empty());
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
  if ((data[0] & 4) != 0) {
    input.fill = footprint::Fill::interpolate;
    input.clip_negative = true;
  }
  if ((data[0] & 8) != 0) input.timezone = "America/Los_Angeles";
  if ((data[0] & 64) != 0) input.region = "CISO";
  base::Journal journal;
  try {
    check(footprint::read_grid(std::string(reinterpret_cast<const char*>(data + 1), size - 1),
                               "fuzz", input, facts, journal));
  } catch (const base::DataError& error) {
    require(!error.code().empty() && !error.where().file.empty());
  } catch (const base::UserError& error) {
    require(!error.code().empty());
  }
  return 0;
}
