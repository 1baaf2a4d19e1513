#include "app/selftest.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/statistics.hpp"

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

verb::Cell none(const char* why) { return verb::Absent{why}; }

// Error figures over rows; a row whose expected value is 0 has no relative error.
struct Figures {
  std::int64_t rows = 0, gated = 0, passed = 0, num_relative = 0, num_naive = 0;
  double sum = 0, naive_sum = 0, largest = 0;
  std::vector<double> expected, got;
  std::vector<std::string> components;          // in order of first row
  std::map<std::string, double> component_sum;  // of got / expected
  std::map<std::string, double> component_rows;

  void add(const CheckRow& row) {
    ++rows;
    gated += row.gated ? 1 : 0;
    passed += row.gated && row.pass() ? 1 : 0;
    if (row.expected == 0 || !std::isfinite(row.got)) return;
    ++num_relative;
    sum += std::fabs(row.relative_error());
    largest = std::max(largest, std::fabs(row.relative_error()));
    expected.push_back(row.expected);
    got.push_back(row.got);
    if (row.naive) {
      ++num_naive;
      naive_sum += std::fabs(*row.naive - row.expected) / std::fabs(row.expected);
    }
    if (!row.component.empty()) add_component(row);
  }

  void add_component(const CheckRow& row) {
    if (component_rows.find(row.component) == component_rows.end())
      components.push_back(row.component);
    component_sum[row.component] += row.got / row.expected;
    component_rows[row.component] += 1;
  }

  static verb::Cell mean_of(double total, std::int64_t n, const char* why) {
    return n == 0 ? none(why) : verb::make_cell(total / static_cast<double>(n));
  }
  verb::Cell mean() const { return mean_of(sum, num_relative, "no row has a relative error"); }
  verb::Cell naive_mean() const { return mean_of(naive_sum, num_naive, "no naive baseline"); }
  verb::Cell max() const {
    return num_relative == 0 ? none("no row has a relative error") : verb::make_cell(largest);
  }
  verb::Cell order() const {
    if (expected.size() < 3) return none("fewer than three values have no order to speak of");
    const double r = base::spearman(expected, got);
    return std::isfinite(r) ? verb::make_cell(r) : none("all values are equal");
  }
  // "forward 1.02, backward 0.97": ours over the reference, mean of the rows of each part.
  verb::Cell per_component() const {
    if (components.empty()) return none("this table does not compare parts");
    std::string text;
    for (const std::string& c : components)
      text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", c,
                          component_sum.at(c) / component_rows.at(c));
    return verb::make_cell(text);
  }
};

verb::Cell got_cell(const CheckRow& row) {
  return std::isfinite(row.got) ? verb::make_cell(row.got) : none("the computation gave no number");
}

void present_tables(verb::Report& r, const std::vector<CheckRow>& checks) {
  std::vector<std::string> names;  // in order of first row
  std::map<std::string, Figures> figures;
  for (const CheckRow& row : checks) {
    if (figures.find(row.table) == figures.end()) names.push_back(row.table);
    figures[row.table].add(row);
  }
  std::vector<std::int64_t> rows, gated, passed;
  std::vector<verb::Cell> means, largest, orders, naive, components;
  for (const std::string& name : names) {
    const Figures& f = figures[name];
    rows.push_back(f.rows);
    gated.push_back(f.gated);
    passed.push_back(f.passed);
    means.push_back(f.mean());
    largest.push_back(f.max());
    orders.push_back(f.order());
    naive.push_back(f.naive_mean());
    components.push_back(f.per_component());
  }
  r.table("tables", "By table")
      .column("name", names)
      .column("rows", rows)
      .column("gated", gated)
      .column("passed", passed)
      .column("mape", means, "mean error", true)
      .column("max_relative_error", largest, "largest error", true)
      .column("spearman", orders, "rank correlation")
      .column("naive_mape", naive, "mean error of the naive baseline", true)
      .column("ours_per_component", components, "ours / reference by part");
}

void present_checks(verb::Report& r, std::string_view key, std::string_view title,
                    const std::vector<const CheckRow*>& checks) {
  std::vector<std::string> tables, names, units, tolerances, sources, notes;
  std::vector<double> expected, tolerance, floor;
  std::vector<verb::Cell> got, errors, pass, naive;
  std::vector<bool> relative, gated;
  for (const CheckRow* row : checks) {
    names.push_back(row->name);
    expected.push_back(row->expected);
    got.push_back(got_cell(*row));
    tolerance.push_back(row->tolerance);
    floor.push_back(row->floor);
    naive.push_back(row->naive ? verb::make_cell(*row->naive) : none("no naive baseline"));
    pass.push_back(row->gated ? verb::make_cell(row->pass()) : none("promises no tolerance"));
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
      .column("tolerance_floor", floor, "and this much more")
      .column("naive", naive, "naive baseline")
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
