#include "grid/size_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "grid/carbon_explorer.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Axis axis_of(const Bounds& bounds, double otherwise, std::size_t steps) {
  Axis axis{bounds.low, bounds.high < solve::kInfinity ? bounds.high : otherwise, steps};
  axis.high = std::max(axis.low, axis.high);
  if (!(axis.high > axis.low)) axis.steps = 1;
  return axis;
}

SweepOptions sweep_options(const SizeOptions& options, double flexible_share) {
  SweepOptions o;
  o.battery = options.battery;
  o.start = options.boundary == Boundary::full ? Start::full : Start::cyclic;
  o.flexible_share = flexible_share;
  o.idle_share = options.idle_share;
  return o;
}

double capital(const PerUnit& unit, const Design& d) {
  return unit.wind_mw * d.wind.in(units::MW) + unit.solar_mw * d.solar.in(units::MW) +
         unit.battery_mwh * d.battery.in(units::MWh) + unit.extra_servers * d.extra_servers;
}

base::CarbonRate yearly(double kg) { return kg * units::kgCO2e / (1.0 * units::year); }

// One step of the axis on either side of a value, within the axis.
Axis narrowed(const Axis& axis, double value) {
  if (axis.steps < 2) return axis;
  const double step = (axis.high - axis.low) / static_cast<double>(axis.steps - 1);
  return {std::max(axis.low, value - step), std::min(axis.high, value + step), axis.steps};
}

struct Round {
  bool found = false, stopped = false;
  SweepVerdict verdict;
  std::vector<Design> designs;
  std::vector<SweepOutcome> outcomes;
  double highest_coverage = 0;
};

Round one_round(const SiteHours& site, const DesignGrid& ranges, const SizeOptions& options,
                double flexible_share, base::Progress& progress) {
  Round out;
  out.designs = ranges.designs();
  out.outcomes = sweep(site, out.designs, sweep_options(options, flexible_share), progress);
  const YearlyEmbodied embodied = yearly_embodied(options);
  std::vector<SweepOutcome> allowed = out.outcomes;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (!allowed[i].done) {
      out.stopped = true;
      continue;
    }
    const double coverage = allowed[i].coverage();
    out.highest_coverage = std::max(out.highest_coverage, coverage);
    constexpr double kFloats = 1e-6;  // what the sweep knows of a year
    allowed[i].done = coverage >= options.least_coverage - kFloats &&
                      (!options.most_embodied_t_per_year ||
                       embodied.of(out.designs[i], out.outcomes[i].cycles / site.years()) <=
                           *options.most_embodied_t_per_year * 1000) &&
                      (!options.most_capital_usd ||
                       capital(options.capital_usd, out.designs[i]) <= *options.most_capital_usd);
    out.found = out.found || allowed[i].done;
  }
  if (out.found) out.verdict = weigh(ranges, allowed, embodied, site.years());
  return out;
}

constexpr std::size_t kMostFrontPoints = 60;

void take_front(SweepPlan& plan, const Round& round) {
  const auto& front = round.verdict.front;
  const std::size_t stride = (front.size() + kMostFrontPoints - 1) / kMostFrontPoints;
  for (std::size_t k = 0; k < front.size(); k += std::max<std::size_t>(1, stride)) {
    const std::size_t i = front[k];
    plan.front.push_back({"sweep",
                          round.designs[i],
                          yearly(round.verdict.embodied_kg[i]),
                          yearly(round.verdict.operational_kg[i]),
                          round.outcomes[i].coverage(),
                          {},
                          false});
  }
}

}  // namespace

YearlyEmbodied yearly_embodied(const SizeOptions& options) {
  const PerUnit& unit = options.embodied_kg_per_year;
  return {unit.wind_mw, unit.solar_mw, unit.battery_mwh, unit.extra_servers,
          options.most_cycles_per_year};
}

DesignGrid sweep_ranges(const SiteHours& site, const SizeRules& rules, const SizeOptions& options) {
  constexpr double kTimesTheLoad = 4, kHoursOfBattery = 24;
  constexpr std::size_t kMostServerSteps = 11;
  const auto steps = static_cast<std::size_t>(rules.steps);
  const double load = mean(site.load_mw);
  const auto capacity = [&](const std::vector<double>& share) {
    const double factor = mean(share);
    return factor > 0 ? kTimesTheLoad * load / factor : 0;
  };
  DesignGrid grid;
  grid.wind_mw = axis_of(options.wind_mw, capacity(site.wind_share), steps);
  grid.solar_mw = axis_of(options.solar_mw, capacity(site.solar_share), steps);
  grid.battery_mwh = axis_of(options.battery_mwh, kHoursOfBattery * load, steps);
  const bool moves = rules.flexible > 0;
  grid.extra_servers =
      axis_of({0, moves ? options.extra_servers.high : 0}, 1, std::min(steps, kMostServerSteps));
  return grid;
}

