#include "base/estimate.hpp"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

constexpr std::uint64_t kSeed = 20230325;

Estimate<Power> node_power(const std::string& id = "node_w", Evidence e = Evidence::measured) {
  return from_driver<Power>({id, 6000, 5500, 7000, DriverScale::automatic, ""}, e, id + ".bib",
                            kSeed);
}

TEST(Estimate, OfACertainValueHasNoDraws) {
  const Estimate<Time> t = 54.0 * units::day;
  EXPECT_EQ(t.low(), t.nominal());
  EXPECT_EQ(t.high(), t.nominal());
  EXPECT_EQ(t.any().draws, nullptr);
  EXPECT_EQ((t + t).any().draws, nullptr);
  EXPECT_EQ((t * 2.0).any().draws, nullptr);
  const Driver fixed{"f", 5, 5, 5, DriverScale::automatic, ""};
  EXPECT_EQ(from_driver<Time>(fixed, Evidence::measured, "", kSeed).any().draws, nullptr);
}

TEST(Estimate, NominalComesFromNominalsOnly) {
  const auto p = node_power();
  EXPECT_EQ((p * p).nominal().base_value(), 6000.0 * 6000.0);
  EXPECT_EQ((p / (2.0 * p)).nominal(), 0.5);
  EXPECT_EQ((p - p + p).nominal(), 6000.0 * units::W);
}

TEST(Estimate, CarriesItsUnits) {
  const Estimate<Energy> e = node_power() * Estimate<Time>(1.0 * units::h);
  EXPECT_DOUBLE_EQ(e.nominal().in(units::kWh), 6.0);
  EXPECT_EQ(e.any().dimension, kEnergy);
  EXPECT_THROW(Estimate<Time>(e.any()), InternalError);
  EXPECT_THROW(sum({e.any(), node_power().any()}), InternalError);
  EXPECT_EQ(sum(std::vector<Estimate<Energy>>{}).nominal(), Energy{});
}

TEST(Estimate, WhatIsCommonCancels) {
  const auto p = node_power();
  EXPECT_EQ((p - p).low(), Power{});
  EXPECT_EQ((p - p).high(), Power{});
  EXPECT_EQ((p / p).low(), 1.0);
  const auto q = node_power("other_w");
  EXPECT_LT((p - q).low(), Power{});
  EXPECT_GT((p - q).high(), Power{});
}

TEST(Estimate, MergesDriversOnceAndSorted) {
  const auto a = node_power("a"), b = node_power("b"), c = node_power("c");
  const auto total = c + a + b + a;
  ASSERT_EQ(total.any().drivers.size(), 3u);
  EXPECT_EQ(total.any().drivers[0]->id, "a");
  EXPECT_EQ(total.any().drivers[1]->id, "b");
  EXPECT_EQ(total.any().drivers[2]->id, "c");
  const auto summed = sum(std::vector<Estimate<Power>>{c, a, b, a});
  EXPECT_EQ(summed.any().drivers.size(), 3u);
}

TEST(Estimate, OneIdCannotStandForTwoInputs) {
  const auto a = node_power();
  const auto wider = from_driver<Power>({"node_w", 6000, 5000, 7000, DriverScale::automatic, ""},
                                        Evidence::measured, "", kSeed);
  for (const auto& run : std::vector<std::function<void()>>{
           [&] { (void)(a + wider); }, [&] { (void)(a * wider); },
           [&] {
             (void)sum({a.any(), node_power("b").any(), wider.any()});
           }}) {
    try {
      run();
      ADD_FAILURE() << "accepted";
    } catch (const InternalError& error) {
      EXPECT_NE(error.message().find("\"node_w\""), std::string::npos) << error.message();
    }
  }
  // The same numbers read from two places are the same input.
  const auto again =
      from_driver<Power>({"node_w", 6000, 5500, 7000, DriverScale::automatic, "elsewhere"},
                         Evidence::measured, "", kSeed);
  EXPECT_NO_THROW((void)(a + again));
}

