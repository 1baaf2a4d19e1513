#include "study/anchors.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "catalog/entries.hpp"

namespace greenline::study {

using catalog::Anchor;
using catalog::Catalog;
namespace units = base::units;

namespace {

constexpr std::size_t kMostAnchors = 8;
constexpr std::size_t kMostOfOtherModels = 3;

// The generation of a node's or an accelerator's device, "" when the catalogue does not know it.
std::string generation_of(const Catalog& facts, const std::string& system) {
  const catalog::Fact* device = facts.peek(system + ".device");
  const catalog::Fact* generation = facts.peek((device ? device->text : system) + ".generation");
  return generation ? generation->text : "";
}

std::optional<plan::Recompute> recompute_of(const std::string& name) {
  for (const base::EnumName& n : enum_names(plan::Recompute{}))
    if (name == n.name) return static_cast<plan::Recompute>(n.value);
  return std::nullopt;
}

// What our planner says of the anchor's own configuration; nothing when the anchor does not state
// one.
std::optional<double> ours_there(const StudyRequest& request, const Anchor& a,
                                 const Catalog& facts) {
  if (a.strategy.empty() || a.devices == 0 || !facts.peek(a.system + ".inter_bandwidth"))
    return std::nullopt;
  plan::EstimateRequest p;
  // A silent journal: facts of the anchor's machine did not shape the study.
  p.settings.seed = request.settings.seed;
  p.settings.overlay_directories = request.settings.overlay_directories;
  p.settings.overrides = request.settings.overrides;
  p.model = a.model;
  p.system = a.system;
  p.devices = a.devices;
  p.strategy = a.strategy;
  p.micro_batch = static_cast<std::int64_t>(a.micro_batch.value_or(0));
  p.global_batch = static_cast<std::int64_t>(a.global_batch.value_or(0));
  p.sequence_length = static_cast<std::int64_t>(a.sequence_length.value_or(0));
  p.interleave = static_cast<std::int64_t>(a.interleave.value_or(1));
  p.recompute = recompute_of(a.recompute);
  if (a.precision == "fp8") p.precision = plan::PrecisionChoice::fp8;
  return plan::estimate(p).tokens_per_s_per_device.nominal().in(units::per_s);
}

double distance(double a, double b) {
  return std::abs(std::log(std::max(a, 1.0) / std::max(b, 1.0)));
}

}  // namespace

std::vector<AnchorRow> throughput_anchors(const StudyRequest& request, const Scenario& base,
                                          const Catalog& facts) {
  struct Candidate {
    Anchor anchor;
    bool same_model, same_generation;
    double size_distance, device_distance;
  };
  const std::string generation = generation_of(facts, base.plan.system);
  std::vector<Candidate> candidates;
  for (const Anchor& a : catalog::anchors(facts)) {
    const catalog::Fact* size = facts.peek(a.model + ".parameters_published");
    if (!a.rate() || !size) continue;
    const bool same_model = a.model == base.plan.model;
    candidates.push_back(
        {a, same_model, generation_of(facts, a.system) == generation,
         same_model ? 0 : distance(size->value.value, base.plan.parameters),
         distance(static_cast<double>(a.devices), static_cast<double>(base.plan.devices))});
  }
  std::stable_sort(
      candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return std::tuple(!a.same_model, a.size_distance, !a.same_generation, a.device_distance) <
               std::tuple(!b.same_model, b.size_distance, !b.same_generation, b.device_distance);
      });
  const bool any_same = !candidates.empty() && candidates[0].same_model;

  std::vector<AnchorRow> rows;
  for (const Candidate& c : candidates) {
    if (rows.size() == (any_same ? kMostAnchors : kMostOfOtherModels) ||
        (any_same && !c.same_model))
      break;
    AnchorRow row;
    row.id = c.anchor.id;
    row.what = c.anchor.model;
    row.system = c.anchor.system;
    row.strategy = c.anchor.strategy;
    row.source = c.anchor.source;
    row.devices = c.anchor.devices;
    row.measured = *c.anchor.rate();
    row.same_generation = c.same_generation;
    if (c.same_model) row.ours_here = base.plan.tokens_per_s_per_device.nominal().in(units::per_s);
    row.ours_there = ours_there(request, c.anchor, facts);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<AnchorRow> power_anchors(const Scenario& base, const Catalog& facts) {
  const std::string generation = generation_of(facts, base.plan.system);
  std::vector<AnchorRow> rows;
  for (const Anchor& a : catalog::anchors(facts)) {
    if (!a.node_power || generation_of(facts, a.system) != generation) continue;
    AnchorRow row;
    row.id = a.id;
    row.what = a.model;
    row.system = a.system;
    row.source = a.source;
    row.devices = a.devices;
    row.measured = a.node_power->in(units::W);
    row.ours_here = base.node_power.nominal().in(units::W);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace greenline::study
