#include "mlperf/score_tree.hpp"

#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "catalog/catalog.hpp"
#include "footprint/grid_hours.hpp"
#include "footprint/operational.hpp"
#include "mlperf/sessions.hpp"

namespace greenline::mlperf {
namespace {

using base::Carbon;
using base::Estimate;
namespace units = base::units;

ScoreOptions options_of(const ScoreRequest& request) {
  const Round round = round_of(request.round);
  GL_USER_CHECK(
      request.round.empty() || round.is_known(), "bad-round",
      fmt::format("--round: expected a round such as v3.0, got {}", base::quoted(request.round)));
  return {round, request.scenario, request.trace_shift};
}

const char* accuracy_of(Kind kind) {
  return kind == Kind::inference  ? "mlperf-analyzer.accuracy"
         : kind == Kind::training ? "mlperf-telemetry.accuracy"
                                  : "mlperf-tiny.accuracy";
}

Estimate<Carbon> carbon_of(const ScoredSession& session, const footprint::GridHours& grid,
                           double pue) {
  const Score& s = session.score;
  const Estimate<double> factor(pue, base::Evidence::assumed, "given");
  if (!s.begin)
    return session.native_energy * factor * Estimate<base::CarbonIntensity>(grid.mean()) *
           grid.level;
  const Estimate<base::Power> facility =
      session.native_energy / Estimate<base::Time>(s.duration) * factor;
  return footprint::operational(grid, *s.begin, s.duration, facility);
}

// Each session, or why it has no score. The order is that of `found` for any number of threads.
struct Outcome {
  std::optional<Score> score;
  BrokenSession broken;
};

std::vector<Outcome> score_all(const std::vector<Session>& found, const ScoreOptions& options,
                               base::Journal* journal) {
  std::vector<Outcome> outcomes(found.size());
  base::parallel_for(found.size(), [&](std::size_t i) {
    try {
      outcomes[i].score = score_session(found[i], options, journal);
    } catch (const base::InternalError&) {
      throw;
    } catch (const base::Error& e) {
      if (found.size() == 1) throw;
      const std::string where = e.where().text();
      outcomes[i].broken = {found[i].folder, e.code(),
                            (where.empty() ? "" : where + ": ") + e.message()};
    }
  });
  return outcomes;
}

}  // namespace

ScoreResult score(const ScoreRequest& request, base::Progress&) {
  const ScoreOptions options = options_of(request);
  const std::vector<Session> found = find_sessions(request.folder, request.kind);
  std::vector<Outcome> outcomes = score_all(found, options, request.settings.journal.get());

  const catalog::Catalog facts(request.settings);
  std::optional<footprint::GridHours> grid;
  if (!request.grid.empty())
    grid = footprint::load_grid({.grid = request.grid}, facts, request.settings);
  ScoreResult x;
  x.folder = request.folder;
  x.grid = grid ? grid->name : "";
  x.pue = request.pue.value_or(1.0);
  std::map<Kind, Estimate<double>> accuracy_by_kind;
  for (Outcome& outcome : outcomes) {
    if (!outcome.score) {
      if (!outcome.broken.path.empty()) x.broken.push_back(std::move(outcome.broken));
      continue;
    }
    const Kind kind = outcome.score->kind;
    if (accuracy_by_kind.find(kind) == accuracy_by_kind.end())
      accuracy_by_kind.emplace(kind, facts.estimate<double>(accuracy_of(kind)));
    const Estimate<double>& accuracy = accuracy_by_kind.at(kind);
    ScoredSession session;
    session.average_power = Estimate<base::Power>(outcome.score->average_power) * accuracy;
    session.native_energy = Estimate<base::Energy>(outcome.score->native.energy) * accuracy;
    session.score = *std::move(outcome.score);
    if (grid) session.carbon = carbon_of(session, *grid, x.pue);
    x.sessions.push_back(std::move(session));
  }
  return x;
}

}  // namespace greenline::mlperf
