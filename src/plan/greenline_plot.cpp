#include "plan/greenline_plot.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "model/power.hpp"
#include "model/workload.hpp"
#include "plan/stage.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::WorkIntensity;

// Work and bytes of operators.
struct Traffic {
  base::Work work;
  base::Data bytes;

  void add(const std::vector<model::Operator>& operators, double times) {
    for (const model::Operator& o : operators) {
      work += times * o.flops;
      bytes += times * o.bytes;
    }
  }
  void add_selective(const std::vector<model::Operator>& operators, double times) {
    for (const model::Operator& o : operators) {
      work += times * o.selective * o.flops;
      bytes += times * o.selective * o.bytes;
    }
  }
};

void add_layers(const Problem& p, const Configuration& c, model::LayerKind kind, double layers,
                Traffic& sum) {
  if (layers == 0) return;
  const model::Operators layer = model::layer_operators(p.shape, slice_of(p, c), kind);
  sum.add(layer.forward, layers);
  if (!is_training(p.task)) return;
  sum.add(layer.backward, layers);
  if (c.recompute == Recompute::full) sum.add(layer.forward, layers);
  if (c.recompute == Recompute::selective) sum.add_selective(layer.forward, layers);
}

void add_end(const Problem& p, const model::Operators& end, Traffic& sum) {
  sum.add(end.forward, 1);
  if (is_training(p.task)) sum.add(end.backward, 1);
}

// Powers of ten in steps that a log axis shows as straight lines, and the ridge itself.
std::vector<WorkIntensity> grid_around(WorkIntensity ridge,
                                       const std::vector<GreenlinePoint>& points) {
  double low = ridge.base_value() / 10, high = ridge.base_value() * 10;
  for (const GreenlinePoint& p : points) {
    low = std::min(low, p.intensity.base_value());
    high = std::max(high, p.intensity.base_value());
  }
  constexpr int kPerDecade = 4;
  const auto first = static_cast<int>(std::floor(std::log10(low) * kPerDecade));
  const auto last = static_cast<int>(std::ceil(std::log10(high) * kPerDecade));
  std::vector<WorkIntensity> grid = {ridge};
  for (int i = first; i <= last; ++i)
    grid.push_back(std::pow(10, static_cast<double>(i) / kPerDecade) * (units::FLOP / units::B));
  std::sort(grid.begin(), grid.end());
  return grid;
}

}  // namespace

GreenlineRow ceilings_at(const GreenlineSite& s, WorkIntensity intensity) {
  const base::WorkRate rate = std::min(s.peak, intensity * s.bandwidth);
  GreenlineRow row;
  row.intensity = intensity;
  row.chip = rate / (s.chip * s.mean);
  row.node = rate / (s.node * s.mean);
  row.site = rate / (s.site * s.mean);
  if (s.cleanest) row.cleanest = rate / (s.site * *s.cleanest);
  if (s.dirtiest) row.dirtiest = rate / (s.site * *s.dirtiest);
  return row;
}

GreenlinePlot greenline_plot(const GreenlineSite& site, std::vector<GreenlinePoint> points) {
  GreenlinePlot plot;
  plot.site = site;
  plot.ridge = site.peak / site.bandwidth;
  for (const WorkIntensity intensity : grid_around(plot.ridge, points))
    plot.ceilings.push_back(ceilings_at(site, intensity));
  plot.points = std::move(points);
  return plot;
}

GreenlineSite greenline_site(const catalog::Catalog& facts, const catalog::System& system,
                             const model::Machine& machine, double pue) {
  GreenlineSite s;
  s.peak = machine.matmul_peak;
  s.bandwidth = machine.memory_bandwidth;
  s.chip = system.device.tdp;
  s.node = model::NodeCurve(facts, system).full() / static_cast<double>(system.devices_per_node) *
           units::W;
  s.site = pue * s.node;
  return s;
}

WorkIntensity executed_intensity(const Problem& p, const Configuration& c) {
  Traffic sum;
  const StageKind whole = stage_kind(p.shape, 1, 0);
  add_layers(p, c, model::LayerKind::dense, whole.dense_layers, sum);
  add_layers(p, c, model::LayerKind::experts, whole.expert_layers, sum);
  const model::Slice slice = slice_of(p, c);
  add_end(p, model::embedding_operators(p.shape, slice), sum);
  add_end(p, model::head_operators(p.shape, head_slice(p, c)), sum);
  return sum.work / sum.bytes;
}

WorkIntensity executed_intensity(const RecommenderProblem& p) {
  const RecommenderPlan plan = recommender_plan(p);
  std::int64_t tensor = 1;
  for (const StrategyLevel& level : plan.strategy.front().levels)
    if (level.kind == LevelKind::tensor) tensor = level.degree;
  const auto samples = static_cast<double>(plan.local_batch);
  const model::Operators all = model::recommender_operators(p.shape, samples, tensor);
  // Ranks that split a layer see the same samples, whose rows all devices look up together.
  const double rows =
      static_cast<double>(p.global_batch) / static_cast<double>(p.devices) / samples;
  Traffic sum;
  const auto add = [&](const model::Operator& o) {
    sum.add({o}, o.kind == model::OperatorKind::lookup ? rows : 1);
  };
  for (const model::Operator& o : all.forward) add(o);
  if (!is_training(p.task)) return sum.work / sum.bytes;
  for (const model::Operator& o : all.backward) {
    const bool is_frozen = (p.frozen.layers && std::string_view(o.name) == "weight gradient") ||
                           (p.frozen.embedding && o.kind == model::OperatorKind::lookup);
    if (!is_frozen) add(o);
  }
  return sum.work / sum.bytes;
}

}  // namespace greenline::plan
