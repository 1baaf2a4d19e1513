#include "app/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "app/compare_causes.hpp"
#include "app/compare_tables.hpp"
#include "base/quantity_text.hpp"
#include "render/text.hpp"

namespace greenline::app {
namespace {

using render::Datum;
using render::KeyUnit;
using render::Outline;
using render::ShownSeries;
using render::ShownTable;
using render::ShownValue;

std::string number_text(double x, const KeyUnit& unit, int digits) {
  if (unit.percent) return fmt::format("{:.{}g} %", x * 100, digits);
  return base::format_quantity({x * unit.factor, unit.dimension}, digits);
}

std::string text_of(const Datum& datum, const KeyUnit& unit, int digits) {
  if (datum.is_number()) return number_text(datum.number(), unit, digits);
  if (datum.is_absent()) return datum.why.empty() ? "n/a" : "n/a (" + datum.why + ")";
  if (datum.value->is_bool()) return datum.value->as_bool() ? "yes" : "no";
  return render::printable(datum.value->as_text());
}

// Digits until the two look different; a file's own digits where even those do not tell.
std::pair<std::string, std::string> texts_of(const Datum& a, const Datum& b, const KeyUnit& unit) {
  for (int digits = 3; digits <= 12; digits += 3) {
    std::pair texts{text_of(a, unit, digits), text_of(b, unit, digits)};
    if (texts.first != texts.second) return texts;
  }
  return {text_of(a, unit, 17), text_of(b, unit, 17)};
}

bool outside(const Datum& point, const Datum& ranged) {
  return point.number() < ranged.range->low || point.number() > ranged.range->high;
}

Certainty certainty_of(const Datum& a, const Datum& b) {
  if (!a.is_number() || !b.is_number() || (!a.range && !b.range)) return Certainty::certain;
  const bool beyond = a.range && b.range
                          ? a.range->high < b.range->low || b.range->high < a.range->low
                          : (a.range ? outside(b, a) : outside(a, b));
  return beyond ? Certainty::beyond : Certainty::within;
}

std::optional<double> number_in(const Datum& datum) {
  return datum.is_number() ? std::optional(datum.number()) : std::nullopt;
}

class Comparer {
 public:
  explicit Comparer(double tolerance) : tolerance_(tolerance) {}

  Comparison take() {
    std::stable_sort(out_.differences.begin(), out_.differences.end(),
                     [](const Difference& x, const Difference& y) {
                       if (x.headline != y.headline) return x.headline;
                       if (x.headline) return false;  // in the order of the verb
                       if (x.in_table != y.in_table) return y.in_table;
                       return x.weight() > y.weight();
                     });
    return std::move(out_);
  }

  void items(const Outline& a, const Outline& b) {
    const auto in_a = by_path(a), in_b = by_path(b);
    for (const auto& [path, item] : in_order(a, in_a)) {
      const auto found = in_b.find(path);
      if (found == in_b.end() || found->second->index() != item->index()) {
        out_.unpaired.push_back({path, true});
        continue;
      }
      const render::Item& other = *found->second;
      std::visit([&](const auto& x) { pair(x, std::get<std::decay_t<decltype(x)>>(other)); },
                 *item);
    }
    for (const auto& [path, item] : in_order(b, in_b)) {
      const auto found = in_a.find(path);
      if (found == in_a.end() || found->second->index() != item->index())
        out_.unpaired.push_back({path, false});
    }
  }

 private:
  static const std::string& path_of(const render::Item& item) {
    return std::visit([](const auto& x) -> const std::string& { return x.path; }, item);
  }

  using Items = std::map<std::string, const render::Item*>;

  // A layout that names a path twice shows one thing twice: it is compared once.
  static Items by_path(const Outline& outline) {
    Items items;
    for (const render::Section& section : outline.sections)
      for (const render::Item& item : section.items) items.emplace(path_of(item), &item);
    return items;
  }

  static std::vector<std::pair<std::string, const render::Item*>> in_order(const Outline& outline,
                                                                           const Items& items) {
    std::vector<std::pair<std::string, const render::Item*>> out;
    for (const render::Section& section : outline.sections)
      for (const render::Item& item : section.items)
        if (items.at(path_of(item)) == &item) out.emplace_back(path_of(item), &item);
    return out;
  }

  bool equal(double a, double b) const {
    return a == b || std::abs(b - a) <= tolerance_ * std::max(std::abs(a), std::abs(b));
  }

  // Counts the pair; whether it is to be listed.
  bool differs(const Datum& a, const Datum& b) {
    ++out_.num_compared;
    if (*a.value == *b.value) return false;
    if (!a.is_number() || !b.is_number() || !equal(a.number(), b.number())) return true;
    ++out_.num_within_tolerance;
    return false;
  }

