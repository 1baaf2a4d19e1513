// Quantities for people: a prefix that keeps the number short.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace greenline::base {
namespace {

struct Step {
  double factor;  // base units per one
  std::string_view symbol;
};

// What a dimension is shown in, from small to large. A value takes the largest step that it
// reaches.
struct Ladder {
  Dimension dimension;
  std::span<const Step> steps;
};

constexpr double kHour = 3600, kDay = 86400, kYear = 365 * kDay;

constexpr Step kTimeSteps[] = {{1e-9, "ns"}, {1e-6, "\u00b5s"}, {1e-3, "ms"},   {1, "s"},
                               {60, "min"},  {kHour, "h"},      {kDay, "days"}, {kYear, "years"}};
constexpr Step kEnergySteps[] = {{1e-12, "pJ"},   {1e-9, "nJ"},   {1e-6, "\u00b5J"}, {1e-3, "mJ"},
                                 {1, "J"},        {3600, "Wh"},   {3.6e6, "kWh"},    {3.6e9, "MWh"},
                                 {3.6e12, "GWh"}, {3.6e15, "TWh"}};
constexpr Step kPowerSteps[] = {{1e-6, "\u00b5W"}, {1e-3, "mW"}, {1, "W"},    {1e3, "kW"},
                                {1e6, "MW"},       {1e9, "GW"},  {1e12, "TW"}};
constexpr Step kCarbonSteps[] = {{1e-6, "\u00b5gCO2e"}, {1e-3, "mgCO2e"}, {1, "gCO2e"},
                                 {1e3, "kgCO2e"},       {1e6, "tCO2e"},   {1e9, "ktCO2e"},
                                 {1e12, "MtCO2e"},      {1e15, "GtCO2e"}};
constexpr Step kCarbonRateSteps[] = {{1 / kYear, "gCO2e/year"},
                                     {1e3 / kYear, "kgCO2e/year"},
                                     {1e6 / kYear, "tCO2e/year"},
                                     {1e9 / kYear, "ktCO2e/year"},
                                     {1e12 / kYear, "MtCO2e/year"}};
constexpr Step kDataSteps[] = {{1, "B"},     {1e3, "kB"},  {1e6, "MB"}, {1e9, "GB"},
                               {1e12, "TB"}, {1e15, "PB"}, {1e18, "EB"}};
constexpr Step kBandwidthSteps[] = {{1, "B/s"},     {1e3, "kB/s"},  {1e6, "MB/s"}, {1e9, "GB/s"},
                                    {1e12, "TB/s"}, {1e15, "PB/s"}, {1e18, "EB/s"}};
constexpr Step kWorkSteps[] = {{1, "FLOP"},     {1e3, "kFLOP"},  {1e6, "MFLOP"}, {1e9, "GFLOP"},
                               {1e12, "TFLOP"}, {1e15, "PFLOP"}, {1e18, "EFLOP"}};
constexpr Step kWorkRateSteps[] = {{1, "FLOP/s"},    {1e3, "kFLOP/s"},  {1e6, "MFLOP/s"},
                                   {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e15, "PFLOP/s"},
                                   {1e18, "EFLOP/s"}};
constexpr Step kWorkPerEnergySteps[] = {{1, "FLOP/J"}, {1e9, "GFLOP/J"}, {1e12, "TFLOP/J"}};
constexpr Step kEnergyPerWorkSteps[] = {{1e-15, "fJ/FLOP"}, {1e-12, "pJ/FLOP"},
                                        {1e-9, "nJ/FLOP"},  {1e-6, "\u00b5J/FLOP"},
                                        {1e-3, "mJ/FLOP"},  {1, "J/FLOP"}};
constexpr Step kMoneySteps[] = {{1, "USD"}, {1e3, "kUSD"}, {1e6, "MUSD"}, {1e9, "GUSD"}};
constexpr Step kAreaSteps[] = {{1e-6, "mm2"}, {1e-4, "cm2"}, {1, "m2"}};
constexpr Step kCountSteps[] = {{1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}, {1e18, "E"}};

constexpr Ladder kLadders[] = {
    {kTime, kTimeSteps},
    {kEnergy, kEnergySteps},
    {kEnergy - kTime, kPowerSteps},
    {kCarbon, kCarbonSteps},
    {kCarbon - kTime, kCarbonRateSteps},
    {kData, kDataSteps},
    {kData - kTime, kBandwidthSteps},
    {kWork, kWorkSteps},
    {kWork - kTime, kWorkRateSteps},
    {kWork - kEnergy, kWorkPerEnergySteps},
    {kEnergy - kWork, kEnergyPerWorkSteps},
    {kMoney, kMoneySteps},
    {kArea, kAreaSteps},
};

// A time stays in a unit until the next one counts at least two of itself: "90 min", not "1.5 h".
double reach(Dimension d, double factor) {
  return d == kTime && factor >= 60 ? 2 * factor : factor;
}

// `digits` significant digits, never fewer than the digits before the point, no trailing zeros.
std::string short_number(double x, int digits) {
  if (x == 0) return "0";
  // Rounding first: 9.996 has three digits before the rounding and four places after it.
  const std::string scientific = fmt::format("{:.{}e}", x, digits - 1);
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  const char* begin = scientific.data() + e + (scientific[e + 1] == '+' ? 2 : 1);
  std::from_chars(begin, scientific.data() + scientific.size(), exponent);
  const bool plain = exponent >= -4 && exponent < 6;
  std::string mantissa = plain ? fmt::format("{:.{}f}", x, std::max(0, digits - 1 - exponent))
                               : scientific.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return plain ? mantissa : fmt::format("{}e{}", mantissa, exponent);
}

double rounded(double x, int digits) {
  const std::string text = fmt::format("{:.{}e}", x, digits - 1);
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// The largest step that the rounded value reaches: 999.96 kWh is 1 MWh.
const Step& step_for(double value, Dimension d, std::span<const Step> steps, int digits) {
  const Step* best = &steps[0];
  for (const Step& step : steps) {
    if (rounded(value / step.factor, digits) * step.factor >= reach(d, step.factor)) best = &step;
  }
  return *best;
}

std::string with_unit(const std::string& number, std::string_view symbol) {
  return fmt::format("{} {}", number, symbol);
}

std::string format_count(double x, int digits) {
  const double size = std::abs(x);
  // A whole number of devices or steps is shown whole.
  if (x != 0 && size < 1e6 && size == std::floor(size)) return fmt::format("{:.0f}", x);
  if (rounded(size, digits) < 1e6) return short_number(x, digits);
  const Step& step = step_for(size, kDimensionless, kCountSteps, digits);
  return with_unit(short_number(x / step.factor, digits), step.symbol);
}

}  // namespace

std::string format_quantity(AnyQuantity q, int digits) {
  GL_CHECK_GE(digits, 1);
  GL_CHECK_LE(digits, 17);
  if (!std::isfinite(q.value)) {
    throw InternalError(fmt::format("{} of {} reached a printed value: unknown is n/a", q.value,
                                    dimension_name(q.dimension)));
  }
  if (q.dimension == kDimensionless) return format_count(q.value, digits);
  const FileUnit unit = file_unit(q.dimension);
  if (q.value != 0) {
    for (const Ladder& ladder : kLadders) {
      if (ladder.dimension != q.dimension) continue;
      const Step& step = step_for(std::abs(q.value), q.dimension, ladder.steps, digits);
      // Past the last prefix the unit of files with an exponent reads best: 7.56e24 FLOP.
      if (std::abs(q.value) >= 1e4 * ladder.steps.back().factor) break;
      return with_unit(short_number(q.value / step.factor, digits), step.symbol);
    }
  }
  const std::string number = short_number(q.value / unit.factor, digits);
  // "1/s" reads badly after a number: "5 /s".
  return fmt::format("{} {}", number,
                     unit.symbol.starts_with("1/") ? unit.symbol.substr(1) : unit.symbol);
}

std::string shortest(double x) {
  if (!std::isfinite(x)) throw InternalError(fmt::format("{} has no place in a file", x));
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  return {buffer.data(), end};
}

}  // namespace greenline::base
