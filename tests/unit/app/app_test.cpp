#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "app/explain.hpp"
#include "app/host.hpp"
#include "app/output.hpp"
#include "app/run.hpp"
#include "app/selftest.hpp"
#include "base/error.hpp"
#include "io/json.hpp"
#include "verb/expression.hpp"

namespace greenline::app {
namespace {

namespace units = base::units;

struct Request {
  base::Settings settings;
  std::int64_t nodes = 4;
};
struct Result {
  std::int64_t nodes;
  base::Estimate<base::Power> node_power;
};
void describe(verb::Fields& f, Request& r) { f(r.nodes, "nodes", "number of nodes").positive(); }
void present(verb::Report& r, const Result& x) {
  const auto count = base::Estimate<double>(static_cast<double>(x.nodes));
  r.title("Power");
  r.value("total", x.node_power * count,
          {.derivation =
               verb::Derivation{"",
                                "nodes × node_power",
                                {{"nodes", "--nodes", static_cast<double>(x.nodes), "given"},
                                 {"node_power", "node.power", x.node_power.nominal(), "a meter"}},
                                {}}});
  r.value("bare", 3.0);
}
Result power(const Request& r, base::Progress&) {
  const base::Driver driver{"node.power", 6474, 5691, 7041, base::DriverScale::automatic,
                            "a meter"};
  return {r.nodes, base::from_driver<base::Power>(driver, base::Evidence::measured, "a meter",
                                                  r.settings.seed)};
}

struct Attached {};
void present(verb::Report& r, const Attached&) {
  r.attachment(".toml", [] { return std::string(); });
}
Attached attach(const Request&, base::Progress&) { return {}; }

class AppTest : public testing::Test {
 protected:
  AppTest() {
    verb::Info info;
    info.noun = "farm";
    info.name = "power";
    registry.add(info, &power);
    register_explain(registry);
    register_selftest(registry);
    folder = std::filesystem::temp_directory_path() /
             ("greenline-app-" +
              std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder);
  }
  ~AppTest() override { std::filesystem::remove_all(folder); }

  io::Value run(const std::string& noun, const std::string& name, std::vector<Flag> flags = {}) {
    Invocation invocation;
    invocation.noun = noun;
    invocation.name = name;
    invocation.flags = std::move(flags);
    return app::run(registry, invocation, base::no_progress()).document;
  }

  static void write(io::Value document, const std::string& path) {
    Outcome outcome;
    outcome.document = std::move(document);
    write_output(outcome, {path});
  }

