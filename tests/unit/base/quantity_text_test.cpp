#include "base/quantity_text.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

struct Parsed {
  const char* text;
  AnyQuantity expected;
};

TEST(ParseQuantity, ReadsWhatPeopleType) {
  const Parsed kCases[] = {
      {"1.2 MWh", 1.2 * units::MWh},
      {"-5W", -5.0 * units::W},
      {"+.5 kW", 0.5 * units::kW},
      {"90m", 90.0 * units::min},
      {"90 m", 90.0 * units::min},
      {"1h30m", 90.0 * units::min},
      {"-1h30m", -90.0 * units::min},
      {"1 d 12 h", 36.0 * units::h},
      {"54 days", 54.0 * units::day},
      {"2 weeks", 14.0 * units::day},
      {"1 y", 8760.0 * units::h},
      {"250 \u00b5s", 250.0 * units::us},
      {"250us", 250.0 * units::us},
      {"16 GiB", 16.0 * units::GiB},
      {"16GB", 16.0 * units::GB},
      {"400Gbit/s", 50.0 * units::GB_per_s},
      {"400 Gb/s", 50.0 * units::GB_per_s},
      {"400Gbps", 50.0 * units::GB_per_s},
      {"989 TFLOP/s", 989.0 * units::TFLOP_per_s},
      {"989 TFLOPS/s", 989.0 * units::TFLOP_per_s},
      {"3 FLOPs", 3.0 * units::FLOP},
      {"3e24 FLOP", 3e24 * units::FLOP},
      {"5 kgCO2", 5.0 * units::kgCO2e},
      {"5 kgCO2e", 5.0 * units::kgCO2e},
      {"5 kg CO2eq", 5.0 * units::kgCO2e},
      {"5 kgCO2-eq", 5.0 * units::kgCO2e},
      {"5 kgco2e", 5.0 * units::kgCO2e},
      {"5 kgCO\u2082e", 5.0 * units::kgCO2e},
      {"2 MtCO2e", 2e6 * units::tCO2e},
      {"3 t", 3.0 * units::tCO2e},
      {"5 GWh", 5.0 * units::GWh},
      {"5 GW*h", 5.0 * units::GWh},
      {"5 W\u00b7h", 5.0 * units::Wh},
      {"40 USD", 40.0 * units::USD},
      {"40 M$", 40e6 * units::USD},
      {"814 mm2", 814.0 * units::mm2},
      {"5 m2", 5.0 * units::m2},
      {"5 m\u00b2", 5.0 * units::m2},
      {"5/s", 5.0 / (1.0 * units::s)},
      {"1/s", 1.0 / (1.0 * units::s)},
      {"2M tokens/s", 2e6 / (1.0 * units::s)},
      {"2T", 2e12},
      {"15T tokens", 15e12},
      {"15 T tokens", 15e12},
      {"128k", 128e3},
      {"1E", 1e18},
      {"1E3", 1e3},
      {"8 steps", 8.0},
      {"40%", 0.4},
      {"12", 12.0},
      {"\u22125 W", -5.0 * units::W},
      {" 5\u00a0W\n", 5.0 * units::W},
  };
  for (const Parsed& c : kCases) {
    const AnyQuantity got = parse_quantity(c.text);
    EXPECT_EQ(got.dimension, c.expected.dimension) << c.text;
    // The factors of a text and of a unit constant may be multiplied in another order: two
    // roundings.
    EXPECT_NEAR(got.value, c.expected.value, 4e-16 * std::abs(c.expected.value)) << c.text;
  }
}

TEST(ParseQuantity, ReadsCompoundUnits) {
  const AnyQuantity pounds = parse_quantity("500 lb/MWh");
  EXPECT_EQ(pounds.dimension, kCarbon - kEnergy);
  EXPECT_DOUBLE_EQ(pounds.value / (1.0 * units::g_per_kWh).base_value(), 500 * 453.59237 / 1000);
  EXPECT_DOUBLE_EQ(parse_quantity("0.08 $/kWh").value, (0.08 * units::USD_per_kWh).base_value());
  EXPECT_EQ(parse_quantity("5 s^2").dimension, kTime + kTime);
  EXPECT_EQ(parse_quantity("5 gCO2e/kWh/year").dimension, kCarbon - kEnergy - kTime);
}

void expect_refused(std::string_view text, std::string_view part) {
  try {
    const AnyQuantity q = parse_quantity(text);
    ADD_FAILURE() << "accepted " << text << " as " << q.value;
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), "bad-quantity") << text;
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << text << ": " << error.what();
  }
}

TEST(ParseQuantity, RefusesWhatIsAmbiguousAndSaysHowToWriteIt) {
  expect_refused("5 TFLOPS", "FLOP/s for a rate");
  expect_refused("5 flops", "FLOP for an amount");
  expect_refused("5 J/flops", "FLOP");
  expect_refused("1,000", "write 1000");
  expect_refused("1,5 W", "1.5 with a point");
  expect_refused("1_000 W", "separators");
  expect_refused("5 ton", "write t");
  expect_refused("5 KB", "KiB");
  expect_refused("5K", "write k");
  expect_refused("5 m/s", "write min");
  expect_refused("$2", "write 2 USD");
  expect_refused("2 T FLOP", "write them together");
}

