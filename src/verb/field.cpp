#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "verb/fields.hpp"

namespace greenline::verb {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

// A complaint about a file's value gets the place of that value when it has none of its own.
template <class F>
void placed(const base::Location& where, F&& body) {
  try {
    body();
  } catch (const base::UserError& e) {
    if (e.where().line != 0 || where.file.empty()) throw;
    throw base::UserError(e.code(), e.message(), e.hint(), where);
  }
}

}  // namespace

std::string Origin::text() const {
  switch (kind) {
    case Kind::assumed:
      return "default";
    case Kind::environment:
      return "$" + name;
    case Kind::file:
      return where.text();
    case Kind::set:
      return "--set";
    case Kind::flag:
      return name;
  }
  throw base::InternalError("an origin of unknown kind");
}

Field& Field::bounds(base::AnyQuantity low, base::AnyQuantity high) {
  low_ = low;
  if (high.value != std::numeric_limits<double>::infinity()) high_ = high;
  return *this;
}

Field& Field::positive() {
  low_ = base::AnyQuantity(0.0);
  open_low_ = true;
  return *this;
}

Field& Field::choices(std::vector<std::string> names) {
  choices_ = std::move(names);
  return *this;
}

Field& Field::positional() {
  positional_ = true;
  return *this;
}

Field& Field::required() {
  required_ = true;
  return *this;
}

Field& Field::placeholder(std::string text) {
  placeholder_ = std::move(text);
  return *this;
}

Field& Field::source(std::string text) {
  source_ = std::move(text);
  return *this;
}

Field& Field::short_flag(char letter) {
  short_ = letter;
  return *this;
}

Field& Field::environment(std::string variable) {
  environment_ = std::move(variable);
  return *this;
}

Field& Field::chosen() {
  chosen_ = true;
  return *this;
}

Field& Field::hidden() {
  hidden_ = true;
  return *this;
}

std::string Field::flag() const {
  std::string flag = "--" + name_;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string Field::text() const { return joined(access_.to_texts()); }

void Field::clear_before(Origin::Kind kind) {
  // A repeated flag adds to the flags before it, but replaces what a file or a default gave.
  if (is_repeated_ && origin_.kind != kind) access_.clear();
}

void Field::set_text(std::string_view text, Origin origin) {
  const std::string what = origin.kind == Origin::Kind::set ? "--set " + name_ : flag();
  placed(origin.where, [&] {
    clear_before(origin.kind);
    access_.from_text(text, what);
    check(what);
  });
  origin_ = std::move(origin);
}

void Field::set_value(const io::Value& value, Origin origin) {
  placed(value.where(), [&] {
    access_.from_value(value, name_);
    check(name_);
  });
  origin_ = std::move(origin);
}

void Field::check(const std::string& what) const {
  if (!choices_.empty()) {
    for (const std::string& text : access_.to_texts()) {
      if (std::find(choices_.begin(), choices_.end(), text) == choices_.end())
        detail::refuse_choice(what, text, choices_);
    }
  }
  for (const base::AnyQuantity number : access_.to_numbers()) check_number(number, what);
}

void Field::check_number(base::AnyQuantity number, const std::string& what) const {
  const auto shown = [&](double value) {
    return base::format_quantity({value, number.dimension}, 12);
  };
  const bool too_low =
      low_ && (open_low_ ? !(number.value > low_->value) : number.value < low_->value);
  if (!too_low && !(high_ && number.value > high_->value)) return;
  std::string expected;
  if (open_low_)
    expected = "more than " + shown(0) + (high_ ? ", at most " + shown(high_->value) : "");
  else if (low_ && high_)
    expected = fmt::format("{} to {}", shown(low_->value), shown(high_->value));
  else if (low_)
    expected = "at least " + shown(low_->value);
  else
    expected = "at most " + shown(high_->value);
  throw base::UserError("out-of-bounds",
                        fmt::format("{} is {}; expected {}", what, shown(number.value), expected),
                        help_);
}

}  // namespace greenline::verb
