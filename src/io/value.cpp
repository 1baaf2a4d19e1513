#include "io/value.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace greenline::io {
namespace {

// What stands there, for the "got" of a message.
std::string shown(const Value& v) {
  if (v.is_bool()) return v.as_bool() ? "true" : "false";
  if (v.is_int()) return fmt::format("{}", v.as_int());
  if (v.is_double()) return fmt::format("{}", v.as_double());
  if (v.is_text()) return "text " + base::quoted(v.as_text());
  if (v.is_array()) return fmt::format("an array of {}", v.as_array().size());
  if (v.is_object()) return fmt::format("a table of {}", v.as_object().size());
  if (v.is_date_time()) return "the date-time " + v.as_date_time().text;
  return v.type_name();
}

[[noreturn]] void wrong_type(const Value& v, std::string_view expected, std::string hint = "") {
  throw base::DataError("wrong-type", fmt::format("expected {}, got {}", expected, shown(v)),
                        std::move(hint), v.where());
}

// Exact: the integer as a double may round, so the double is read as an integer instead.
bool equal_numbers(std::int64_t i, double d) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  return d >= -kTwoTo63 && d < kTwoTo63 && std::trunc(d) == d && static_cast<std::int64_t>(d) == i;
}

}  // namespace

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

const char* Value::type_name() const {
  static constexpr const char* kNames[] = {"nothing", "true or false", "integer", "number",
                                           "text",    "date-time",     "array",   "table"};
  static_assert(std::size(kNames) == std::variant_size_v<decltype(data_)>);
  return kNames[data_.index()];
}

bool Value::as_bool() const {
  if (const bool* b = std::get_if<bool>(&data_)) return *b;
  wrong_type(*this, "true or false");
}

std::int64_t Value::as_int() const {
  if (const std::int64_t* i = std::get_if<std::int64_t>(&data_)) return *i;
  wrong_type(*this, "an integer", is_double() ? "write it without point and exponent" : "");
}

double Value::as_double() const {
  if (const double* d = std::get_if<double>(&data_)) return *d;
  if (const std::int64_t* i = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*i);
  wrong_type(*this, "a number", is_text() ? "write it without quotes" : "");
}

const std::string& Value::as_text() const {
  if (const std::string* s = std::get_if<std::string>(&data_)) return *s;
  wrong_type(*this, "text", is_number() || is_bool() ? "put it in quotes" : "");
}

const Value::DateTime& Value::as_date_time() const {
  if (const DateTime* t = std::get_if<DateTime>(&data_)) return *t;
  wrong_type(*this, "a date-time", is_text() ? "write it without quotes" : "");
}

const Value::Array& Value::as_array() const {
  if (const Array* a = std::get_if<Array>(&data_)) return *a;
  wrong_type(*this, "an array");
}

const Value::Object& Value::as_object() const {
  if (const Object* o = std::get_if<Object>(&data_)) return *o;
  wrong_type(*this, "a table");
}

Value::Array& Value::as_array() { return const_cast<Array&>(std::as_const(*this).as_array()); }

Value::Object& Value::as_object() { return const_cast<Object&>(std::as_const(*this).as_object()); }

const Value* Value::find(std::string_view key) const {
  const Object* object = std::get_if<Object>(&data_);
  if (object == nullptr) return nullptr;
  for (const Member& member : *object)
    if (member.first == key) return &member.second;
  return nullptr;
}

const Value* Value::find_path(std::string_view path) const {
  const Value* at = this;
  while (at != nullptr) {
    const std::size_t dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    if (const Array* array = std::get_if<Array>(&at->data_)) {
      std::size_t index = 0;
      const char* end = step.data() + step.size();
      const auto [stop, failure] = std::from_chars(step.data(), end, index);
      const bool valid = failure == std::errc{} && stop == end && index < array->size();
      at = valid ? &(*array)[index] : nullptr;
    } else {
      at = at->find(step);
    }
    if (dot == std::string_view::npos) return at;
    path.remove_prefix(dot + 1);
  }
  return nullptr;
}

Value& Value::operator[](std::string_view key) {
  if (is_null()) data_ = Object{};
  Object& object = as_object();
  for (Member& member : object)
    if (member.first == key) return member.second;
  return object.emplace_back(std::string(key), Value{}).second;
}

bool operator==(const Value& a, const Value& b) {
  if (a.is_int() && b.is_double()) return equal_numbers(a.as_int(), b.as_double());
  if (a.is_double() && b.is_int()) return equal_numbers(b.as_int(), a.as_double());
  return a.data_ == b.data_;
}

}  // namespace greenline::io
