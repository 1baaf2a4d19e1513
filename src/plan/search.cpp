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
#include "plan/search_verdict.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::Catalog;

GreenlinePlot plot_of(const SearchJob& job, const SearchResult& x, const RowMaker& make) {
  GreenlineSite site = greenline_site(job.facts, job.system, job.machine, x.best->pue.nominal());
  site.mean = x.best->intensity.nominal();
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
    points.push_back({name, make.executed_intensity(row),
                      x.best->model_flops / row.carbon.nominal(), points.empty()});
  };
  for (const auto* rows : {&x.top, &x.pareto, &x.cells})
    for (const SearchRow& row : *rows) add(row);
  return greenline_plot(site, std::move(points));
}

// What passes the limits by least; what is short of memory by least when nothing fits, or when the
// search was stopped before it saw anything that does.
Candidate nearest_of(SearchJob& job, Findings& found, base::Progress& progress) {
  if (!found.leaders.empty()) return found.leaders.front();
  if (!found.nearest) return found.shortest.value().candidate;
  if (found.interrupted) return *found.nearest;
  job.task.nearest = true;
  job.task.num_leaders = 1;
  const Findings near = explore(job.task, job.meter, *job.request.settings.communicator, progress);
  found.interrupted = near.interrupted;
  return near.leaders.empty() ? *found.nearest : near.leaders.front();
}

// Nothing keeps the limits, or nothing fits.
void set_nearest(SearchJob& job, Findings& found, SearchResult& x, base::Progress& progress) {
  const Candidate candidate = nearest_of(job, found, progress);
  const EstimateResult near = estimate(request_for(job, candidate), progress);
  const RowMaker make(job, near);
  x.nearest = make.row(candidate);
  x.interrupted = found.interrupted;
  const bool fits = x.nearest->memory.fits();
  x.status = fits ? SearchStatus::infeasible : SearchStatus::does_not_fit;
  if (x.interrupted && job.why_past_price.empty()) x.status = SearchStatus::interrupted;
  x.why = why_nothing(job, found, *x.nearest, make.score(candidate), fits ? "" : near.why);
}

void set_best(const SearchJob& job, const Findings& found, SearchResult& x,
              base::Progress& progress) {
  const Candidate& best = found.leaders.front();
  x.best = estimate(request_for(job, best), progress);
  const RowMaker make(job, *x.best);
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
    case SearchStatus::interrupted:
      return "interrupted";
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
  Findings found = explore(job.task, job.meter, *r.settings.communicator, progress);
  x.wall_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * units::s;
  if (found.counts.all() == 0) no_strategy(job.task, found);
  x.counts = found.counts;
  x.interrupted = found.interrupted;
  x.ruled_out = ruled_out(job, found);
  if (found.leaders.empty() || !job.why_past_price.empty())
    set_nearest(job, found, x, progress);
  else
    set_best(job, found, x, progress);
  return x;
}

namespace {

SearchOutcome outcome_of(const SearchTask& task, base::Progress& progress) {
  const Findings found = explore(task, Meter(), *base::alone(), progress);
  if (found.counts.all() == 0) no_strategy(task, found);
  SearchOutcome outcome;
  outcome.fits = !found.leaders.empty();
  const Candidate best = outcome.fits ? found.leaders.front() : found.shortest.value().candidate;
  outcome.best = best.configuration;
  outcome.recommender = best.recommender;
  outcome.tried = found.counts.all();
  outcome.interrupted = found.interrupted;
  return outcome;
}

}  // namespace

SearchOutcome search(const Problem& problem, const SpaceOptions& space, base::Progress& progress) {
  SearchTask task;
  task.problems = {problem};
  task.leaders_only = true;
  task.space = space;
  return outcome_of(task, progress);
}

SearchOutcome search(const RecommenderProblem& problem, base::Progress& progress) {
  SearchTask task;
  task.recommenders = {problem};
  task.leaders_only = true;
  return outcome_of(task, progress);
}

}  // namespace greenline::plan
