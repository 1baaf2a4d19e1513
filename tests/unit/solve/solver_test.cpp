#include "solve/solver.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "reference/vertices.hpp"

namespace greenline::solve {
namespace {

constexpr double kExact = 1e-9;  // hand cases: small numbers, a few operations

// Two products of two machines: the best is x = 3, y = 1.5 at 21.
LinearProgram two_products() {
  LinearProgram lp;
  lp.add_column(-5, 0, kInfinity, "x");
  lp.add_column(-4, 0, kInfinity, "y");
  lp.add_row(-kInfinity, 24, "cutting");
  lp.add_row(-kInfinity, 6, "finishing");
  lp.add(0, 0, 6), lp.add(0, 1, 4), lp.add(1, 0, 1), lp.add(1, 1, 2);
  return lp;
}

TEST(Solve, TwoProductsByHand) {
  LinearProgram lp = two_products();
  lp.offset = 100;
  const Solution s = solve(lp);
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(s.objective, 79, kExact);
  EXPECT_NEAR(s.dual_objective, 79, kExact);
  EXPECT_NEAR(s.primal[0], 3, kExact);
  EXPECT_NEAR(s.primal[1], 1.5, kExact);
  EXPECT_NEAR(s.activity[0], 24, kExact);
  // One more hour of cutting earns 3/4, one of finishing 1/2.
  EXPECT_NEAR(s.dual[0], -0.75, kExact);
  EXPECT_NEAR(s.dual[1], -0.5, kExact);
  EXPECT_NEAR(s.reduced_cost[0], 0, kExact);
  EXPECT_TRUE(s.residuals.small());
  EXPECT_NE(s.solver.find("CLP"), std::string::npos);
}

TEST(Solve, BoundsEquationsRangesAndFreeColumns) {
  LinearProgram lp;
  const int x = lp.add_column(1, -kInfinity, kInfinity), y = lp.add_column(1, -5, -2),
            z = lp.add_column(-1, 1, 4), fixed = lp.add_column(10, 7, 7);
  const int sum = lp.add_row(3, 3), range = lp.add_row(-1, 2);
  lp.add(sum, x, 1), lp.add(sum, y, 1), lp.add(sum, fixed, 1);
  lp.add(range, x, 1), lp.add(range, z, 1);
  const Solution s = solve(lp);
  // x + y = -4 whatever they are; z can be 4 only where x is -2, which y = -2 allows.
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(s.objective, -4 - 4 + 70, kExact);
  EXPECT_NEAR(s.primal[0], -2, kExact);
}

TEST(Solve, InfeasibleIsAnOutcome) {
  LinearProgram lp = two_products();
  lp.add_row(7, kInfinity, "order");
  lp.add(2, 0, 1), lp.add(2, 1, 2);  // finishing allows 6
  for (const bool presolve : {true, false}) {
    const Solution s = solve(lp, {.presolve = presolve});
    EXPECT_EQ(s.status, Status::infeasible);
    EXPECT_TRUE(s.primal.empty());
  }
}

TEST(Solve, CrossedBoundsAreInfeasible) {
  LinearProgram lp = two_products();
  lp.lower[0] = 2, lp.upper[0] = 1;
  EXPECT_EQ(solve(lp).status, Status::infeasible);
  lp = two_products();
  lp.row_lower[1] = 9;
  EXPECT_EQ(solve(lp).status, Status::infeasible);
}

TEST(Solve, UnboundedIsAnOutcome) {
  LinearProgram lp = two_products();
  lp.row_upper = {kInfinity, kInfinity};
  EXPECT_EQ(solve(lp).status, Status::unbounded);
  lp = two_products();
  lp.add_column(-1, -kInfinity, 3);  // better upwards, and 3 is the most
  EXPECT_EQ(solve(lp).status, Status::optimal);
  lp.cost[2] = 1;
  EXPECT_EQ(solve(lp).status, Status::unbounded);
}

TEST(Solve, BothInfeasibleAndUnboundedDirectionsIsInfeasible) {
  LinearProgram lp;
  lp.add_column(-1, 0, kInfinity);
  lp.add_column(0, 0, 1);
  lp.add_row(2, kInfinity);
  lp.add(0, 1, 1);
  EXPECT_EQ(solve(lp).status, Status::infeasible);
}

TEST(Solve, EmptyRowsAndColumns) {
  LinearProgram lp = two_products();
  lp.add_row(-1, kInfinity);
  lp.add_column(3, 2, 9);
  lp.add_column(-3, 2, 9);
  Solution s = solve(lp);
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(s.objective, -21 + 6 - 27, kExact);
  lp.row_lower[2] = 1;  // 0 is not at least 1
  EXPECT_EQ(solve(lp).status, Status::infeasible);

  const LinearProgram nothing;
  s = solve(nothing);
  EXPECT_EQ(s.status, Status::optimal);
  EXPECT_EQ(s.objective, 0);
  LinearProgram no_rows;
  no_rows.add_column(2, -3, kInfinity);
  EXPECT_NEAR(solve(no_rows).objective, -6, kExact);
}

TEST(Solve, EntriesOfOnePlaceAddUp) {
  LinearProgram lp = two_products();
  lp.entries.clear();
  for (int i = 0; i < 3; ++i) lp.add(0, 0, 2);
  lp.add(0, 1, 4), lp.add(1, 1, 2), lp.add(1, 0, 1), lp.add(1, 1, 3), lp.add(1, 1, -3);
  EXPECT_NEAR(solve(lp).objective, -21, kExact);
}

// Ten ways to the same vertex: Beale's example, on which the plain simplex goes in circles.
TEST(Solve, DegenerateProgram) {
  LinearProgram lp;
  for (const double c : {-0.75, 150.0, -0.02, 6.0}) lp.add_column(c, 0, kInfinity);
  lp.add_row(-kInfinity, 0), lp.add_row(-kInfinity, 0), lp.add_row(-kInfinity, 1);
  lp.add(0, 0, 0.25), lp.add(0, 1, -60), lp.add(0, 2, -0.04), lp.add(0, 3, 9);
  lp.add(1, 0, 0.5), lp.add(1, 1, -90), lp.add(1, 2, -0.02), lp.add(1, 3, 3);
  lp.add(2, 2, 1);
  const Solution s = solve(lp);
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(s.objective, -0.05, kExact);
}

TEST(Solve, RefusesNaNWithItsPlace) {
  const auto message = [](auto change) -> std::string {
    LinearProgram lp = two_products();
    change(lp);
    try {
      solve(lp);
    } catch (const base::UserError& e) {
      return e.code() == "bad-linear-program" ? e.message() : "";
    }
    return "";
  };
  const double nan = std::nan("");
  EXPECT_NE(message([&](auto& lp) { lp.cost[1] = nan; }).find("y"), std::string::npos);
  EXPECT_NE(message([&](auto& lp) { lp.row_upper[1] = nan; }).find("finishing"), std::string::npos);
  EXPECT_NE(message([&](auto& lp) { lp.lower[0] = kInfinity; }).find("x"), std::string::npos);
  EXPECT_NE(message([&](auto& lp) { lp.add(0, 1, kInfinity); }).find("cutting"), std::string::npos);
  EXPECT_NE(message([&](auto& lp) { lp.offset = nan; }).find("offset"), std::string::npos);
}

TEST(Solve, IterationLimitAndInterruptAreOutcomes) {
  // A long chain: each column needs the one before.
  LinearProgram lp;
  constexpr int kLength = 400;
  for (int i = 0; i < kLength; ++i) lp.add_column(1 + i % 7, 0, kInfinity);
  for (int i = 0; i < kLength; ++i) {
    lp.add_row(1 + i % 5, kInfinity);
    lp.add(i, i, 1), lp.add(i, (i * 7 + 3) % kLength, 0.5), lp.add(i, (i * 11 + 5) % kLength, 0.25);
  }
  EXPECT_EQ(solve(lp, {.presolve = false, .max_iterations = 3}).status, Status::iteration_limit);
  struct Stop : base::Progress {
    bool cancelled() override { return true; }
  } stop;
  EXPECT_EQ(solve(lp, {.presolve = false}, stop).status, Status::interrupted);
  EXPECT_EQ(solve(lp).status, Status::optimal);
}

TEST(Residuals, SeeEachKindOfWrongAnswer) {
  const LinearProgram lp = two_products();
  const Solution s = solve(lp);
  std::vector<double> x = s.primal, y = s.dual;
  EXPECT_TRUE(residuals(lp, x, y).small());
  x[0] += 0.01;  // exceeds both rows
  EXPECT_NEAR(residuals(lp, x, y).primal, 0.06, kExact);
  EXPECT_FALSE(residuals(lp, x, y).small());
  x = {0, 0};  // feasible, and 21 short
  EXPECT_NEAR(residuals(lp, x, y).gap, 21, kExact);
  EXPECT_FALSE(residuals(lp, x, y).small());
  y = {-0.7, -0.5};  // x would still be worth 0.3 more than it costs
  EXPECT_NEAR(residuals(lp, s.primal, y).dual, 0.3, kExact);
  EXPECT_FALSE(residuals(lp, s.primal, y).small());
  y = {0.75, 0.5};
  EXPECT_FALSE(residuals(lp, s.primal, y).small());
  EXPECT_FALSE(residuals(lp, {{std::nan(""), 0}}, s.dual).small());
}

// Units must not decide: the same program in other units has the same answer and passes as well.
TEST(Solve, SameAnswerInUnitsFarApart) {
  for (const double unit : {1e-9, 1e9}) {
    LinearProgram lp = two_products();
    for (double& c : lp.cost) c *= unit;
    lp.row_upper[1] *= unit;
    for (auto& e : lp.entries)
      if (e.row == 1) e.value *= unit;
    const Solution s = solve(lp);
    ASSERT_EQ(s.status, Status::optimal);
    EXPECT_NEAR(s.objective / unit, -21, kExact);
    EXPECT_NEAR(s.dual[1], -0.5, kExact);
  }
}

// Columns with finite bounds, so that a vertex is best; small whole numbers make ties and
// degenerate vertices common.
LinearProgram random_program() {
  LinearProgram lp;
  const int n = *rc::gen::inRange(1, 4), m = *rc::gen::inRange(0, 5);
  const auto number = [](int low, int high) { return double(*rc::gen::inRange(low, high)); };
  for (int j = 0; j < n; ++j) {
    const double low = number(-3, 3);
    lp.add_column(number(-4, 5), low, low + number(0, 6));
  }
  for (int i = 0; i < m; ++i) {
    const double low = number(-8, 8);
    const int kind = *rc::gen::inRange(0, 4);
    lp.add_row(kind == 0 ? -kInfinity : low,
               kind == 1 ? kInfinity : low + (kind == 2 ? 0 : number(0, 6)));
    for (int j = 0; j < n; ++j) lp.add(i, j, number(-3, 4));
  }
  return lp;
}

RC_GTEST_PROP(Solve, AgreesWithEveryVertex, ()) {
  const LinearProgram lp = random_program();
  const Solution s = solve(lp);
  const std::optional<double> best = reference::best_vertex(lp);
  RC_ASSERT(s.status == (best ? Status::optimal : Status::infeasible));
  if (!best) return;
  RC_ASSERT(std::abs(s.objective - *best) < 1e-7);  // sums of a few numbers below 100
  RC_ASSERT(std::abs(s.dual_objective - *best) < 1e-6);
}

RC_GTEST_PROP(Solve, AWarmStartGivesTheColdAnswer, ()) {
  LinearProgram lp = random_program();
  const Solution first = solve(lp);
  RC_PRE(first.status == Status::optimal);
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      for (double& c : lp.cost) c = *rc::gen::inRange(-4, 5);
      break;
    case 1:
      for (double& u : lp.upper) u += *rc::gen::inRange(0, 3);
      break;
    default:
      for (std::size_t i = 0; i < lp.row_lower.size(); ++i) {
        const int by = *rc::gen::inRange(-2, 3);
        lp.row_lower[i] += by, lp.row_upper[i] += by;
      }
  }
  const Solution cold = solve(lp);
  for (const Method method : {Method::dual, Method::primal}) {
    const Solution warm = solve(lp, {.start = &first.basis, .method = method});
    RC_ASSERT(warm.status == cold.status);
    if (cold.status == Status::optimal) RC_ASSERT(std::abs(warm.objective - cold.objective) < 1e-7);
  }
}

TEST(Solve, AWarmStartOfAnUnchangedProgramTakesNoStep) {
  const LinearProgram lp = two_products();
  const Solution first = solve(lp);
  const Solution again = solve(lp, {.start = &first.basis});
  EXPECT_EQ(again.iterations, 0);
  EXPECT_NEAR(again.objective, first.objective, kExact);
  Basis other = first.basis;
  other.rows.pop_back();
  EXPECT_THROW(solve(lp, {.start = &other}), base::InternalError);
}

}  // namespace
}  // namespace greenline::solve
