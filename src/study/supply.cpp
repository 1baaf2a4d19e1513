#include "study/supply.hpp"

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

}  // namespace greenline::study
