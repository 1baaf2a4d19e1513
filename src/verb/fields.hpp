// The one list of a verb's inputs. `describe(Fields&, Request&)` names every member once; flags,
// TOML and JSON input, help, the docs and later the HTTP form and the Python signature all come
// from that list.
//
//   void describe(verb::Fields& f, SimulateRequest& r) {
//     f(r.grid, "grid", "hourly grid file, or a region known to the catalogue").required();
//     f(r.load, "load", "mean IT load").bounds(0.0 * units::W).required();
//     f(r.wind, "wind", "nameplate wind capacity").bounds(0.0 * units::W);
//   }
//
// `_` in a name is `-` in its flag; a nested struct is a TOML table and `--table.name`; a vector is
// a repeated flag or an array; a vector of structs is an array of tables (files only). Order: flag,
// then file, then default.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/enum_name.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"
#include "io/value.hpp"

namespace greenline::verb {

// Enums are named by base/enum_name.hpp: declare `std::span<const base::EnumName>
// enum_names(MyEnum);` beside them.
using base::EnumName;

// Where a field's value came from.
struct Origin {
  enum class Kind { assumed, environment, file, set, flag } kind = Kind::assumed;
  base::Location where;      // of a file
  std::string name;          // of a flag or an environment variable, as given
  std::string text() const;  // "default", "study.toml:12:3", "--load", "--set", "$GREENLINE_SHARED"
};

class Fields;

// One input. Type-erased: reads and writes its member through `Access`.
class Field {
 public:
  // `what` names the input in messages ("--load", "load"). A vector appends in from_text and
  // replaces in from_value.
  struct Access {
    // Both throw UserError.
    std::function<void(std::string_view text, const std::string& what)> from_text;
    std::function<void(const io::Value&, const std::string& what)> from_value;
    // For people: one per element, none when unset.
    std::function<std::vector<std::string>()> to_texts;
    // For files: quantities as text with unit, null when unset.
    std::function<io::Value()> to_value;
    // For bounds: none when not a number.
    std::function<std::vector<base::AnyQuantity>()> to_numbers;
    // Empties a vector.
    std::function<void()> clear = [] {};
  };

  Field& bounds(base::AnyQuantity low,
                base::AnyQuantity high = {std::numeric_limits<double>::infinity(), {}});
  // Open bound: value must be greater than 0.
  Field& positive();
  // The only legal texts. An enum brings its own.
  Field& choices(std::vector<std::string> names);
  Field& positional();
  Field& required();
  Field& placeholder(std::string text);  // shown in help: "NAME", "FILE|REGION"
  Field& source(std::string text);       // where the default comes from, shown under `assumed`
  Field& short_flag(char letter);
  // Environment variable that the shells read when neither flag nor file gives a value.
  Field& environment(std::string variable);
  // The default leaves the choice to the verb, which records what it chose; the field itself is not
  // listed as assumed.
  Field& chosen();
  Field& hidden();  // works, but help and docs do not list it

  const std::string& name() const { return name_; }  // path: "site.pue"
  const std::string& help() const { return help_; }
  const std::string& type() const { return type_; }  // "quantity (power)", "text", "int", …
  const std::string& default_text() const { return default_text_; }
  const std::vector<std::string>& choice_names() const { return choices_; }
  const std::string& placeholder_text() const { return placeholder_; }
  const std::string& source_text() const { return source_; }
  bool is_positional() const { return positional_; }
  bool is_required() const { return required_; }
  bool is_switch() const { return is_switch_; }      // bool: --name, --no-name
  bool is_repeated() const { return is_repeated_; }  // vector
  bool is_file_only() const { return file_only_; }   // vector of structs
  bool is_hidden() const { return hidden_; }
  bool is_chosen() const { return chosen_; }
  char short_letter() const { return short_; }
  const std::string& environment_name() const { return environment_; }
  std::string flag() const;  // "--site.pue", '_' as '-'
  const Origin& origin() const { return origin_; }
  bool is_set() const { return !access_.to_texts().empty(); }  // false for "", empty and unset
  std::string text() const;                                    // elements joined by ", "
  io::Value value() const { return access_.to_value(); }

  // Checks type, choices and bounds; throws UserError with flag or file place, expected, got,
  // nearest.
  void set_text(std::string_view text, Origin origin);
  void set_value(const io::Value& value, Origin origin);

