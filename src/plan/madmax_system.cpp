#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/madmax.hpp"

namespace greenline::plan {
namespace {

using catalog::Catalog;
using catalog::Precision;

constexpr const char* kMark = "madmax_compute_utilisation";

// Positive and finite: a time is divided by it.
template <class Q>
Q divisor(const Catalog& facts, const std::string& id) {
  const Q value = facts.get<Q>(id);
  const double number = base::AnyQuantity(value).value;
  GL_USER_CHECK(number > 0 && std::isfinite(number), "impossible-fact",
                fmt::format("fact {} ({}): expected more than 0, got {} {}", id,
                            facts.at(id).origin, facts.at(id).text, facts.at(id).unit));
  return value;
}

double share(const Catalog& facts, const std::string& id) {
  const auto value = divisor<double>(facts, id);
  GL_USER_CHECK(value <= 1, "impossible-fact",
                fmt::format("fact {} ({}): expected a share above 0, at most 1, got {}", id,
                            facts.at(id).origin, value));
  return value;
}

std::optional<base::WorkRate> peak(const Catalog& facts, const std::string& id) {
  if (facts.peek(id) == nullptr) return std::nullopt;
  return divisor<base::WorkRate>(facts, id);
}

void set_device(const Catalog& facts, const std::string& id, MadmaxSystem& s) {
  const catalog::Accelerator device = catalog::accelerator(facts, id);
  const auto of = [&](Precision p) { return device.peak[static_cast<std::size_t>(p)]; };
  s.device = id;
  s.fp64 = peak(facts, id + ".peak_fp64");
  s.fp32 = of(Precision::tf32) ? of(Precision::tf32) : of(Precision::fp32);
  s.fp16 = of(Precision::fp16) ? of(Precision::fp16) : of(Precision::bf16);
  s.int8 = peak(facts, id + ".peak_int8");
  s.memory = device.memory;
  s.memory_bandwidth = device.memory_bandwidth;
}

}  // namespace

MadmaxSystem madmax_system(const Catalog& facts, std::string_view id) {
  facts.require_entry("nodes", id, "system");
  const std::string prefix = std::string(id) + ".";
  if (facts.peek(prefix + kMark) == nullptr) {
    std::string known;
    for (const std::string& node : facts.entries("nodes"))
      if (facts.peek(node + "." + kMark) != nullptr) known += (known.empty() ? "" : ", ") + node;
    throw base::UnsupportedError(
        "not-published",
        fmt::format("MAD-Max gives no constants for system {}; it does for {}", id, known),
        fmt::format("choose one of them, leave --fidelity out, or give {}madmax_* yourself "
                    "(--catalog DIR)",
                    prefix));
  }
  MadmaxSystem s;
  s.id = id;
  set_device(facts, facts.text(prefix + "device"), s);
  s.devices_per_node = facts.integer(prefix + "devices_per_node");
  GL_USER_CHECK(s.devices_per_node > 0, "bad-fact",
                fmt::format("fact {}devices_per_node: expected a positive whole number, got {}",
                            prefix, s.devices_per_node));
  const std::string ours = prefix + "madmax_";
  s.compute_utilisation = share(facts, ours + "compute_utilisation");
  s.memory_utilisation = share(facts, ours + "memory_utilisation");
  s.intra = divisor<base::Bandwidth>(facts, ours + "intra_bandwidth");
  s.intra_utilisation = share(facts, ours + "intra_utilisation");
  s.inter = divisor<base::Bandwidth>(facts, ours + "inter_bandwidth");
  s.inter_utilisation = share(facts, ours + "inter_utilisation");
  s.allreduce_intra_share = share(facts, ours + "allreduce_intra_share");
  return s;
}

}  // namespace greenline::plan
