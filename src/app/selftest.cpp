#include "app/selftest.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::app {
namespace {

using base::CheckRow;

struct SelftestInput {
  base::Settings settings;
  std::string room;
  std::vector<std::string> oracles;
  std::string root, kind, system;
};

struct SelftestResult {
  std::vector<CheckRow> checks;
};

void describe(verb::Fields& f, SelftestInput& r) {
  f(r.room, "room", "only the checks of this room; all rooms when left out")
      .positional()
      .placeholder("ROOM");
  f(r.oracles, "oracle", "file or folder of reference values; the built-in rows when left out")
      .placeholder("FILE|DIR");
  f(r.root, "root", "folder of the reference inputs")
      .placeholder("DIR")
      .environment("GREENLINE_SHARED");
  f(r.kind, "kind", "kind of the reference values, as the room documents").placeholder("K");
  f(r.system, "system", "description of the measured system").placeholder("FILE");
}

SelftestResult run_selftests(const verb::Registry& registry, const SelftestInput& input,
                             base::Progress& progress) {
  std::vector<std::string> rooms;
  SelftestResult result;
  for (const auto& [room, selftest] : registry.selftests()) {
    rooms.push_back(room);
    if (!input.room.empty() && input.room != room) continue;
    const base::SelftestRequest request{input.settings, input.oracles, input.root, input.kind,
                                        input.system};
    for (CheckRow& row : selftest(request, progress)) result.checks.push_back(std::move(row));
  }
  if (!input.room.empty() && std::find(rooms.begin(), rooms.end(), input.room) == rooms.end())
    throw base::unknown_name("room", input.room, rooms,
                             fmt::format("rooms with a self-test: {}", fmt::join(rooms, ", ")));
  return result;
}

// Error figures over rows; a row whose expected value is 0 has no relative error.
struct Figures {
  std::int64_t rows = 0, gated = 0, passed = 0, num_relative = 0;
  double sum = 0, largest = 0;

  void add(const CheckRow& row) {
    ++rows;
    gated += row.gated ? 1 : 0;
    passed += row.gated && row.pass() ? 1 : 0;
    if (row.expected == 0 || !std::isfinite(row.got)) return;
    ++num_relative;
    sum += std::fabs(row.relative_error());
    largest = std::max(largest, std::fabs(row.relative_error()));
  }
  verb::Cell mean() const {
    return num_relative == 0 ? none() : verb::make_cell(sum / static_cast<double>(num_relative));
  }
  verb::Cell max() const { return num_relative == 0 ? none() : verb::make_cell(largest); }
  static verb::Cell none() { return verb::Absent{"no row has a relative error"}; }
};

verb::Cell got_cell(const CheckRow& row) {
  return std::isfinite(row.got) ? verb::make_cell(row.got)
                                : verb::Cell(verb::Absent{"the computation gave no number"});
}

void present_tables(verb::Report& r, const std::vector<CheckRow>& checks) {
  std::vector<std::string> names;  // in order of first row
  std::map<std::string, Figures> figures;
  for (const CheckRow& row : checks) {
    if (figures.find(row.table) == figures.end()) names.push_back(row.table);
    figures[row.table].add(row);
  }
  std::vector<std::int64_t> rows, gated, passed;
  std::vector<verb::Cell> means, largest;
  for (const std::string& name : names) {
    const Figures& f = figures[name];
    rows.push_back(f.rows);
    gated.push_back(f.gated);
    passed.push_back(f.passed);
    means.push_back(f.mean());
    largest.push_back(f.max());
  }
  r.table("tables", "By table")
      .column("table", names)
      .column("rows", rows)
      .column("gated", gated)
      .column("passed", passed)
      .column("mape", means, "mean error", true)
      .column("max_relative_error", largest, "largest error", true);
}

void present_checks(verb::Report& r, std::string_view key, std::string_view title,
                    const std::vector<const CheckRow*>& checks) {
  std::vector<std::string> tables, names, units, tolerances, sources, notes;
  std::vector<double> expected, tolerance;
  std::vector<verb::Cell> got, errors, pass;
  std::vector<bool> relative, gated;
  for (const CheckRow* row : checks) {
    names.push_back(row->name);
    expected.push_back(row->expected);
    got.push_back(got_cell(*row));
    tolerance.push_back(row->tolerance);
    pass.push_back(row->gated ? verb::make_cell(row->pass())
                              : verb::Cell(verb::Absent{"promises no tolerance"}));
    relative.push_back(row->relative);
    gated.push_back(row->gated);
    errors.push_back(std::isfinite(row->got) ? verb::make_cell(row->relative_error())
                                             : got_cell(*row));
    units.push_back(row->unit);
    tables.push_back(row->table);
    sources.push_back(row->source);
    notes.push_back(row->note);
  }
  r.table(key, title)
      .column("name", names)
      .column("expected", expected)
      .column("got", got)
      .column("unit", units)
      .column("relative_error", errors, "error", true)
      .column("tolerance", tolerance)
      .column("tolerance_is_relative", relative, "of expected")
      .column("pass", pass)
      .column("gated", gated)
      .column("table", tables)
      .column("source", sources)
      .column("note", notes);
}

void present(verb::Report& r, const SelftestResult& x) {
  r.title("Self-test: our numbers beside the reference values");
  Figures all;
  std::vector<const CheckRow*> checks, failures;
  for (const CheckRow& row : x.checks) {
    all.add(row);
    checks.push_back(&row);
    if (row.gated && !row.pass()) failures.push_back(&row);
  }
  r.value("rows", all.rows, {.headline = true});
  r.value("gated", all.gated, {.label = "of them promise a tolerance", .headline = true});
  r.value("passed", all.passed, {.label = "of these passed", .headline = true});
  r.value("mape", all.mean(), {.label = "mean absolute relative error", .as_percent = true});
  r.value("max_relative_error", all.max(), {.label = "largest relative error", .as_percent = true});
  present_tables(r, x.checks);
  present_checks(r, "checks", "Checks", checks);
  present_checks(r, "failures", "Failures", failures);
}

}  // namespace

void register_selftest(verb::Registry& registry) {
  verb::Info info;
  info.name = "selftest";
  info.summary = "our numbers beside reference values";
  info.description =
      "Computes what papers and reference programs have published and shows both numbers, the "
      "error and the tolerance that is promised. A row that is not gated promises nothing and "
      "neither passes nor fails: read its error. A failed row is listed and does not change the "
      "exit "
      "code; `--fail-if 'passed < gated'` makes it a gate.";
  info.examples = {
      {"greenline selftest", "every room"},
      {"greenline selftest plan --fail-if 'passed < gated'", "one room, exit 1 when a row fails"}};
  registry.add_bound<SelftestInput, SelftestResult>(
      std::move(info), [&registry](const SelftestInput& input, base::Progress& progress) {
        return run_selftests(registry, input, progress);
      });
}

}  // namespace greenline::app
