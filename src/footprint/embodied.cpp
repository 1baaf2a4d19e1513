#include "footprint/embodied.hpp"

#include <fmt/format.h>

namespace greenline::footprint {
namespace {

// The host of the catalogue holds eight devices; a smaller or larger one is scaled by its devices.
constexpr double kDevicesOfHost = 8;

}  // namespace

std::span<const base::EnumName> enum_names(Amortize) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Amortize::busy), "busy", "idle hours are charged to the busy ones"},
      {static_cast<int>(Amortize::reserved), "reserved",
       "every hour of the service life counts the same"}};
  return kNames;
}

EmbodiedParts embodied(const catalog::Catalog& facts, std::string_view device,
                       std::int64_t num_devices, std::int64_t devices_per_node,
                       const base::Estimate<base::Time>& duration, Amortize amortize) {
  GL_USER_CHECK(num_devices > 0 && devices_per_node > 0, "out-of-bounds",
                fmt::format("expected at least one device and one device per node, got {} and {}",
                            num_devices, devices_per_node));
  const std::string id = fmt::format("{}.embodied", device);
  if (!facts.peek(id)) {
    throw base::UserError("no-embodied",
                          fmt::format("the catalogue has no embodied carbon for {}", device),
                          fmt::format("add a fact {} with --catalog", id));
  }
  EmbodiedParts parts;
  parts.per_device = facts.estimate<base::Carbon>(id);
  parts.per_host = facts.estimate<base::Carbon>("host-8gpu.embodied") *
                   (static_cast<double>(devices_per_node) / kDevicesOfHost);
  parts.lifetime = facts.estimate<base::Time>("server.lifetime");
  GL_USER_CHECK(parts.lifetime.nominal() > base::Time{}, "impossible-fact",
                std::string("fact server.lifetime: expected more than 0, got 0"));
  parts.utilisation = amortize == Amortize::busy ? facts.estimate<double>("server.utilisation")
                                                 : base::Estimate<double>(1.0);
  // h / (LT · U), the share of the service life that is charged to this run.
  const base::Estimate<double> share = duration / (parts.lifetime * parts.utilisation);
  const auto devices = static_cast<double>(num_devices);
  parts.devices = parts.per_device * devices * share;
  parts.hosts = parts.per_host * (devices / static_cast<double>(devices_per_node)) * share;
  parts.total = parts.devices + parts.hosts;
  return parts;
}

}  // namespace greenline::footprint
