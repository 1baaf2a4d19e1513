#include "solve/mps.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "solve/solver.hpp"

namespace greenline::solve {
namespace {

// Every kind of row and bound that the format knows.
LinearProgram of_every_kind() {
  LinearProgram lp;
  lp.offset = 12.5;
  const int x = lp.add_column(1, 0, kInfinity, "x"),
            f = lp.add_column(2, -kInfinity, kInfinity, "f"),
            u = lp.add_column(-3, -kInfinity, -1.25, "u"), b = lp.add_column(0.1, -2, 1e6, "b"),
            k = lp.add_column(5, 0.3, 0.3, "k"), e = lp.add_column(0, 1, 2, "e");
  const int eq = lp.add_row(4, 4, "eq"), low = lp.add_row(-7, kInfinity, "low"),
            high = lp.add_row(-kInfinity, 1.0 / 3, "high"), range = lp.add_row(-2, 5, "range"),
            any = lp.add_row(-kInfinity, kInfinity, "any");
  lp.add(eq, x, 1), lp.add(eq, f, -1), lp.add(eq, k, 0.1), lp.add(low, f, 2), lp.add(low, u, 1);
  lp.add(high, u, 1), lp.add(high, x, 0.2), lp.add(range, b, 1), lp.add(range, f, 1);
  lp.add(any, x, 1);
  (void)e;
  return lp;
}

std::string text_of(const LinearProgram& lp) {
  std::ostringstream out;
  write_mps(lp, out);
  return out.str();
}

TEST(Mps, HoldsEveryKindOfRowAndBound) {
  const std::string text = text_of(of_every_kind());
  for (const char* line :
       {"NAME greenline FREE", " N cost", " E eq", " G low", " L high", " G range", " N any",
        " f cost 2", " e cost 0", " constant cost 12.5", " FX BOUND constant 1",
        " RHS high 0.3333333333333333", " RANGE range 7", " FR BOUND f", " MI BOUND u",
        " UP BOUND u -1.25", " LO BOUND b -2", " FX BOUND k 0.3", "ENDATA"})
    EXPECT_NE(text.find(std::string(line) + "\n"), std::string::npos) << line << "\n" << text;
}

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string out;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  pclose(pipe);
  return out;
}

double number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.rfind(key);
  return at == std::string::npos ? std::nan("") : std::atof(text.c_str() + at + key.size());
}

// What other programs make of the file, where they are installed. They print 6 to 11 digits.
class OtherSolvers : public testing::Test {
 protected:
  OtherSolvers() : expected_(solve(of_every_kind()).objective) {
    std::ofstream(path_) << text_of(of_every_kind());
  }
  ~OtherSolvers() override { std::filesystem::remove(path_); }
  static bool has(const std::string& program) {
    return !output_of("command -v " + program).empty();
  }
  const std::string path_ = testing::TempDir() + "greenline_every_kind.mps";
  const double expected_;
};

TEST_F(OtherSolvers, ClpReadsTheSameProgram) {
  if (!has("clp")) GTEST_SKIP() << "coinor-clp is not installed";
  const std::string out = output_of("clp " + path_ + " -dual 2>&1");
  EXPECT_NEAR(number_after(out, "Optimal objective"), expected_, 1e-5) << out;
}

TEST_F(OtherSolvers, GlpkReadsTheSameProgram) {
  if (!has("glpsol")) GTEST_SKIP() << "glpk-utils is not installed";
  const std::string out = output_of("glpsol --freemps " + path_ + " -o /dev/stdout 2>&1");
  EXPECT_NEAR(number_after(out, "Objective:  cost ="), expected_, 1e-5) << out;
}

TEST(Mps, NumbersItsRowsAndColumnsWithoutNames) {
  LinearProgram lp = of_every_kind();
  lp.column_names.clear(), lp.row_names.clear();
  const std::string text = text_of(lp);
  EXPECT_NE(text.find(" E R1\n"), std::string::npos);
  EXPECT_NE(text.find(" C1 R1 1\n"), std::string::npos);
}

TEST(Mps, RefusesNamesAndBoundsThatAFileCannotHold) {
  const auto code = [](auto change) -> std::string {
    LinearProgram lp = of_every_kind();
    change(lp);
    try {
      text_of(lp);
    } catch (const base::UserError& e) {
      return e.code();
    }
    return "";
  };
  EXPECT_EQ(code([](auto&) {}), "");
  EXPECT_EQ(code([](auto& lp) { lp.row_names[1] = "two words"; }), "bad-linear-program");
  EXPECT_EQ(code([](auto& lp) { lp.row_names[1] = "eq"; }), "bad-linear-program");
  EXPECT_EQ(code([](auto& lp) { lp.row_names[1] = "cost"; }), "bad-linear-program");
  EXPECT_EQ(code([](auto& lp) { lp.column_names[1] = ""; }), "bad-linear-program");
  EXPECT_EQ(code([](auto& lp) { lp.column_names[1] = "$x"; }), "bad-linear-program");
  EXPECT_EQ(code([](auto& lp) { lp.upper[3] = -3; }), "bad-linear-program");
  EXPECT_EQ(code([](auto& lp) { lp.row_lower[2] = 1; }), "bad-linear-program");
}

}  // namespace
}  // namespace greenline::solve
