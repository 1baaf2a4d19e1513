#include "plan/search.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "catalog/catalog.hpp"
#include "plan/resolve.hpp"
#include "plan/search_job.hpp"
#include "plan/search_row.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::UserError;
using catalog::Catalog;

// What stands against the values that the user has fixed, on the first split that could run.
std::string why_fixed_values_fail(const SearchTask& task) {
  const auto first = [](const auto& values, auto& into) {
    if (!values.empty()) into = values.front();
  };
  for (const Problem& p : task.problems) {
    const Layouts all = layouts(p, task.space);
    if (all.possible.empty()) continue;
    Configuration c;
    c.strategy = all.possible.front();
    first(task.space.micro_batch, c.micro_batch);
    first(task.space.recompute, c.recompute);
    first(task.space.interleave, c.interleave);
    first(task.space.schedule, c.schedule);
    first(task.space.offload, c.offload);
    return fmt::format("{} splits could, but not with the values that are fixed; on {}: {}",
                       all.possible.size(), strategy_text(c.strategy), why_impossible(p, c));
  }
  return "";
}

[[noreturn]] void no_strategy(const SearchTask& task, const Findings& found) {
  const Problem& p = task.problems.back();
  std::string reasons = found.splits > 0 ? why_fixed_values_fail(task) : "";
  for (const auto& [word, impossible] : found.impossible)
    if (found.splits == 0)
      reasons += fmt::format("{}{} ({} splits)", reasons.empty() ? "" : "; ", impossible.example,
                             impossible.splits);
  throw UserError("no-strategy",
                  fmt::format("no split of {} devices can run global batch {} of {}: {}", p.devices,
                              p.global_batch, p.shape.id, reasons),
                  "choose a number of devices, a global batch or a micro-batch with more common "
                  "factors");
}

std::string past_limit(const SearchJob& job, const SearchRow& row, const Score& score) {
  const SearchRequest& r = job.request;
  const Excess excess = excess_of(score, job.task.limits);
  const std::string nearest =
      fmt::format("the nearest is {} on {} devices", row.strategy, row.devices);
  const double percent = 100 * (excess.ratio - 1);
  switch (excess.limit) {
    case Limit::time:
      return fmt::format("{}: an iteration takes {}, {:.3g} % above --max-time {}", nearest,
                         base::format_quantity(row.time.nominal()), percent,
                         base::format_quantity(*r.max_time));
    case Limit::power:
      return fmt::format("{}: it draws {}, {:.3g} % above --max-power {}", nearest,
                         base::format_quantity(row.power), percent,
                         base::format_quantity(*r.max_power));
    case Limit::cost:
      return fmt::format("{}: an iteration costs {}, {:.3g} % above --max-cost {}", nearest,
                         base::format_quantity(row.cost->nominal()), percent,
                         base::format_quantity(*r.max_cost));
  }
  throw base::InternalError("past an unknown limit");
}

void add_ruled_out(const Findings& found, SearchResult& x) {
  for (const auto& [word, impossible] : found.impossible)
    x.ruled_out.push_back(
        {"splits of the devices that cannot run", impossible.splits, impossible.example});
  const SearchCounts& n = found.counts;
  x.ruled_out.push_back({"not enough memory", n.does_not_fit, ""});
  constexpr const char* kPast[] = {"past --max-time", "past --max-power", "past --max-cost"};
  for (std::size_t i = 0; i < kNumLimits; ++i)
    if (const auto k = n.past_limit_at_least[i] + n.past_limit[i]; k > 0)
      x.ruled_out.push_back({kPast[i], k, ""});
  x.ruled_out.push_back({"at least as slow and as costly as others", n.bounded, ""});
}

GreenlinePlot plot_of(const SearchJob& job, const SearchResult& x, const RowMaker& make) {
  const Problem& p = make.problem(x.best->devices);
  GreenlineSite site = greenline_site(job.facts, p, make.pue.nominal());
  site.mean = make.intensity.nominal();
  if (!job.plan.intensity) {
    const footprint::GridHours grid =
        footprint::load_grid(job.plan.grid, job.facts, job.plan.settings);
    const auto [least, most] =
        std::minmax_element(grid.intensity.values.begin(), grid.intensity.values.end());
    if (grid.intensity.size() > 1 && *least < *most) {
      if (*least > base::CarbonIntensity{}) site.cleanest = *least;
      site.dirtiest = *most;
    }
  }
  // A grid without carbon has no greenline: everything is free.
  if (!(site.mean > base::CarbonIntensity{})) return {};
  std::vector<GreenlinePoint> points;
  const auto add = [&](const SearchRow& row) {
    const std::string name = x.devices.size() > 1
                                 ? fmt::format("{} on {}", short_name(row), row.devices)
                                 : short_name(row);
    for (const GreenlinePoint& known : points)
      if (known.name == name) return;
    points.push_back({name, executed_intensity(make.problem(row.devices), row.configuration),
                      make.useful / row.carbon.nominal(), points.empty()});
  };
  for (const auto* rows : {&x.top, &x.pareto, &x.cells})
    for (const SearchRow& row : *rows) add(row);
  return greenline_plot(site, std::move(points));
}

