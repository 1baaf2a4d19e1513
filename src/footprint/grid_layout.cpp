#include "footprint/grid_layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "footprint/column_words.hpp"
#include "footprint/fuel_columns.hpp"

namespace greenline::footprint {
namespace {

// The columns and their meanings: Form EIA-930, its six-month files and its instructions [eia930];
// Electricity Maps' files [electricitymaps]; WattTime's marginal emissions in lb/MWh [watttime].
constexpr Layout kLayouts[] = {
    {.name = "eia930-balance",
     .title = "BALANCE file of Form EIA-930",
     .needs = {"balancing authority", "utc time at end of hour"},
     .content = Content::balance_fuels,
     .time = "utc time at end of hour",
     .region = "balancing authority",
     .unit = "",
     .signal = {},
     .clock = Clock::american},
    {.name = "fuel-columns",
     .title = "generation by fuel",
     .needs = {},
     .content = Content::fuels,
     .time = "",
     .region = "",
     .unit = "",
     .signal = {}},
    {.name = "electricity-maps-portal",
     .title = "data portal of Electricity Maps",
     .needs = {"datetime utc", "zone id"},
     .content = Content::intensity,
     .time = "datetime utc",
     .region = "zone id",
     .unit = "",
     .signal = Signal::average},
    {.name = "electricity-maps",
     .title = "history file of Electricity Maps",
     .needs = {"datetime", "carbon intensity avg"},
     .content = Content::intensity,
     .time = "datetime",
     .region = "zone name",
     .unit = "",
     .signal = Signal::average},
    {.name = "watttime",
     .title = "history file of WattTime",
     .needs = {"point time", "value"},
     .content = Content::value,
     .time = "point time",
     .region = "",
     .unit = "lb/mwh",
     .signal = Signal::marginal},
    {.name = "intensity-column",
     .title = "one column of intensities",
     .needs = {},
     .content = Content::intensity,
     .time = "",
     .region = "",
     .unit = "",
     .signal = {}},
    {.name = "timestamp-value",
     .title = "times and values",
     .needs = {},
     .content = Content::value,
     .time = "",
     .region = "",
     .unit = "",
     .signal = {}},
};

bool fits(const Layout& layout, const io::CsvTable& table, const catalog::Catalog& facts,
          bool with_unit) {
  for (const std::string_view words : layout.needs)
    if (!words.empty() && !find_column(table, words)) return false;
  if (!layout.needs[0].empty()) return true;
  if (layout.content == Content::fuels) return !find_fuels(table, facts).empty();
  if (layout.content == Content::value)
    return find_column(table, "value") || (with_unit && table.num_columns() == 2);
  return std::any_of(table.header().begin(), table.header().end(), [](const std::string& header) {
    return names_intensity(column_words(header));
  });
}

struct FuelName {
  std::string_view words, code;
};
// Sums of several columns are one fuel: batteries came apart from solar and wind in 2024.
// Geothermal came apart from "other" then, and no factor set here has one for it.
constexpr FuelName kBalanceFuels[] = {
    {"coal", "COL"},
    {"natural gas", "NG"},
    {"nuclear", "NUC"},
    {"all petroleum products", "OIL"},
    {"hydropower and pumped storage", "WAT"},
    {"hydropower excluding pumped storage", "WAT"},
    {"solar", "SUN"},
    {"solar without integrated battery storage", "SUN"},
    {"solar with integrated battery storage", "SUN"},
    {"solar witho integrated battery storage", "SUN"},  // the source's spelling
    {"wind", "WND"},
    {"wind without integrated battery storage", "WND"},
    {"wind with integrated battery storage", "WND"},
    {"geothermal", "OTH"},
    {"other fuel sources", "OTH"},
    {"unknown fuel sources", "OTH"},
};
// Codes of series beside those of the factor sets, likewise.
constexpr FuelName kSeriesFuels[] = {
    {"UNK", "OTH"}, {"GEO", "OTH"}, {"SNB", "SUN"}, {"WNB", "WND"}};

}  // namespace

std::span<const Layout> table_layouts() { return kLayouts; }

const Layout& recognise(const io::CsvTable& table, const catalog::Catalog& facts, bool with_unit) {
  for (const Layout& layout : kLayouts)
    if (fits(layout, table, facts, with_unit)) return layout;
  throw base::DataError(
      "unknown-layout",
      fmt::format("neither fuels nor an intensity; expected columns of {}, one named "
                  "intensity_g_per_kwh, or value with --unit, got: {}",
                  fmt::join(fuel_codes(facts), " "), fmt::join(table.header(), ", ")),
      "rename the columns", table.where_header());
}

std::optional<std::size_t> find_column(const io::CsvTable& table, std::string_view words) {
  for (std::size_t i = 0; i < table.num_columns(); ++i)
    if (fmt::format("{}", fmt::join(column_words(table.header()[i]), " ")) == words) return i;
  return std::nullopt;
}

std::string balance_fuel(const std::vector<std::string>& words) {
  // "net generation mw from <fuel> [adjusted]"
  if (words.size() < 5 || words[0] != "net" || words[1] != "generation" || words[3] != "from")
    return "";
  const std::size_t end = words.size() - (words.back() == "adjusted" ? 1 : 0);
  const std::vector<std::string> fuel(words.begin() + 4,
                                      words.begin() + static_cast<std::ptrdiff_t>(end));
  const std::string name = fmt::format("{}", fmt::join(fuel, " "));
  for (const FuelName& f : kBalanceFuels)
    if (f.words == name) return std::string(f.code);
  return "";
}

std::string series_fuel(std::string_view code, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), code) != known.end()) return std::string(code);
  for (const FuelName& f : kSeriesFuels)
    if (f.words == code) return std::string(f.code);
  return "";
}

bool names_intensity(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.find("intensity") != std::string::npos) return true;
  return intensity_unit(words).has_value();
}

}  // namespace greenline::footprint
