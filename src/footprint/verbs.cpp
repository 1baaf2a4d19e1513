#include "footprint/verbs.hpp"

#include "footprint/grid_hours.hpp"
#include "footprint/selftest.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"

namespace greenline::footprint {

void describe(verb::Fields& f, GridInput& r) {
  verb::Field& grid =
      f(r.grid, "grid",
        "hourly CSV file, a region (ERCO), a country (USA) or a number (\"380 g/kWh\")")
          .placeholder("FILE|REGION|COUNTRY|NUMBER");
  if (r.grid.empty()) grid.required();
  f(r.factors, "factors",
    "emission factors by fuel for files of generation: an entry of `catalog list grid_factors`")
      .source("carbonexplorer2023");
  f(r.stamp, "stamp", "what a time stamp of the file means").chosen();
  f(r.signal, "signal", "what the intensities of a file are");
}

void register_verbs(verb::Registry& registry) { registry.add_selftest("footprint", selftest); }

}  // namespace greenline::footprint
