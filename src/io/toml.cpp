#include "io/toml.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "io/toml_depth.hpp"

namespace greenline::io {
namespace {

constexpr std::size_t kMaxDepth = 256;

base::DataError too_deep(base::Location where) {
  return base::DataError("bad-toml", fmt::format("nested deeper than {} levels", kMaxDepth), "",
                         std::move(where));
}

class TreeBuilder {
 public:
  explicit TreeBuilder(const std::string& name) : name_(name) {}

  base::Location location(toml::source_position at) const { return {name_, at.line, at.column}; }

  // `depth`: of the tables and arrays around the node.
  Value value(const toml::node& node, std::size_t depth = 0) const {
    const bool nests = node.is_table() || node.is_array();
    if (nests && depth >= kMaxDepth) throw too_deep(location(node.source().begin));
    Value v = content(node, depth + 1);
    v.set_where(location(node.source().begin));
    return v;
  }

 private:
  Value content(const toml::node& node, std::size_t depth) const {
    switch (node.type()) {
      case toml::node_type::table:
        return table(*node.as_table(), depth);
      case toml::node_type::array:
        return array(*node.as_array(), depth);
      case toml::node_type::string:
        return Value{node.as_string()->get()};
      case toml::node_type::integer:
        return Value{node.as_integer()->get()};
      case toml::node_type::floating_point:
        return number(*node.as_floating_point());
      case toml::node_type::boolean:
        return Value{node.as_boolean()->get()};
      case toml::node_type::date:
        return time(node.as_date()->get());
      case toml::node_type::time:
        return time(node.as_time()->get());
      case toml::node_type::date_time:
        return time(node.as_date_time()->get());
      case toml::node_type::none:
        break;
    }
    throw base::InternalError("a TOML value without a type");
  }

  // The parser keeps members by name; their keys remember where they stood.
  Value table(const toml::table& members, std::size_t depth) const {
    struct Entry {
      toml::source_position at;
      const toml::key* key;
      const toml::node* node;
    };
    std::vector<Entry> entries;
    for (const auto& [key, node] : members) entries.push_back({key.source().begin, &key, &node});
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
    });
    Value::Object object;
    for (const Entry& entry : entries)
      object.emplace_back(std::string(entry.key->str()), value(*entry.node, depth));
    return Value{std::move(object)};
  }

  Value array(const toml::array& items, std::size_t depth) const {
    Value::Array values;
    for (const toml::node& item : items) values.push_back(value(item, depth));
    return Value{std::move(values)};
  }

  Value number(const toml::value<double>& node) const {
    if (!std::isfinite(node.get()))
      throw base::DataError("not-finite",
                            fmt::format("expected a finite number, got {}", node.get()), "",
                            location(node.source().begin));
    return Value{node.get()};
  }

  template <class T>
  static Value time(const T& t) {
    std::ostringstream text;
    text << t;
    return Value{Value::DateTime{text.str()}};
  }

  const std::string& name_;
};

}  // namespace

Value parse_toml(std::string_view text, const std::string& name) {
  // The parser and the tree it builds recurse; a hostile text must not decide how deep. The scan
  // guards the stack; the exact limit, of which it knows neither the root nor arrays of tables, is
  // held by the builder.
  if (const std::optional<Place> deep = first_too_deep(text, kMaxDepth))
    throw too_deep({name, deep->line, deep->column});
  const TreeBuilder builder(name);
  try {
    const toml::table root = toml::parse(text);
    return builder.value(root);
  } catch (const toml::parse_error& failure) {
    throw base::DataError("bad-toml", fmt::format("not TOML: {}", failure.description()), "",
                          builder.location(failure.source().begin));
  }
}

}  // namespace greenline::io
