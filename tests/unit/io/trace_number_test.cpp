#include "io/trace_number.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "io/trace_columns.hpp"

namespace greenline::io {
namespace {

TEST(TraceNumberTest, NanosecondsOfMicrosecondsAreExact) {
  EXPECT_EQ(nanoseconds("0"), 0);
  EXPECT_EQ(nanoseconds("7"), 7000);
  EXPECT_EQ(nanoseconds("-7.5"), -7500);
  EXPECT_EQ(nanoseconds("68.0"), 68000);
  EXPECT_EQ(nanoseconds("4458677009853.422"), 4458677009853422);
  // A double at today's date in microseconds has a step of 250 ns.
  EXPECT_EQ(nanoseconds("1712867402367683.001"), 1712867402367683001);
  EXPECT_EQ(nanoseconds("1.712867402367683001e15"), 1712867402367683001);
  EXPECT_EQ(nanoseconds("17128674023676830010e-4"), 1712867402367683001);
}

TEST(TraceNumberTest, MoreDecimalsRoundHalvesUpwards) {
  EXPECT_EQ(nanoseconds("0.0004"), 0);
  EXPECT_EQ(nanoseconds("0.0005"), 1);
  EXPECT_EQ(nanoseconds("0.00049999"), 0);
  EXPECT_EQ(nanoseconds("1.9995"), 2000);
  EXPECT_EQ(nanoseconds("-0.0005"), 0);
  EXPECT_EQ(nanoseconds("-0.00050001"), -1);
  EXPECT_EQ(nanoseconds("5e-4"), 1);
  EXPECT_EQ(nanoseconds("5e-5"), 0);
  EXPECT_EQ(nanoseconds("9e-30"), 0);
}

TEST(TraceNumberTest, OutOfRangeIsNothing) {
  EXPECT_EQ(nanoseconds("4611686018427387.903"), kMaxTraceTime);
  EXPECT_EQ(nanoseconds("-4611686018427387.903"), -kMaxTraceTime);
  EXPECT_EQ(nanoseconds("4611686018427387.904"), std::nullopt);
  EXPECT_EQ(nanoseconds("9999999999999999.999"), std::nullopt);
  EXPECT_EQ(nanoseconds("1e308"), std::nullopt);
  EXPECT_EQ(nanoseconds("1e99999999999999999999"), std::nullopt);
  EXPECT_EQ(nanoseconds("0e99999999999999999999"), 0);
  EXPECT_EQ(nanoseconds(std::string(400, '9')), std::nullopt);
}

TEST(TraceNumberTest, WhatIsNoNumberIsNothing) {
  for (const char* text : {"", "-", ".", "1.", ".5", "1e", "1e+", "NaN", "Infinity", "null", "1 ",
                           "0x1", "1_000", "--1", "+1"})
    EXPECT_EQ(nanoseconds(text), std::nullopt) << text;
}

TEST(TraceNumberTest, IntegersAreWholeAndOf64Bits) {
  EXPECT_EQ(integer("863350"), 863350);
  EXPECT_EQ(integer("-1"), -1);
  EXPECT_EQ(integer("12.0"), 12);
  EXPECT_EQ(integer("1e3"), 1000);
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"9223372036854775808", "12.5", "1e19", "", "0x10", "7 "})
    EXPECT_EQ(integer(text), std::nullopt) << text;
}

}  // namespace
}  // namespace greenline::io
