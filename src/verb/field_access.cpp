// How each scalar type reads text and file values, and writes them back.

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "verb/fields.hpp"

namespace greenline::verb::detail {
namespace {

[[noreturn]] void bad_value(const std::string& what, std::string_view text,
                            std::string_view expected) {
  throw base::UserError("bad-value",
                        fmt::format("{} is {}; expected {}", what, base::quoted(text), expected));
}

std::vector<base::AnyQuantity> no_numbers() { return {}; }

// Beyond 2^53 not every whole number is a double; those must be written in digits.
constexpr double kLargestExact = 9007199254740992.0;

std::int64_t whole_number(std::string_view text, const std::string& what) {
  std::int64_t digits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digits);
  if (error == std::errc() && end == text.data() + text.size()) return digits;
  const double value = base::parse_quantity(text, base::kDimensionless, what).value;
  if (value != std::floor(value) || std::fabs(value) > kLargestExact)
    bad_value(what, text, "a whole number");
  return static_cast<std::int64_t>(value);
}

// Few digits where they read back to the same value, all of them otherwise.
std::string exact_text(base::AnyQuantity q) {
  for (int digits = 3; digits <= 9; ++digits) {
    std::string text = base::format_quantity(q, digits);
    const base::AnyQuantity back = base::parse_quantity(text, q.dimension, "default");
    if (std::fabs(back.value - q.value) <= 1e-12 * std::fabs(q.value)) return text;
  }
  const base::FileUnit unit = base::file_unit(q.dimension);
  return base::shortest(q.value / unit.factor) + " " + unit.symbol;
}

base::Instant instant_of(std::string_view text, const std::string& what) {
  try {
    return base::parse_instant(text);
  } catch (const base::UserError& error) {
    throw base::UserError(error.code(), fmt::format("{}: {}", what, error.message()), error.hint());
  }
}

}  // namespace

void refuse_choice(const std::string& what, std::string_view text,
                   const std::vector<std::string>& choices) {
  const auto near = base::nearest(text, choices, 1);
  throw base::UserError("bad-choice",
                        fmt::format("{} is {}, which is no choice{}", what, base::quoted(text),
                                    near.empty() ? "" : "; nearest: " + near.front()),
                        fmt::format("choices: {}", fmt::join(choices, ", ")));
}

void wrong_type(const io::Value& value, const std::string& what, std::string_view expected) {
  throw base::UserError("bad-value",
                        fmt::format("{} is {}; expected {}", what, value.type_name(), expected), "",
                        value.where());
}

Field::Access access(bool& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string& what) {
    if (text == "true")
      m = true;
    else if (text == "false")
      m = false;
    else
      bad_value(what, text, "true or false");
  };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (!value.is_bool()) wrong_type(value, what, "true or false");
    m = value.as_bool();
  };
  a.to_texts = [&m] { return std::vector<std::string>{m ? "true" : "false"}; };
  a.to_value = [&m] { return io::Value(m); };
  a.to_numbers = no_numbers;
  return a;
}

Field::Access access(std::int64_t& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string& what) {
    m = whole_number(text, what);
  };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (value.is_int())
      m = value.as_int();
    else if (value.is_text())
      m = whole_number(value.as_text(), what);
    else if (value.is_double())
      m = whole_number(base::shortest(value.as_double()), what);
    else
      wrong_type(value, what, "a whole number");
  };
  a.to_texts = [&m] { return std::vector<std::string>{std::to_string(m)}; };
  a.to_value = [&m] { return io::Value(m); };
  a.to_numbers = [&m] { return std::vector<base::AnyQuantity>{static_cast<double>(m)}; };
  return a;
}

Field::Access access(double& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string& what) {
    m = base::parse_quantity(text, base::kDimensionless, what).value;
  };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (value.is_number()) {
      if (!std::isfinite(value.as_double())) wrong_type(value, what, "a finite number");
      m = value.as_double();
    } else if (value.is_text()) {
      m = base::parse_quantity(value.as_text(), base::kDimensionless, what).value;
    } else {
      wrong_type(value, what, "a number");
    }
  };
  a.to_texts = [&m] { return std::vector<std::string>{base::shortest(m)}; };
  a.to_value = [&m] { return io::Value(m); };
  a.to_numbers = [&m] { return std::vector<base::AnyQuantity>{m}; };
  return a;
}

