// The one list of a verb's outputs. `present(Report&, const Result&)` names each once; the terminal
// view, JSON, CSV, Markdown and HTML all come from that list.
//
//   void present(verb::Report& r, const SimulateResult& x) {
//     r.title("Hourly renewable coverage");
//     r.value("coverage", x.coverage, {.label = "covered by wind and solar", .headline = true});
//     r.value("grid_energy", x.grid_energy);                     // -> "grid_energy_kwh"
//     auto t = r.table("months", "Month by month");
//     t.column("month", months).column("energy", energies);      // -> "energy_kwh" in each row
//     r.chart({.key = "months", .title = "…", .x = "months.month", .y = {"months.energy"}});
//   }
//
// Keys are snake_case and given without unit; the report adds the suffix of the dimension, and
// `_range` for an estimate that is not certain. JSON order is call order; an absent value is null
// with `<key>_why`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/estimate.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"

namespace greenline::verb {

struct Absent {
  std::string why;  // "no contractual instrument was given"
};

// One cell or value. Estimates keep their draws, so that differences of reports stay exact.
using Cell = std::variant<Absent, bool, std::int64_t, std::string, base::Instant, base::AnyQuantity,
                          base::AnyEstimate>;

template <class T>
Cell make_cell(const T& x) {
  if constexpr (std::is_same_v<T, Cell>)
    return x;
  else if constexpr (std::is_same_v<T, bool>)
    return x;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::int64_t>(x);
  else if constexpr (std::is_same_v<T, double>)
    return base::AnyQuantity(x);
  else if constexpr (requires { x.any(); })
    return x.any();
  else if constexpr (requires { T::kDimension; })
    return base::AnyQuantity(x);
  else if constexpr (requires {
                       x.has_value();
                       *x;
                     })
    return x ? make_cell(*x) : Cell(Absent{});
  else if constexpr (std::is_convertible_v<T, std::string_view>)
    return std::string(std::string_view(x));
  else
    return Cell(x);
}

// The dimension of the values of a type, so that a key does not depend on the data: an empty
// column, an optional without value.
template <class T>
constexpr base::Dimension static_dimension() {
  if constexpr (requires { T::kDimension; })
    return T::kDimension;
  else if constexpr (requires { T::dimension(); })
    return T::dimension();
  else if constexpr (requires(T x) {
                       x.has_value();
                       typename T::value_type;
                     })
    return static_dimension<typename T::value_type>();
  else
    return {};
}

// How a number came about. The formula is an expression (verb/expression.hpp) over the symbols of
// the inputs, so `explain` can evaluate it again from the file alone.
struct DerivationInput {
  std::string symbol = {};  // "node_power"
  std::string key = {};  // result path or catalogue id it comes from: "plan.node_w", "h100-sxm.tdp"
  base::AnyQuantity value = {};
  std::string source = {};  // citation key, "given", "assumed", file
};
struct Derivation {
  std::string key = {};  // full path in the result with suffix; filled by the report
  // "nodes × node_power × pue × duration"; may name result paths: "sum(hours.energy_kwh)".
  std::string formula = {};
  std::vector<DerivationInput> inputs = {};
  std::vector<base::DriverShare> drivers = {};  // filled by the report for estimates
};

struct ValueOptions {
  std::string label = {};   // for people; the key with spaces when empty
  std::string why = {};     // a sentence under the value
  bool headline = false;    // shown first, large
  bool as_percent = false;  // ratio shown as percent for people
  std::optional<Derivation> derivation = {};
};

// What the members of a Chart mean for each kind; all but `lines`, `stacked_area` and `log_log`
// take their data from one table, and show it in the terminal too.
//
//   lines, stacked_area   x: positions or empty; y: one line or area each
//   bars, interval_bars   x: categories; y: one bar each
//   stacked_bars          x: categories; y: the parts of each bar, from the left
//   timeline              x: lane of each bar; y: {start, end}; name: what it is, which colours it
//   scatter               x, y: {values}; name: of each point; marked: yes or no, the points that a
//                         line joins in order of x (a Pareto front) and that carry their names
//   heat_map              x: categories across; y: {categories down}; colour: the value of a cell,
//                         the last one where a place has several
//   log_log               x, y: lines between the rows (ceilings), null where one is not defined;
//                         points_x, points_y, name, marked: points over them, of any one table
enum class ChartKind {
  lines,
  stacked_area,
  bars,
  interval_bars,
  stacked_bars,
  timeline,
  scatter,
  heat_map,
  log_log
};
const char* chart_kind_name(ChartKind kind);

// Data are named by paths of the result as the caller gave them, without suffixes; the report adds
// those.
struct Chart {
  std::string key = {}, title = {};
  ChartKind kind = ChartKind::bars;
  std::string x = {};  // column, or empty when y is a series
  std::vector<std::string> y = {};
  std::vector<std::string> labels = {};  // one per y
  std::string x_label = {}, y_label = {};
  std::string name = {}, marked = {}, colour = {};  // columns, see ChartKind
  std::string points_x = {}, points_y = {};         // columns of log_log
};

// What ran when, one task a row: the data of a timeline. A report is for reading: of more tasks
// than kMostBars only those that start first are in it.
struct Bars {
  std::vector<std::string> lane, name;  // (num_bars) processor and kind of task
  std::vector<base::Time> start, end;   // (num_bars)
};
inline constexpr std::size_t kMostBars = 3000;

struct Column {
  std::string key;  // with suffix
  std::string label;
  base::Dimension dimension;
  bool as_percent = false;
  std::vector<Cell> cells;  // (num_rows)
};
struct Table {
  std::string key, title;
  std::vector<Column> columns;
  bool hidden = false;  // in files and charts, not in the terminal (long hourly tables)
  bool whole = false;   // every row in the terminal too, however many: a list is what was asked for
};
struct SeriesNode {
  std::string key, title;  // key with suffix
  base::Instant start;
  base::Time step;
  base::Dimension dimension;
  std::vector<double> values;  // base units
};
struct ValueNode {
  std::string key;  // with suffix
  Cell cell;
  ValueOptions options;
};
struct Group;
using Node = std::variant<ValueNode, Table, SeriesNode, Group>;
struct Group {
  std::string key, title;
  std::vector<Node> nodes;
};

// What present() leaves behind; render turns it into every format. A value.
struct Document {
  std::string title;
  Group root;  // "result"
  std::vector<Derivation> derivations;
  std::vector<Chart> charts;  // paths complete, with suffixes
  std::vector<std::string> notices;
  std::vector<std::string> not_included;  // what the numbers leave out
  // By suffix; the text only of those that are wanted. Not in the files of a result.
  std::map<std::string, std::optional<std::string>, std::less<>> attachments;
};

class Report;

class TableBuilder {
 public:
  template <class T>
  TableBuilder& column(std::string_view key, const std::vector<T>& values,
                       std::string_view label = "", bool as_percent = false) {
    std::vector<Cell> cells;
    cells.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) cells.push_back(make_cell(T(values[i])));
    return add(key, std::move(cells), label, as_percent, static_dimension<T>());
  }
  TableBuilder& hidden();  // in files and charts, not in the terminal
  TableBuilder& whole();   // every row in the terminal too

