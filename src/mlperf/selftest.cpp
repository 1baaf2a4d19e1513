#include "mlperf/selftest.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"
#include "mlperf/sessions.hpp"

namespace greenline::mlperf {
namespace {

using base::CheckRow;
namespace fs = std::filesystem;

constexpr double kPublishedRelative = 2e-6;    // published with ten digits, sums of floating point
constexpr double kPublishedKilojoules = 0.02;  // published with two decimals
constexpr double kWindowMicrojoules = 0.001;   // printed with three decimals, samples in float32

bool is_folder(const fs::path& path) {
  std::error_code failure;
  return fs::is_directory(path, failure);
}

std::vector<fs::path> folders_of(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (is_folder(entry->path())) folders.push_back(entry->path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

// The CSV files of a folder; none of anything else.
std::vector<fs::path> oracle_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (entry->path().extension() == ".csv") files.push_back(entry->path());
  std::sort(files.begin(), files.end());
  return files;
}

// Where a row's folder may lie. A tree called as the oracle file comes first: folders of two rounds
// may have the same path.
std::vector<fs::path> roots_of(const std::string& root, const std::string& oracle) {
  const fs::path base = root.empty() ? fs::path(".") : fs::path(root);
  std::vector<fs::path> roots = {base};
  for (const fs::path& parent : {base / "data" / "power", base})
    for (const fs::path& folder : folders_of(parent)) roots.push_back(folder);
  const std::string stem = fs::path(oracle).stem().string();
  std::stable_sort(roots.begin() + 1, roots.end(), [&](const fs::path& a, const fs::path& b) {
    const auto fits = [&](const fs::path& p) { return stem.starts_with(p.filename().string()); };
    return fits(a) > fits(b);
  });
  return roots;
}

struct Reference {
  std::string folder;  // as in the file
  double published = 0;
  base::Location where;
};

CheckRow check(const Reference& r, const std::string& table, const std::vector<fs::path>& roots,
               Kind kind) {
  CheckRow row;
  row.table = table;
  row.name = r.folder;
  row.expected = r.published;
  row.got = std::numeric_limits<double>::quiet_NaN();
  row.tolerance = kind == Kind::training ? kPublishedKilojoules : kPublishedRelative;
  row.relative = kind == Kind::inference;
  const auto root = std::find_if(roots.begin(), roots.end(),
                                 [&](const fs::path& p) { return is_folder(p / r.folder); });
  if (root == roots.end()) return row;
  try {
    const Score score =
        score_session({kind, fs::absolute(*root / r.folder).lexically_normal()}, {});
    row.got = score.metric;
    row.unit = score.unit;
    row.note = score.notices.empty() ? "" : fmt::format("{}", fmt::join(score.notices, "; "));
  } catch (const base::InternalError&) {
    throw;
  } catch (const base::Error& e) {
    row.note = e.what();
  }
  return row;
}

// Rows whose folder is nowhere are left out, and a notice counts them.
void keep_found(std::vector<CheckRow>& rows, const std::string& file, base::Journal& journal) {
  const auto is_missing = [](const CheckRow& row) {
    return !std::isfinite(row.got) && row.note.empty();
  };
  const std::size_t num_rows = rows.size();
  std::erase_if(rows, is_missing);
  if (rows.size() < num_rows)
    journal.notice(fmt::format("{} of {} rows of {} are left out: --root has no such folder",
                               num_rows - rows.size(), num_rows, file));
}

void append_oracle(const base::SelftestRequest& request, const std::string& file,
                   std::vector<CheckRow>& rows) {
  const io::CsvTable table =
      io::parse_csv(io::read_file(file, request.settings.journal.get()), file);
  const bool is_training = table.has("published_kJ");
  const std::size_t folder = table.column(is_training ? "dir" : "run_dir");
  const std::vector<double> published = table.numbers(is_training ? "published_kJ" : "published");
  std::vector<Reference> references;
  for (std::size_t i = 0; i < table.num_rows(); ++i)
    references.push_back(
        {std::string(table.cell(i, folder)), published[i], table.where(i, folder)});
  const std::vector<fs::path> roots = roots_of(request.root, file);
  std::vector<CheckRow> found(references.size());
  base::parallel_for(references.size(), [&](std::size_t i) {
    found[i] = check(references[i], fs::path(file).stem().string(), roots,
                     is_training ? Kind::training : Kind::inference);
  });
  keep_found(found, file, *request.settings.journal);
  std::move(found.begin(), found.end(), std::back_inserter(rows));
}

CheckRow tiny_row(const std::string& name, const char* unit, double expected, double got,
                  double tolerance) {
  CheckRow row;
  row.table = "tiny";
  row.name = name;
  row.unit = unit;
  row.expected = expected;
  row.got = got;
  row.tolerance = tolerance;
  row.relative = false;
  row.floor = 1e-9;  // of reading decimals as doubles
  return row;
}

void append_tiny(const base::SelftestRequest& request, const std::string& root,
                 std::vector<CheckRow>& rows) {
  for (const Session& session : find_sessions(root, Kind::tiny)) {
    const std::string file = session.folder + "/results.txt";
    const TinyResults printed =
        parse_tiny_results(io::read_file(file, request.settings.journal.get()));
    const Score score = score_session(session, {}, request.settings.journal.get());
    const std::string name = fs::relative(session.folder, fs::absolute(root)).string();
    for (const auto& [number, microjoules] : printed.window_microjoules) {
      const auto window = std::find_if(score.windows.begin(), score.windows.end(),
                                       [n = number](const TinyWindow& w) { return w.number == n; });
      rows.push_back(tiny_row(fmt::format("{}: window {}", name, number), "µJ", microjoules,
                              window == score.windows.end()
                                  ? std::numeric_limits<double>::quiet_NaN()
                                  : window->microjoules,
                              kWindowMicrojoules));
    }
    if (const auto median = printed.median_microjoules_per_inference)
      rows.push_back(tiny_row(name + ": median", "µJ/inference", *median,
                              std::round(score.metric * 1000) / 1000, 0));
  }
}

// The oracle files of the shared data, where a root is known.
void append_shared(const base::SelftestRequest& request, std::vector<CheckRow>& rows) {
  const fs::path root = request.root;
  const auto left_out = [&](const std::string& what) {
    request.settings.journal->notice("rows of MLPerf results are left out: " + what);
  };
  if (request.root.empty()) return left_out("--root and GREENLINE_SHARED are not set");
  for (const char* name : {"inference_v1.1.csv", "inference_v3.0.csv", "training_v4.0.csv"}) {
    const std::string file = (root / "oracles" / name).string();
    if (io::is_file(file))
      append_oracle(request, file, rows);
    else
      left_out("there is no " + file);
  }
  if (const fs::path tiny = root / "data" / "power"; is_folder(tiny))
    append_tiny(request, tiny.string(), rows);
}

}  // namespace

std::vector<CheckRow> selftest(const base::SelftestRequest& request, base::Progress&) {
  std::vector<CheckRow> rows;
  GL_USER_CHECK(request.kind.empty() || request.kind == "tiny", "bad-choice",
                fmt::format("--kind: mlperf knows \"tiny\", got {}", base::quoted(request.kind)));
  if (request.kind == "tiny")
    append_tiny(request, request.root.empty() ? "." : request.root, rows);
  else if (request.oracles.empty())
    append_shared(request, rows);
  for (const std::string& given : request.oracles) {
    if (!is_folder(given)) append_oracle(request, given, rows);
    for (const fs::path& file : oracle_files(given)) append_oracle(request, file.string(), rows);
  }
  return rows;
}

}  // namespace greenline::mlperf