TEST(Estimate, SumsIgnoreTheEvidenceOfTermsBelowFivePercent) {
  const auto term = [](double watts, Evidence e) { return Estimate<Power>(watts * units::W, e); };
  const auto big = term(95, Evidence::measured);
  EXPECT_EQ((big + term(5, Evidence::assumed)).evidence(), Evidence::assumed);
  EXPECT_EQ((big + term(4.9, Evidence::assumed)).evidence(), Evidence::measured);
  EXPECT_EQ((term(4.9, Evidence::assumed) + big).evidence(), Evidence::measured);
  // Nearly cancelling terms both matter.
  EXPECT_EQ((big - term(94, Evidence::assumed)).evidence(), Evidence::assumed);
  const std::vector<Estimate<Power>> many(30, term(4.9, Evidence::assumed));
  std::vector<Estimate<Power>> terms = many;
  terms.push_back(big);
  EXPECT_EQ(sum(terms).evidence(), Evidence::measured);
  EXPECT_EQ(sum(std::vector<Estimate<Power>>{term(0, Evidence::assumed)}).evidence(),
            Evidence::assumed);
}

TEST(Estimate, ProductsTakeTheWeakestEvidence) {
  const Estimate<double> pue(1.1, Evidence::assumed, "pue");
  EXPECT_EQ((node_power() * pue).evidence(), Evidence::assumed);
  EXPECT_EQ((node_power() / pue).evidence(), Evidence::assumed);
}

TEST(Estimate, JoinsSourcesOnce) {
  const auto total = node_power("a") + node_power("b") + node_power("a");
  EXPECT_EQ(total.source(), "a.bib; b.bib");
  EXPECT_EQ(sum(std::vector<Estimate<Power>>{total, node_power("c"), node_power("b")}).source(),
            "a.bib; b.bib; c.bib");
}

TEST(Estimate, RecomputesWhatIsNotPlainArithmetic) {
  const auto p = node_power();
  const auto capped = recompute<Power>(
      [&](int k) { return std::min(k < 0 ? p.nominal() : p.draw(k), 6500.0 * units::W); }, {p},
      "cap");
  EXPECT_EQ(capped.nominal(), 6000.0 * units::W);
  EXPECT_EQ(capped.high(), 6500.0 * units::W);
  EXPECT_EQ(capped.low(), p.low());
  EXPECT_EQ(capped.source(), "cap");
  EXPECT_EQ(capped.any().drivers.size(), 1u);

  int calls = 0;
  const auto certain =
      recompute<double>([&](int) { return ++calls, 2.0; }, {Estimate<double>(1.0)});
  EXPECT_EQ(calls, 1);  // nothing uncertain goes in: no draws to ask for
  EXPECT_EQ(certain.any().draws, nullptr);
}

TEST(Estimate, ADrawThatIsNoNumberIsOurBug) {
  const auto zero = node_power() - node_power();
  EXPECT_THROW((void)(zero / zero).low(), InternalError);
}

TEST(RankDrivers, PutsTheLargestCauseFirst) {
  const auto strong = from_driver<Power>({"strong", 100, 50, 200, DriverScale::automatic, ""},
                                         Evidence::assumed, "", kSeed);
  const auto weak = from_driver<Power>({"weak", 100, 99, 101, DriverScale::automatic, ""},
                                       Evidence::measured, "", kSeed);
  const auto ranked = rank_drivers(weak + strong, kSeed);
  ASSERT_EQ(ranked.size(), 2u);
  EXPECT_EQ(ranked[0].driver.id, "strong");
  EXPECT_GT(ranked[0].rank_correlation_squared, 0.99);
  // 256 independent pairs correlate by chance: r squared has mean 1/255; 6.6 of those is one in
  // 100.
  EXPECT_LT(ranked[1].rank_correlation_squared, 6.6 / 255);
  EXPECT_EQ(rank_drivers(strong, kSeed)[0].rank_correlation_squared, 1);
  EXPECT_EQ(rank_drivers(strong - strong, kSeed)[0].rank_correlation_squared, 0);
}

TEST(Evidence, HasItsNameInFiles) {
  EXPECT_STREQ(evidence_name(Evidence::measured), "measured");
  EXPECT_STREQ(evidence_name(Evidence::modelled), "modelled");
  EXPECT_STREQ(evidence_name(Evidence::simulated), "simulated");
  EXPECT_STREQ(evidence_name(Evidence::datasheet), "datasheet");
  EXPECT_STREQ(evidence_name(Evidence::assumed), "assumed");
}

}  // namespace
}  // namespace greenline::base