Field::Access access(std::string& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string&) { m = text; };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (!value.is_text()) wrong_type(value, what, "text");
    m = value.as_text();
  };
  a.to_texts = [&m] {
    return m.empty() ? std::vector<std::string>{} : std::vector<std::string>{m};
  };
  a.to_value = [&m] { return io::Value(m); };
  a.to_numbers = no_numbers;
  return a;
}

Field::Access access(base::Instant& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string& what) {
    m = instant_of(text, what);
  };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (value.is_date_time())
      m = instant_of(value.as_date_time().text, what);
    else if (value.is_text())
      m = instant_of(value.as_text(), what);
    else
      wrong_type(value, what, "a date or time, such as 2026-01-01");
  };
  a.to_texts = [&m] { return std::vector<std::string>{base::format_instant(m)}; };
  a.to_value = [&m] { return io::Value(base::format_instant(m)); };
  a.to_numbers = no_numbers;
  return a;
}

Field::Access access(std::filesystem::path& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string&) { m = text; };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (!value.is_text()) wrong_type(value, what, "a path as text");
    m = value.as_text();
  };
  a.to_texts = [&m] {
    return m.empty() ? std::vector<std::string>{} : std::vector<std::string>{m.string()};
  };
  a.to_value = [&m] { return io::Value(m.string()); };
  a.to_numbers = no_numbers;
  return a;
}

Field::Access quantity_access(const std::function<double()>& get,
                              const std::function<void(double)>& set, base::Dimension dimension) {
  Field::Access a;
  a.from_text = [set, dimension](std::string_view text, const std::string& what) {
    set(base::parse_quantity(text, dimension, what).value);
  };
  a.from_value = [set, dimension](const io::Value& value, const std::string& what) {
    std::string text;
    if (value.is_text())
      text = value.as_text();
    else if (value.is_int())
      text = std::to_string(value.as_int());
    else if (value.is_double() && std::isfinite(value.as_double()))
      text = base::shortest(value.as_double());
    else
      wrong_type(value, what, "text with a unit: " + base::dimension_name(dimension));
    set(base::parse_quantity(text, dimension, what).value);
  };
  a.to_texts = [get, dimension] {
    return std::vector<std::string>{exact_text({get(), dimension})};
  };
  a.to_value = [get, dimension] { return io::Value(exact_text({get(), dimension})); };
  a.to_numbers = [get, dimension] { return std::vector<base::AnyQuantity>{{get(), dimension}}; };
  return a;
}

Field::Access enum_access(const std::function<int()>& get, const std::function<void(int)>& set,
                          std::span<const EnumName> names) {
  const auto from_text = [set, names](std::string_view text, const std::string& what) {
    std::vector<std::string> known;
    for (const EnumName& n : names) {
      if (text == n.name) return set(n.value);
      known.emplace_back(n.name);
    }
    refuse_choice(what, text, known);
  };
  const auto to_text = [get, names]() -> std::string {
    for (const EnumName& n : names) {
      if (n.value == get()) return n.name;
    }
    throw base::InternalError(fmt::format("an enum has the value {} without a name", get()));
  };
  Field::Access a;
  a.from_text = from_text;
  a.from_value = [from_text](const io::Value& value, const std::string& what) {
    if (!value.is_text()) wrong_type(value, what, "text");
    from_text(value.as_text(), what);
  };
  a.to_texts = [to_text] { return std::vector<std::string>{to_text()}; };
  a.to_value = [to_text] { return io::Value(to_text()); };
  a.to_numbers = no_numbers;
  return a;
}

const char* type_name(bool*) { return "switch"; }
const char* type_name(std::int64_t*) { return "whole number"; }
const char* type_name(double*) { return "number"; }
const char* type_name(std::string*) { return "text"; }
const char* type_name(base::Instant*) { return "time"; }
const char* type_name(std::filesystem::path*) { return "path"; }
std::string quantity_type_name(base::Dimension d) { return base::dimension_name(d); }

}  // namespace greenline::verb::detail
