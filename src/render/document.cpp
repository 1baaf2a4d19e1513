#include "render/document.hpp"

#include <cmath>
#include <limits>

#include "base/quantity_text.hpp"
#include "io/json.hpp"
#include "render/outline.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

using Array = io::Value::Array;
using Object = io::Value::Object;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

void put(Object& into, std::string_view key, io::Value value) {
  into.emplace_back(valid_utf8(key), std::move(value));
}

// For members that most entries lack: only what says something is written.
void put_text(Object& into, std::string_view key, const std::string& text) {
  if (!text.empty()) put(into, key, valid_utf8(text));
}
void put_flag(Object& into, std::string_view key, bool flag) {
  if (flag) put(into, key, true);
}

double in_file_unit(double base_value, base::Dimension dimension, const std::string& path) {
  const double value = base_value / base::file_unit(dimension).factor;
  if (!std::isfinite(value))
    throw base::InternalError("result." + path + " is not a finite number");
  return value;
}

io::Value range_of(const base::AnyEstimate& x, const std::string& path) {
  Object range;
  put(range, "low", in_file_unit(x.low(), x.dimension, path + "_range.low"));
  put(range, "high", in_file_unit(x.high(), x.dimension, path + "_range.high"));
  put(range, "evidence", base::evidence_name(x.evidence));
  put(range, "source", valid_utf8(x.source));
  return range;
}

void put_cell(Object& into, const std::string& key, const verb::Cell& cell,
              const std::string& path) {
  std::visit(Overloaded{[&](const verb::Absent& absent) {
                          put(into, key, io::Value());
                          put_text(into, key + "_why", absent.why);
                        },
                        [&](bool truth) { put(into, key, truth); },
                        [&](std::int64_t integer) { put(into, key, integer); },
                        [&](const std::string& text) { put(into, key, valid_utf8(text)); },
                        [&](base::Instant t) { put(into, key, base::format_instant(t)); },
                        [&](const base::AnyQuantity& q) {
                          put(into, key, in_file_unit(q.value, q.dimension, path));
                        },
                        [&](const base::AnyEstimate& x) {
                          put(into, key, in_file_unit(x.nominal, x.dimension, path));
                          if (x.draws) put(into, key + "_range", range_of(x, path));
                        }},
             cell);
}

// The result tree and the layout beside it, in call order.
class ResultWriter {
 public:
  Object write(const verb::Group& root) { return nodes(root, ""); }
  Array take_layout() { return std::move(layout_); }

 private:
  Object nodes(const verb::Group& group, const std::string& prefix) {
    Object object;
    for (const verb::Node& node : group.nodes)
      std::visit([&](const auto& x) { add(object, x, prefix + x.key); }, node);
    return object;
  }

  void add(Object& into, const verb::ValueNode& node, const std::string& path) {
    put_cell(into, node.key, node.cell, path);
    if (const auto* absent = std::get_if<verb::Absent>(&node.cell);
        absent != nullptr && absent->why.empty())
      put(into, node.key + "_why", "not available");
    Object entry = layout_entry(path, "value");
    put_text(entry, "label", node.options.label);
    put_text(entry, "why", node.options.why);
    put_flag(entry, "headline", node.options.headline);
    put_flag(entry, "percent", node.options.as_percent);
    layout_.emplace_back(std::move(entry));
  }

  void add(Object& into, const verb::Table& table, const std::string& path) {
    const std::size_t num_rows = table.columns.empty() ? 0 : table.columns.front().cells.size();
    for (const verb::Column& column : table.columns) GL_CHECK_EQ(column.cells.size(), num_rows);
    Array rows;
    rows.reserve(num_rows);
    for (std::size_t i = 0; i < num_rows; ++i) {
      Object row;
      for (const verb::Column& column : table.columns)
        put_cell(row, column.key, column.cells[i],
                 path + "." + std::to_string(i) + "." + column.key);
      rows.emplace_back(std::move(row));
    }
    put(into, table.key, std::move(rows));
    lay_out(table, path);
  }

  void lay_out(const verb::Table& table, const std::string& path) {
    Object entry = layout_entry(path, "table");
    put_text(entry, "title", table.title);
    put_flag(entry, "hidden", table.hidden);
    put_flag(entry, "whole", table.whole);
    Array columns;
    for (const verb::Column& column : table.columns) {
      Object shown;
      put(shown, "key", valid_utf8(column.key));
      put_text(shown, "label", column.label);
      put_flag(shown, "percent", column.as_percent);
      columns.emplace_back(std::move(shown));
    }
    put(entry, "columns", std::move(columns));
    layout_.emplace_back(std::move(entry));
  }

  void add(Object& into, const verb::SeriesNode& node, const std::string& path) {
    Array values;
    values.reserve(node.values.size());
    for (std::size_t i = 0; i < node.values.size(); ++i)
      values.emplace_back(
          in_file_unit(node.values[i], node.dimension, path + ".values." + std::to_string(i)));
    Object series;
    put(series, "start", base::format_instant(node.start));
    put(series, "step_s", in_file_unit(node.step.base_value(), base::kTime, path + ".step_s"));
    put(series, "values", std::move(values));
    put(into, node.key, std::move(series));
    Object entry = layout_entry(path, "series");
    put_text(entry, "title", node.title);
    layout_.emplace_back(std::move(entry));
  }

