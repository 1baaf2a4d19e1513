// `greenline selftest plan`: published memory, parameter counts, utilisation and times beside ours.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "catalog/system_file.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"
#include "plan/madmax_oracle.hpp"
#include "plan/selftest_tables.hpp"

namespace greenline::plan {
namespace {

using catalog::Catalog;

// The files that a path given as --oracle stands for.
std::vector<std::string> oracle_files(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const char* name : {"vtrain_multi.csv", "madmax_oracle.csv"})
    if (std::string file = (std::filesystem::path(path) / name).string(); io::is_file(file))
      files.push_back(std::move(file));
  if (files.empty())
    throw base::UserError("no-such-file", fmt::format("{}: neither vtrain_multi.csv nor "
                                                      "madmax_oracle.csv is in this folder",
                                                      path));
  return files;
}

// Rows of the files alone; the columns of each say what it is.
CheckRows oracle_rows(const Catalog& facts, const base::SelftestRequest& r) {
  if (!r.kind.empty() && r.kind != "time" && r.kind != "madmax")
    throw base::UserError("conflict",
                          fmt::format("--kind {} with --oracle: files hold times", r.kind),
                          "leave one of them out");
  CheckRows rows;
  for (const std::string& path : r.oracles)
    for (const std::string& file : oracle_files(path)) {
      const io::CsvTable table = io::parse_csv(io::read_file(file, r.settings.journal.get()), file);
      if (is_madmax_oracle(table)) {
        const CheckRows more = madmax_oracle_rows(facts, table);
        rows.insert(rows.end(), more.begin(), more.end());
      } else {
        append_vtrain(facts, file, r, rows);
      }
    }
  return rows;
}

}  // namespace

std::vector<base::CheckRow> selftest(const base::SelftestRequest& request,
                                     base::Progress& progress) {
  static const std::vector<std::string> kKinds = {"memory", "parameters", "utilisation", "time",
                                                  "madmax", "pipeline",   "collectives", "peers"};
  if (!request.kind.empty() &&
      std::find(kKinds.begin(), kKinds.end(), request.kind) == kKinds.end())
    throw base::unknown_name("kind", request.kind, kKinds);
  base::SelftestRequest r = request;
  r.system = catalog::use_system_file(r.settings, r.system);
  const Catalog facts(r.settings);
  if (!r.oracles.empty()) return oracle_rows(facts, r);
  const auto wanted = [&](const char* kind) { return r.kind.empty() || r.kind == kind; };
  CheckRows rows;
  if (wanted("memory")) append_memory_tables(facts, rows);
  if (wanted("parameters")) append_parameter_tables(facts, rows);
  if (wanted("utilisation")) append_utilisation_tables(facts, rows);
  if (wanted("time")) {
    append_time_tables(facts, r, rows);
    append_assumed_tables(facts, rows, progress);
  }
  if (wanted("madmax")) {
    const CheckRows more = madmax_reference_rows(facts);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  if (wanted("pipeline")) append_pipeline_tables(facts, rows);
  if (wanted("collectives")) append_collective_tables(facts, rows);
  if (wanted("peers")) append_peer_tables(facts, r, rows);
  return rows;
}

}  // namespace greenline::plan
