#include "catalog/facts_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"
#include "io/toml.hpp"

namespace greenline::catalog {

using base::AnyQuantity;
using base::DataError;
using base::Evidence;
using base::Location;

namespace {

const std::vector<std::string> kHeader = {"id",   "quantity", "value", "unit", "low",
                                          "high", "source",   "year",  "note"};

[[noreturn]] void bad_fact(const std::string& message, Location where,
                           const std::string& hint = "") {
  throw DataError("bad-fact", message, hint, std::move(where));
}

// A note begins with its evidence class: "[measured] …".
Evidence evidence_of_note(std::string_view note, const std::string& id, const Location& where) {
  for (Evidence e : {Evidence::measured, Evidence::modelled, Evidence::simulated,
                     Evidence::datasheet, Evidence::assumed}) {
    if (note.starts_with(fmt::format("[{}]", base::evidence_name(e)))) return e;
  }
  bad_fact(fmt::format("fact {}: the note does not begin with its evidence class", id), where,
           "begin it with [measured], [modelled], [simulated], [datasheet] or [assumed]");
}

void check_id(const std::string& id, const Location& where) {
  const std::size_t dot = id.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == id.size())
    bad_fact(fmt::format("fact id {} is not <entry>.<property>", base::quoted(id)), where);
}

int checked_year(double year, const Location& where) {
  constexpr int kFirst = 1800, kLast = 2200;
  if (year >= kFirst && year <= kLast && year == std::floor(year)) return static_cast<int>(year);
  bad_fact(fmt::format("expected a year, {} to {}, got {}", kFirst, kLast, base::shortest(year)),
           where);
}

// Sets value, low and high in base units from numbers in `fact.unit`.
void set_numbers(Fact& fact, double value, std::optional<double> low, std::optional<double> high,
                 const Location& where) {
  AnyQuantity unit;
  try {
    unit = base::parse_unit(fact.unit);
  } catch (const base::UserError& e) {
    bad_fact(fmt::format("fact {}: {}", fact.id, e.message()), where, e.hint());
  }
  fact.value = AnyQuantity(value * unit.value, unit.dimension);
  if (low) fact.low = *low * unit.value;
  if (high) fact.high = *high * unit.value;
  if ((low && *low > value) || (high && *high < value))
    bad_fact(fmt::format("fact {}: expected low <= value <= high, got {} <= {} <= {}", fact.id,
                         low ? base::shortest(*low) : "-", base::shortest(value),
                         high ? base::shortest(*high) : "-"),
             where);
}

}  // namespace

std::string kind_of_path(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash != std::string_view::npos) return std::string(path.substr(0, slash));
  return std::string(path.substr(0, path.rfind('.')));
}

std::vector<Fact> parse_facts_csv(std::string_view text, const std::string& name,
                                  std::string_view kind) {
  const io::CsvTable table = io::parse_csv(std::string(text), name);
  if (table.header() != kHeader)
    bad_fact(fmt::format("expected the columns {}, got {}", fmt::join(kHeader, ","),
                         fmt::join(table.header(), ",")),
             {name, 1, 1});
  std::vector<Fact> facts;
  facts.reserve(table.num_rows());
  for (std::size_t r = 0; r < table.num_rows(); ++r) {
    auto cell = [&](std::size_t c) { return std::string(table.cell(r, c)); };
    auto optional_number = [&](std::size_t c) {
      return table.cell(r, c).empty() ? std::nullopt : std::optional<double>(table.number(r, c));
    };
    Fact fact;
    fact.id = cell(0);
    check_id(fact.id, table.where(r, 0));
    fact.kind = kind;
    fact.quantity = cell(1);
    fact.text = cell(2);
    fact.unit = cell(3);
    fact.source = cell(6);
    if (const auto year = optional_number(7)) fact.year = checked_year(*year, table.where(r, 7));
    fact.note = cell(8);
    fact.evidence = evidence_of_note(fact.note, fact.id, table.where(r, 8));
    if (!fact.is_text())
      set_numbers(fact, table.number(r, 2), optional_number(4), optional_number(5),
                  table.where(r, 2));
    fact.origin = "user " + table.where(r, 0).text();
    facts.push_back(std::move(fact));
  }
  return facts;
}

