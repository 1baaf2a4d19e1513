// Why a published figure is what it is: a waterfall from the devices at their rated power to the
// whole footprint, and which of its levels the figure belongs to.
//
//   devices    H · TDP · I                     what most cards publish
//   node       H · node power / devices · I    host, fans, supplies
//   facility   · PUE
//   grid       hour by hour or another source of the intensity, where one is given
//   embodied   making of devices and hosts, charged to the busy hours
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/time.hpp"
#include "footprint/embodied.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::footprint {

// A model card, from a TOML file or flags. What it states, in its own words and units.
struct ReconcileRequest {
  base::Settings settings;
  std::string model;        // "BLOOM 176B"
  std::string source;       // citation key or address, shown
  std::string device;       // accelerator of the catalogue
  base::Time device_hours;  // devices × hours
  std::int64_t devices_per_node = 8;
  base::Carbon published;
  std::optional<base::Energy> published_energy;
  std::optional<base::CarbonIntensity> intensity;  // that the card used
  std::optional<double> pue;                       // that the card states
  std::optional<base::Power> device_power;         // that the card used, instead of the TDP
  std::string grid;                                // where it ran: region, country, file
  std::optional<base::Instant> start;              // with `duration`, hour by hour
  std::optional<base::Time> duration;
  std::optional<base::Carbon> published_total;  // of the whole, where the source has one
  Amortize amortize = Amortize::busy;
};

struct WaterfallStep {
  std::string name, what;
  base::Estimate<base::Carbon> cumulative, change;
};

struct ReconcileResult {
  std::string model, source, device, grid = {};
  base::Carbon published;
  std::optional<base::Carbon> published_total;
  std::vector<WaterfallStep> steps = {};
  std::size_t nearest = 0;        // step whose cumulative is nearest to `published`
  double nearest_difference = 0;  // published relative to it, less 1
  base::Estimate<base::Carbon> total = {};
  std::optional<base::CarbonIntensity> implied_intensity = {};  // with devices at the rated power
  base::Estimate<base::CarbonIntensity> intensity = {};
  bool is_intensity_assumed = false;                  // of the grid, since the card names none
  std::optional<double> published_energy_ratio = {};  // published energy by devices at rated power
  std::optional<std::string> grid_step_why = {};      // why there is no step for the grid
};

// UserError "missing-input" when neither intensity nor grid is given, or start without duration;
// "unknown-fact" for a device without rated power.
ReconcileResult reconcile(const ReconcileRequest& request, base::Progress& progress);
void describe(verb::Fields& fields, ReconcileRequest& request);
void present(verb::Report& report, const ReconcileResult& result);

}  // namespace greenline::footprint
