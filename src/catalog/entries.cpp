#include "catalog/entries.hpp"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "catalog/properties.hpp"

namespace greenline::catalog {

namespace {

std::string id_of(std::string_view entry, std::string_view property) {
  return fmt::format("{}.{}", entry, property);
}

// Bandwidths, rates, memories and powers: what a time is divided by, within what any machine could
// be.
template <class Q>
Q machine_value(const Catalog& facts, std::string_view entry, std::string_view property) {
  const std::string id = id_of(entry, property);
  const Q value = facts.get<Q>(id);
  constexpr double kLeast = 1, kMost = 1e24;  // base units
  const Fact& fact = facts.at(id);
  GL_USER_CHECK(
      value.base_value() >= kLeast && value.base_value() <= kMost, "impossible-fact",
      fmt::format("fact {} ({}): no machine has {} {}", id, fact.origin, fact.text, fact.unit));
  return value;
}

}  // namespace

const char* precision_name(Precision p) {
  constexpr const char* kNames[kNumPrecisions] = {"fp32", "tf32", "fp16", "bf16", "fp8"};
  return kNames[static_cast<int>(p)];
}

Accelerator accelerator(const Catalog& facts, std::string_view id) {
  facts.require_entry("accelerators", id, "accelerator");
  Accelerator a;
  a.id = id;
  a.name = facts.text_or(id_of(id, "name"), id);
  a.generation = facts.text(id_of(id, "generation"));
  for (int p = 0; p < kNumPrecisions; ++p) {
    const std::string peak = fmt::format("peak_{}", precision_name(static_cast<Precision>(p)));
    if (facts.peek(id_of(id, peak)))
      a.peak[static_cast<std::size_t>(p)] = machine_value<base::WorkRate>(facts, id, peak);
  }
  a.memory = machine_value<base::Data>(facts, id, "memory");
  a.memory_bandwidth = machine_value<base::Bandwidth>(facts, id, "memory_bandwidth");
  a.tdp = machine_value<base::Power>(facts, id, "tdp");
  return a;
}

System system(const Catalog& facts, std::string_view id) {
  facts.require_entry("nodes", id, "system");
  // A node whose power or networks only are known (a cloud instance) is not a system to plan on.
  std::vector<std::string> plannable;
  for (const std::string& entry : facts.entries("nodes"))
    if (facts.peek(id_of(entry, "inter_bandwidth"))) plannable.push_back(entry);
  if (!facts.peek(id_of(id, "inter_bandwidth"))) throw base::unknown_name("system", id, plannable);

  System s;
  s.id = id;
  s.name = facts.text_or(id_of(id, "name"), id);
  s.device = accelerator(facts, facts.text(id_of(id, "device")));
  s.devices_per_node = Properties(facts, id).positive("devices_per_node");
  s.intra_bandwidth = machine_value<base::Bandwidth>(facts, id, "intra_bandwidth");
  s.inter_bandwidth = machine_value<base::Bandwidth>(facts, id, "inter_bandwidth");
  s.max_power = facts.maybe<base::Power>(id_of(id, "max_power"));
  if (facts.peek(id_of(id, "host_bandwidth")))
    s.host_bandwidth = machine_value<base::Bandwidth>(facts, id, "host_bandwidth");
  s.price = facts.maybe<base::MoneyRate>(id_of(id, "price"));
  return s;
}

std::string generation_of(const Catalog& facts, std::string_view node_or_accelerator) {
  const Fact* device = facts.peek(id_of(node_or_accelerator, "device"));
  const Fact* generation = facts.peek(
      id_of(device ? std::string_view(device->text) : node_or_accelerator, "generation"));
  return generation ? generation->text : "";
}

std::optional<base::Rate> Anchor::rate() const {
  if (token_rate) return token_rate;
  if (tokens && device_time) return *tokens / *device_time;
  if (iteration_time && global_batch && sequence_length && devices > 0)
    return *global_batch * *sequence_length / *iteration_time / static_cast<double>(devices);
  return std::nullopt;
}

bool Anchor::is_whole_run() const { return !token_rate && tokens && device_time; }

namespace {

// The properties of one anchor; a missing one is an absent value or "".
class AnchorReader {
 public:
  AnchorReader(const Catalog& facts, std::string_view id) : facts_(facts), id_(id) {}

  Anchor read() const {
    Anchor a;
    a.id = id_;
    a.model = text("model");
    a.system = text("system");
    a.precision = text("precision");
    a.strategy = text("strategy");
    a.recompute = text("recompute");
    a.kernels = text("kernels");
    a.overlap_tensor = value<double>("overlap_tensor").value_or(0) != 0;
    a.devices = num_devices();
    a.tokens = value<double>("tokens");
    a.token_rate = value<base::Rate>("tokens_per_s_per_device");
    a.device_time = value<base::Time>("device_hours");
    a.sequence_length = value<double>("sequence_length");
    a.micro_batch = value<double>("micro_batch");
    a.global_batch = value<double>("global_batch");
    a.interleave = value<double>("interleave");
    a.iteration_time = value<base::Time>("iteration_time");
    a.work_rate = value<base::WorkRate>("achieved_flops");
    a.node_power = value<base::Power>("node_power");
    a.memory = value<base::Data>("memory");
    set_source(a);
    return a;
  }

 private:
  // Looking at an anchor uses no fact, so nothing of it is recorded.
  template <class Q>
  std::optional<Q> value(std::string_view property) const {
    const Fact* fact = facts_.peek(id_of(id_, property));
    if (fact == nullptr) return std::nullopt;
    GL_USER_CHECK(fact->value.dimension == base::AnyQuantity(Q{}).dimension, "wrong-dimension",
                  fmt::format("fact {} ({}): got {}", fact->id, fact->origin, fact->unit));
    if constexpr (std::is_same_v<Q, double>)
      return fact->value.value;
    else
      return Q::from_base(fact->value.value);
  }

  std::int64_t num_devices() const {
    constexpr double kMost = 1e9;
    const double n = value<double>("devices").value_or(0);
    if (!(n >= 0 && n <= kMost && n == std::floor(n)))
      throw base::DataError("bad-anchor",
                            fmt::format("anchor {}: expected a number of devices, got {}", id_, n));
    return static_cast<std::int64_t>(n);
  }

  std::string text(std::string_view property) const {
    const Fact* fact = facts_.peek(id_of(id_, property));
    return fact != nullptr ? fact->text : "";
  }

  // Of its first figure: the model's name may have another source than what was measured.
  void set_source(Anchor& a) const {
    for (const Fact& fact : facts_.facts_of(id_)) {
      if (fact.entry() != id_ || fact.property() == "model") continue;
      a.source = fact.source;
      a.note = fact.note;
      return;
    }
  }

  const Catalog& facts_;
  std::string id_;
};

}  // namespace

std::vector<Anchor> anchors(const Catalog& facts) {
  std::vector<Anchor> out;
  for (const std::string& entry : facts.entries("anchors"))
    out.push_back(AnchorReader(facts, entry).read());
  return out;
}

}  // namespace greenline::catalog
