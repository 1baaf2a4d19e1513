// Names of an expression in the `result` object of a document.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "verb/expression.hpp"

namespace greenline::verb {
namespace {

constexpr std::size_t kMaxSuggested = 2000;  // paths searched for the nearest name

void collect_paths(const io::Value& value, const std::string& path,
                   std::vector<std::string>& paths) {
  if (paths.size() >= kMaxSuggested) return;
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object())
      collect_paths(member, path.empty() ? key : path + "." + key, paths);
  } else if (value.is_array() && !value.as_array().empty() &&
             value.as_array().front().is_object()) {
    collect_paths(value.as_array().front(), path, paths);
  } else {
    paths.push_back(path);
  }
}

// Walks one path; the walk splits into rows at the first table that no row number follows.
class Walk {
 public:
  Walk(const io::Value& result, std::string_view path) : result_(result), path_(path) {}

  ExpressionValue value() {
    descend(result_, path_, "");
    out_.is_column = in_column_;
    out_.dimension = unit_.dimension;
    return std::move(out_);
  }

 private:
  [[noreturn]] void unknown() const {
    std::vector<std::string> known;
    collect_paths(result_, "", known);
    const auto near = base::nearest(path_, known);
    throw base::UserError(
        "unknown-path",
        fmt::format("the result has no \"{}\"{}", path_,
                    near.empty() ? "" : fmt::format("; nearest: {}", fmt::join(near, ", "))),
        "paths are those of --json below .result, such as energy_kwh");
  }

  static std::optional<std::size_t> row_number(std::string_view key) {
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), n);
    if (error != std::errc() || end != key.data() + key.size()) return std::nullopt;
    return n;
  }

  void descend(const io::Value& at, std::string_view rest, std::string_view last_key) {
    if (rest.empty()) return leaf(at, last_key);
    const std::string_view key = rest.substr(0, rest.find('.'));
    const std::string_view below = key.size() < rest.size() ? rest.substr(key.size() + 1) : "";
    if (at.is_object()) {
      const io::Value* member = at.find(key);
      if (member == nullptr) unknown();
      why_ = at.find(std::string(key) + "_why");
      return descend(*member, below, key);
    }
    if (!at.is_array()) unknown();
    if (const auto row = row_number(key)) {
      if (*row >= at.as_array().size())
        throw base::UserError(
            "unknown-path",
            fmt::format("\"{}\" asks for row {}, the table has {} rows counted from 0", path_, *row,
                        at.as_array().size()));
      return descend(at.as_array()[*row], below, last_key);
    }
    rows(at, rest, last_key);
  }

  void rows(const io::Value& at, std::string_view rest, std::string_view last_key) {
    if (in_column_)
      throw base::UserError("unknown-path", fmt::format("\"{}\" is a table inside a table", path_),
                            "name one row: options.0.hours");
    in_column_ = true;
    for (const io::Value& row : at.as_array()) descend(row, rest, last_key);
  }

  void leaf(const io::Value& at, std::string_view key) {
    if (at.is_array()) return rows(at, "", key);
    if (at.is_object()) return object_leaf(at, key);
    unit_ = base::unit_of_key(key);
    if (at.is_bool()) {
      out_.values.push_back(at.as_bool() ? 1 : 0);
    } else if (at.is_number()) {
      out_.values.push_back(at.as_double() * unit_.value);
    } else if (at.is_text() && !in_column_) {
      out_.text = at.as_text();
      unit_ = {};
    } else if (in_column_) {
      only_counted(at);
    } else {
      not_a_number(at);
    }
  }

  // A series is {start, step_s, values}; its numbers are its values, in the unit of its own key.
  void object_leaf(const io::Value& at, std::string_view key) {
    if (in_column_) return only_counted(at);
    const io::Value* values = at.find("values");
    if (values == nullptr || at.find("start") == nullptr) unknown();
    rows(*values, "", key);
  }

  void only_counted(const io::Value& at) {
    if (out_.why_only_counted.empty())
      out_.why_only_counted =
          fmt::format("\"{}\" is {} in row {}", path_, at.is_null() ? "n/a" : at.type_name(),
                      out_.values.size());
    out_.values.push_back(0);
  }

  [[noreturn]] void not_a_number(const io::Value& at) const {
    if (!at.is_null())
      throw base::UserError("not-a-number", fmt::format("\"{}\" is {}", path_, at.type_name()));
    const std::string why = why_ != nullptr && why_->is_text() ? ": " + why_->as_text() : "";
    throw base::UserError("not-available", fmt::format("\"{}\" is n/a{}", path_, why),
                          "a condition on it has no answer");
  }

  const io::Value& result_;
  std::string_view path_;
  ExpressionValue out_;
  base::AnyQuantity unit_{1.0};
  const io::Value* why_ = nullptr;  // of the member last stepped into
  bool in_column_ = false;
};

}  // namespace

Lookup lookup_in(const io::Value& result) {
  return [&result](std::string_view name) { return Walk(result, name).value(); };
}

}  // namespace greenline::verb
