// Facts files to facts: the shipped CSV layout, and the TOML layout of user overlays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/journal.hpp"
#include "catalog/catalog.hpp"

namespace greenline::catalog {

// data/README.md describes the columns. DataError "bad-fact" at file:line:column: wrong header,
// unit that does not parse, low > value or value > high, an id without a property.
std::vector<Fact> parse_facts_csv(std::string_view text, const std::string& name,
                                  std::string_view kind);

// [kind.entry] tables with `property = 1.5`, `"700 W"` or `{value, low, high, source, note}`;
// source is "user".
std::vector<Fact> parse_facts_toml(std::string_view text, const std::string& name);

// A folder of *.csv and *.toml (not recursive), or one such file. Files are recorded in the
// journal.
std::vector<Fact> read_overlay(const std::string& path, base::Journal* journal);

// The kind of a file of data/: "accelerators" for accelerators.csv, "grid" for grid/ERCO.csv.
std::string kind_of_path(std::string_view path);

}  // namespace greenline::catalog
