#include "verb/report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace greenline::verb {
namespace {

bool is_snake_case(std::string_view key) {
  if (key.empty()) return false;
  return std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// The dimension of a cell that is a number of some unit.
std::optional<base::Dimension> dimension_of(const Cell& cell) {
  if (const auto* q = std::get_if<base::AnyQuantity>(&cell)) return q->dimension;
  if (const auto* e = std::get_if<base::AnyEstimate>(&cell)) return e->dimension;
  return std::nullopt;
}

// Unknown is n/a with a reason; a number that is none must not reach a reader.
void check_finite(const std::string& path, const Cell& cell) {
  const auto require_finite = [&path](double number, std::string_view what) {
    if (!std::isfinite(number))
      throw base::InternalError(fmt::format("{} \"{}\" is {}", what, path, number));
  };
  if (const auto* q = std::get_if<base::AnyQuantity>(&cell))
    require_finite(q->value, "report value");
  if (const auto* e = std::get_if<base::AnyEstimate>(&cell)) {
    require_finite(e->nominal, "report value");
    if (!e->draws) return;
    for (const double draw : *e->draws) require_finite(draw, "a draw of report value");
  }
}

base::Dimension column_dimension(const std::string& path, const std::vector<Cell>& cells,
                                 base::Dimension when_empty) {
  std::optional<base::Dimension> dimension;
  for (const Cell& cell : cells) {
    const auto d = dimension_of(cell);
    if (!d) continue;
    if (dimension && *dimension != *d)
      throw base::InternalError("column \"" + path + "\" mixes dimensions");
    dimension = d;
  }
  return dimension.value_or(when_empty);
}

}  // namespace

const char* chart_kind_name(ChartKind kind) {
  switch (kind) {
    case ChartKind::lines:
      return "lines";
    case ChartKind::stacked_area:
      return "stacked_area";
    case ChartKind::bars:
      return "bars";
    case ChartKind::interval_bars:
      return "interval_bars";
    case ChartKind::stacked_bars:
      return "stacked_bars";
    case ChartKind::timeline:
      return "timeline";
    case ChartKind::scatter:
      return "scatter";
    case ChartKind::heat_map:
      return "heat_map";
    case ChartKind::log_log:
      return "log_log";
  }
  throw base::InternalError("a chart of unknown kind");
}

Table& TableBuilder::table() {
  const std::size_t dot = scope_.rfind('.');
  const bool nested = dot != std::string::npos;
  const std::string key = nested ? scope_.substr(dot + 1) : scope_;
  for (Node& node : report_.group_at(nested ? scope_.substr(0, dot) : "").nodes) {
    if (auto* t = std::get_if<Table>(&node); t != nullptr && t->key == key) return *t;
  }
  throw base::InternalError("table \"" + scope_ + "\" is gone");
}

TableBuilder& TableBuilder::add(std::string_view key, std::vector<Cell> cells,
                                std::string_view label, bool as_percent,
                                base::Dimension dimension) {
  Table& t = table();
  const std::string path = fmt::format("{}.{}", scope_, key);
  if (!t.columns.empty() && t.columns.front().cells.size() != cells.size())
    throw base::InternalError(fmt::format("column \"{}\" has {} rows, the table has {}", path,
                                          cells.size(), t.columns.front().cells.size()));
  for (const Cell& cell : cells) check_finite(path, cell);
  Column column;
  column.dimension = column_dimension(path, cells, dimension);
  column.key = base::file_key(key, column.dimension);
  column.label = label;
  column.as_percent = as_percent;
  column.cells = std::move(cells);
  report_.claim(path, scope_ + "." + column.key);
  t.columns.push_back(std::move(column));
  return *this;
}

TableBuilder& TableBuilder::hidden() {
  table().hidden = true;
  return *this;
}

TableBuilder& TableBuilder::whole() {
  table().whole = true;
  return *this;
}

std::string Report::full(std::string_view key) const { return scope_ + std::string(key); }

Group& Report::group_at(std::string_view path) {
  Group* at = &document_.root;
  while (!path.empty()) {
    const std::string_view key = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    Group* next = nullptr;
    for (Node& node : at->nodes) {
      if (auto* g = std::get_if<Group>(&node); g != nullptr && g->key == key) next = g;
    }
    if (next == nullptr)
      throw base::InternalError("the report has no group \"" + std::string(key) + '"');
    at = next;
  }
  return *at;
}

Group& Report::open_group() {
  return group_at(std::string_view(scope_).substr(0, scope_.empty() ? 0 : scope_.size() - 1));
}

void Report::claim(const std::string& path, const std::string& suffixed_path) {
  // The suffix alone may be the key: "" of an intensity is "g_per_kwh".
  const std::string_view key = std::string_view(suffixed_path).substr(suffixed_path.rfind('.') + 1);
  if (!is_snake_case(key))
    throw base::InternalError("report key \"" + path + "\" is not snake_case");
  const bool is_new = suffixed_paths_.insert(suffixed_path).second;
  if (!paths_.emplace(path, suffixed_path).second || !is_new)
    throw base::InternalError("report key \"" + suffixed_path + "\" is used twice");
}

void Report::add_value(std::string_view key, Cell cell, base::Dimension dimension,
                       const ValueOptions& options) {
  const std::string path = full(key);
  check_finite(path, cell);
  if (auto* absent = std::get_if<Absent>(&cell); absent != nullptr && absent->why.empty())
    absent->why = options.why.empty() ? "not available" : options.why;
  ValueNode node;
  node.key = base::file_key(key, dimension_of(cell).value_or(dimension));
  claim(path, full(node.key));
  add_derivation(full(node.key), cell, options.derivation);
  node.cell = std::move(cell);
  node.options = options;
  node.options.derivation.reset();  // it stands in the document's list
  open_group().nodes.emplace_back(std::move(node));
}

void Report::add_derivation(const std::string& path, const Cell& cell,
                            const std::optional<Derivation>& own) {
  const auto* estimate = std::get_if<base::AnyEstimate>(&cell);
  const bool has_drivers = estimate != nullptr && !estimate->drivers.empty();
  if (!own && !has_drivers) return;
  Derivation derivation = own.value_or(Derivation{});
  derivation.key = path;
  if (has_drivers) derivation.drivers = base::rank_drivers(*estimate, seed_);
  document_.derivations.push_back(std::move(derivation));
}

void Report::absent(std::string_view key, base::Dimension dimension, std::string why,
                    const ValueOptions& options) {
  add_value(key, Absent{std::move(why)}, dimension, options);
}

void Report::text(std::string_view key, std::string_view x, const ValueOptions& options) {
  add_value(key, std::string(x), {}, options);
}

TableBuilder Report::table(std::string_view key, std::string_view title) {
  claim(full(key), full(key));
  Table t;
  t.key = key;
  t.title = title;
  open_group().nodes.emplace_back(std::move(t));
  return {*this, full(key)};
}

void Report::add_series(SeriesNode node) {
  const std::string path = full(node.key);
  for (const double v : node.values) check_finite(path, base::AnyQuantity(v, node.dimension));
  node.key = base::file_key(node.key, node.dimension);
  claim(path, full(node.key));
  open_group().nodes.emplace_back(std::move(node));
}

void Report::group(std::string_view key, std::string_view title,
                   const std::function<void()>& fill) {
  claim(full(key), full(key));
  Group g;
  g.key = key;
  g.title = title;
  open_group().nodes.emplace_back(std::move(g));
  const std::string outer = scope_;
  scope_ = full(key) + ".";
  fill();
  scope_ = outer;
}

void Report::chart(Chart chart) {
  if (!chart.labels.empty() && chart.labels.size() != chart.y.size())
    throw base::InternalError(fmt::format("chart \"{}\" has {} labels for {} data", chart.key,
                                          chart.labels.size(), chart.y.size()));
  document_.charts.push_back(std::move(chart));
  chart_scopes_.push_back(scope_);
}

void Report::timeline(std::string_view key, std::string_view title, const Bars& bars,
                      std::size_t most) {
  const std::size_t n = bars.start.size();
  GL_CHECK_EQ(bars.lane.size(), n);
  GL_CHECK_EQ(bars.name.size(), n);
  GL_CHECK_EQ(bars.end.size(), n);
  std::vector<std::size_t> shown(n);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (n > most) {
    std::stable_sort(shown.begin(), shown.end(),
                     [&](std::size_t a, std::size_t b) { return bars.start[a] < bars.start[b]; });
    notice(fmt::format("{}: the first {} of {} tasks, those that start before {}", title, most, n,
                       base::format_quantity(bars.start[shown[most]])));
    shown.resize(most);
    std::sort(shown.begin(), shown.end());
  }
  const auto kept = [&shown](const auto& column) {
    std::decay_t<decltype(column)> out;
    for (const std::size_t i : shown) out.push_back(column[i]);
    return out;
  };
  table(key, title)
      .column("lane", kept(bars.lane))
      .column("name", kept(bars.name))
      .column("start", kept(bars.start))
      .column("end", kept(bars.end))
      .hidden();
  const auto path = [&](const char* column) { return fmt::format("{}.{}", key, column); };
  chart({.key = std::string(key),
         .title = std::string(title),
         .kind = ChartKind::timeline,
         .x = path("lane"),
         .y = {path("start"), path("end")},
         .x_label = "time",
         .name = path("name")});
}

void Report::attachment(std::string_view suffix, const std::function<std::string()>& make) {
  const auto [at, is_new] = document_.attachments.emplace(suffix, std::nullopt);
  if (!is_new) throw base::InternalError(fmt::format("\"{}\" is attached twice", suffix));
  const auto& wanted = wanted_attachments_;
  if (std::find(wanted.begin(), wanted.end(), suffix) != wanted.end()) at->second = make();
}

void Report::notice(std::string text) { document_.notices.push_back(std::move(text)); }

void Report::not_included(std::string text) { document_.not_included.push_back(std::move(text)); }

std::string Report::resolve(const Chart& chart, const std::string& path) const {
  const auto found = paths_.find(path);
  if (found != paths_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, suffixed] : paths_) known.push_back(name);
  throw base::InternalError(
      fmt::format("chart \"{}\" names \"{}\", which the report does not have; nearest: {}",
                  chart.key, path, fmt::join(base::nearest(path, known), ", ")));
}

const Document& Report::document() {
  const std::size_t done = document_.charts.size() - chart_scopes_.size();
  for (std::size_t i = 0; i < chart_scopes_.size(); ++i) {
    Chart& chart = document_.charts[done + i];
    // A path inside the group where the chart was made may be given from there.
    const auto complete = [&](std::string& path) {
      if (path.empty()) return;
      const bool inside = paths_.count(chart_scopes_[i] + path) != 0;
      path = resolve(chart, inside ? chart_scopes_[i] + path : path);
    };
    complete(chart.x);
    for (std::string& y : chart.y) complete(y);
    for (std::string* path :
         {&chart.name, &chart.marked, &chart.colour, &chart.points_x, &chart.points_y})
      complete(*path);
  }
  chart_scopes_.clear();
  return document_;
}

Document Report::take() {
  document();
  return std::move(document_);
}

}  // namespace greenline::verb