  verb::Registry registry;
  std::filesystem::path folder;
};

TEST_F(AppTest, ExplainComputesTheNumberAgainFromTheFile) {
  const std::string file = (folder / "result.json").string();
  write(run("farm", "power"), file);
  const io::Value one = run("", "explain", {{"file", file, "--file"}, {"key", "total", "--key"}});
  EXPECT_EQ(one.find_path("result.key")->as_text(), "total_w");
  EXPECT_EQ(one.find_path("result.value_w")->as_double(), 4 * 6474.0);
  EXPECT_EQ(one.find_path("result.computed_w")->as_double(), 4 * 6474.0);
  EXPECT_EQ(one.find_path("result.inputs.1.symbol")->as_text(), "node_power");
  EXPECT_EQ(one.find_path("result.drivers.0.id")->as_text(), "node.power");
  const io::Value all = run("", "explain", {{"file", file, "--file"}});
  EXPECT_TRUE(verb::evaluate_truth("max(derivations.relative_difference) < 1e-9",
                                   verb::lookup_in(*all.find("result"))));
}

// A file that somebody edited does not agree with its own inputs, and explain shows by how much.
TEST_F(AppTest, ExplainShowsADifference) {
  const std::string file = (folder / "result.json").string();
  io::Value document = run("farm", "power");
  document["result"]["total_w"] = 2 * 6474.0;
  write(document, file);
  const io::Value one = run("", "explain", {{"file", file, "--file"}, {"key", "total_w", "--key"}});
  EXPECT_DOUBLE_EQ(one.find_path("result.relative_difference")->as_double(), 0.5);
}

TEST_F(AppTest, AFileThatNoResultFillsIsRefusedUnparsed) {
  const std::string file = (folder / "huge.json").string();
  std::ofstream(file) << "{";
  std::filesystem::resize_file(file, (std::size_t{256} << 20) + 1);  // sparse
  try {
    run("", "explain", {{"file", file, "--file"}});
    FAIL() << "257 MiB were read";
  } catch (const base::DataError& e) {
    EXPECT_EQ(e.code(), "file-too-large");
  }
}

// A verb may hand out only what its help announces.
TEST_F(AppTest, AnAttachmentThatIsNotAnnouncedIsOurBug) {
  verb::Info info;
  info.noun = "farm";
  info.name = "report";
  registry.add(info, &attach);
  EXPECT_THROW(run("farm", "report"), base::InternalError);
}

TEST_F(AppTest, ExplainNamesWhatItCannotExplain) {
  const std::string file = (folder / "result.json").string();
  write(run("farm", "power"), file);
  const auto refusal = [&](const char* key) -> std::string {
    try {
      run("", "explain", {{"file", file, "--file"}, {"key", key, "--key"}});
    } catch (const base::UserError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_NE(refusal("bare").find("no derivation was recorded"), std::string::npos);
  EXPECT_NE(refusal("totl_w").find("nearest: total_w"), std::string::npos);
}

TEST_F(AppTest, SelftestCountsAndListsFailures) {
  registry.add_selftest("farm", [](const base::SelftestRequest&, base::Progress&) {
    const auto row = [](const char* table, const char* name, double got) {
      base::CheckRow check;
      check.table = table;
      check.name = name;
      check.expected = 10;
      check.got = got;
      check.tolerance = 0.02;
      return check;
    };
    base::CheckRow shown = row("two", "only shown", 11);
    shown.gated = false;
    return std::vector{row("one", "close", 10.1), row("one", "far", 12),
                       row("two", "lost", std::nan("")), shown};
  });
  const io::Value d = run("", "selftest", {{"room", "farm", "--room"}});
  EXPECT_EQ(d.find_path("result.rows")->as_int(), 4);
  EXPECT_EQ(d.find_path("result.gated")->as_int(), 3);
  EXPECT_EQ(d.find_path("result.passed")->as_int(), 1);
  EXPECT_DOUBLE_EQ(d.find_path("result.max_relative_error")->as_double(), 0.2);
  EXPECT_NEAR(d.find_path("result.mape")->as_double(), 0.31 / 3, 1e-12);
  EXPECT_EQ(d.find_path("result.failures")->as_array().size(), 2U);
  EXPECT_TRUE(d.find_path("result.checks.3.pass")->is_null());
  EXPECT_EQ(d.find_path("result.tables.0.name")->as_text(), "one");
  EXPECT_EQ(d.find_path("result.failures.0.name")->as_text(), "far");
  EXPECT_TRUE(d.find_path("result.failures.1.got")->is_null());
  EXPECT_EQ(d.find_path("result.checks")->as_array().size(), 4U);
  std::vector<std::string> keys;
  for (const auto& [key, value] : d.find("result")->as_object()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"rows", "gated", "passed", "mape", "max_relative_error",
                                            "tables", "checks", "failures"}));
  EXPECT_THROW(run("", "selftest", {{"room", "frm", "--room"}}), base::UserError);
}

TEST_F(AppTest, TheSeedIsTheOnlySourceOfChance) {
  EXPECT_EQ(*run("farm", "power").find("result"), *run("farm", "power").find("result"));
  Invocation other;
  other.noun = "farm";
  other.name = "power";
  other.seed = 1;
  const io::Value d = app::run(registry, other, base::no_progress()).document;
  EXPECT_EQ(d.find_path("greenline.provenance.seed")->as_int(), 1);
  EXPECT_EQ(*d.find_path("result.total_w"), *run("farm", "power").find_path("result.total_w"))
      << "a nominal has no draw";
}

TEST(Host, KnowsThisBuild) {
  EXPECT_EQ(version().find('.'), 1U);
  EXPECT_GE(libraries().size(), 5U);
  for (const std::string& library : libraries())
    EXPECT_NE(library.find_first_of("0123456789"), std::string::npos) << library;
}

}  // namespace
}  // namespace greenline::app