  Difference difference(std::string key, const Datum& a, const Datum& b, const KeyUnit& unit) {
    Difference d;
    d.key = std::move(key);
    d.unit = unit;
    d.a = number_in(a), d.b = number_in(b);
    std::tie(d.text_a, d.text_b) = texts_of(a, b, unit);
    d.certainty = certainty_of(a, b);
    return d;
  }

  void pair(const ShownValue& a, const ShownValue& b) {
    if (!differs(a.datum, b.datum)) return;
    Difference d = difference(a.path, a.datum, b.datum, a.unit);
    d.headline = a.headline || b.headline;
    out_.differences.push_back(std::move(d));
  }

  void pair(const ShownTable& a, const ShownTable& b) {
    std::vector<std::pair<std::size_t, std::size_t>> columns;
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
      const auto same = [&](const render::ShownColumn& x) { return x.key == a.columns[c].key; };
      const auto found = std::find_if(b.columns.begin(), b.columns.end(), same);
      if (found == b.columns.end())
        out_.unpaired.push_back({a.path + "." + a.columns[c].key, true});
      else
        columns.emplace_back(c, static_cast<std::size_t>(found - b.columns.begin()));
    }
    for (const render::ShownColumn& column : b.columns) {
      const auto same = [&](const render::ShownColumn& x) { return x.key == column.key; };
      if (std::none_of(a.columns.begin(), a.columns.end(), same))
        out_.unpaired.push_back({b.path + "." + column.key, false});
    }
    for (const RowPair& row : joined_rows(a, b)) {
      const std::string at = a.path + "[" + row.key + "]";
      if (!row.a || !row.b) {
        out_.unpaired.push_back({at, row.a.has_value()});
        continue;
      }
      for (const auto& [in_a, in_b] : columns) {
        const Datum &x = a.rows[*row.a][in_a], &y = b.rows[*row.b][in_b];
        if (!differs(x, y)) continue;
        Difference d = difference(at + "." + a.columns[in_a].key, x, y, a.columns[in_a].unit);
        d.in_table = true;
        if (a.hidden) d.long_data = a.path + "." + a.columns[in_a].key;
        out_.differences.push_back(std::move(d));
      }
    }
  }

  void pair(const ShownSeries& a, const ShownSeries& b) {
    if (a.start != b.start || a.step_s != b.step_s) return pair_axes(a, b);
    const std::size_t common = std::min(a.values.size(), b.values.size());
    const std::size_t all = std::max(a.values.size(), b.values.size());
    if (common < all)
      out_.unpaired.push_back({all - common == 1
                                   ? fmt::format("{}[{}]", a.path, common)
                                   : fmt::format("{}[{}..{}]", a.path, common, all - 1),
                               a.values.size() > common});
    for (std::size_t i = 0; i < common; ++i) {
      const io::Value x(a.values[i]), y(b.values[i]);
      const Datum point_a{&x, "", std::nullopt}, point_b{&y, "", std::nullopt};
      if (!differs(point_a, point_b)) continue;
      Difference d = difference(fmt::format("{}[{}]", a.path, i), point_a, point_b, a.unit);
      d.in_table = true;
      d.long_data = a.path;
      out_.differences.push_back(std::move(d));
    }
  }

  // Two series of different hours have no point in common that could be told.
  void pair_axes(const ShownSeries& a, const ShownSeries& b) {
    ++out_.num_compared;
    Difference d;
    d.key = a.path;
    d.unit = a.unit;
    for (const auto& [series, text] : {std::pair{&a, &d.text_a}, std::pair{&b, &d.text_b}})
      *text = fmt::format("{} values from {}, one each {} s", series->values.size(), series->start,
                          base::shortest(series->step_s));
    out_.differences.push_back(std::move(d));
  }

  double tolerance_;
  Comparison out_;
};

}  // namespace

std::optional<double> Difference::change() const {
  if (!a || !b || !std::isfinite(*b - *a)) return std::nullopt;
  return *b - *a;
}

std::optional<double> Difference::relative_change() const {
  if (!a || !b || *a == 0) return std::nullopt;
  // b - a may leave what a double holds where the quotient does not.
  const auto by = change();
  const double relative = by ? *by / std::abs(*a) : *b / std::abs(*a) - std::copysign(1.0, *a);
  return std::isfinite(relative) ? std::optional(relative) : std::nullopt;
}

double Difference::weight() const {
  if (!a && !b) return 0;
  if (const auto relative = relative_change()) return std::abs(*relative);
  return a && b && *a != 0 ? std::numeric_limits<double>::max() : 1;
}

double Comparison::max_weight(bool headline_only) const {
  double largest = 0;
  for (const Difference& d : differences)
    if (d.headline || !headline_only) largest = std::max(largest, d.weight());
  return largest;
}

Comparison compare(const Outline& a, const Outline& b, double tolerance) {
  Comparer comparer(tolerance);
  comparer.items(a, b);
  Comparison out = comparer.take();
  out.causes = causes_of(a, b);
  return out;
}

}  // namespace greenline::app
