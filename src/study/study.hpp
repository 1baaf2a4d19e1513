// The whole line in one question: a model, a machine, a number of tokens, a grid and a start; how
// long, how many joules, how many grams of CO2e, how far to trust that, and what would change it.
//
//   StudyRequest r;
//   r.plan.model = "llama3-70b"; r.plan.on = "128xdgx-h100"; r.tokens = 15e12; r.grid.grid =
//   "ERCO"; StudyResult x = run(r); x.base.duration.nominal().in(units::day);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"
#include "footprint/embodied.hpp"
#include "footprint/grid_hours.hpp"
#include "grid/size.hpp"
#include "plan/estimate.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::study {

// Renewable capacity that serves the site hour by hour; what it does not cover comes from the grid.
// Its shape is that of the grid's own wind and solar, scaled by their largest hour.
//
// With `plan` the sizes are those of grid/size.hpp for the mean power of the study over the hours
// of the grid, a battery with them; `size` says how they are chosen.
struct SitePower {
  base::Power wind, solar;
  bool plan = false;
  grid::SizeRules size = {};
  // Sizes found before for the same grid, which follow the load: twice the load, twice the sizes.
  std::shared_ptr<const grid::SizeResult> found = {};
};
struct Site {
  SitePower power;
};

// A change to the study. What is unset stays as it is.
struct Option {
  std::string name = {};
  std::optional<std::string> grid = {};
  std::optional<base::Instant> start = {};
  std::optional<base::Power> wind = {}, solar = {};
  std::optional<std::int64_t> devices = {};  // with strategy auto
  std::optional<std::string> strategy = {};
  std::optional<double> pue = {}, goodput = {}, tokens = {};
};

struct StudyRequest {
  base::Settings settings;
  plan::EstimateRequest
      plan;  // model, machine, strategy; its settings, intensity and pue are set from here
  std::optional<double> tokens;       // trained on, or
  std::optional<std::int64_t> steps;  // iterations
  std::optional<double> goodput;      // share of wall time that trains; unset: facility.goodput
  std::optional<double> pue;          // unset: facility.pue
  footprint::GridInput grid;
  std::optional<base::Instant> start;    // unset: the first hour of the grid's data
  std::optional<base::MoneyRate> price;  // of one device
  std::optional<base::CarbonIntensity> market_intensity;  // of the site's contractual instruments
  footprint::Amortize amortize = footprint::Amortize::busy;
  Site site;
  std::vector<Option> options;  // empty: the standard ones, unless standard_options is false
  bool standard_options = true;
};

// One answer: of the study itself, or of an option.
struct Scenario {
  plan::EstimateResult plan;
  footprint::GridHours grid;
  base::Instant start;
  SitePower supply;                              // sizes of a plan filled in
  base::Estimate<base::Carbon> supply_embodied;  // of the planned supply, for the time of the run

  double tokens = 0, iterations = 0;  // iterations are whole
  base::Estimate<double> goodput, pue;
  base::Estimate<base::Time> duration;
  base::Estimate<double> device_hours;
  base::Estimate<base::Power> node_power,
      fabric_power;  // of one node; fabric: its share of the network
  bool fabric_known = false;
  base::Estimate<base::Power> it_power, mean_power,
      peak_power;  // of the site; mean and peak at the facility meter
  base::Estimate<base::Energy> it_energy, energy;
  base::Estimate<base::Carbon> location, total;  // total: location-based operational and embodied
  std::optional<base::Estimate<base::Carbon>> market;
  footprint::EmbodiedParts embodied;
  std::optional<base::Estimate<base::Money>> cost;
};

struct Hours {
  std::vector<base::Instant> start;       // (num_hours) of the hour, or of the part the run covers
  std::vector<base::Energy> energy;       // (num_hours) at the facility meter
  std::vector<base::Energy> grid_energy;  // (num_hours) what the site's own supply does not cover
  std::vector<base::CarbonIntensity> intensity;
  // Of the grid energy; with a supply on a profile, an expectation.
  std::vector<base::Carbon> carbon;
};

// Someone's measurement beside ours, like with like: a rate that lost time is in beside ours times
// the goodput of the study, a rate of training steps beside that of ours.
struct AnchorRow {
  std::string id, what, system, strategy, source;
  std::string precision;  // of the matrix products; "" when not published
  std::int64_t devices = 0;
  bool whole_run = false;              // lost time is in
  double measured = 0, ours_here = 0;  // tokens/s of one device, or node watts; here: in this study
  std::optional<double> ours_there;    // our estimate of the anchor's own configuration
  bool same_generation = true;
};

struct OptionRow {
  std::string name, status, change;  // change: what it sets, for people
  Scenario scenario;
  base::Estimate<base::Carbon> delta;  // paired: option minus study
  base::Estimate<base::Energy> delta_energy;
  base::Estimate<base::Time> delta_duration;
};

struct StudyResult {
  Scenario base;
  std::optional<Hours> hours;  // absent for runs longer than ten years
  std::vector<AnchorRow> throughput_anchors, power_anchors;
  std::vector<OptionRow> options;
  std::uint64_t seed = 0;
  std::optional<base::MoneyRate> price;
  bool interrupted = false;
};

// UserError for unknown names, contradictions (tokens and steps, wind without an hourly shape) and
// impossible values. Not fitting into memory is a status; times are given all the same.
StudyResult run(const StudyRequest& request, base::Progress& progress = base::no_progress());

void describe(verb::Fields& f, SitePower& p);
void describe(verb::Fields& f, Site& s);
void describe(verb::Fields& f, Option& o);
void describe(verb::Fields& f, StudyRequest& r);
void present(verb::Report& r, const StudyResult& x);

}  // namespace greenline::study
