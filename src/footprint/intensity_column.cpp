#include "footprint/intensity_column.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "footprint/column_words.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;
using base::CarbonIntensity;

struct Candidate {
  std::size_t column;
  std::vector<std::string> words;
  std::optional<Scope> scope;  // where the name says
};

std::optional<Scope> scope_of(const std::vector<std::string>& words) {
  if (has_word(words, "lca") || has_word(words, "lifecycle") ||
      (has_word(words, "life") && has_word(words, "cycle")))
    return Scope::life_cycle;
  if (has_word(words, "direct")) return Scope::direct;
  return std::nullopt;
}

std::vector<Candidate> candidates_of(const io::CsvTable& table, const Layout& layout) {
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < table.num_columns(); ++i) {
    std::vector<std::string> words = column_words(table.header()[i]);
    if (layout.content == Content::intensity && !names_intensity(words)) continue;
    const auto scope = scope_of(words);
    found.push_back({i, std::move(words), scope});
  }
  if (layout.content == Content::intensity) return found;
  if (const auto value = find_column(table, "value")) return {found[*value]};
  // The only column beside the time.
  const std::size_t time = time_column(table);
  std::erase_if(found, [&](const Candidate& c) { return c.column == time; });
  return found;
}

Candidate choose(const io::CsvTable& table, const Layout& layout, std::optional<Scope> asked,
                 base::Journal& journal) {
  std::vector<Candidate> found = candidates_of(table, layout);
  std::vector<std::string> names;
  for (const Candidate& c : found) names.push_back(table.header()[c.column]);
  const Scope wanted = asked.value_or(Scope::life_cycle);
  if (found.size() > 1) std::erase_if(found, [&](const Candidate& c) { return c.scope != wanted; });
  if (found.size() != 1)
    throw base::DataError(
        "ambiguous-intensity",
        fmt::format("{} columns name an intensity: {}", names.size(), fmt::join(names, ", ")),
        "keep one of them, or choose with --intensity", table.where_header());
  const Candidate& chosen = found[0];
  GL_USER_CHECK(!asked || chosen.scope.value_or(*asked) == *asked, "no-such-intensity",
                fmt::format("--intensity is {}, but {} has {} only", base::enum_name(wanted),
                            table.name(), base::quoted(names[0])));
  if (names.size() > 1)
    journal.notice(fmt::format("{}: of the intensity columns, the {} one is used: {}", table.name(),
                               base::enum_name(wanted),
                               base::quoted(table.header()[chosen.column])));
  else if (chosen.scope == Scope::direct && !asked)
    journal.notice(
        fmt::format("{}: {} counts direct emissions only, without the making of plants "
                    "and fuels",
                    table.name(), base::quoted(names[0])));
  return chosen;
}

std::optional<CarbonIntensity> unit_asked(const GridInput& input) {
  if (input.unit.empty()) return std::nullopt;
  const auto unit = intensity_unit(column_words(input.unit));
  GL_USER_CHECK(unit.has_value(), "unknown-unit",
                fmt::format("--unit {}: expected a unit of carbon intensity, one of: {}",
                            base::quoted(input.unit), known_intensity_units()));
  return unit;
}

CarbonIntensity unit_of(const io::CsvTable& table, const Layout& layout, const Candidate& chosen,
                        const GridInput& input, base::Journal& journal) {
  const std::string header = base::quoted(table.header()[chosen.column]);
  const auto asked = unit_asked(input);
  if (const auto unit = intensity_unit(chosen.words)) {
    GL_USER_CHECK(
        !asked || *asked == *unit, "unit-contradiction",
        fmt::format("--unit is {}, but column {} names another unit", input.unit, header));
    return *unit;
  }
  if (asked) return *asked;
  if (const std::string foreign = foreign_unit(chosen.words); !foreign.empty())
    throw base::DataError(
        "unknown-unit",
        fmt::format("column {}: {} is no unit of carbon intensity that is known here; known: {}",
                    header, base::quoted(foreign), known_intensity_units()),
        "convert the column and name it intensity_g_per_kwh", table.where_header());
  if (!layout.unit.empty()) {
    journal.notice(fmt::format("{}: column {} is in {}, the unit of layout {}", table.name(),
                               header, layout.unit, layout.name));
    return *intensity_unit(column_words(layout.unit));
  }
  if (layout.content == Content::value)
    throw base::DataError(
        "no-unit", fmt::format("column {} names no unit of carbon intensity", header),
        "say which: --unit g/kWh, or name the column intensity_g_per_kwh", table.where_header());
  journal.assumed({"intensity unit", "g/kWh",
                   fmt::format("{}: column {} names no unit", table.name(), header)});
  return 1.0 * units::g_per_kWh;
}

}  // namespace

IntensityColumn choose_intensity(const io::CsvTable& table, const Layout& layout,
                                 const GridInput& input, base::Journal& journal) {
  const Candidate chosen = choose(table, layout, input.scope, journal);
  const std::string header = base::quoted(table.header()[chosen.column]);
  IntensityColumn result{chosen.column, unit_of(table, layout, chosen, input, journal),
                         has_word(chosen.words, "marginal")};
  GL_USER_CHECK(!result.is_marginal || input.signal.value_or(Signal::marginal) == Signal::marginal,
                "signal-contradiction",
                fmt::format("--signal is average, but column {} of {} names a marginal signal",
                            header, table.name()));
  if (result.is_marginal && !input.signal)
    journal.notice(fmt::format("{}: column {} names a marginal signal and is taken as one",
                               table.name(), header));
  else if (layout.signal == Signal::marginal && !input.signal)
    journal.notice(fmt::format("{}: the values of layout {} are taken as a marginal signal",
                               table.name(), layout.name));
  return result;
}

}  // namespace greenline::footprint
