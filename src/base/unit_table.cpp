#include "base/unit_table.hpp"

#include <cctype>
#include <span>

namespace greenline::base::detail {
namespace {

// Which prefixes a unit takes.
enum class Prefixes { none, small, large, metric, binary };

struct UnitRow {
  std::string_view symbol;
  double factor;  // base units per one
  Dimension dimension;
  Prefixes prefixes;
};

constexpr double kSecond = 1, kMinute = 60, kHour = 3600, kDay = 86400, kYear = 365 * kDay;
constexpr double kPoundGrams = 453.59237;  // the avoirdupois pound, exact by definition (1959)

constexpr UnitRow kUnits[] = {
    {"s", kSecond, kTime, Prefixes::small},
    {"sec", kSecond, kTime, Prefixes::none},
    {"second", kSecond, kTime, Prefixes::none},
    {"seconds", kSecond, kTime, Prefixes::none},
    {"min", kMinute, kTime, Prefixes::none},
    {"mins", kMinute, kTime, Prefixes::none},
    {"minute", kMinute, kTime, Prefixes::none},
    {"minutes", kMinute, kTime, Prefixes::none},
    {"h", kHour, kTime, Prefixes::none},
    {"hr", kHour, kTime, Prefixes::none},
    {"hrs", kHour, kTime, Prefixes::none},
    {"hour", kHour, kTime, Prefixes::none},
    {"hours", kHour, kTime, Prefixes::none},
    {"d", kDay, kTime, Prefixes::none},
    {"day", kDay, kTime, Prefixes::none},
    {"days", kDay, kTime, Prefixes::none},
    {"week", 7 * kDay, kTime, Prefixes::none},
    {"weeks", 7 * kDay, kTime, Prefixes::none},
    {"y", kYear, kTime, Prefixes::none},
    {"yr", kYear, kTime, Prefixes::none},
    {"year", kYear, kTime, Prefixes::none},
    {"years", kYear, kTime, Prefixes::none},
    {"J", 1, kEnergy, Prefixes::metric},
    {"Wh", kHour, kEnergy, Prefixes::metric},
    {"W", 1, kEnergy - kTime, Prefixes::metric},
    {"B", 1, kData, Prefixes::binary},
    {"byte", 1, kData, Prefixes::none},
    {"bytes", 1, kData, Prefixes::none},
    {"bit", 0.125, kData, Prefixes::large},
    {"bits", 0.125, kData, Prefixes::large},
    {"b", 0.125, kData, Prefixes::large},
    {"bps", 0.125, kData - kTime, Prefixes::large},
    {"FLOP", 1, kWork, Prefixes::large},
    {"FLOPs", 1, kWork, Prefixes::large},
    {"flop", 1, kWork, Prefixes::large},
    {"USD", 1, kMoney, Prefixes::large},
    {"$", 1, kMoney, Prefixes::large},
    {"m2", 1, kArea, Prefixes::none},
    {"cm2", 1e-4, kArea, Prefixes::none},
    {"mm2", 1e-6, kArea, Prefixes::none},
    {"%", 0.01, kDimensionless, Prefixes::none},
    {"1", 1, kDimensionless, Prefixes::none},
    {"token", 1, kDimensionless, Prefixes::none},
    {"tokens", 1, kDimensionless, Prefixes::none},
    {"param", 1, kDimensionless, Prefixes::none},
    {"params", 1, kDimensionless, Prefixes::none},
    {"parameter", 1, kDimensionless, Prefixes::none},
    {"parameters", 1, kDimensionless, Prefixes::none},
    {"sample", 1, kDimensionless, Prefixes::none},
    {"samples", 1, kDimensionless, Prefixes::none},
    {"step", 1, kDimensionless, Prefixes::none},
    {"steps", 1, kDimensionless, Prefixes::none},
};

// Masses mean carbon here and may say so: "kg", "kgCO2", "kgCO2e", "kgCO2eq".
constexpr UnitRow kCarbonUnits[] = {
    {"g", 1, kCarbon, Prefixes::metric},          {"t", 1e6, kCarbon, Prefixes::large},
    {"tonne", 1e6, kCarbon, Prefixes::none},      {"tonnes", 1e6, kCarbon, Prefixes::none},
    {"lb", kPoundGrams, kCarbon, Prefixes::none}, {"lbs", kPoundGrams, kCarbon, Prefixes::none},
};

struct PrefixRow {
  std::string_view symbol;
  double factor;
};
constexpr PrefixRow kLarge[] = {{"k", 1e3},  {"M", 1e6},  {"G", 1e9},
                                {"T", 1e12}, {"P", 1e15}, {"E", 1e18}};
constexpr PrefixRow kSmall[] = {{"m", 1e-3}, {"u", 1e-6},  {"\u00b5", 1e-6}, {"\u03bc", 1e-6},
                                {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}};
constexpr PrefixRow kBinary[] = {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30},
                                 {"Ti", 0x1p40}, {"Pi", 0x1p50}, {"Ei", 0x1p60}};

// The prefix tables that each kind of unit takes.
std::vector<std::span<const PrefixRow>> prefix_tables(Prefixes prefixes) {
  switch (prefixes) {
    case Prefixes::small:
      return {kSmall};
    case Prefixes::large:
      return {kLarge};
    case Prefixes::metric:
      return {kLarge, kSmall};
    case Prefixes::binary:
      return {kLarge, kBinary};
    case Prefixes::none:
      break;
  }
  return {};
}

std::optional<double> prefix_factor(Prefixes prefixes, std::string_view word) {
  for (const auto& table : prefix_tables(prefixes)) {
    for (const PrefixRow& prefix : table) {
      if (prefix.symbol == word) return prefix.factor;
    }
  }
  return std::nullopt;
}

std::optional<AnyQuantity> find_in(std::span<const UnitRow> rows, std::string_view word) {
  for (const UnitRow& row : rows) {
    if (row.symbol == word) return AnyQuantity(row.factor, row.dimension);
  }
  for (const UnitRow& row : rows) {
    if (!word.ends_with(row.symbol)) continue;
    const auto factor =
        prefix_factor(row.prefixes, word.substr(0, word.size() - row.symbol.size()));
    if (factor) return AnyQuantity(*factor * row.factor, row.dimension);
  }
  return std::nullopt;
}

// "kgCO2e" -> "kg"; the word itself when it does not end in a name of CO2.
std::string_view without_co2(std::string_view word) {
  constexpr std::string_view kEndings[] = {"co2eq", "co2-eq", "co2e", "co2"};
  for (const std::string_view ending : kEndings) {
    if (word.size() <= ending.size()) continue;
    const std::string_view tail = word.substr(word.size() - ending.size());
    bool same = true;
    for (std::size_t i = 0; i < ending.size(); ++i) {
      same = same && std::tolower(static_cast<unsigned char>(tail[i])) == ending[i];
    }
    if (same) return word.substr(0, word.size() - ending.size());
  }
  return word;
}

}  // namespace

std::optional<AnyQuantity> find_unit(std::string_view word) {
  if (auto unit = find_in(kUnits, word)) return unit;
  return find_in(kCarbonUnits, without_co2(word));
}

std::optional<double> count_prefix(std::string_view word) {
  return prefix_factor(Prefixes::large, word);
}

std::vector<std::string> unit_spellings() {
  std::vector<std::string> out;
  const auto append = [&out](std::span<const UnitRow> rows, std::string_view ending) {
    for (const UnitRow& row : rows) {
      out.push_back(std::string(row.symbol).append(ending));
      for (const auto& table : prefix_tables(row.prefixes)) {
        for (const PrefixRow& prefix : table) {
          out.push_back(std::string(prefix.symbol).append(row.symbol).append(ending));
        }
      }
    }
  };
  append(kUnits, "");
  append(kCarbonUnits, "");
  append(kCarbonUnits, "CO2e");
  return out;
}

}  // namespace greenline::base::detail
