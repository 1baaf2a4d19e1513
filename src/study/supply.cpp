#include "study/supply.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "footprint/operational.hpp"

namespace greenline::study {

using base::Carbon;
using base::CarbonIntensity;
using base::Estimate;
using base::Instant;
using base::Power;
using base::Time;
using footprint::GridHours;
using footprint::HourPart;
namespace units = base::units;

namespace {

// Slot by slot: a profile has 288 different hours, a run thousands.
Carbon carbon_of(const GridHours& grid, const grid::ResidualModel& model, Instant start,
                 Time duration, Power power) {
  std::vector<Time> hours(model.num_slots());
  for_each_hour(grid, start, duration,
                [&](const HourPart& hour) { hours[model.slot_of(hour.index)] += hour.length; });
  Carbon total;
  for (std::size_t slot = 0; slot < hours.size(); ++slot)
    if (hours[slot] > Time{}) total += model.in_slot(slot, power).carbon * hours[slot];
  return total;
}

}  // namespace

grid::ResidualModel residual_model(const GridHours& grid, const SitePower& capacity) {
  return {grid,
          capacity.wind,
          capacity.solar,
          grid::CapacityBasis::window_max,
          "--site.power.wind",
          "--site.power.solar"};
}

Estimate<Carbon> carbon_with_supply(const GridHours& grid, const SitePower& capacity, Instant start,
                                    const Estimate<Time>& duration, const Estimate<Power>& power) {
  const grid::ResidualModel model = residual_model(grid, capacity);
  return base::recompute<Carbon>(
             [&](int k) {
               return k < 0 ? carbon_of(grid, model, start, duration.nominal(), power.nominal())
                            : carbon_of(grid, model, start, duration.draw(k), power.draw(k));
             },
             {duration.any(), power.any()}, grid.source) *
         grid.level;
}

namespace {

Power planned_load(const grid::SizeResult& plan) { return plan.site.load_mw.front() * units::MW; }

// Of a load of 1 W, kg.
Carbon carbon_per_w(const GridHours& grid, const SitePower& supply, Instant start, Time duration) {
  Carbon total;
  for_each_hour(grid, start, duration, [&](const HourPart& hour) {
    total += planned_grid_power(supply, hour.index, 1.0 * units::W) *
             grid.intensity.values[hour.index] * hour.length;
  });
  return total;
}

}  // namespace

void plan_supply(const StudyRequest& request, const GridHours& grid, Power mean, SitePower& supply,
                 base::Progress& progress) {
  GL_USER_CHECK(supply.wind == Power{} && supply.solar == Power{}, "size-contradiction",
                std::string("--site.power.plan sizes wind and solar; --site.power.wind or .solar "
                            "says how large they are"));
  if (!supply.found || supply.found->grid.name != grid.name) {
    grid::SizeRequest size;
    size.settings = request.settings;
    size.grid = request.grid;
    size.load = mean;
    size.rules = supply.size;
    auto found = std::make_shared<grid::SizeResult>(grid::size(size, progress));
    GL_USER_CHECK(found->has_plan(), "no-site-plan",
                  fmt::format("no sizes for the site's own supply: {}", found->why));
    supply.found = std::move(found);
  }
  const double scale = mean / planned_load(*supply.found);
  supply.wind = supply.found->plan.design.wind * scale;
  supply.solar = supply.found->plan.design.solar * scale;
}

Power planned_grid_power(const SitePower& supply, std::size_t grid_hour, Power load) {
  const grid::SizeResult& plan = *supply.found;
  return plan.plan.grid_mw[grid_hour] * units::MW * (load / planned_load(plan));
}

Estimate<Carbon> carbon_with_plan(const GridHours& grid, const SitePower& supply, Instant start,
                                  const Estimate<Time>& duration, const Estimate<Power>& power) {
  return base::recompute<Carbon>(
             [&](int k) {
               const Time time = k < 0 ? duration.nominal() : duration.draw(k);
               const Power load = k < 0 ? power.nominal() : power.draw(k);
               return carbon_per_w(grid, supply, start, time) * load.in(units::W);
             },
             {duration.any(), power.any()}, grid.source) *
         grid.level;
}

Estimate<Carbon> plan_embodied(const SitePower& supply, const Estimate<Time>& duration,
                               const Estimate<Power>& power) {
  const Estimate<Power> planned(planned_load(*supply.found));
  return supply.found->embodied * duration * (power / planned);
}

}  // namespace greenline::study
