#include "footprint/selftest.hpp"

#include <fmt/format.h>

#include "footprint/embodied.hpp"
#include "footprint/operational.hpp"
#include "footprint/selftest_embodied.hpp"

namespace greenline::footprint {
namespace {

using base::CheckRow;
namespace units = base::units;

// What one busy hour of the paper's accelerator server is charged, for the ends and the middle of
// its ranges of lifetime and utilisation. The paper's server stands in for a device, its host
// weighs nothing.
CheckRow busy_hour(const base::Settings& settings, const char* years, const char* utilisation,
                   double expected_g) {
  base::Settings paper = settings;
  for (const std::string& fact :
       {std::string("h100-sxm.embodied=2000 kgCO2e"), std::string("host-8gpu.embodied=0 kgCO2e"),
        fmt::format("server.lifetime={} years", years),
        fmt::format("server.utilisation={}", utilisation)})
    paper.overrides.push_back(fact);
  const EmbodiedParts parts = embodied(catalog::Catalog(paper), "h100-sxm", 1, 8,
                                       base::Estimate<base::Time>(1.0 * units::h), Amortize::busy);
  CheckRow row;
  row.table = "Sustainable AI: embodied carbon of a busy hour";
  row.name = fmt::format("2000 kg, {} years, utilisation {}", years, utilisation);
  row.expected = expected_g;
  row.got = parts.total.nominal().in(units::gCO2e);
  row.unit = "gCO2e";
  row.tolerance = 5e-4;  // the reference is printed to four digits
  row.source = "wu2022";
  return row;
}

CheckRow constant_grid(const base::Settings& settings) {
  const GridHours grid = load_grid({.grid = "380 g/kWh"}, catalog::Catalog(settings), settings);
  const OperationalHours run = operational_hours(grid, base::parse_instant("2026-02-27T13:20Z"),
                                                 100.25 * units::h, 2.0 * units::MW);
  CheckRow row;
  row.table = "Operational carbon";
  row.name = "2 MW for 100.25 h at 380 g/kWh";
  row.expected = 2000 * 100.25 * 0.38;
  row.got = run.total_carbon.in(units::kgCO2e);
  row.unit = "kgCO2e";
  row.tolerance = 1e-12;  // a hundred additions in double
  return row;
}

}  // namespace

std::vector<CheckRow> selftest(const base::SelftestRequest& request, base::Progress&) {
  std::vector<CheckRow> rows = {busy_hour(request.settings, "4", "0.45", 126.84),
                                busy_hour(request.settings, "3", "0.3", 253.7),
                                busy_hour(request.settings, "5", "0.6", 76.1),
                                constant_grid(request.settings)};
  for (CheckRow& row : embodied_checks(request.settings)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace greenline::footprint
