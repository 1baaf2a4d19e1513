#include "cli/interrupt.hpp"

#include <csignal>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/progress_bar.hpp"
#include "cli/run.hpp"
#include "io/json.hpp"
#include "unit/cli/shop.hpp"

namespace greenline::cli {
namespace {

// Counts until somebody presses Ctrl-C, which this verb does itself.
shop::Result count_until_interrupted(const shop::Request& request, base::Progress& progress) {
  shop::Request best = request;
  for (int i = 0; i < 1000 && !progress.cancelled(); ++i) {
    if (i == 2) std::raise(SIGINT);
    best.tags.push_back(std::to_string(i));
  }
  return {best};
}

class InterruptTest : public testing::Test {
 protected:
  InterruptTest() { install_interrupt_handler(); }
  ~InterruptTest() override {
    reset_interrupt();
    std::signal(SIGINT, SIG_DFL);
  }
};

TEST_F(InterruptTest, TheFirstReturnsTheBestSoFar) {
  verb::Registry registry;
  registry.add(shop::count_info(), &count_until_interrupted);
  std::ostringstream out, err;
  const std::vector<std::string> arguments{"shop", "count", "a", "--json"};
  EXPECT_EQ(
      run(registry, arguments,
          {.out = out, .err = err, .environment = [](const std::string&) { return std::nullopt; }}),
      0);
  const io::Value d = io::parse_json(out.str(), "stdout");
  EXPECT_EQ(d.find_path("result.tags")->as_array().size(), 3U);
  EXPECT_TRUE(d.find_path("greenline.provenance.interrupted")->as_bool());
  EXPECT_NE(err.str().find("notice: interrupted"), std::string::npos);
}

TEST_F(InterruptTest, TheSecondEndsTheProcess) {
  EXPECT_EXIT(
      {
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(kInterruptedExit), "");
}

}  // namespace
}  // namespace greenline::cli
