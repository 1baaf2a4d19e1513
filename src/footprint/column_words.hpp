// Column headers as words, so that "Datetime (UTC)", "datetime_utc" and "DATETIME UTC" read alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::footprint {

// Lower-case words of a header, in order; '/' stays inside a word ("gco2eq/kwh"), the subscript of
// CO₂ is a 2, and "g_per_kwh" reads as "g/kwh".
std::vector<std::string> column_words(std::string_view header);

bool has_word(const std::vector<std::string>& words, std::string_view word);

// The unit that the words name, base units per one; nothing when they name none.
std::optional<base::CarbonIntensity> intensity_unit(const std::vector<std::string>& words);
// Of words without a known unit of intensity: the one that looks like another ("kwh/g", "lb"), or
// nothing. Known ones as a list for messages.
std::string foreign_unit(const std::vector<std::string>& words);
std::string known_intensity_units();
// Whether a word is a unit of energy or power, known here or not.
bool names_energy(std::string_view word);
std::optional<base::Power> power_unit(const std::vector<std::string>& words);
// Energy of one hour: "mwh", and "mw" as the mean power of the hour.
std::optional<base::Energy> hourly_energy_unit(const std::vector<std::string>& words);

}  // namespace greenline::footprint
