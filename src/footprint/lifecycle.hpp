// The footprint of a model over the phases of its life (Wu et al., Sustainable AI, MLSys 2022):
// data, experimentation, training (offline and online) and inference, in use and in making.
//
//   O_p = E_p · PUE · I               location-based; market-based beside it, never netted
//   M_p = K · h_p / (LT · U)          K of a server, h busy server-hours, LT life, U utilisation
//
// The functional unit is what the user sums up over: in the paper one interval of offline training.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "footprint/embodied.hpp"
#include "footprint/grid_hours.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::footprint {

enum class Phase { data, experimentation, training, online_training, inference };
std::span<const base::EnumName> enum_names(Phase);
inline constexpr std::size_t kNumPhases = 5;

// What one phase uses. Energy is given itself, as devices at a power, or as what is served at an
// energy each; several add up. Nothing given: the phase is not included, which is not 0.
struct PhaseInput {
  std::optional<base::Energy> energy;       // of IT equipment
  std::optional<base::Time> device_hours;   // devices × hours
  std::optional<base::Power> device_power;  // mean, with its share of the host
  std::string served, energy_per;           // "5e9 requests", "0.28 J/request"
  std::optional<base::Time> server_hours;   // servers × busy hours
  std::string server = "gpu-server";        // entry of the catalogue with `embodied`
  std::optional<base::Carbon> embodied;     // charged to the phase as it is
  std::optional<double> utilisation;        // of these servers
  double growth = 1;                        // what-if: times the demand
};
void describe(verb::Fields& fields, PhaseInput& input);

struct Rebound {
  double reduction = 0;  // of carbon for the same work in one period
  double periods = 0;
  double net = 0;  // reduction that was seen in the end
};
// Demand growth that turns the one into the other: (1 - net) / (1 - reduction)^periods; 1.7456 for
// 20 % in each of four half-years and 28.5 % in the end. UserError "out-of-bounds" for shares
// outside 0 <= x < 1.
double rebound_factor(const Rebound& rebound);

struct LifecycleRequest {
  base::Settings settings;
  GridInput grid;
  std::optional<double> pue;
  PhaseInput data, experimentation, training, online_training, inference;
  Amortize amortize = Amortize::busy;
  std::optional<base::Time> lifetime;
  std::optional<double> utilisation;
  std::optional<base::CarbonIntensity> market_intensity;  // of contracted power
  double market_share = 1;                                // of the energy that contracts cover
  double idle_share = 0.4;  // power of an idle server relative to its highest, for the sweep
  std::optional<double> reduction, net;  // rebound
  double periods = 4;
  std::optional<base::Carbon> construction, end_of_life;
};

struct PhaseResult {
  Phase phase = Phase::data;
  base::Estimate<base::Energy> energy;  // at the meter of the facility
  base::Estimate<base::Carbon> operational, embodied, total;
  std::optional<base::Estimate<base::Carbon>> market;  // of the same energy, by contract
  std::optional<std::string> embodied_why;             // not included
  bool has_energy = false;                             // else nothing is in use: n/a, not 0
  std::optional<base::Estimate<double>> utilisation;   // 1 when reserved
};

struct WhatIf {
  std::vector<double> utilisation;  // (num_points)
  std::vector<base::Carbon> operational, embodied, total;
  std::vector<base::Time> lifetime;  // (num_lifetimes)
  std::vector<base::Carbon> lifetime_embodied, lifetime_total;
};

struct LifecycleResult {
  std::vector<PhaseResult> phases;        // those that were given, in order
  std::vector<std::string> not_included;  // in words
  base::Estimate<base::Energy> energy;
  base::Estimate<base::Carbon> operational, embodied, total;
  std::optional<base::Estimate<base::Carbon>> market_operational, market_total;
  std::optional<base::Carbon> construction, end_of_life;
  bool has_energy = false, has_embodied = false;  // of any phase
  base::Estimate<double> pue, utilisation;
  base::Estimate<base::Time> lifetime;
  base::Estimate<base::CarbonIntensity> intensity;
  std::string grid;
  Amortize amortize = Amortize::busy;
  WhatIf what_if;
  std::optional<double> rebound;
  Rebound rebound_input;
};

// UserError "missing-input" when no phase has anything, or one of a pair stands alone;
// "unit-mismatch"; "no-embodied" for a server that the catalogue does not know; "out-of-bounds".
LifecycleResult lifecycle(const LifecycleRequest& request, base::Progress& progress);
void describe(verb::Fields& fields, LifecycleRequest& request);
void present(verb::Report& report, const LifecycleResult& result);

// A value as given, else the fact with its range.
template <class Q>
base::Estimate<Q> given_or_fact(const std::optional<Q>& given, const catalog::Catalog& facts,
                                const char* fact) {
  return given ? base::Estimate<Q>(*given, base::Evidence::measured, "given")
               : facts.estimate<Q>(fact);
}
// Mean over the hours of the grid, with its level.
base::Estimate<base::CarbonIntensity> mean_intensity(const GridHours& grid);
// UserError "no-embodied" with the servers that are known.
base::Estimate<base::Carbon> server_embodied(const catalog::Catalog& facts,
                                             const std::string& server);

}  // namespace greenline::footprint
