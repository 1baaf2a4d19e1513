// The greenline: useful work per gram of CO2e against arithmetic intensity. The roofline says how
// fast; the greenline says at what cost.
//
// A device that moves `bytes` and computes `flop` has the intensity I = flop / bytes. The roofline
// (williams2009) bounds its rate by F(I) = min(peak, I bandwidth). What draws the power P under a
// grid of intensity g emits P g per second, so that no more than
//
//   G(I) = F(I) / (P g)                       FLOP per gram
//
// can come out of it. Each ceiling adds what the one above leaves out:
//
//   chip        P = TDP of the device                     g: mean of the grid
//   node        P = node at full load / devices           hosts, fans and supplies of the node
//   site        P = node at full load / devices x PUE     cooling and distribution
//   the site in the cleanest and in the dirtiest hour of the grid: g of that hour
//
// A configuration stands at (I, U): I from the work and the traffic of all its operators as
// executed (recomputation included), U from what is useful alone,
//
//   U = model FLOP of the iteration / carbon of the iteration = MFU peak devices / (site power g).
//
// A site that is busy for a share u of the time draws at least u of its full power (the curve of
// model/power is concave), so a configuration stands below the ceiling of the site in the mean hour
// wherever computation binds; the gap is MFU, lost to communication, bubbles and repetition. Where
// memory binds, a node draws somewhat less than at full load and the true bound lies that much
// higher.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "plan/configuration.hpp"
#include "plan/recommender.hpp"

namespace greenline::plan {

using WorkPerCarbon = base::Of<base::kWork - base::kCarbon>;

// What all ceilings have in common.
struct GreenlineSite {
  base::WorkRate peak;  // of one device, in the number format of the run
  base::Bandwidth bandwidth;
  base::Power chip, node, site;  // of one device: alone, with its share of the node, with PUE
  base::CarbonIntensity mean;
  // Of the grid's hours; unset where it has one mean for all.
  std::optional<base::CarbonIntensity> cleanest, dirtiest;
};

// All ceilings at one intensity.
struct GreenlineRow {
  base::WorkIntensity intensity;
  WorkPerCarbon chip, node, site;
  std::optional<WorkPerCarbon> cleanest, dirtiest;
};

struct GreenlinePoint {
  std::string name;
  base::WorkIntensity intensity;
  WorkPerCarbon useful;
  bool is_best = false;
};

struct GreenlinePlot {
  GreenlineSite site;
  base::WorkIntensity ridge;  // where the roofline bends
  std::vector<GreenlineRow> ceilings;
  std::vector<GreenlinePoint> points;
};

// Ceilings from a decade below the ridge, or the lowest point, to a decade above the ridge, or the
// highest.
GreenlinePlot greenline_plot(const GreenlineSite& site, std::vector<GreenlinePoint> points);
GreenlineRow ceilings_at(const GreenlineSite& site, base::WorkIntensity intensity);

// Of a node of the system with its hosts, under `pue` and intensities of a grid.
GreenlineSite greenline_site(const catalog::Catalog& facts, const catalog::System& system,
                             const model::Machine& machine, double pue);

// Work and memory traffic of one micro-batch on its way through the whole model, as executed.
base::WorkIntensity executed_intensity(const Problem& problem, const Configuration& configuration);
// Of one device in one iteration, on the mean over the devices, which have unequally many tables.
base::WorkIntensity executed_intensity(const RecommenderProblem& problem);

}  // namespace greenline::plan
