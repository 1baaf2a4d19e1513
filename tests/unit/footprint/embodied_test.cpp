#include "footprint/embodied.hpp"

#include <gtest/gtest.h>

#include "unit/io/expect_error.hpp"

namespace greenline::footprint {
namespace {

namespace units = base::units;

constexpr double kRounding = 1e-12;  // a handful of products in double

const base::Estimate<base::Time> kYear(1.0 * units::year);

TEST(Embodied, ChargesBusyHours) {
  const catalog::Catalog facts(base::Settings{});
  const EmbodiedParts parts = embodied(facts, "h100-sxm", 1024, 8, kYear, Amortize::busy);
  const double share = 1 / (4 * 0.45);  // server.lifetime and server.utilisation
  EXPECT_NEAR(parts.devices.nominal().in(units::kgCO2e), 1024 * 164 * share, 1e5 * kRounding);
  EXPECT_NEAR(parts.hosts.nominal().in(units::kgCO2e), 128 * 3476.79 * share, 3e5 * kRounding);
  EXPECT_NEAR((parts.devices + parts.hosts).nominal().in(units::kgCO2e),
              parts.total.nominal().in(units::kgCO2e), 4e5 * kRounding);
}

TEST(Embodied, ReservedIsBusyTimesUtilisation) {
  const catalog::Catalog facts(base::Settings{});
  const auto busy = embodied(facts, "h100-sxm", 8, 8, kYear, Amortize::busy);
  const auto reserved = embodied(facts, "h100-sxm", 8, 8, kYear, Amortize::reserved);
  EXPECT_NEAR(reserved.total.nominal() / busy.total.nominal(), 0.45, kRounding);
  EXPECT_EQ(reserved.utilisation.nominal(), 1.0);
}

TEST(Embodied, PartOfANodeIsChargedThatPart) {
  const catalog::Catalog facts(base::Settings{});
  const auto whole = embodied(facts, "a100-80", 8, 8, kYear, Amortize::busy);
  const auto half = embodied(facts, "a100-80", 4, 8, kYear, Amortize::busy);
  EXPECT_NEAR(half.total.nominal() / whole.total.nominal(), 0.5, kRounding);
}

TEST(Embodied, RefusesWhatItCannotCharge) {
  const catalog::Catalog facts(base::Settings{});
  testing::error_of<base::UserError>(
      "no-embodied", [&] { embodied(facts, "h100-pcie", 8, 8, kYear, Amortize::busy); });
  testing::error_of<base::UserError>(
      "out-of-bounds", [&] { embodied(facts, "h100-sxm", 0, 8, kYear, Amortize::busy); });
}

}  // namespace
}  // namespace greenline::footprint
