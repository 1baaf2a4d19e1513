// Software Carbon Intensity (ISO/IEC 21031): carbon for each unit of what software does.
//
//   SCI = (E · I + M) / R      M = TE · (TiR / EL) · (RR / ToR)
//
// Location-based; neither offsets nor contracts for power count. Reserved hardware counts when it
// idles, too.
#pragma once

#include <optional>
#include <string>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "footprint/grid_hours.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::footprint {

// M: embodied carbon of a machine times the share of its life and of its resources.
base::Estimate<base::Carbon> sci_embodied(const base::Estimate<base::Carbon>& machine,
                                          base::Time reserved,
                                          const base::Estimate<base::Time>& lifetime,
                                          double resource_share);

struct SciRequest {
  base::Settings settings;
  base::Energy energy;                   // E, of IT equipment
  std::string energy_per;                // "0.3 J/token" instead: times the unit
  GridInput grid;                        // I
  std::optional<double> pue;             // facility.pue when left out
  std::string server = "gpu-server";     // entry of the catalogue, for TE
  std::optional<base::Carbon> embodied;  // TE itself
  base::Time reserved;                   // TiR
  std::optional<base::Time> lifetime;    // EL; server.lifetime when left out
  double resource_share = 1;             // RR / ToR
  std::string functional_unit;           // R: "1000 tokens"
};

struct SciResult {
  base::Estimate<base::Energy> energy;  // at the meter of the facility
  base::Estimate<base::CarbonIntensity> intensity;
  base::Estimate<base::Carbon> operational, embodied, machine, total, per_unit;
  base::Estimate<double> pue;
  base::Estimate<base::Time> lifetime;
  base::Time reserved;
  double resource_share = 1, units = 1;
  std::string noun, grid;
};

// UserError "unit-mismatch": energy per sample beside a unit of tokens; "bad-count".
SciResult sci(const SciRequest& request, base::Progress& progress);
void describe(verb::Fields& fields, SciRequest& request);
void present(verb::Report& report, const SciResult& result);

}  // namespace greenline::footprint
