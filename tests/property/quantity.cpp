// Text forms of quantities: what is written reads back.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace greenline::base {
namespace {

// Any finite double, by its bits: all sizes alike.
double any_double() {
  const auto bits = *rc::gen::suchThat(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t b) {
    double x = 0;
    std::memcpy(&x, &b, sizeof x);
    return std::isfinite(x);
  });
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// A number of everyday size, 1e-12 to 1e24, of either sign.
double everyday() {
  const double magnitude = std::pow(10.0, *rc::gen::inRange(-12, 25));
  const double digits = 1 + 9 * (*rc::gen::inRange(0, 1'000'000) / 1e6);
  return (*rc::gen::arbitrary<bool>() ? 1 : -1) * magnitude * digits;
}

Dimension any_dimension(int most) {
  const auto exponent = [most] {
    return static_cast<std::int8_t>(*rc::gen::inRange(-most, most + 1));
  };
  return {exponent(), exponent(), exponent(), exponent(), exponent(), exponent(), exponent()};
}

Dimension named_dimension() {
  return *rc::gen::element(kDimensionless, kTime, kEnergy, kEnergy - kTime, kCarbon,
                           kCarbon - kEnergy, kCarbon - kTime, kData, kData - kTime, kWork,
                           kWork - kTime, kWork - kData, kWork - kEnergy, kEnergy - kWork,
                           kCarbon - kWork, kMoney, kMoney - kEnergy, kMoney - kTime,
                           kMoney - kCarbon, -kTime, kArea, kCarbon - kArea);
}

RC_GTEST_PROP(QuantityText, ShortestReadsBackExactly, ()) {
  const double x = any_double();
  const double again = parse_quantity(shortest(x)).value;
  RC_ASSERT(std::memcmp(&x, &again, sizeof x) == 0);
}

RC_GTEST_PROP(QuantityText, FormatReadsBackWithinThePrintedDigits, ()) {
  const AnyQuantity q{everyday(), named_dimension()};
  const int digits = *rc::gen::inRange(1, 13);
  const std::string text = format_quantity(q, digits);
  const AnyQuantity again = parse_quantity(text);
  RC_ASSERT(again.dimension == q.dimension);
  // Half a unit of the last digit, which weighs most after a leading 1; and the rounding of the
  // factors.
  const double allowed = 0.5 * std::pow(10.0, 1 - digits) + 1e-14;
  RC_ASSERT(std::abs(again.value - q.value) <= allowed * std::abs(q.value));
}

RC_GTEST_PROP(QuantityText, FileUnitsReadBackAsUnits, ()) {
  const Dimension d = any_dimension(2);
  const FileUnit unit = file_unit(d);
  const AnyQuantity symbol = parse_unit(unit.symbol);
  RC_ASSERT(symbol.dimension == d);
  // Up to 14 factors, multiplied in another order, each rounding once.
  RC_ASSERT(std::abs(symbol.value / unit.factor - 1) <=
            14 * std::numeric_limits<double>::epsilon());
}

RC_GTEST_PROP(QuantityText, KeysTellTheirUnit, ()) {
  const Dimension d = any_dimension(2);
  const auto name = *rc::gen::element<std::string>("", "x", "mean", "it_energy", "p95");
  const AnyQuantity unit = unit_of_key(file_key(name, d));
  RC_ASSERT(unit.dimension == d);
  RC_ASSERT(std::abs(unit.value / file_unit(d).factor - 1) <=
            14 * std::numeric_limits<double>::epsilon());
}

RC_GTEST_PROP(QuantityText, ANumberScalesItsUnit, ()) {
  const auto unit =
      *rc::gen::element<std::string>("MWh", "GiB", "lb/MWh", "days", "TFLOP/s", "$/kWh");
  const double x = everyday();
  const AnyQuantity q = parse_quantity(shortest(x) + unit);
  RC_ASSERT(q.value == x * parse_unit(unit).value);
  RC_ASSERT(parse_quantity(shortest(x) + " " + unit).value == q.value);
}

RC_GTEST_PROP(QuantityText, AnyBytesParseOrAreRefusedAsBadQuantity, (const std::string& bytes)) {
  const auto number = *rc::gen::element<std::string>("", "5", "1h", "-2.5 k");
  try {
    RC_ASSERT(std::isfinite(parse_quantity(number + bytes).value));
  } catch (const UserError& error) {
    RC_ASSERT(error.code() == "bad-quantity");
  }
}

}  // namespace
}  // namespace greenline::base
