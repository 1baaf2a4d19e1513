#include "footprint/column_words.hpp"

#include <algorithm>
#include <cctype>

namespace greenline::footprint {
namespace {

using namespace base;  // NOLINT: units below

constexpr std::string_view kSubscriptTwo = "\xE2\x82\x82";  // U+2082, as in gCO₂eq

struct IntensityRow {
  std::string_view word;
  CarbonIntensity unit;
};
// Masses of CO2, CO2e and CO2eq are the same here: the carbon names are taken off before the
// look-up.
const IntensityRow kIntensityUnits[] = {
    {"g/kwh", 1.0 * units::g_per_kWh},          {"kg/kwh", 1000.0 * units::g_per_kWh},
    {"kg/mwh", 1.0 * units::g_per_kWh},         {"t/mwh", 1000.0 * units::g_per_kWh},
    {"lb/mwh", 0.45359237 * units::g_per_kWh},  // the avoirdupois pound, exact by definition
    {"lbs/mwh", 0.45359237 * units::g_per_kWh}, {"lb/kwh", 453.59237 * units::g_per_kWh},
    {"lbs/kwh", 453.59237 * units::g_per_kWh},  {"t/gwh", 1.0 * units::g_per_kWh},
    {"mg/kwh", 0.001 * units::g_per_kWh},       {"g/mwh", 0.001 * units::g_per_kWh},
};

std::string without_carbon(std::string word) {
  for (const std::string_view name : {"co2eq", "co2e", "co2"}) {
    if (const std::size_t at = word.find(name); at != std::string::npos)
      return word.erase(at, name.size());
  }
  return word;
}

std::optional<CarbonIntensity> unit_of(const std::string& word) {
  const std::string bare = without_carbon(word);
  for (const IntensityRow& row : kIntensityUnits)
    if (row.word == bare) return row.unit;
  return std::nullopt;
}

// "g per kwh" -> "g/kwh"; "lbs co2/mwh" and "gco2 eq/kwh" stay two words.
void join_per(std::vector<std::string>& words) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] != "per") continue;
    words[i - 1] += "/" + words[i + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(i) + 2);
  }
}

}  // namespace

std::vector<std::string> column_words(std::string_view header) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header.substr(i).starts_with(kSubscriptTwo)) {
      words.back() += '2';
      i += kSubscriptTwo.size() - 1;
      continue;
    }
    const auto byte = static_cast<unsigned char>(header[i]);
    if (std::isalnum(byte) || byte == '/' || byte >= 0x80) {
      words.back() += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  join_per(words);
  return words;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<CarbonIntensity> intensity_unit(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto unit = unit_of(words[i])) return unit;
    // "lbs co2/mwh": the carbon stands apart from its mass.
    if (i == 0 || words[i].find('/') == std::string::npos) continue;
    if (const auto unit = unit_of(words[i - 1] + words[i])) return unit;
  }
  return std::nullopt;
}

std::string foreign_unit(const std::vector<std::string>& words) {
  static constexpr std::string_view kMasses[] = {"mg",  "kg",   "lb",     "lbs",
                                                 "ton", "tons", "pounds", "tonnes"};
  for (const std::string& word : words) {
    const std::string bare = without_carbon(word);
    if (word.find('/') != std::string::npos ||
        std::find(std::begin(kMasses), std::end(kMasses), bare) != std::end(kMasses))
      return word;
  }
  return "";
}

std::string known_intensity_units() {
  std::string list;
  for (const IntensityRow& row : kIntensityUnits)
    list.append(list.empty() ? "" : ", ").append(row.word);
  return list;
}

bool names_energy(std::string_view word) {
  static constexpr std::string_view kOthers[] = {"j", "kj", "mj", "gj", "tj", "btu", "mmbtu"};
  return word.ends_with("wh") || power_unit({std::string(word)}) || word == "tw" ||
         std::find(std::begin(kOthers), std::end(kOthers), word) != std::end(kOthers);
}

std::optional<Power> power_unit(const std::vector<std::string>& words) {
  if (has_word(words, "w")) return 1.0 * units::W;
  if (has_word(words, "kw")) return 1.0 * units::kW;
  if (has_word(words, "mw")) return 1.0 * units::MW;
  if (has_word(words, "gw")) return 1.0 * units::GW;
  return std::nullopt;
}

std::optional<Energy> hourly_energy_unit(const std::vector<std::string>& words) {
  if (has_word(words, "kwh")) return 1.0 * units::kWh;
  if (has_word(words, "mwh")) return 1.0 * units::MWh;
  if (has_word(words, "gwh")) return 1.0 * units::GWh;
  if (has_word(words, "twh")) return 1000.0 * units::GWh;
  if (const auto power = power_unit(words)) return *power * (1.0 * units::h);
  return std::nullopt;
}

}  // namespace greenline::footprint
