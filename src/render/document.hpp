// The result document: what a file holds, and the one thing every view is made from. `report FILE`
// and `explain FILE` work from it alone.
//
// {"greenline": {schema_version, version, verb, provenance}, "result": {…},
//  "report": {title, layout[], derivations[], charts[], assumed[], notices[], not_included[]}}
//
// docs/formats/result.md describes every member.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"
#include "io/value.hpp"
#include "verb/report.hpp"

namespace greenline::render {

// A default that shaped the result: "--pue", "1.1", where it comes from.
struct Assumed {
  std::string key, value, source;
};

struct Provenance {
  std::string version, verb, command_line;
  std::vector<base::InputRecord> inputs;  // files read, with SHA-256
  std::vector<base::FactRecord> facts;    // catalogue entries used
  std::vector<std::string> overrides;     // --set
  std::uint64_t seed = 0;
  int threads = 1;
  std::string isa;
  base::Instant started;
  base::Time wall_time;
  bool interrupted = false;
};

io::Value make_document(const verb::Document& document, const Provenance& provenance,
                        const std::vector<Assumed>& assumed);

// Throws DataError "not-a-result" unless the tree is a result document of a schema version we know.
void check_document(const io::Value& document);

// Views. Each takes the whole document.
struct TerminalOptions {
  int width = 100;
  bool colour = false;
  std::size_t max_rows = 24;  // per table; the rest is counted
};
std::string terminal(const io::Value& document, const TerminalOptions& options);
// Every value, cell and series as one row: path,index,value,unit,low,high,evidence.
std::string csv(const io::Value& document);
std::string markdown(const io::Value& document);
// One offline file with its charts.
std::string html(const io::Value& document);
// io::write_json with a final newline.
std::string json(const io::Value& document);

}  // namespace greenline::render
