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
    bad_fact(fmt::format("fact id \"{}\" is not <entry>.<property>", id), where);
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
    if (const auto year = optional_number(7)) fact.year = static_cast<int>(*year);
    fact.note = cell(8);
    fact.evidence = evidence_of_note(fact.note, fact.id, table.where(r, 8));
    if (!fact.is_text())
      set_numbers(fact, table.number(r, 2), optional_number(4), optional_number(5),
                  table.where(r, 2));
    fact.origin = table.where(r, 0).text();
    facts.push_back(std::move(fact));
  }
  return facts;
}

namespace {

// One property of a TOML entry: a bare number, a text (a quantity when it parses as one with a
// unit), or a table.
Fact fact_of_value(const std::string& kind, const std::string& id, const io::Value& value) {
  Fact fact;
  fact.id = id;
  fact.kind = kind;
  fact.quantity = "given by the user";
  fact.source = "user";
  fact.origin = value.where().text();
  const io::Value* number = value.is_object() ? value.find("value") : &value;
  if (!number) bad_fact(fmt::format("fact {} has no `value`", id), value.where());
  auto to_base = [&](const io::Value& v) -> AnyQuantity {
    if (v.is_number()) return {v.as_double(), {}};
    return base::parse_quantity(v.as_text());
  };
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      const std::vector<std::string> known = {"value", "low", "high", "source", "note"};
      if (std::find(known.begin(), known.end(), key) == known.end())
        throw base::unknown_name("key", key, known, "", member.where());
    }
    if (const io::Value* s = value.find("source")) fact.source = s->as_text();
    if (const io::Value* n = value.find("note")) fact.note = n->as_text();
  }
  if (number->is_bool()) {
    fact.unit = "1";
    fact.value = {number->as_bool() ? 1.0 : 0.0, {}};
    fact.text = number->as_bool() ? "1" : "0";
    return fact;
  }
  if (number->is_text()) {
    fact.text = number->as_text();
    try {
      fact.value = base::parse_quantity(fact.text);
    } catch (const base::UserError&) {
      fact.unit = "text";  // a name
      return fact;
    }
  } else {
    fact.value = to_base(*number);
    fact.text = base::shortest(fact.value.value);
  }
  const base::FileUnit unit = base::file_unit(fact.value.dimension);
  fact.unit = unit.symbol.empty() ? "1" : unit.symbol;
  if (value.is_object()) {
    if (const io::Value* low = value.find("low")) fact.low = to_base(*low).value;
    if (const io::Value* high = value.find("high")) fact.high = to_base(*high).value;
  }
  if ((fact.low && *fact.low > fact.value.value) || (fact.high && *fact.high < fact.value.value))
    bad_fact(fmt::format("fact {}: expected low <= value <= high", id), value.where());
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
        facts.push_back(fact_of_value(kind, entry + "." + property, value));
    }
  }
  return facts;
}

std::vector<Fact> read_overlay(const std::string& path, base::Journal* journal) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const auto& item : fs::directory_iterator(path)) {
      const std::string extension = item.path().extension().string();
      if (item.is_regular_file() && (extension == ".csv" || extension == ".toml"))
        files.push_back(item.path());
    }
    std::sort(files.begin(), files.end());
  } else {
    files.emplace_back(path);
  }
  std::vector<Fact> facts;
  for (const fs::path& file : files) {
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
