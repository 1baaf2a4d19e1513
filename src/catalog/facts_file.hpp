// Facts files to facts: the shipped CSV layout, and the TOML layout of user overlays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/journal.hpp"
#include "catalog/catalog.hpp"

namespace greenline::catalog {

// data/README.md describes the columns. DataError "bad-fact" at file:line:column: wrong header, no
// evidence class, unit that does not parse, low > value or value > high, an id without a property,
// a year that is none.
std::vector<Fact> parse_facts_csv(std::string_view text, const std::string& name,
                                  std::string_view kind);

// [kind.entry] tables with `property = 1.5`, `"700 W"`, `true` or `{value, low, high, source,
// note}`; the source is "user" unless given. DataError "bad-fact" as above, and when low or high
// has another dimension than the value; UserError "unknown-key".
std::vector<Fact> parse_facts_toml(std::string_view text, const std::string& name);

// A folder of *.csv and *.toml (not recursive), or one such file. Files are recorded in the
// journal. UserError "cannot-read" for a folder, and the errors of io::read_file.
std::vector<Fact> read_overlay(const std::string& path, base::Journal* journal);

// The kind of a file of data/: "accelerators" for accelerators.csv, "grid" for grid/ERCO.csv.
std::string kind_of_path(std::string_view path);

}  // namespace greenline::catalog