RowMaker maker_of(const SearchJob& job, const EstimateResult& of_one) {
  return {job.facts,  job.task.problems, of_one.model_flops, of_one.tokens,
          of_one.pue, of_one.intensity,  job.price,          job.plan.price.has_value()};
}

// What passes the limits by least; what is short of memory by least when nothing fits, or when the
// search was stopped before it saw anything that does.
Candidate nearest_of(SearchJob& job, const Findings& found, base::Progress& progress) {
  if (!found.leaders.empty()) return found.leaders.front();
  if (found.counts.does_not_fit < found.counts.all()) {
    job.task.nearest = true;
    job.task.num_leaders = 1;
    const Findings near =
        explore(job.task, job.meter, *job.request.settings.communicator, progress);
    if (!near.leaders.empty()) return near.leaders.front();
  }
  return found.shortest.value().candidate;
}

// Nothing keeps the limits, or nothing fits.
void set_nearest(SearchJob& job, const Findings& found, SearchResult& x, base::Progress& progress) {
  const Candidate candidate = nearest_of(job, found, progress);
  const EstimateResult near = estimate(request_for(job, candidate), progress);
  x.nearest = maker_of(job, near).row(candidate);
  const bool fits = x.nearest->memory.fits();
  x.status = fits ? SearchStatus::infeasible : SearchStatus::does_not_fit;
  if (!fits)
    x.why = fmt::format("of {} configurations none fits; {} on {} devices is short by least: {}",
                        found.counts.all(), x.nearest->strategy, x.nearest->devices, near.why);
  else
    x.why = !job.past_price.empty() ? job.past_price : past_limit(job, *x.nearest, candidate.score);
  if (x.interrupted) x.why = "stopped before all was tried; so far, " + x.why;
}

void set_best(const SearchJob& job, const Findings& found, SearchResult& x,
              base::Progress& progress) {
  const Candidate& best = found.leaders.front();
  x.best = estimate(request_for(job, best), progress);
  const RowMaker make = maker_of(job, *x.best);
  x.top = make.rows(found.leaders);
  x.pareto = make.rows(found.front);
  for (const Candidate& c : found.cells)
    if (c.devices == best.devices) x.cells.push_back(make.row(c));
  x.greenline = plot_of(job, x, make);
}

}  // namespace

const char* status_name(SearchStatus status) {
  switch (status) {
    case SearchStatus::ok:
      return "ok";
    case SearchStatus::does_not_fit:
      return "does_not_fit";
    case SearchStatus::infeasible:
      return "infeasible";
  }
  throw base::InternalError("a search of unknown status");
}

double SearchResult::configurations_per_s() const {
  return static_cast<double>(counts.all()) / wall_time.in(units::s);
}
double SearchResult::evaluated_per_s() const {
  return static_cast<double>(counts.evaluated) / wall_time.in(units::s);
}

SearchResult search(const SearchRequest& r, base::Progress& progress) {
  check(r);
  const EstimateRequest plan = plan_of(r);
  check(plan);
  const Catalog facts(plan.settings);
  SearchResult x;
  SearchJob job = make_job(r, facts, plan, x);

  const auto start = std::chrono::steady_clock::now();
  const Findings found = explore(job.task, job.meter, *r.settings.communicator, progress);
  x.wall_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * units::s;
  if (found.counts.all() == 0) no_strategy(job.task, found);
  x.counts = found.counts;
  x.interrupted = found.interrupted;
  add_ruled_out(found, x);
  if (found.leaders.empty() || !job.past_price.empty())
    set_nearest(job, found, x, progress);
  else
    set_best(job, found, x, progress);
  return x;
}

SearchOutcome search(const Problem& problem, const SearchLimits& limits, base::Progress& progress) {
  SearchTask task;
  task.problems = {problem};
  task.leaders_only = true;
  task.space.breadth = Breadth::usual;
  if (limits.micro_batch) task.space.micro_batch = {*limits.micro_batch};
  if (limits.recompute) task.space.recompute = {*limits.recompute};
  task.space.interleave = {limits.interleave};
  task.space.schedule = {limits.schedule};
  task.space.offload = {limits.offload};
  const Findings found = explore(task, Meter(), *base::alone(), progress);
  if (found.counts.all() == 0) no_strategy(task, found);
  SearchOutcome outcome;
  outcome.fits = !found.leaders.empty();
  outcome.best = outcome.fits ? found.leaders.front().configuration
                              : found.shortest.value().candidate.configuration;
  outcome.tried = found.counts.all();
  outcome.interrupted = found.interrupted;
  return outcome;
}

}  // namespace greenline::plan
