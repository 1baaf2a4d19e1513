#include "grid/site.hpp"

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "grid/site_of_grid.hpp"
#include "io/file.hpp"

namespace greenline::grid {
namespace {

using base::Instant;
using base::Power;
namespace units = base::units;

std::optional<Shape> shape_named(std::string_view name) {
  for (const base::EnumName& n : enum_names(Shape{}))
    if (name == n.name) return static_cast<Shape>(n.value);
  return std::nullopt;
}

std::string chosen_shape(const SiteInput& r) {
  if (r.load_shape.empty())
    return base::enum_name(r.compat == Compat::carbon_explorer ? Shape::carbon_explorer
                                                               : Shape::flat);
  const bool looks_like_path =
      r.load_shape.find('/') != std::string::npos || r.load_shape.ends_with(".csv");
  if (shape_named(r.load_shape) || looks_like_path || io::is_file(r.load_shape))
    return r.load_shape;
  std::vector<std::string> known;
  for (const base::EnumName& n : enum_names(Shape{})) known.emplace_back(n.name);
  throw base::unknown_name("load-shape", r.load_shape, known, "or give an hourly CSV file of load");
}

Diurnal diurnal_shape(const catalog::Catalog& facts, const footprint::GridHours& grid,
                      base::Journal& journal) {
  Diurnal shape{facts.get<double>("facility.load_swing"),
                facts.get<base::Time>("facility.load_peak_hour"), grid.timezone};
  const bool local = !grid.timezone.empty();
  journal.assumed({"load swing", base::format_quantity(shape.swing),
                   "facility.load_swing: highest to lowest over the day, of the mean"});
  journal.assumed(
      {"load peak",
       fmt::format("{} h {}", base::format_quantity(shape.peak.in(units::h)),
                   local ? grid.timezone : "UTC"),
       local ? "facility.load_peak_hour" : "facility.load_peak_hour; the grid names no time zone"});
  return shape;
}

// The load over the hours of the grid, or over those of its own file.
LoadSeries make_load(const SiteInput& r, const std::string& name, const footprint::GridHours& grid,
                     const catalog::Catalog& facts, base::Journal& journal) {
  const std::optional<Shape> shape = shape_named(name);
  if (!shape) {
    LoadSeries load = read_load(name, journal);
    return r.load ? scaled_to_mean(std::move(load), *r.load) : load;
  }
  GL_USER_CHECK(r.load.has_value(), "missing-input",
                std::string("--load is missing; expected the mean load, such as --load 50MW, or a "
                            "file with --load-shape"));
  const Instant start = grid.intensity.start;
  const std::size_t n = grid.intensity.size();
  switch (*shape) {
    case Shape::flat:
      return flat_load(*r.load, start, n);
    case Shape::diurnal:
      return diurnal_load(*r.load, diurnal_shape(facts, grid, journal), start, n);
    case Shape::carbon_explorer:
      return carbon_explorer_load(*r.load, start, n);
  }
  throw base::InternalError("a load of unknown shape");
}

}  // namespace

SiteData load_site(const SiteInput& input, const catalog::Catalog& facts,
                   const base::Settings& settings) {
  GL_USER_CHECK(input.compat == Compat::none || input.capacity_basis == CapacityBasis::window_max,
                "compat-contradiction",
                std::string("--compat carbon-explorer scales by the largest hour of the window; "
                            "--capacity-basis says p99.9"));
  SiteData site;
  site.load_shape = chosen_shape(input);
  site.grid = footprint::load_grid(input.grid, facts, settings);
  site.load = make_load(input, site.load_shape, site.grid, facts, *settings.journal);
  for (std::size_t i = 0; i < site.load.size(); ++i) {
    site.grid_hour.push_back(site.grid.hour_index(site.load.time(i)));
    site.intensity.push_back(site.grid.intensity.values[site.grid_hour.back()]);
  }
  return site;
}

SiteHours site_hours(const SiteData& site, CapacityBasis basis) {
  return site_hours(site.grid, site.load, basis);
}

}  // namespace greenline::grid