 private:
  friend class Fields;
  void clear_before(Origin::Kind kind);
  void check(const std::string& what) const;
  void check_number(base::AnyQuantity number, const std::string& what) const;

  std::string name_, help_, type_, default_text_, placeholder_, source_, environment_;
  Access access_;
  std::vector<std::string> choices_;
  std::optional<base::AnyQuantity> low_, high_;
  bool open_low_ = false, positional_ = false, required_ = false, is_switch_ = false;
  bool is_repeated_ = false, file_only_ = false, hidden_ = false, chosen_ = false;
  char short_ = 0;
  Origin origin_;
};

namespace detail {
// One overload per scalar type; vectors, optionals and tables are built from these.
Field::Access access(bool& m);
Field::Access access(std::int64_t& m);
Field::Access access(double& m);
Field::Access access(std::string& m);
Field::Access access(base::Instant& m);
Field::Access access(std::filesystem::path& m);
Field::Access quantity_access(const std::function<double()>& get,
                              const std::function<void(double)>& set, base::Dimension dimension);
Field::Access enum_access(const std::function<int()>& get, const std::function<void(int)>& set,
                          std::span<const EnumName> names);

template <base::Dimension D>
Field::Access access(base::Quantity<D>& m) {
  return quantity_access([&m] { return m.base_value(); },
                         [&m](double v) { m = base::Quantity<D>::from_base(v); }, D);
}
template <class E>
requires std::is_enum_v<E> Field::Access access(E& m) {
  return enum_access([&m] { return static_cast<int>(m); }, [&m](int v) { m = static_cast<E>(v); },
                     enum_names(E{}));
}

const char* type_name(bool*);
const char* type_name(std::int64_t*);
const char* type_name(double*);
const char* type_name(std::string*);
const char* type_name(base::Instant*);
const char* type_name(std::filesystem::path*);
std::string quantity_type_name(base::Dimension d);
template <class T>
std::string type_text() {
  if constexpr (std::is_enum_v<T>)
    return "choice";
  else if constexpr (requires { T::kDimension; })
    return quantity_type_name(T::kDimension);
  else
    return type_name(static_cast<T*>(nullptr));
}
template <class T>
concept Scalar = std::is_enum_v<T> || requires {
  T::kDimension;
} || std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::string> || std::is_same_v<T, base::Instant> ||
    std::is_same_v<T, std::filesystem::path>;

template <Scalar T>
Field::Access optional_access(std::optional<T>& m);
template <Scalar T>
Field::Access vector_access(std::vector<T>& m);
template <class T>
Field::Access table_vector_access(std::vector<T>& m);  // T has describe(Fields&, T&)

// Throws UserError "bad-value" at the value's place: expected `expected`, got its type.
[[noreturn]] void wrong_type(const io::Value& value, const std::string& what,
                             std::string_view expected);
// Throws UserError "bad-choice" with the nearest and all choices.
[[noreturn]] void refuse_choice(const std::string& what, std::string_view text,
                                const std::vector<std::string>& choices);
}  // namespace detail

class Fields {
 public:
  Fields() = default;
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  // A scalar, an optional scalar, a vector of scalars or a vector of structs: returns its Field. A
  // nested struct returns nothing, since its own describe() says all about its members. Fields
  // refers to the member, which must outlive it.
  template <class T>
  decltype(auto) operator()(T& member, std::string_view name, std::string_view help);

  const std::vector<std::unique_ptr<Field>>& all() const { return fields_; }
  Field* find(std::string_view name) const;  // by path
  std::vector<std::string> names() const;

  // Sets every member named in a table; UserError "unknown-key" (nearest, place) for any other key.
  void set_from(const io::Value& table);
  // UserError "missing-input" naming the first required field without a value.
  void check_required() const;

 private:
  Field& add(std::string_view name, std::string_view help, std::string type, Field::Access access);
  void set_table(const io::Value& table, const std::string& prefix);
  std::vector<std::string> keys_below(const std::string& prefix) const;

  std::vector<std::unique_ptr<Field>> fields_;
  std::string prefix_;  // of nested structs, "site."
};

}  // namespace greenline::verb

#include "verb/fields_impl.hpp"