  void add(Object& into, const verb::Group& group, const std::string& path) {
    Object entry = layout_entry(path, "group");
    put_text(entry, "title", group.title);
    layout_.emplace_back(std::move(entry));
    put(into, group.key, nodes(group, path + "."));
  }

  static Object layout_entry(const std::string& path, const char* kind) {
    Object entry;
    put(entry, "path", valid_utf8(path));
    put(entry, "kind", kind);
    return entry;
  }

  Array layout_;
};

Array texts(const std::vector<std::string>& lines) {
  Array array;
  for (const std::string& line : lines) array.emplace_back(valid_utf8(line));
  return array;
}

io::Value provenance_of(const Provenance& p) {
  Array inputs, facts;
  for (const base::InputRecord& input : p.inputs)
    inputs.emplace_back(Object{{"path", valid_utf8(input.path)}, {"sha256", input.sha256}});
  for (const base::FactRecord& fact : p.facts)
    facts.emplace_back(Object{{"id", valid_utf8(fact.id)},
                              {"value", valid_utf8(fact.value)},
                              {"unit", valid_utf8(fact.unit)},
                              {"source", valid_utf8(fact.source)},
                              {"origin", valid_utf8(fact.origin)},
                              {"evidence", fact.evidence}});
  // Seeds beyond the range of a JSON integer are written as text, so that none is rounded.
  const bool fits = p.seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return Object{{"command_line", valid_utf8(p.command_line)},
                {"inputs", std::move(inputs)},
                {"facts", std::move(facts)},
                {"overrides", texts(p.overrides)},
                {"seed", fits ? io::Value(static_cast<std::int64_t>(p.seed))
                              : io::Value(std::to_string(p.seed))},
                {"threads", p.threads},
                {"isa", valid_utf8(p.isa)},
                {"started", base::format_instant(p.started)},
                {"wall_s", p.wall_time.in(base::units::s)},
                {"interrupted", p.interrupted}};
}

io::Value derivation_of(const verb::Derivation& derivation) {
  Array inputs, drivers;
  for (const verb::DerivationInput& input : derivation.inputs)
    inputs.emplace_back(Object{{"symbol", valid_utf8(input.symbol)},
                               {"key", valid_utf8(input.key)},
                               {"value", in_file_unit(input.value.value, input.value.dimension,
                                                      derivation.key + ", input " + input.symbol)},
                               {"unit", base::file_unit(input.value.dimension).symbol},
                               {"source", valid_utf8(input.source)}});
  for (const base::DriverShare& share : derivation.drivers)
    drivers.emplace_back(Object{{"id", valid_utf8(share.driver.id)},
                                {"share", share.rank_correlation_squared},
                                {"source", valid_utf8(share.driver.source)}});
  return Object{{"key", valid_utf8(derivation.key)},
                {"formula", valid_utf8(derivation.formula)},
                {"inputs", std::move(inputs)},
                {"drivers", std::move(drivers)}};
}

io::Value chart_of(const verb::Chart& chart) {
  Object shown{{"key", valid_utf8(chart.key)},
               {"title", valid_utf8(chart.title)},
               {"kind", verb::chart_kind_name(chart.kind)},
               {"x", valid_utf8(chart.x)},
               {"y", texts(chart.y)},
               {"labels", texts(chart.labels)},
               {"x_label", valid_utf8(chart.x_label)},
               {"y_label", valid_utf8(chart.y_label)}};
  put_text(shown, "name", chart.name);
  put_text(shown, "marked", chart.marked);
  put_text(shown, "colour", chart.colour);
  put_text(shown, "points_x", chart.points_x);
  put_text(shown, "points_y", chart.points_y);
  return shown;
}

}  // namespace

io::Value make_document(const verb::Document& document, const Provenance& provenance,
                        const std::vector<Assumed>& assumed) {
  ResultWriter writer;
  io::Value result = writer.write(document.root);

  Array derivations, charts, assumptions;
  for (const verb::Derivation& derivation : document.derivations)
    derivations.push_back(derivation_of(derivation));
  for (const verb::Chart& chart : document.charts) charts.push_back(chart_of(chart));
  for (const Assumed& a : assumed)
    assumptions.emplace_back(Object{{"key", valid_utf8(a.key)},
                                    {"value", valid_utf8(a.value)},
                                    {"source", valid_utf8(a.source)}});

  Object head{{"schema_version", kSchemaVersion},
              {"version", valid_utf8(provenance.version)},
              {"verb", valid_utf8(provenance.verb)},
              {"provenance", provenance_of(provenance)}};
  Object report{{"title", valid_utf8(document.title)},         {"layout", writer.take_layout()},
                {"derivations", std::move(derivations)},       {"charts", std::move(charts)},
                {"assumed", std::move(assumptions)},           {"notices", texts(document.notices)},
                {"not_included", texts(document.not_included)}};
  return Object{
      {"greenline", std::move(head)}, {"result", std::move(result)}, {"report", std::move(report)}};
}

void check_document(const io::Value& document) { read_outline(document); }

std::string json(const io::Value& document) { return io::write_json(document) + "\n"; }

}  // namespace greenline::render
