#include "render/outline.hpp"

#include <algorithm>
#include <cmath>

#include "base/quantity_text.hpp"
#include "render/node.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

std::string last_key(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

KeyUnit unit_of(const std::string& key, bool percent) {
  const base::AnyQuantity one = base::unit_of_key(key);
  return {one.value, one.dimension, percent && one.dimension == base::kDimensionless};
}

// Labels stand at the start of a line, a card or a column, so all of them begin alike.
std::string capitalised(std::string label) {
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z')
    label[0] = static_cast<char>(label[0] - 'a' + 'A');
  return label;
}

std::string label_or_key(const Node& entry, const std::string& key) {
  const std::string label = entry.text_or("label");
  return label.empty() ? label_of_key(key) : capitalised(label);
}

Range read_range(const Node& node) {
  return {node.member("low").number(), node.member("high").number(), node.text_or("evidence"),
          node.text_or("source")};
}

// `key` of `holder` with what stands beside it: `<key>_why`, `<key>_range`.
Datum read_datum(const Node& holder, const std::string& key) {
  const Node node = holder.member(key);
  const io::Value& value = node.value();
  if (value.is_array() || value.is_object() || value.is_date_time())
    node.wrong("a number, text, true, false or null");
  if (value.is_number()) node.number();  // finite
  Datum datum{&value, "", std::nullopt};
  if (value.is_null()) datum.why = holder.text_or(key + "_why");
  if (const auto range = holder.optional(key + "_range"); range && value.is_number())
    datum.range = read_range(*range);
  return datum;
}

ShownTable read_table(const Node& entry, const Node& rows, const std::string& path) {
  ShownTable table{
      path, entry.text_or("title"), entry.truth_or("hidden"), entry.truth_or("whole"), {}, {}};
  if (table.title.empty()) table.title = label_of_key(last_key(path));
  std::vector<std::string> keys;  // as in the rows, not made printable
  for (const Node& column : entry.elements("columns")) {
    keys.push_back(column.member("key").raw_text());
    const std::string key = printable(keys.back());
    table.columns.push_back(
        {key, label_or_key(column, key), unit_of(key, column.truth_or("percent"))});
  }
  for (const Node& row : rows.elements()) {
    std::vector<Datum>& cells = table.rows.emplace_back();
    cells.reserve(keys.size());
    for (const std::string& key : keys) cells.push_back(read_datum(row, key));
  }
  return table;
}

ShownSeries read_series(const Node& entry, const Node& node, const std::string& path) {
  ShownSeries series{
      path, entry.text_or("title"), node.member("start").text(), node.member("step_s").number(), {},
      {}};
  if (series.title.empty()) series.title = label_of_key(last_key(path));
  series.unit = unit_of(last_key(path), false);
  for (const Node& value : node.elements("values")) series.values.push_back(value.number());
  return series;
}

// Sections by group: items of the root stand in sections without title, a nested group is "outer:
// inner".
class SectionReader {
 public:
  SectionReader(const Node& result, std::vector<Section>& sections)
      : result_(result), sections_(sections) {}

  void read(const Node& entry) {
    const std::string raw_path = entry.member("path").raw_text();
    const std::string path = printable(raw_path);
    const std::string kind = entry.member("kind").text();
    if (kind == "group") return open_group(entry, path);
    const Node holder = result_.walk(parent_of(raw_path));
    if (kind == "value")
      add(path, read_value(entry, holder, path));
    else if (kind == "table")
      add(path, read_table(entry, holder.member(last_key(raw_path)), path));
    else if (kind == "series")
      add(path, read_series(entry, holder.member(last_key(raw_path)), path));
    else
      entry.member("kind").wrong("value, table, series or group");
  }

 private:
  void open_group(const Node& entry, const std::string& path) {
    std::string title = entry.text_or("title");
    if (title.empty()) title = label_of_key(last_key(path));
    const std::string outer = title_of(parent_of(path));
    titles_.emplace_back(path, outer.empty() ? title : outer + ": " + title);
  }

  std::string title_of(const std::string& group) const {
    const auto found = std::find_if(titles_.begin(), titles_.end(),
                                    [&](const auto& t) { return t.first == group; });
    return found == titles_.end() ? "" : found->second;
  }

  static ShownValue read_value(const Node& entry, const Node& holder, const std::string& path) {
    const std::string key = last_key(path);
    return {path,
            label_or_key(entry, key),
            entry.text_or("why"),
            entry.truth_or("headline"),
            unit_of(key, entry.truth_or("percent")),
            read_datum(holder, last_key(entry.member("path").raw_text()))};
  }

  void add(const std::string& path, Item item) {
    const std::string group = parent_of(path);
    if (sections_.empty() || sections_.back().path != group)
      sections_.push_back({group, title_of(group), {}});
    sections_.back().items.push_back(std::move(item));
  }

  const Node& result_;
  std::vector<Section>& sections_;
  std::vector<std::pair<std::string, std::string>> titles_;  // group path, title
};

std::string scalar_text(const Node& node) {
  const io::Value& value = node.value();
  if (value.is_null()) return "";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_int()) return std::to_string(value.as_int());
  if (value.is_double()) return base::shortest(node.number());
  return node.text();
}

