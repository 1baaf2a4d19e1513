// A result document, read and checked once: what every view walks. Texts are printable
// (render/text.hpp) and numbers are in the unit of their key's suffix; nothing here can surprise a
// view.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/quantity.hpp"
#include "io/value.hpp"

namespace greenline::render {

inline constexpr std::int64_t kSchemaVersion = 1;

struct Range {
  double low = 0, high = 0;
  std::string evidence, source;
};

// One value or one cell. `value` is null, bool, a number or text, and lives in the document.
struct Datum {
  const io::Value* value = nullptr;
  std::string why;  // of a null
  std::optional<Range> range;

  bool is_absent() const { return value->is_null(); }
  bool is_number() const { return value->is_number(); }
  double number() const { return value->as_double(); }
};

// How the numbers under a key are read: base units per one of them.
struct KeyUnit {
  double factor = 1;
  base::Dimension dimension;
  bool percent = false;
};

struct ShownValue {
  std::string path, label, why;
  bool headline = false;
  KeyUnit unit;
  Datum datum;
};

struct ShownColumn {
  std::string key, label;
  KeyUnit unit;
};
struct ShownTable {
  std::string path, title;
  bool hidden = false, whole = false;
  std::vector<ShownColumn> columns;
  std::vector<std::vector<Datum>> rows;  // (num_rows, num_columns)
};

struct ShownSeries {
  std::string path, title, start;
  double step_s = 0;
  KeyUnit unit;
  std::vector<double> values;
};

using Item = std::variant<ShownValue, ShownTable, ShownSeries>;

// The items of one group, or a run of items of the root (then without title).
struct Section {
  std::string path, title;
  std::vector<Item> items;
};

struct ShownChart {
  std::string key, title, kind, x;
  std::vector<std::string> y, labels;  // a label for each y, or none
  std::string x_label, y_label;
  std::string name, marked, colour, points_x, points_y;  // paths or empty, see verb::ChartKind
  bool is_bars() const { return kind == "bars" || kind == "interval_bars"; }
};

struct ShownInput {
  std::string symbol, key, value, unit, source;
};
struct ShownDriver {
  std::string id, source;
  double share = 0;
};
struct ShownDerivation {
  std::string key, formula;
  std::vector<ShownInput> inputs;
  std::vector<ShownDriver> drivers;
};

struct ShownAssumption {
  std::string key, value, source;
};
struct ShownFile {
  std::string path, sha256;
};
struct ShownFact {
  std::string id, value, unit, source, origin;
};

struct Outline {
  std::string title, version, verb;
  std::string command_line, started, isa, seed;
  std::int64_t threads = 0;
  double wall_s = 0;
  bool interrupted = false;
  std::vector<ShownFile> inputs;
  std::vector<ShownFact> facts;
  std::vector<std::string> overrides;

  std::vector<Section> sections;
  std::vector<ShownChart> charts;
  std::vector<ShownDerivation> derivations;
  std::vector<ShownAssumption> assumed;
  std::vector<std::string> notices, not_included;

  // Headline values of all sections, in order.
  std::vector<const ShownValue*> headlines() const;
  // Charts whose first y lies in the table or is the series at `path`.
  std::vector<const ShownChart*> charts_of(const std::string& path) const;
  // Charts that belong to no table and no series.
  std::vector<const ShownChart*> loose_charts() const;
};

// Throws DataError "not-a-result" that names the member, what was expected and what is there.
// The outline refers to the document, which must outlive it.
Outline read_outline(const io::Value& document);

// For people: "device_hours" is "Device hours"; a unit suffix is dropped.
std::string label_of_key(const std::string& key);

}  // namespace greenline::render
