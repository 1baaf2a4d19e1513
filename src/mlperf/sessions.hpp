// Sessions of a folder, and how each becomes a score.
#pragma once

#include <string>
#include <vector>

#include "base/journal.hpp"
#include "mlperf/score.hpp"

namespace greenline::mlperf {

struct Session {
  Kind kind = Kind::inference;
  std::string folder;  // that holds spl.txt, result_*.txt or trace1-energy.bin
  auto operator<=>(const Session&) const = default;
};

// Every session of a folder and of the folders below it, by folder. What they hold tells their
// kind: `spl.txt`, or `mlperf_log_detail.txt` beside `../power` (inference; folders called
// `ranging` are no runs, unless one is given itself), `power/` beside `result_*.txt` (training), or
// `trace1-energy.bin` or `trace1-timestamps.json` (tiny). UserError "no-such-folder",
// "no-session".
std::vector<Session> find_sessions(const std::string& folder, Kind only = Kind::automatic);

// Reads the files of a session and scores it. Errors: those of the readers and of the scores;
// UserError "no-such-file" for a file that is missing.
Score score_session(const Session& session, const ScoreOptions& options,
                    base::Journal* journal = nullptr);

}  // namespace greenline::mlperf