void read_provenance(const Node& provenance, Outline& outline) {
  outline.command_line = provenance.text_or("command_line");
  outline.started = provenance.text_or("started");
  outline.isa = provenance.text_or("isa");
  outline.interrupted = provenance.truth_or("interrupted");
  if (const auto seed = provenance.optional("seed")) outline.seed = scalar_text(*seed);
  if (const auto threads = provenance.optional("threads")) outline.threads = threads->integer();
  if (const auto wall = provenance.optional("wall_s")) outline.wall_s = wall->number();
  for (const Node& file : provenance.elements("inputs"))
    outline.inputs.push_back({file.member("path").text(), file.text_or("sha256")});
  for (const Node& fact : provenance.elements("facts"))
    outline.facts.push_back({fact.member("id").text(), fact.text_or("value"), fact.text_or("unit"),
                             fact.text_or("source"), fact.text_or("origin")});
  for (const Node& text : provenance.elements("overrides"))
    outline.overrides.push_back(text.text());
}

ShownDerivation read_derivation(const Node& node) {
  ShownDerivation derivation{node.member("key").text(), node.member("formula").text(), {}, {}};
  for (const Node& input : node.elements("inputs"))
    derivation.inputs.push_back({input.member("symbol").text(), input.text_or("key"),
                                 scalar_text(input.member("value")), input.text_or("unit"),
                                 input.text_or("source")});
  for (const Node& driver : node.elements("drivers"))
    derivation.drivers.push_back(
        {driver.member("id").text(), driver.text_or("source"), driver.member("share").number()});
  return derivation;
}

ShownChart read_chart(const Node& node) {
  ShownChart chart{node.member("key").text(),
                   node.text_or("title"),
                   node.member("kind").text(),
                   node.text_or("x"),
                   {},
                   {},
                   node.text_or("x_label"),
                   node.text_or("y_label"),
                   node.text_or("name"),
                   node.text_or("marked"),
                   node.text_or("colour"),
                   node.text_or("points_x"),
                   node.text_or("points_y")};
  for (const Node& y : node.elements("y")) chart.y.push_back(y.text());
  if (chart.y.empty()) node.wrong("a chart with at least one path in y");
  for (const Node& label : node.elements("labels")) chart.labels.push_back(label.text());
  return chart;
}

void read_report(const Node& report, const Node& result, Outline& outline) {
  outline.title = report.text_or("title");
  SectionReader sections(result, outline.sections);
  report.member("layout");
  for (const Node& entry : report.elements("layout")) sections.read(entry);
  for (const Node& chart : report.elements("charts")) outline.charts.push_back(read_chart(chart));
  for (const Node& derivation : report.elements("derivations"))
    outline.derivations.push_back(read_derivation(derivation));
  for (const Node& assumed : report.elements("assumed"))
    outline.assumed.push_back(
        {assumed.member("key").text(), assumed.text_or("value"), assumed.text_or("source")});
  for (const Node& text : report.elements("notices")) outline.notices.push_back(text.text());
  for (const Node& text : report.elements("not_included"))
    outline.not_included.push_back(text.text());
}

void check_schema(const Node& head) {
  const std::int64_t version = head.member("schema_version").integer();
  if (version == kSchemaVersion) return;
  throw base::DataError("not-a-result",
                        "greenline.schema_version: expected " + std::to_string(kSchemaVersion) +
                            ", got " + std::to_string(version),
                        "read it with the greenline that wrote it: " + head.text_or("version"),
                        head.value().where());
}

bool lies_in(const std::string& column, const std::string& table) {
  return column == table ||
         (column.size() > table.size() && column.starts_with(table) && column[table.size()] == '.');
}

std::string path_of(const Item& item) {
  return std::visit([](const auto& x) { return x.path; }, item);
}

}  // namespace

std::vector<const ShownValue*> Outline::headlines() const {
  std::vector<const ShownValue*> found;
  for (const Section& section : sections)
    for (const Item& item : section.items)
      if (const auto* value = std::get_if<ShownValue>(&item); value != nullptr && value->headline)
        found.push_back(value);
  return found;
}

std::vector<const ShownChart*> Outline::charts_of(const std::string& path) const {
  std::vector<const ShownChart*> found;
  for (const ShownChart& chart : charts)
    if (lies_in(chart.y.front(), path)) found.push_back(&chart);
  return found;
}

std::vector<const ShownChart*> Outline::loose_charts() const {
  std::vector<const ShownChart*> found;
  for (const ShownChart& chart : charts) {
    const auto holds = [&](const Item& item) {
      return !std::holds_alternative<ShownValue>(item) && lies_in(chart.y.front(), path_of(item));
    };
    const bool placed = std::any_of(sections.begin(), sections.end(), [&](const Section& section) {
      return std::any_of(section.items.begin(), section.items.end(), holds);
    });
    if (!placed) found.push_back(&chart);
  }
  return found;
}

Outline read_outline(const io::Value& document) {
  const Node root(document);
  const Node head = root.member("greenline");
  check_schema(head);
  Outline outline;
  outline.version = head.member("version").text();
  outline.verb = head.member("verb").text();
  read_provenance(head.member("provenance"), outline);
  const Node result = root.member("result");
  if (!result.value().is_object()) result.wrong("an object");
  read_report(root.member("report"), result, outline);
  return outline;
}

std::string label_of_key(const std::string& key) {
  const std::string suffix = base::file_unit(base::unit_of_key(key).dimension).suffix;
  std::string label = key;
  if (!suffix.empty() && label.size() > suffix.size() + 1 && label.ends_with("_" + suffix))
    label.resize(label.size() - suffix.size() - 1);
  std::replace(label.begin(), label.end(), '_', ' ');
  return capitalised(std::move(label));
}

}  // namespace greenline::render
