#include "footprint/functional_unit.hpp"

#include <gtest/gtest.h>

#include "unit/io/expect_error.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;

TEST(FunctionalUnit, ReadsCountAndNoun) {
  const Counted tokens = parse_counted("2T tokens", "unit");
  EXPECT_EQ(tokens.count, 2e12);
  EXPECT_EQ(tokens.noun, "token");
  EXPECT_EQ(parse_counted(" 5e9  queries ", "unit").noun, "query");
  const EnergyPer per = parse_energy_per("0.28 mWh/query", "energy_per");
  EXPECT_DOUBLE_EQ(per.energy.in(units::J), 0.28e-3 * 3600);
  EXPECT_EQ(per.noun, "query");
}

TEST(FunctionalUnit, RefusesWhatCountsNothing) {
  for (const char* text : {"", "5e9", "tokens", "1,000 tokens", "5e9 7", "-1 tokens", "0 tokens"})
    testing::error_of<base::UserError>("bad-count", [&] { parse_counted(text, "unit"); });
  for (const char* text : {"", "0.28 J", "0.28 J/", "0.28 J/3", "-1 J/token"})
    testing::error_of<base::UserError>("bad-count", [&] { parse_energy_per(text, "per"); });
  testing::error_of<base::UserError>("bad-quantity", [&] { parse_energy_per("3 W/token", "per"); });
}

TEST(FunctionalUnit, TokensAreNoSamples) {
  testing::error_of<base::UserError>("unit-mismatch",
                                     [] { require_same_noun("token", "a", "sample", "b"); });
  EXPECT_NO_THROW(require_same_noun("token", "a", "token", "b"));
}

}  // namespace
}  // namespace greenline::footprint