 private:
  friend class Report;
  TableBuilder(Report& report, std::string scope) : report_(report), scope_(std::move(scope)) {}
  TableBuilder& add(std::string_view key, std::vector<Cell> cells, std::string_view label,
                    bool as_percent, base::Dimension dimension);
  Table& table();

  Report& report_;
  std::string scope_;  // path of the table, "plan.stages"
};

class Report {
 public:
  // The seed of the draws ranks drivers; attachments are made only when their suffix is wanted.
  explicit Report(std::uint64_t seed = 0, std::vector<std::string> wanted_attachments = {})
      : seed_(seed), wanted_attachments_(std::move(wanted_attachments)) {}

  void title(std::string text) { document_.title = std::move(text); }
  template <class T>
  void value(std::string_view key, const T& x, const ValueOptions& options = {}) {
    add_value(key, make_cell(x), static_dimension<T>(), options);
  }
  // Null in files, "n/a (why)" for people. The key has the suffix of `dimension`, as it would have
  // with a value.
  void absent(std::string_view key, base::Dimension dimension, std::string why,
              const ValueOptions& options = {});
  void text(std::string_view key, std::string_view x, const ValueOptions& options = {});

  TableBuilder table(std::string_view key, std::string_view title = "");
  template <class Q>
  void series(std::string_view key, const base::Series<Q>& s, std::string_view title = "") {
    SeriesNode node{std::string(key), std::string(title), s.start, s.step, {}, {}};
    node.dimension = base::AnyQuantity(Q{}).dimension;
    node.values.reserve(s.size());
    for (const Q& v : s.values) node.values.push_back(base::AnyQuantity(v).value);
    add_series(std::move(node));
  }
  void chart(Chart chart);
  // A hidden table `key` of lane, name, start and end, and its chart of kind timeline, `key` too. A
  // notice says what was left out.
  void timeline(std::string_view key, std::string_view title, const Bars& bars,
                std::size_t most = kMostBars);
  // A file besides the result (verb::Attachment of the verb's Info names it): `make` returns its
  // text, is called now or never. InternalError when the suffix is attached twice.
  void attachment(std::string_view suffix, const std::function<std::string()>& make);
  void notice(std::string text);
  void not_included(std::string text);

  // Nested object of the result: fill is called with this report while the group is open.
  void group(std::string_view key, std::string_view title, const std::function<void()>& fill);

  // Charts are completed here: InternalError when one names a path that the report does not have.
  const Document& document();
  Document take();

 private:
  friend class TableBuilder;
  void add_value(std::string_view key, Cell cell, base::Dimension dimension,
                 const ValueOptions& options);
  void add_series(SeriesNode node);
  void add_derivation(const std::string& path, const Cell& cell,
                      const std::optional<Derivation>& own);
  Group& open_group();
  Group& group_at(std::string_view path);
  std::string full(std::string_view key) const;  // with the open groups before it
  // Claims a key of the open group or of a table; InternalError when it is taken, with suffix or
  // without, or not snake_case.
  void claim(const std::string& path, const std::string& suffixed_path);
  std::string resolve(const Chart& chart, const std::string& path) const;

  Document document_;
  std::string scope_;                                      // of the open groups, "plan." or ""
  std::map<std::string, std::string, std::less<>> paths_;  // as the caller named it -> with suffix
  std::set<std::string, std::less<>> suffixed_paths_;
  std::vector<std::string> chart_scopes_;  // of the charts that are not complete yet, the last ones
  std::uint64_t seed_ = 0;
  std::vector<std::string> wanted_attachments_;
};

}  // namespace greenline::verb
