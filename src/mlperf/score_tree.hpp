// `mlperf score`: one session, or every session of a tree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "mlperf/score.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::mlperf {

struct ScoreRequest {
  base::Settings settings;
  std::string folder;
  Kind kind = Kind::automatic;
  std::string round;  // "v3.0"; "": that of a folder's name
  Scenario scenario = Scenario::automatic;
  base::Time trace_shift;
  std::string grid;           // as for footprint::GridInput; "": no carbon
  std::optional<double> pue;  // of carbon only, never of the metric; 1 unless given
};

struct ScoredSession {
  Score score;
  // With the accuracy of the meter: ±1 % of an analyzer, ±5 % of telemetry.
  base::Estimate<base::Power> average_power;
  base::Estimate<base::Energy> native_energy;
  std::optional<base::Estimate<base::Carbon>> carbon;  // of the native energy, × PUE
};

struct BrokenSession {
  std::string path, code, reason;
};

struct ScoreResult {
  std::string folder;
  std::vector<ScoredSession> sessions;  // by path
  std::vector<BrokenSession> broken;    // by path
  std::string grid;                     // its name, "" without
  double pue = 1;
};

// A session that can't be scored is an error when it is the only one, else it is listed as broken.
// UserError "bad-round", and those of find_sessions, score_session and load_grid.
ScoreResult score(const ScoreRequest& request, base::Progress& progress = base::no_progress());

void describe(verb::Fields& fields, ScoreRequest& request);
void present(verb::Report& report, const ScoreResult& result);

}  // namespace greenline::mlperf
