// The one unit of each dimension in files, and the key suffix that names it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace greenline::base {
namespace {

constexpr double kWh = 3.6e6;
constexpr double kHour = 3600;
constexpr double kYear = 8760 * kHour;
constexpr Dimension kPower = kEnergy - kTime;

struct FileUnitRow {
  Dimension dimension;
  std::string_view name;  // for messages
  std::string_view suffix, symbol;
  double factor;  // base units per one
};

constexpr FileUnitRow kFileUnits[] = {
    {kTime, "time", "s", "s", 1},
    {kEnergy, "energy", "kwh", "kWh", kWh},
    {kPower, "power", "w", "W", 1},
    {kCarbon, "carbon", "kgco2e", "kgCO2e", 1e3},
    {kCarbon - kEnergy, "carbon intensity", "g_per_kwh", "gCO2e/kWh", 1 / kWh},
    {kCarbon - kTime, "carbon rate", "kgco2e_per_year", "kgCO2e/year", 1e3 / kYear},
    {kData, "data", "bytes", "B", 1},
    {kData - kTime, "bandwidth", "bytes_per_s", "B/s", 1},
    {kWork, "work", "flop", "FLOP", 1},
    {kWork - kTime, "work rate", "flop_per_s", "FLOP/s", 1},
    {kWork - kData, "work per byte", "flop_per_byte", "FLOP/B", 1},
    {kWork - kEnergy, "work per energy", "flop_per_j", "FLOP/J", 1},
    {kEnergy - kWork, "energy per work", "j_per_flop", "J/FLOP", 1},
    {kCarbon - kWork, "carbon per work", "g_per_flop", "gCO2e/FLOP", 1},
    {kMoney, "money", "usd", "USD", 1},
    {kMoney - kEnergy, "price of energy", "usd_per_kwh", "USD/kWh", 1 / kWh},
    {kMoney - kTime, "price of time", "usd_per_h", "USD/h", 1 / kHour},
    {kMoney - kCarbon, "price of carbon", "usd_per_tco2e", "USD/tCO2e", 1e-6},
    {-kTime, "rate", "per_s", "1/s", 1},
    {kArea, "area", "m2", "m2", 1},
};

// The parts of a suffix that no row names, "kgco2e_per_m2", in the order in which they are written.
struct BaseName {
  std::int8_t Dimension::*member;
  std::string_view suffix, symbol;
  double factor;
};
constexpr BaseName kBaseNames[] = {
    {&Dimension::energy, "kwh", "kWh", kWh}, {&Dimension::carbon, "kgco2e", "kgCO2e", 1e3},
    {&Dimension::data, "bytes", "B", 1},     {&Dimension::work, "flop", "FLOP", 1},
    {&Dimension::money, "usd", "USD", 1},    {&Dimension::area, "m2", "m2", 1},
    {&Dimension::time, "s", "s", 1},
};

// More names that a suffix with "_per_" may use when it is read.
struct PartName {
  std::string_view suffix;
  double factor;
  Dimension dimension;
};
constexpr PartName kPartNames[] = {
    {"kwh", kWh, kEnergy},   {"kgco2e", 1e3, kCarbon},
    {"bytes", 1, kData},     {"byte", 1, kData},
    {"flop", 1, kWork},      {"usd", 1, kMoney},
    {"m2", 1, kArea},        {"s", 1, kTime},
    {"h", kHour, kTime},     {"day", 86400, kTime},
    {"year", kYear, kTime},  {"j", 1, kEnergy},
    {"w", 1, kPower},        {"g", 1, kCarbon},
    {"tco2e", 1e6, kCarbon}, {"mwh", 1e3 * kWh, kEnergy},
};

const FileUnitRow* row_of(Dimension d) {
  for (const FileUnitRow& row : kFileUnits) {
    if (row.dimension == d) return &row;
  }
  return nullptr;
}

double power_of(double factor, int exponent) {
  double out = 1;
  for (int i = 0; i < exponent; ++i) out *= factor;
  return out;
}

FileUnit composed_unit(Dimension d) {
  FileUnit out;
  std::string above, below, symbol_above, symbol_below;
  for (const BaseName& base : kBaseNames) {
    const int exponent = d.*base.member;
    const int size = std::abs(exponent);
    if (size == 0) continue;
    const bool plural_to_one = exponent < 0 && base.suffix == "bytes";
    std::string suffix(plural_to_one ? "byte" : base.suffix);
    if (size > 1) suffix += fmt::format("_pow{}", size);
    (exponent > 0 ? above : below) += "_" + suffix;
    const std::string power = size > 1 ? fmt::format("^{}", size) : "";
    const std::string symbol = fmt::format("{}{}", base.symbol, power);
    if (exponent > 0) {
      symbol_above += (symbol_above.empty() ? "" : "*") + symbol;
      out.factor *= power_of(base.factor, size);
    } else {
      symbol_below += "/" + symbol;
      out.factor /= power_of(base.factor, size);
    }
  }
  out.suffix = above + (below.empty() ? "" : "_per" + below);
  out.suffix.erase(0, out.suffix.starts_with('_') ? 1 : 0);
  out.symbol = (symbol_above.empty() ? "1" : symbol_above) + symbol_below;
  return out;
}

// One side of a suffix, "kgco2e" or "bytes_s_pow2": the product of its names.
std::optional<AnyQuantity> read_names(std::string_view text) {
  AnyQuantity product{1.0};
  AnyQuantity last{1.0};
  int num_factors = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('_');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (word == "per") continue;  // "kgco2e_per_m2_per_year": all that follows the first is below
    int repeats = 1;
    if (word.starts_with("pow") && last.dimension != kDimensionless && word.size() == 4 &&
        word[3] >= '2' && word[3] <= '9') {
      repeats = word[3] - '1';
    } else {
      const auto* part = std::find_if(std::begin(kPartNames), std::end(kPartNames),
                                      [&](const PartName& p) { return p.suffix == word; });
      if (part == std::end(kPartNames)) return std::nullopt;
      last = AnyQuantity(part->factor, part->dimension);
    }
    // Nine times seven dimensions is the most that a text can say.
    num_factors += repeats;
    if (num_factors > 63) return std::nullopt;
    for (int i = 0; i < repeats; ++i) {
      product = AnyQuantity(product.value * last.value, product.dimension + last.dimension);
    }
  }
  return product;
}

