#include "study/options.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/calendar.hpp"
#include "base/quantity_text.hpp"

namespace greenline::study {

using base::Power;
namespace units = base::units;

namespace {

// The regions with an hourly profile, without the one in use.
std::vector<std::string> other_regions(const catalog::Catalog& facts, const std::string& in_use) {
  std::vector<std::string> regions;
  for (const std::string& entry : facts.entries("grid"))
    if (entry.find('.') == std::string::npos && entry != in_use && facts.peek(entry + ".name"))
      regions.push_back(entry);
  return regions;
}

base::Instant half_a_year_later(base::Instant start) {
  base::CivilTime c = base::civil_utc(start);
  c.month += 6;
  if (c.month > 12) {
    c.month -= 12;
    ++c.year;
  }
  c.day = std::min(c.day, base::days_in_month(c.year, c.month));
  return base::from_civil_utc(c);
}

// Two leading digits: a capacity a person would write.
Power rounded(Power p) {
  const double w = p.in(units::W);
  if (w <= 0) return p;
  const double scale = std::pow(10.0, std::floor(std::log10(w)) - 1);
  return std::round(w / scale) * scale * units::W;
}

}  // namespace

std::vector<Option> standard_options(const StudyRequest& request, const Scenario& base,
                                     const catalog::Catalog& facts) {
  std::vector<Option> options;
  // The regions' profiles are average signals, which a marginal study cannot be compared with.
  const bool average = base.grid.signal == footprint::Signal::average;
  for (const std::string& region :
       average ? other_regions(facts, base.grid.name) : std::vector<std::string>{}) {
    Option o;
    o.name = "grid " + region;
    o.grid = region;
    options.push_back(std::move(o));
  }
  if (base.grid.whole_year && base.grid.kind != footprint::GridKind::constant) {
    Option o;
    o.start = half_a_year_later(base.start);
    o.name = "half a year later";
    options.push_back(std::move(o));
  }
  // Nameplate of three times the mean load yields about the load's energy over a year at a capacity
  // factor of a third.
  if (base.grid.wind.size() > 0 && base.grid.solar.size() > 0) {
    Option o;
    o.wind = request.site.power.wind + rounded(1.5 * base.mean_power.nominal());
    o.solar = request.site.power.solar + rounded(1.5 * base.mean_power.nominal());
    o.name = "wind and solar";
    options.push_back(std::move(o));
  }
  if (base.plan.devices % 2 == 0) {
    Option o;
    o.devices = base.plan.devices / 2;
    o.name = "half the devices";
    options.push_back(std::move(o));
  }
  return options;
}

std::string change_text(const Option& o) {
  std::vector<std::string> parts;
  if (o.grid) parts.push_back("grid " + *o.grid);
  if (o.start) parts.push_back("start " + base::format_instant(*o.start).substr(0, 10));
  if (o.wind) parts.push_back(base::format_quantity(*o.wind, 2) + " wind");
  if (o.solar) parts.push_back(base::format_quantity(*o.solar, 2) + " solar");
  if (o.devices) parts.push_back(fmt::format("{} devices", *o.devices));
  if (o.strategy) parts.push_back("strategy " + *o.strategy);
  if (o.pue) parts.push_back("PUE " + base::shortest(*o.pue));
  if (o.goodput) parts.push_back("goodput " + base::shortest(*o.goodput));
  if (o.tokens) parts.push_back(base::format_quantity(*o.tokens) + " tokens");
  return fmt::format("{}", fmt::join(parts, ", "));
}

StudyRequest with_option(const StudyRequest& request, const Option& option) {
  StudyRequest r = request;
  if (option.grid) r.grid = footprint::with_grid(r.grid, *option.grid);
  if (option.start) r.start = option.start;
  if (option.wind || option.solar) r.site.power.plan = false;  // sizes of its own
  if (option.wind) r.site.power.wind = *option.wind;
  if (option.solar) r.site.power.solar = *option.solar;
  if (option.devices) {
    r.plan.devices = *option.devices;
    if (!r.plan.on.empty()) {
      r.plan.system = r.plan.on.substr(r.plan.on.find('x') + 1);
      r.plan.on.clear();
    }
    r.plan.strategy = "auto";
    r.plan.micro_batch = 0;
    r.plan.interleave = 0;
    r.plan.schedule.reset();
    r.plan.recompute.reset();
  }
  if (option.strategy) r.plan.strategy = *option.strategy;
  if (option.pue) r.pue = option.pue;
  if (option.goodput) r.goodput = option.goodput;
  if (option.tokens) {
    r.tokens = option.tokens;
    r.steps.reset();
  }
  return r;
}

}  // namespace greenline::study
