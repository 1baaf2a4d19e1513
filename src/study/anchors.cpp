#include "study/anchors.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "catalog/entries.hpp"
#include "plan/iteration.hpp"
#include "plan/validation.hpp"

namespace greenline::study {

using catalog::Anchor;
using catalog::Catalog;
using catalog::generation_of;
namespace units = base::units;

namespace {

constexpr std::size_t kMostAnchors = 8;
constexpr std::size_t kMostOfOtherModels = 3;

// Tokens per second of one device that our planner gives the anchor's own configuration; nothing
// when the anchor does not state one.
std::optional<double> ours_there(const Catalog& silent, const Anchor& a) {
  const std::optional<plan::MeasuredRun> run = plan::measured_run(silent, a);
  if (!run) return std::nullopt;
  return run->tokens_per_device() /
         plan::iteration(run->problem, run->configuration).total().in(units::s);
}

// The same facts with a journal that nobody reads: those of an anchor's machine did not shape the
// study.
Catalog silent_catalog(base::Settings settings) {
  settings.journal = std::make_shared<base::Journal>();
  return Catalog(settings);
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
  const Catalog silent = silent_catalog(request.settings);
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
    row.precision = c.anchor.precision;
    row.source = c.anchor.source;
    row.devices = c.anchor.devices;
    row.measured = c.anchor.rate()->in(units::per_s);
    row.same_generation = c.same_generation;
    row.whole_run = c.anchor.is_whole_run();
    if (c.same_model) {
      const double of_steps = base.plan.tokens_per_s_per_device.nominal().in(units::per_s);
      row.ours_here = row.whole_run ? of_steps * base.goodput.nominal() : of_steps;
    }
    row.ours_there = ours_there(silent, c.anchor);
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
