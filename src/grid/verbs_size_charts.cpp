// Tables and charts of `grid size`.
#include <algorithm>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"
#include "grid/size.hpp"
#include "grid/verbs_site.hpp"
#include "verb/report.hpp"

namespace greenline::grid {
namespace {

using base::CarbonRate;
using base::Energy;
using base::Power;
using verb::ChartKind;
using verb::Report;
namespace units = base::units;

void present_front(Report& r, const SizeResult& x) {
  if (x.front.empty()) return;
  std::vector<std::string> kinds, names, on_front;
  std::vector<CarbonRate> embodied, operational;
  std::vector<Power> wind, solar;
  std::vector<Energy> battery;
  std::vector<double> servers;
  std::vector<std::optional<double>> coverage, price;
  // One front is joined by a line: that of linear programs where there is one.
  const std::string joined = x.rules.pareto > 0 ? "linear program" : "sweep";
  for (const FrontPoint& p : x.front) {
    const bool is_plan = p.kind == "plan";
    kinds.push_back(p.kind);
    names.push_back(is_plan ? "plan" : p.knee ? "knee, " + p.kind : "");
    on_front.push_back(is_plan || p.kind == joined ? "yes" : "no");
    embodied.push_back(p.embodied), operational.push_back(p.operational);
    wind.push_back(p.design.wind), solar.push_back(p.design.solar);
    battery.push_back(p.design.battery), servers.push_back(p.design.extra_servers);
    coverage.push_back(p.coverage), price.push_back(p.embodied_price);
  }
  r.table("front", "Operational against embodied carbon")
      .column("kind", kinds)
      .column("name", names)
      .column("embodied", embodied)
      .column("operational", operational)
      .column("wind", wind)
      .column("solar", solar)
      .column("battery", battery)
      .column("extra_servers", servers, "extra servers", true)
      .column("coverage", coverage, "covered", true)
      .column("embodied_price", price, "saved per embodied kg")
      .column("marked", on_front, "joined");
  r.chart({.key = "front",
           .title = "Operational against embodied carbon: the best designs, and the knee",
           .kind = ChartKind::scatter,
           .x = "front.embodied",
           .y = {"front.operational"},
           .labels = {"designs"},
           .x_label = "embodied a year",
           .y_label = "operational a year",
           .name = "front.name",
           .marked = "front.marked"});
}

void present_surface(Report& r, const SizeResult& x) {
  if (x.surface.empty()) return;
  std::vector<std::string> wind, solar;
  std::vector<double> coverage;
  for (const SurfacePoint& p : x.surface) {
    wind.push_back(base::format_quantity(p.wind));
    solar.push_back(base::format_quantity(p.solar));
    coverage.push_back(p.coverage);
  }
  r.table("surface", "Coverage of wind and solar beside the same battery")
      .hidden()
      .column("wind", wind)
      .column("solar", solar)
      .column("coverage", coverage, "covered", true);
  r.chart({.key = "surface",
           .title = "Coverage by wind and solar, a battery that takes surplus only",
           .kind = ChartKind::heat_map,
           .x = "surface.wind",
           .y = {"surface.solar"},
           .labels = {"coverage"},
           .x_label = "wind",
           .y_label = "solar",
           .colour = "surface.coverage"});
}

std::vector<base::Instant> times(const SizeResult& x, std::size_t begin, std::size_t end) {
  std::vector<base::Instant> out;
  for (std::size_t t = begin; t < end; ++t)
    out.push_back(base::advance(x.site.start, 1.0 * units::h, t));
  return out;
}

std::vector<Power> powers(const std::vector<double>& mw, std::size_t begin, std::size_t end) {
  std::vector<Power> out;
  for (std::size_t t = begin; t < end; ++t) out.push_back(mw[t] * units::MW);
  return out;
}

void present_week(Report& r, const SizeResult& x) {
  const SizeAnswer& p = x.plan;
  std::vector<double> wind, solar;  // used or stored
  for (std::size_t t = 0; t < x.site.num_hours(); ++t) {
    const double w = p.design.wind.in(units::MW)*x.site.wind_share[t];
    const double s = p.design.solar.in(units::MW)*x.site.solar_share[t];
    const double used = w + s > 0 ? std::max(0.0, 1 - p.curtailed_mw[t] / (w + s)) : 0;
    wind.push_back(w * used), solar.push_back(s * used);
  }
  const std::size_t begin = x.week_begin, end = x.week_end;
  r.table("week", "A week like the whole")
      .hidden()
      .column("start", times(x, begin, end))
      .column("wind", powers(wind, begin, end))
      .column("solar", powers(solar, begin, end))
      .column("discharge", powers(p.discharge_mw, begin, end))
      .column("grid", powers(p.grid_mw, begin, end))
      .column("load", powers(x.site.load_mw, begin, end));
  r.chart({.key = "week",
           .title = "A week whose coverage is nearest to that of all hours; what is over the load "
                    "charges the battery",
           .kind = ChartKind::stacked_area,
           .x = "week.start",
           .y = {"week.wind", "week.solar", "week.discharge", "week.grid"},
           .labels = {"wind", "solar", "battery", "grid"},
           .x_label = "UTC",
           .y_label = "power"});
}

void present_battery(Report& r, const SizeResult& x) {
  if (!(x.plan.design.battery > Energy{})) return;
  std::vector<std::string> days, hours;
  std::vector<Energy> state;
  constexpr std::size_t kMostHours = 8784;  // the first year of several
  for (std::size_t t = 0; t < std::min(kMostHours, x.site.num_hours()); ++t) {
    const base::CivilTime c = base::civil_utc(base::advance(x.site.start, 1.0 * units::h, t));
    days.push_back(fmt::format("{:04}-{:02}-{:02}", c.year, c.month, c.day));
    hours.push_back(fmt::format("{:02}", c.hour));
    state.push_back(x.plan.state_mwh[t] * units::MWh);
  }
  r.table("battery_hours", "State of the battery")
      .hidden()
      .column("day", days)
      .column("hour", hours)
      .column("state", state);
  r.chart({.key = "battery_hours",
           .title = "State of the battery by day and hour (UTC)",
           .kind = ChartKind::heat_map,
           .x = "battery_hours.day",
           .y = {"battery_hours.hour"},
           .labels = {"state"},
           .x_label = "day",
           .y_label = "hour",
           .colour = "battery_hours.state"});
}

void present_duration(Report& r, const SizeResult& x) {
  std::vector<double> share;
  std::vector<base::CarbonIntensity> with, without;
  for (std::size_t k = 0; k < x.duration.size(); ++k) {
    share.push_back(static_cast<double>(k) / static_cast<double>(x.duration.size() - 1));
    with.push_back(x.duration[k] * units::g_per_kWh);
    without.push_back(x.duration_grid[k] * units::g_per_kWh);
  }
  r.table("duration", "Hours by what a kWh of the load emits")
      .hidden()
      .column("share", share, "of the hours", true)
      .column("planned", with)
      .column("grid", without);
  r.chart({.key = "duration",
           .title = "In how many hours a kWh of the load emits so much or more",
           .kind = ChartKind::lines,
           .x = "duration.share",
           .y = {"duration.planned", "duration.grid"},
           .labels = {"with these sizes", "grid alone"},
           .x_label = "share of the hours",
           .y_label = "g/kWh"});
}

void present_tornado(Report& r, const SizeResult& x) {
  if (x.tornado.empty()) return;
  std::vector<std::string> what;
  std::vector<base::Estimate<CarbonRate>> total;
  for (const TornadoBar& bar : x.tornado) what.push_back(bar.what), total.push_back(bar.total);
  r.table("tornado", "Total with one constant at its 5th and 95th percentile, sizes unchanged")
      .column("constant", what)
      .column("total", total);
  r.chart({.key = "tornado",
           .title = "Total with one constant at its 5th and 95th percentile",
           .kind = ChartKind::interval_bars,
           .x = "tornado.constant",
           .y = {"tornado.total"},
           .labels = {"total"},
           .x_label = "",
           .y_label = "CO2e a year"});
}

void present_strategies(Report& r, const SizeResult& x) {
  if (x.strategies.empty()) return;
  std::vector<std::string> names, edges;
  std::vector<Power> wind, solar;
  std::vector<Energy> battery;
  std::vector<double> servers, coverage, kt;
  for (const PublishedChoice& c : x.strategies) {
    names.push_back(c.strategy), edges.push_back(c.edges);
    wind.push_back(c.design.wind), solar.push_back(c.design.solar);
    battery.push_back(c.design.battery), servers.push_back(c.design.extra_servers);
    coverage.push_back(c.coverage), kt.push_back(c.kt_per_mw);
  }
  r.table("strategies", "Best of each strategy by the rules of the release")
      .column("strategy", names)
      .column("kt_per_mw", kt, "kt per MW in ten years")
      .column("coverage", coverage, "covered", true)
      .column("wind", wind)
      .column("solar", solar)
      .column("battery", battery)
      .column("extra_servers", servers, "extra servers", true)
      .column("edges", edges, "at the edge of the sweep");
}

void present_hours(Report& r, const SizeResult& x) {
  const std::size_t n = x.site.num_hours();
  std::vector<Energy> state;
  for (const double mwh : x.plan.state_mwh) state.push_back(mwh * units::MWh);
  r.table("hours", "Hours")
      .hidden()
      .column("start", times(x, 0, n))
      .column("load", powers(x.site.load_mw, 0, n))
      .column("charge", powers(x.plan.charge_mw, 0, n))
      .column("discharge", powers(x.plan.discharge_mw, 0, n))
      .column("out", powers(x.plan.out_mw, 0, n))
      .column("in", powers(x.plan.in_mw, 0, n))
      .column("grid", powers(x.plan.grid_mw, 0, n))
      .column("curtailed", powers(x.plan.curtailed_mw, 0, n))
      .column("state", state);
}

}  // namespace

void present_charts(Report& r, const SizeResult& x) {
  present_strategies(r, x);
  present_front(r, x);
  present_surface(r, x);
  present_week(r, x);
  present_battery(r, x);
  present_duration(r, x);
  present_tornado(r, x);
  present_hours(r, x);
}

}  // namespace greenline::grid
