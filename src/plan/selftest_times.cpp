#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "io/file.hpp"
#include "plan/iteration.hpp"
#include "plan/naive.hpp"
#include "plan/selftest_tables.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::CheckRow;
using catalog::Catalog;

constexpr const char* kKorthikanti = "korthikanti2022: iteration time";
constexpr const char* kNarayanan = "narayanan2021: iteration time";
constexpr const char* kCompiled = "torchtitan: compiled runs on H100 and H200";
constexpr const char* kEager = "torchtitan: eager runs on H100";
constexpr const char* kA100 = "torchtitan: FSDP on A100";

std::string table_of(const MeasuredRun& run) {
  if (run.source == "korthikanti2022") return kKorthikanti;
  if (run.source == "narayanan2021") return kNarayanan;
  if (run.source == "torchtitan_a100_2024") return kA100;
  if (run.name.starts_with("torchtitan"))
    return run.problem.kernels == model::Kernels::eager ? kEager : kCompiled;
  return run.source + ": " + (run.is_rate ? "rate" : "iteration time");
}

// The rows of one table, in the order in which they were added.
std::vector<const CheckRow*> rows_of(const std::string& table, const CheckRows& rows) {
  std::vector<const CheckRow*> out;
  for (const CheckRow& row : rows)
    if (row.table == table && row.expected != 0) out.push_back(&row);
  return out;
}

void promise_order(const std::string& table, double least, CheckRows& rows) {
  std::vector<double> expected, got;
  for (const CheckRow* row : rows_of(table, rows)) {
    expected.push_back(row->expected);
    got.push_back(row->got);
  }
  if (expected.size() < 3) return;
  rows.push_back({table, "1 - rank correlation", 0, 1 - base::spearman(expected, got), "",
                  1 - least, false, true, "", "the right order"});
}

std::string vtrain_file(const base::SelftestRequest& r) {
  std::string given = (std::filesystem::path(r.root) / "oracles" / "vtrain_multi.csv").string();
  if (!r.root.empty() && io::is_file(given)) return given;
  r.settings.journal->notice(
      "the multi-node runs of vtrain2024 are not part of the package: give --oracle FILE or --root "
      "DIR to see them");
  return "";
}

}  // namespace

void append_runs(const std::string& table, const std::vector<MeasuredRun>& runs,
                 std::optional<double> tolerance, CheckRows& rows) {
  const std::optional<double> share = naive_share(runs);
  for (const MeasuredRun& run : runs) {
    const base::Time ours = iteration(run.problem, run.configuration).total();
    const auto shown = [&](base::Time t) {
      return run.is_rate ? run.tokens_per_device() / t.in(units::s) : t.in(units::s);
    };
    rows.push_back({table, run.name, shown(run.iteration), shown(ours),
                    run.is_rate ? "token/s per device" : "s", tolerance.value_or(0.2), true,
                    tolerance.has_value(), run.source, run.note});
    if (share) rows.back().naive = shown(naive_time(run, *share));
  }
}

void promise_mean_error(const std::string& table, double bound, CheckRows& rows) {
  double sum = 0;
  const auto of_table = rows_of(table, rows);
  if (of_table.empty()) return;
  for (const CheckRow* row : of_table) sum += std::fabs(row->relative_error());
  rows.push_back({table, "mean error of the table", 0, sum / static_cast<double>(of_table.size()),
                  "", bound, false, true, "", "promised for the mean of the rows"});
}

void append_time_tables(const Catalog& facts, const base::SelftestRequest& r, CheckRows& rows) {
  std::vector<std::string> names;  // in order of first row
  std::map<std::string, std::vector<MeasuredRun>> tables;
  for (MeasuredRun& run : anchor_runs(facts)) {
    std::string table = table_of(run);
    if (!tables.contains(table)) names.push_back(table);
    tables[table].push_back(std::move(run));
  }
  // A single run may be off by more than the mean: 20 % is what still tells strategies apart.
  for (const std::string& name : names)
    append_runs(name, tables[name],
                name == kKorthikanti ? std::optional<double>(0.2) : std::nullopt, rows);
  promise_mean_error(kKorthikanti, 0.036, rows);  // Calculon: 0.0365
  promise_mean_error(kNarayanan, 0.06, rows);
  promise_mean_error(kCompiled, 0.15, rows);
  promise_order(kCompiled, 0.95, rows);
  promise_mean_error(kA100, 0.1, rows);
  if (const std::string file = vtrain_file(r); !file.empty()) append_vtrain(facts, file, r, rows);
}

void append_vtrain(const Catalog& facts, const std::string& file, const base::SelftestRequest& r,
                   CheckRows& rows) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<MeasuredRun>> sizes;
  for (MeasuredRun& run : vtrain_runs(facts, {&file, 1}, *r.settings.journal, r.system)) {
    std::string table = "vtrain2024: " + run.problem.shape.id;
    if (!sizes.contains(table)) names.push_back(table);
    sizes[table].push_back(std::move(run));
  }
  for (const std::string& name : names) append_runs(name, sizes[name], std::nullopt, rows);
}

}  // namespace greenline::plan