TEST(ParseQuantity, RefusesWhatIsNoQuantity) {
  expect_refused("", "empty");
  expect_refused("   ", "empty");
  expect_refused("NaN", "finite");
  expect_refused("inf W", "finite");
  expect_refused("-infinity", "finite");
  expect_refused("W", "finite");
  expect_refused("- 5 W", "finite");
  expect_refused("--5 W", "finite");
  expect_refused("0x10", "unknown unit");
  expect_refused("1e400 W", "range");
  expect_refused("1e300 EB", "range");
  expect_refused("1e-320 fJ", "range");
  expect_refused("5 parsec", "unknown unit");
  expect_refused("5 kwh", "nearest: kWh");
  expect_refused("5 W/", "missing");
  expect_refused("5 W W", "unexpected");
  expect_refused("5 (W)", "unexpected");
  expect_refused("1 1", "unexpected");
  expect_refused("1 000 W", "unexpected");
  expect_refused("5 s^", "digit");
  expect_refused("5 s^10", "exponent");
  expect_refused("5 s^9*s", "exponent");
  expect_refused("5 W*W*W*W*W*W*W*W*W", "at most 8");
  expect_refused("1h30", "unit of time");
  expect_refused("30m1h", "fall");
  expect_refused("1h1h", "fall");
  expect_refused("1h30W", "not a unit of time");
  expect_refused(std::string(100'000, '9'), "longer than");
  expect_refused(std::string_view("5\0W", 3), "\\x00");
  expect_refused("5 k\xff", "\\xff");
}

TEST(ParseQuantity, KnowsWhatTheCallerExpects) {
  EXPECT_EQ(parse_quantity("70MW", kEnergy - kTime, "--load").value, 70e6);
  EXPECT_EQ(parse_quantity("0", kTime, "--start").dimension, kTime);
  EXPECT_EQ(parse_quantity("0 %", kTime, "--start").value, 0);
  const auto message = [](std::string_view text, Dimension expected) -> std::string {
    try {
      parse_quantity(text, expected, "--x");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("5 kWh", kEnergy - kTime),
            "--x: expected power (W), got \"5 kWh\", which is energy (kWh)");
  EXPECT_EQ(message("70", kEnergy - kTime),
            "--x: expected power (W), got \"70\", which is a plain number; add a unit: 70 W");
  EXPECT_NE(message("15B", kDimensionless).find("15e9"), std::string::npos);
  EXPECT_EQ(message("x", kTime).find("--x: bad quantity \"x\""), 0u);
}

TEST(ParseUnit, ReadsAUnitAlone) {
  EXPECT_EQ(parse_unit("").dimension, kDimensionless);
  EXPECT_EQ(parse_unit("1").value, 1);
  EXPECT_EQ(parse_unit("%").value, 0.01);
  EXPECT_EQ(parse_unit("GB/s").value, 1e9);
  EXPECT_EQ(parse_unit("1/s").dimension, -kTime);
  for (const char* text : {"m", "5 W", "W/", "/", "flops", "1/", "-"}) {
    EXPECT_THROW(parse_unit(text), UserError) << text;
  }
}

TEST(FormatQuantity, KeepsTheNumberShort) {
  const auto text = [](AnyQuantity q, int digits = 3) { return format_quantity(q, digits); };
  EXPECT_EQ(text(1.234 * units::GWh), "1.23 GWh");
  EXPECT_EQ(text(54.2 * units::day), "54.2 days");
  EXPECT_EQ(text(90.0 * units::min), "90 min");
  EXPECT_EQ(text(36.0 * units::h), "36 h");
  EXPECT_EQ(text(361.4 * units::g_per_kWh), "361 gCO2e/kWh");
  EXPECT_EQ(text(999.96 * units::kWh), "1 MWh");
  EXPECT_EQ(text(999.4 * units::kWh), "999 kWh");
  EXPECT_EQ(text(12.34 * units::tCO2e, 2), "12 tCO2e");
  EXPECT_EQ(text(-30.0 * units::kW), "-30 kW");
  EXPECT_EQ(text(7.56e24 * units::FLOP), "7.56e24 FLOP");
  EXPECT_EQ(text(12.3e6 * units::USD), "12.3 MUSD");
  EXPECT_EQ(text(5.0 / (1.0 * units::s)), "5 /s");
  EXPECT_EQ(text(0.0 * units::kWh), "0 kWh");
  EXPECT_EQ(text(-0.0 * units::W), "0 W");
  EXPECT_EQ(text(3.0 * units::us), "3 \u00b5s");
  EXPECT_EQ(text(15e12), "15 T");
  EXPECT_EQ(text(999'999), "999999");
  EXPECT_EQ(text(1024), "1024");
  EXPECT_EQ(text(1234.56), "1235");
  EXPECT_EQ(text(0.90123), "0.901");
  EXPECT_EQ(text(1.5e-9), "1.5e-9");
  EXPECT_EQ(text(0), "0");
  EXPECT_THROW(text(std::numeric_limits<double>::quiet_NaN()), InternalError);
  EXPECT_THROW(text(std::numeric_limits<double>::infinity() * units::W), InternalError);
}

TEST(Shortest, RefusesWhatJsonCannotHold) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_THROW(shortest(std::numeric_limits<double>::quiet_NaN()), InternalError);
  EXPECT_THROW(shortest(-std::numeric_limits<double>::infinity()), InternalError);
}

}  // namespace
}  // namespace greenline::base
