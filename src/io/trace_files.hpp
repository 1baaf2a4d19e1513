// The traces of a job: files (.json, .json.gz, .json.zst), archives (.tar, .tar.gz, .tar.zst) and
// folders of them. Compression and archives are recognised by their bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"

namespace greenline::io {

// Files to read: those given, and of a folder the ones whose names end like those of traces, in
// alphabetical order. UserError "no-such-file"; "no-traces" for a folder without any.
std::vector<std::string> trace_files(const std::vector<std::string>& paths);

// Where a document stands among all, and what it is called: "job.tar.gz/rank0.json".
struct TraceDocument {
  std::size_t file = 0, member = 0;
  std::string name;
  std::string_view text;
  std::string cut = {};  // what ends too early around the text: "gzip", "zstd", "tar"; "": nothing
};

// use(document) for every trace of the files, in any order on any thread: memory is that of the
// files in flight. With several ranks each takes its share, by number of the document in its file
// and of the file: archives are opened by all. What is no trace ("not-a-trace" or "bad-json" of
// read_trace) is passed over with a notice where it was not asked for by name. Compressed files and
// archives that end too early are read up to there; what an archive was cut in front of is told by
// a notice. DataError and UserError of read_file; UnsupportedError "trace-too-large" beyond 4 GiB
// of text.
void for_each_trace(const std::vector<std::string>& files, bool by_name,
                    const base::Settings& settings,
                    const std::function<void(const TraceDocument&)>& use,
                    base::Progress& progress = base::no_progress());

}  // namespace greenline::io