namespace {

// A bare number, or text with a unit.
AnyQuantity quantity_of(const std::string& id, const io::Value& value) {
  if (value.is_number()) return {value.as_double(), {}};
  try {
    return base::parse_quantity(value.as_text());
  } catch (const base::UserError& e) {
    bad_fact(fmt::format("fact {}: {}", id, e.message()), value.where(), e.hint());
  }
}

// `low` or `high` of a property that is a table; it has the dimension of the value.
std::optional<double> bound_of(const Fact& fact, const io::Value& property, std::string_view key) {
  const io::Value* bound = property.find(key);
  if (bound == nullptr) return std::nullopt;
  const AnyQuantity q = quantity_of(fact.id, *bound);
  if (q.dimension != fact.value.dimension)
    bad_fact(
        fmt::format("fact {}: {} is {}, the value is {}", fact.id, key,
                    base::dimension_name(q.dimension), base::dimension_name(fact.value.dimension)),
        bound->where(), "write both with a unit of one dimension");
  return q.value;
}

void require_known_keys(const io::Value& property) {
  static const std::vector<std::string> kKnown = {"value", "low", "high", "source", "note"};
  for (const auto& [key, member] : property.as_object()) {
    if (std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end())
      throw base::unknown_name("key", key, kKnown, "", member.where());
  }
}

// A name when the text is no quantity; true and false are 1 and 0.
void set_value(Fact& fact, const io::Value& value) {
  if (value.is_text()) {
    try {
      fact.value = base::parse_quantity(value.as_text());
    } catch (const base::UserError&) {
      fact.unit = "text";
      fact.text = value.as_text();
      return;
    }
  } else {
    fact.value =
        value.is_bool() ? AnyQuantity(value.as_bool() ? 1.0 : 0.0) : AnyQuantity(value.as_double());
  }
  const base::FileUnit unit = base::file_unit(fact.value.dimension);
  fact.unit = unit.symbol.empty() ? "1" : unit.symbol;
  fact.text = base::shortest(fact.value.value / unit.factor);
}

// One property of a TOML entry: a bare number, a text (a quantity when it parses as one), true or
// false, or a table with such a `value`.
Fact fact_of_property(const std::string& kind, const std::string& id, const io::Value& property) {
  Fact fact;
  fact.id = id;
  fact.kind = kind;
  fact.source = "user";
  fact.origin = "user " + property.where().text();
  if (!property.is_object()) {
    set_value(fact, property);
    return fact;
  }
  require_known_keys(property);
  const io::Value* value = property.find("value");
  if (value == nullptr) bad_fact(fmt::format("fact {} has no `value`", id), property.where());
  set_value(fact, *value);
  if (const io::Value* source = property.find("source")) fact.source = source->as_text();
  if (const io::Value* note = property.find("note")) fact.note = note->as_text();
  fact.low = bound_of(fact, property, "low");
  fact.high = bound_of(fact, property, "high");
  if ((fact.low && *fact.low > fact.value.value) || (fact.high && *fact.high < fact.value.value))
    bad_fact(fmt::format("fact {}: expected low <= value <= high", id), property.where());
  return fact;
}

}  // namespace

std::vector<Fact> parse_facts_toml(std::string_view text, const std::string& name) {
  const io::Value root = io::parse_toml(text, name);
  std::vector<Fact> facts;
  for (const auto& [kind, entries] : root.as_object()) {
    if (!entries.is_object())
      bad_fact(fmt::format("expected [{}.<entry>] tables, got a {}", kind, entries.type_name()),
               entries.where());
    for (const auto& [entry, properties] : entries.as_object()) {
      if (!properties.is_object())
        bad_fact(
            fmt::format("expected a table [{}.{}], got a {}", kind, entry, properties.type_name()),
            properties.where(), "write the entry's name in the header: [accelerators.my-chip]");
      for (const auto& [property, value] : properties.as_object())
        facts.push_back(fact_of_property(kind, entry + "." + property, value));
    }
  }
  return facts;
}

namespace {

namespace fs = std::filesystem;

// The files of a folder, sorted: its order is the file system's whim. A file stands for itself.
std::vector<fs::path> overlay_files(const std::string& path) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) return {path};
  std::vector<fs::path> files;
  fs::directory_iterator item(path, failure);
  for (; !failure && item != fs::directory_iterator(); item.increment(failure)) {
    const std::string extension = item->path().extension().string();
    if (extension == ".csv" || extension == ".toml") files.push_back(item->path());
  }
  if (failure)
    throw base::UserError("cannot-read",
                          fmt::format("cannot read the folder: {}", failure.message()), "",
                          {path, 0, 0});
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<Fact> read_overlay(const std::string& path, base::Journal* journal) {
  std::vector<Fact> facts;
  for (const fs::path& file : overlay_files(path)) {
    const std::string text = io::read_file(file.string(), journal);
    std::vector<Fact> more =
        file.extension() == ".toml"
            ? parse_facts_toml(text, file.string())
            : parse_facts_csv(text, file.string(), kind_of_path(file.filename().string()));
    std::move(more.begin(), more.end(), std::back_inserter(facts));
  }
  return facts;
}

}  // namespace greenline::catalog