// What a whole suffix means; nothing when it is no suffix.
std::optional<AnyQuantity> read_suffix(std::string_view suffix) {
  for (const FileUnitRow& row : kFileUnits) {
    if (row.suffix == suffix) return AnyQuantity(row.factor, row.dimension);
  }
  const std::string padded = "_" + std::string(suffix);
  const std::size_t per = padded.find("_per_");
  if (per == std::string::npos) {
    const auto names = read_names(suffix);
    if (!names || names->dimension == kDimensionless) return std::nullopt;
    // Without "per", only what file_unit itself composes: "total_h" is not a time.
    if (file_unit(names->dimension).suffix != suffix) return std::nullopt;
    return names;
  }
  const auto above =
      read_names(per == 0 ? std::string_view() : std::string_view(suffix).substr(0, per - 1));
  const auto below = read_names(std::string_view(padded).substr(per + 5));
  if (!above || !below || below->dimension == kDimensionless) return std::nullopt;
  const double factor = above->value / below->value;
  if (!std::isnormal(factor)) return std::nullopt;
  return AnyQuantity(factor, above->dimension - below->dimension);
}

}  // namespace

FileUnit file_unit(Dimension d) {
  if (d == kDimensionless) return {};
  if (const FileUnitRow* row = row_of(d)) {
    return {std::string(row->suffix), std::string(row->symbol), row->factor};
  }
  return composed_unit(d);
}

std::string file_key(std::string_view key, Dimension d) {
  const std::string suffix = file_unit(d).suffix;
  if (key.empty() || suffix.empty()) return std::string(key) + suffix;
  return fmt::format("{}_{}", key, suffix);
}

AnyQuantity unit_of_key(std::string_view key) {
  // Longest first: "mean_g_per_kwh" ends in "kwh" too, but does not mean energy.
  constexpr std::size_t kLongestKey = 256;
  if (key.size() > kLongestKey) return {1.0};
  while (true) {
    if (const auto unit = read_suffix(key)) return *unit;
    const std::size_t next = key.find('_');
    if (next == std::string_view::npos) return {1.0};
    key.remove_prefix(next + 1);
  }
}

std::string dimension_name(Dimension d) {
  if (d == kDimensionless) return "a plain number";
  if (const FileUnitRow* row = row_of(d)) return fmt::format("{} ({})", row->name, row->symbol);
  return file_unit(d).symbol;
}

}  // namespace greenline::base
