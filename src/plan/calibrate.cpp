#include "plan/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/statistics.hpp"
#include "catalog/facts_file.hpp"
#include "catalog/system_file.hpp"
#include "plan/naive.hpp"
#include "plan/utilisation.hpp"

namespace greenline::plan {
namespace {

using base::DataError;
using catalog::Catalog;

using Runs = std::vector<MeasuredRun>;

Runs read_runs(const Catalog& facts, const CalibrateRequest& r, const std::string& system) {
  Runs runs = vtrain_runs(facts, r.measured, *r.settings.journal, system);
  constexpr std::size_t kMostRuns = 2000;  // a fit takes tens of thousands of looks at each
  if (runs.size() > kMostRuns)
    throw DataError("too-many-runs",
                    fmt::format("{} measured runs: a fit takes at most {}", runs.size(), kMostRuns),
                    "give a sample; runs of one shape add little");
  if (runs.size() <= kNumConstants)
    throw DataError("few-runs",
                    fmt::format("{} measured runs: {} constants need more of them than there are "
                                "constants",
                                runs.size(), kNumConstants),
                    "runs of several sizes, strategies and micro-batches tell the constants apart");
  return runs;
}

// Positions of the runs of each size, in order of first appearance.
struct Size {
  std::string name;
  std::vector<std::size_t> rows;
};

std::vector<Size> sizes_of(const Runs& runs) {
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string& name = runs[i].problem.shape.id;
    auto at =
        std::find_if(sizes.begin(), sizes.end(), [&](const Size& s) { return s.name == name; });
    if (at == sizes.end()) at = sizes.insert(sizes.end(), {name, {}});
    at->rows.push_back(i);
  }
  return sizes;
}

double mean_error(const Runs& runs, const std::vector<base::Time>& ours,
                  const std::vector<std::size_t>& rows) {
  double sum = 0;
  for (const std::size_t i : rows) sum += std::fabs(ours[i] / runs[i].iteration - 1);
  return sum / static_cast<double>(rows.size());
}

std::vector<std::size_t> all_of(const Runs& runs) {
  std::vector<std::size_t> rows(runs.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  return rows;
}

CalibratedSize judge(const Size& size, const Runs& runs, const std::vector<base::Time>& ours,
                     const std::vector<base::Time>& naive) {
  CalibratedSize x;
  x.size = size.name;
  x.rows = static_cast<std::int64_t>(size.rows.size());
  x.error = mean_error(runs, ours, size.rows);
  x.naive_error = mean_error(runs, naive, size.rows);
  std::vector<double> a, b;
  std::size_t chosen = size.rows.front(), best = size.rows.front();
  for (const std::size_t i : size.rows) {
    a.push_back(runs[i].iteration.in(base::units::s));
    b.push_back(ours[i].in(base::units::s));
    if (ours[i] < ours[chosen]) chosen = i;
    if (runs[i].iteration < runs[best].iteration) best = i;
  }
  if (const double r = base::spearman(a, b); std::isfinite(r)) x.spearman = r;
  x.chosen = runs[chosen].name;
  x.chosen_over_best = runs[chosen].iteration / runs[best].iteration;
  return x;
}

std::vector<CalibratedConstant> constants_of(const std::string& generation,
                                             const ConstantValues& catalogue,
                                             const ConstantValues& fitted) {
  std::vector<CalibratedConstant> out;
  for (std::size_t i = 0; i < kNumConstants; ++i) {
    const Constant& c = constants()[i];
    constexpr double kNear = 1e-3;  // of the bound
    const bool at_bound = fitted[i] < c.low * (1 + kNear) || fitted[i] > c.high * (1 - kNear);
    out.push_back({generation + "." + c.property, c.unit, catalogue[i], fitted[i], std::nullopt,
                   std::nullopt, at_bound});
  }
  return out;
}

// Fits without each size in turn, and what they say of it.
void hold_out(const Runs& runs, const std::vector<Size>& sizes, const ConstantValues& base,
              std::uint64_t seed, base::Progress& progress, CalibrateResult& x) {
  if (sizes.size() < 2) return;
  std::vector<base::Time> held_out(runs.size());
  std::vector<ConstantValues> fits;
  for (const Size& size : sizes) {
    Runs others;
    for (const MeasuredRun& run : runs)
      if (run.problem.shape.id != size.name) others.push_back(run);
    const Fit f = fit(others, base, seed, progress);
    x.evaluations += f.evaluations;
    x.interrupted = x.interrupted || f.interrupted;
    if (x.interrupted) return;
    fits.push_back(f.values);
    const std::vector<base::Time> times = predicted(runs, f.values);
    for (const std::size_t i : size.rows) held_out[i] = times[i];
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    x.sizes[i].held_out_error = mean_error(runs, held_out, sizes[i].rows);
  x.held_out_error = mean_error(runs, held_out, all_of(runs));
  for (std::size_t i = 0; i < kNumConstants; ++i) {
    double low = x.constants[i].fitted, high = low;
    for (const ConstantValues& v : fits) {
      low = std::min(low, v[i]);
      high = std::max(high, v[i]);
    }
    x.constants[i].low = low;
    x.constants[i].high = high;
  }
}

void set_band(CalibrateResult& x) {
  std::vector<double> ratios;
  for (const CalibratedRun& row : x.rows) ratios.push_back(row.measured / row.ours);
  std::sort(ratios.begin(), ratios.end());
  x.fastest = std::min(1.0, base::percentile_of_sorted(ratios, 0.05));
  x.slowest = std::max(1.0, base::percentile_of_sorted(ratios, 0.95));
}

}  // namespace

CalibrateResult calibrate(const CalibrateRequest& request, base::Progress& progress) {
  CalibrateRequest r = request;
  r.system = catalog::use_system_file(r.settings, r.system);
  const Catalog facts(r.settings);
  const Runs runs = read_runs(facts, r, r.system);
  const std::vector<Size> sizes = sizes_of(runs);
  const Problem& some = runs.front().problem;
  const ConstantValues base = values_of(some.machine, some.system);

  const std::size_t fits = sizes.size() > 1 ? 1 + sizes.size() : 1;
  progress.stage("fitting", fits * fit_steps());
  const Fit f = fit(runs, base, r.settings.seed, progress);
  CalibrateResult x;
  x.system = r.system;
  if (r.system != request.system) x.inherited = catalog::read_overlay(request.system, nullptr);
  x.generation = some.system.device.generation;
  x.files = r.measured;
  x.evaluations = f.evaluations;
  x.interrupted = f.interrupted;
  x.error = f.error;
  x.constants = constants_of(x.generation, base, f.values);
  x.naive_share = naive_share(runs).value();  // more runs than constants
  const std::vector<base::Time> ours = predicted(runs, f.values);
  std::vector<base::Time> naive;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    naive.push_back(naive_time(runs[i], x.naive_share));
    x.rows.push_back(
        {runs[i].name, runs[i].problem.shape.id, runs[i].iteration, ours[i], naive[i]});
  }
  x.naive_error = mean_error(runs, naive, all_of(runs));
  for (const Size& size : sizes) x.sizes.push_back(judge(size, runs, ours, naive));
  set_band(x);
  if (!x.interrupted) hold_out(runs, sizes, base, r.settings.seed, progress, x);
  return x;
}

}  // namespace greenline::plan