SweepPlan sweep_plan(const SiteHours& site, const DesignGrid& ranges, const SizeOptions& options,
                     double flexible_share, int rounds, base::Progress& progress) {
  SweepPlan plan;
  DesignGrid grid = ranges;
  double least_kg = solve::kInfinity;
  for (int round = 0; round <= rounds; ++round) {
    const Round x = one_round(site, grid, options, flexible_share, progress);
    plan.num_designs += x.designs.size();
    plan.stopped = plan.stopped || x.stopped;
    plan.highest_coverage = std::max(plan.highest_coverage, x.highest_coverage);
    if (!x.found) break;
    const std::size_t best = x.verdict.best;
    const double kg = x.verdict.operational_kg[best] + x.verdict.embodied_kg[best];
    if (kg < least_kg) least_kg = kg, plan.design = x.designs[best];
    plan.found = true;
    if (round == 0) {
      plan.edges = x.verdict.edges;
      take_front(plan, x);
    }
    if (x.stopped) break;
    grid.wind_mw = narrowed(grid.wind_mw, plan.design.wind.in(units::MW));
    grid.solar_mw = narrowed(grid.solar_mw, plan.design.solar.in(units::MW));
    grid.battery_mwh = narrowed(grid.battery_mwh, plan.design.battery.in(units::MWh));
    grid.extra_servers = narrowed(grid.extra_servers, plan.design.extra_servers);
  }
  return plan;
}

std::vector<SurfacePoint> coverage_surface(const SiteHours& site, const DesignGrid& ranges,
                                           const SizeOptions& options, double flexible_share,
                                           const Design& design) {
  constexpr std::size_t kSide = 11;
  // A size of 0 would leave a line: then the range of a sweep.
  const auto axis = [&](double size, const Axis& range) {
    const double high = size > 0 ? 2 * size : range.high;
    return Axis{0, high, high > 0 ? kSide : 1};
  };
  DesignGrid grid;
  grid.wind_mw = axis(design.wind.in(units::MW), ranges.wind_mw);
  grid.solar_mw = axis(design.solar.in(units::MW), ranges.solar_mw);
  grid.battery_mwh = {design.battery.in(units::MWh), 0, 1};
  grid.extra_servers = {design.extra_servers, 0, 1};
  const std::vector<Design> designs = grid.designs();
  const auto outcomes = sweep(site, designs, sweep_options(options, flexible_share));
  std::vector<SurfacePoint> out;
  for (std::size_t i = 0; i < designs.size(); ++i)
    out.push_back({designs[i].wind, designs[i].solar, outcomes[i].coverage()});
  return out;
}

void mark_knees(std::vector<FrontPoint>& front) {
  for (const char* kind : {"sweep", "linear program"}) {
    std::vector<FrontPoint*> points;
    for (FrontPoint& p : front)
      if (p.kind == kind) points.push_back(&p);
    if (points.size() < 3) continue;
    const FrontPoint &first = *points.front(), &last = *points.back();
    const base::CarbonRate width = last.embodied - first.embodied;
    const base::CarbonRate height = first.operational - last.operational;
    if (!(width > base::CarbonRate{}) || !(height > base::CarbonRate{})) continue;
    const auto below = [&](const FrontPoint* p) {
      return (first.operational - p->operational) / height - (p->embodied - first.embodied) / width;
    };
    (*std::max_element(points.begin(), points.end(), [&](const FrontPoint* a, const FrontPoint* b) {
      return below(a) < below(b);
    }))->knee = true;
  }
}

std::vector<PublishedChoice> published_choices(const SiteHours& site, DesignGrid ranges,
                                               const SizeRules& rules, base::Progress& progress) {
  struct Kind {
    const char* name;
    Strategy strategy;
    bool battery, servers;
  };
  constexpr Kind kKinds[] = {{"wind and solar", Strategy::renewables, false, false},
                             {"and battery", Strategy::battery, true, false},
                             {"and flexible work", Strategy::flexible, false, true},
                             {"and both", Strategy::battery_and_flexible, true, true}};
  Battery battery = published_battery();
  battery.charge_rate = battery.discharge_rate = rules.battery_c_rate;
  std::vector<PublishedChoice> out;
  constexpr Axis kNone{0, 0, 1};
  for (const Kind& kind : kKinds) {
    DesignGrid grid = ranges;
    if (!kind.battery) grid.battery_mwh = kNone;
    if (!kind.servers) grid.extra_servers = kNone;
    const std::vector<Design> designs = grid.designs();
    std::vector<double> kt(designs.size(), solve::kInfinity);
    progress.stage(kind.name, designs.size());
    base::parallel_for(designs.size(), [&](std::size_t i) {
      if (progress.cancelled()) return;
      kt[i] =
          published_footprint(site, designs[i], kind.strategy, rules.flexible, battery).kt_per_mw();
      progress.advance();
    });
    const auto best = static_cast<std::size_t>(std::min_element(kt.begin(), kt.end()) - kt.begin());
    if (!(kt[best] < solve::kInfinity)) break;
    const PublishedFootprint x =
        published_footprint(site, designs[best], kind.strategy, rules.flexible, battery);
    constexpr base::Time kTenYears = 10.0 * units::year;
    out.push_back({kind.name, designs[best], x.coverage, kt[best], x.operational / kTenYears,
                   x.embodied / kTenYears,
                   fmt::format("{}", fmt::join(grid.at_the_edge(best), ", "))});
  }
  return out;
}

}  // namespace greenline::grid
