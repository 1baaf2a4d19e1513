// Carbon of making the machines, charged to the hours they work (Sustainable AI, section III).
//
//   M = K · h / (LT · U)     K embodied carbon, h busy hours, LT service life, U utilisation
//
// Idle hours are charged to busy ones; `reserved` amortises over all hours of the life instead (U =
// 1), as SCI does.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/enum_name.hpp"
#include "base/estimate.hpp"
#include "catalog/catalog.hpp"

namespace greenline::footprint {

enum class Amortize { busy, reserved };
std::span<const base::EnumName> enum_names(Amortize);

struct EmbodiedParts {
  base::Estimate<base::Carbon> devices, hosts, total;
  base::Estimate<base::Carbon> per_device, per_host;  // as made, not amortised
  base::Estimate<base::Time> lifetime;
  base::Estimate<double> utilisation;  // 1 when reserved
};

// `device` is a catalogue accelerator with an `.embodied` fact; hosts are `host-8gpu`, scaled by
// devices per node, and a job on part of a node is charged that part of its host. UserError
// "no-embodied" when the device has no such fact.
EmbodiedParts embodied(const catalog::Catalog& facts, std::string_view device,
                       std::int64_t num_devices, std::int64_t devices_per_node,
                       const base::Estimate<base::Time>& duration, Amortize amortize);

}  // namespace greenline::footprint
