// One tree for configuration files, whatever their syntax: TOML, JSON and flags all become a Value
// whose nodes remember where they stood, so that every later complaint can say file:line:column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace greenline::io {

class Value {
 public:
  using Array = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Object = std::vector<Member>;  // file order, keys unique
  struct DateTime {
    std::string text;  // ISO 8601 as in the file
    bool operator==(const DateTime&) const = default;
  };

  // Defined in the source: nothing of this is small, and every includer would compile it again.
  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  Value(bool b) : data_(b) {}                            // NOLINT: literals are values
  Value(std::int64_t i) : data_(i) {}                    // NOLINT
  Value(int i) : data_(static_cast<std::int64_t>(i)) {}  // NOLINT
  Value(double d) : data_(d) {}                          // NOLINT
  Value(std::string s) : data_(std::move(s)) {}          // NOLINT
  Value(const char* s) : data_(std::string(s)) {}        // NOLINT
  Value(DateTime t) : data_(std::move(t)) {}             // NOLINT
  Value(Array a) : data_(std::move(a)) {}                // NOLINT
  Value(Object o) : data_(std::move(o)) {}               // NOLINT

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  bool is_bool() const { return std::holds_alternative<bool>(data_); }
  bool is_int() const { return std::holds_alternative<std::int64_t>(data_); }
  bool is_double() const { return std::holds_alternative<double>(data_); }
  bool is_number() const { return is_int() || is_double(); }
  bool is_text() const { return std::holds_alternative<std::string>(data_); }
  bool is_date_time() const { return std::holds_alternative<DateTime>(data_); }
  bool is_array() const { return std::holds_alternative<Array>(data_); }
  bool is_object() const { return std::holds_alternative<Object>(data_); }
  const char* type_name() const;  // "table" for objects, as TOML users call them

  // Each throws DataError "wrong-type" with the place, what was expected and what is there.
  bool as_bool() const;
  std::int64_t as_int() const;
  double as_double() const;  // integers too
  const std::string& as_text() const;
  const DateTime& as_date_time() const;
  const Array& as_array() const;
  const Object& as_object() const;
  Array& as_array();
  Object& as_object();

  // Member by name; null pointer when absent or when this is not an object.
  const Value* find(std::string_view key) const;
  // By dotted path "a.b.c"; array elements by number, "options.0.name".
  const Value* find_path(std::string_view path) const;
  // Member by name, appended as null when absent. This must be an object (null becomes one).
  Value& operator[](std::string_view key);

  const base::Location& where() const { return where_; }
  void set_where(base::Location where) { where_ = std::move(where); }

  // Values alone; places do not take part, and 1 equals 1.0: JSON has one kind of number.
  friend bool operator==(const Value& a, const Value& b);

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, DateTime, Array, Object>
      data_;
  base::Location where_;
};

}  // namespace greenline::io
