// What the verbs of this room that have a grid or a load share.
#pragma once

#include "grid/site.hpp"

namespace greenline::verb {
class Fields;
class Registry;
class Report;
}  // namespace greenline::verb

namespace greenline::grid {

// What every answer about a grid says of its source.
void present_source(verb::Report& report, const footprint::GridHours& grid);

// --grid and its flags, --load, --load-shape.
void describe_load(verb::Fields& fields, footprint::GridInput& grid,
                   std::optional<base::Power>& load, std::string& load_shape);
// --capacity-basis, --compat.
void describe_rules(verb::Fields& fields, CapacityBasis& basis, Compat& compat);

// No plant is larger: a third of the electric power of the world.
inline constexpr base::Power kMostPower = 1000.0 * base::units::GW;

struct SizeResult;
void present_charts(verb::Report& report, const SizeResult& result);
void register_size(verb::Registry& registry);

}  // namespace greenline::grid
