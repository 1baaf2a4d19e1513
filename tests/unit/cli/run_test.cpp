#include "cli/run.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "app/explain.hpp"
#include "app/stored_report.hpp"
#include "io/json.hpp"
#include "unit/cli/shop.hpp"

namespace greenline::cli {
namespace {

class RunTest : public testing::Test {
 protected:
  RunTest() {
    shop::register_verbs(registry);
    app::register_explain(registry);
    app::register_report(registry);
    folder = std::filesystem::temp_directory_path() /
             ("greenline-cli-" +
              std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder);
  }
  ~RunTest() override { std::filesystem::remove_all(folder); }

  int run(std::vector<std::string> arguments) {
    out.str("");
    err.str("");
    return cli::run(registry, arguments,
                    {.out = out, .err = err, .environment = [this](const std::string& name) {
                       const auto found = environment.find(name);
                       return found == environment.end() ? std::nullopt
                                                         : std::optional(found->second);
                     }});
  }
  io::Value json(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    EXPECT_EQ(run(std::move(arguments)), 0) << err.str();
    return io::parse_json(out.str(), "stdout");
  }
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = (folder / name).string();
    std::ofstream(path) << text;
    return path;
  }

  verb::Registry registry;
  std::ostringstream out, err;
  std::map<std::string, std::string> environment;
  std::filesystem::path folder;
};

// Both spellings must reach the check of the value, not die as an unknown flag.
TEST_F(RunTest, ANegativeValueReachesItsBounds) {
  for (const std::vector<std::string>& spelling :
       {std::vector<std::string>{"shop", "count", "a", "--load=-5W"},
        {"shop", "count", "a", "--load", "-5W"}}) {
    EXPECT_EQ(run(spelling), 2);
    EXPECT_NE(err.str().find("error: --load is -5 W; expected at least 0 W\n"), std::string::npos)
        << err.str();
  }
}

TEST_F(RunTest, FlagsTagsAndSwitches) {
  const io::Value d =
      json({"shop", "count", "apples", "--tags", "red", "--no-fast", "--tags", "[green]"});
  EXPECT_EQ(d.find_path("result.item")->as_text(), "apples");
  EXPECT_FALSE(d.find_path("result.fast")->as_bool());
  EXPECT_EQ(d.find_path("result.tags.1.tag")->as_text(), "[green]");
  EXPECT_TRUE(json({"shop", "count", "apples", "--fast=true"}).find_path("result.fast")->as_bool());
}

TEST_F(RunTest, WhatFollowsTwoDashesIsNoFlag) {
  EXPECT_EQ(run({"shop", "count", "--", "--json"}), 0) << err.str();
  EXPECT_NE(out.str().find("--json"), std::string::npos);
}

// Flag, then --set, then file, then environment, then default.
TEST_F(RunTest, TheStrongestOriginWins) {
  const auto share = [&](std::vector<std::string> arguments) {
    return json(std::move(arguments)).find_path("result.share")->as_double();
  };
  const std::string config = file("shop.toml", "item = \"pears\"\nshare = 0.3\n");
  EXPECT_EQ(share({"shop", "count", "a"}), 0.5);
  environment["SHOP_SHARE"] = "0.2";
  EXPECT_EQ(share({"shop", "count", "a"}), 0.2);
  EXPECT_EQ(share({"shop", "count", config}), 0.3);
  EXPECT_EQ(share({"shop", "count", config, "--set", "shop.share=0.4"}), 0.4);
  EXPECT_EQ(share({"shop", "count", config, "--share", "0.6"}), 0.6);
  EXPECT_EQ(json({"shop", "count", config}).find_path("result.item")->as_text(), "pears");
}

TEST_F(RunTest, ListsWhatWasAssumed) {
  const io::Value d = json({"shop", "count", "a", "--load", "1 MW"});
  const io::Value::Array& assumed = d.find_path("report.assumed")->as_array();
  std::map<std::string, std::string> found;
  for (const io::Value& a : assumed)
    found[a.find("key")->as_text()] =
        a.find("value")->as_text() + "|" + a.find("source")->as_text();
  EXPECT_EQ(found,
            (std::map<std::string, std::string>{{"--fast", "true|default"},
                                                {"--share", "0.5|a survey of shops"},
                                                {"--hours", "9 to 5|the sign gives no hint"}}));
  EXPECT_NE(err.str().find("notice: counted twice"), std::string::npos);
}

TEST_F(RunTest, ExitCodesSayWhoMustAct) {
  EXPECT_EQ(run({"shop", "count", "a", "--fail", "data"}), 3);
  EXPECT_EQ(err.str(), "error: the shop is closed\n  at shop.csv:3:4\n  hint: come back\n");
  EXPECT_EQ(run({"shop", "count", "a", "--fail", "unsupported"}), 4);
  EXPECT_EQ(run({"shop", "count", "a", "--fail", "bug"}), 70);
  EXPECT_NE(err.str().find("bug"), std::string::npos);
  EXPECT_EQ(run({"shop", "count", "a", "--fail", "alloc"}), 4);
  EXPECT_NE(err.str().find("out of memory"), std::string::npos);
  EXPECT_EQ(run({"shop", "count", "a", "--fail-if", "share > 0.4"}), 1);
  EXPECT_EQ(run({"shop", "count", "a", "--fail-if", "share > 0.6"}), 0);
}

TEST_F(RunTest, AMessageCannotSteerTheTerminal) {
  EXPECT_EQ(run({"shop", "count", "a", "--load", "5\x1b[2J"}), 2);
  EXPECT_EQ(err.str().find('\x1b'), std::string::npos) << err.str();
  EXPECT_EQ(run({"shop", "count", "a", "--\x1b[2J"}), 2);
  EXPECT_EQ(err.str().find('\x1b'), std::string::npos) << err.str();
}

// What an older or another program wrote may lack lists that nothing needs.
TEST_F(RunTest, AStoredReportMayHaveNoNotices) {
  const std::string path = file("bare.json", R"({"greenline": {"schema_version": 1, "version": "1",
    "verb": "v", "provenance": {}}, "result": {"a": 1},
    "report": {"layout": [{"path": "a", "kind": "value"}]}})");
  EXPECT_EQ(run({"report", path, "--fail-if", "a > 0"}), 1) << err.str();
  EXPECT_NE(out.str().find("--fail-if holds: a > 0"), std::string::npos) << out.str();
}

TEST_F(RunTest, ErrorsAreJsonWhereJsonIsWanted) {
  EXPECT_EQ(run({"shop", "count", "a", "--fail", "data", "--json"}), 3);
  const io::Value d = io::parse_json(out.str(), "stdout");
  EXPECT_EQ(d.find_path("error.code")->as_text(), "bad-shop");
  EXPECT_EQ(d.find_path("error.where")->as_text(), "shop.csv:3:4");
}

TEST_F(RunTest, AConfigFileAndThePositionalDoNotBothGiveInputs) {
  const std::string config = file("shop.toml", "item = \"pears\"\n");
  EXPECT_EQ(run({"shop", "count", config, "--config", config}), 2);
  EXPECT_NE(err.str().find("two files"), std::string::npos);
}

TEST_F(RunTest, WhatTakesOneValueIsNotGivenTwo) {
  const std::string config = file("shop.toml", "item = \"pears\"\n");
  for (const std::vector<std::string>& twice : {
           std::vector<std::string>{"--share", "0.4", "--share", "0.6"},
           {"--set", "share=0.4", "--set", "share=0.6"},
           {"--set", "share=0.4", "--share", "0.6"},
           {"--set", "h100-sxm.tdp=1 W", "--set", "h100-sxm.tdp=2 W"},
           {"--config", config, "--config", config},
           {"--fail-if", "share > 1", "--fail-if", "share > 2"},
           {"--seed", "1", "--seed", "2"},
           {"--threads", "1", "--threads", "2"},
           {"--ledger", "a.db", "--ledger", "b.db"},
           {"--csv", "--markdown"},
       }) {
    std::vector<std::string> arguments{"shop", "count", "a"};
    arguments.insert(arguments.end(), twice.begin(), twice.end());
    arguments.emplace_back("--json");
    EXPECT_EQ(run(arguments), 2) << twice.front();
    EXPECT_NE(out.str().find("\"code\": \"given-twice\""), std::string::npos) << out.str();
  }
}

TEST_F(RunTest, TheCommandLineCanBeRunAgain) {
  const io::Value d = json({"shop", "count", "it's", "--load", "5 MW"});
  EXPECT_EQ(d.find_path("greenline.provenance.command_line")->as_text(),
            R"(greenline shop count 'it'\''s' --load '5 MW' --json)");
}

TEST_F(RunTest, HelpStartsWithTwoExamples) {
  EXPECT_EQ(run({"shop", "count", "--help"}), 0);
  EXPECT_TRUE(
      out.str().starts_with("Examples\n  greenline shop count apples\n      all apples\n  "
                            "greenline shop count shop.toml\n"));
  EXPECT_NE(out.str().find("--[no-]fast"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("[default 0.5; $SHOP_SHARE]"), std::string::npos) << out.str();
}

std::string text_of_file(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(RunTest, TheLongestEndingChoosesWhatIsWritten) {
  const std::string list = (folder / "a.list").string(), till = (folder / "a.till.json").string(),
                    result = (folder / "a.json").string();
  EXPECT_EQ(run({"shop", "count", "apples", "-o", list, "-o", till, "-o", result}), 0) << err.str();
  EXPECT_EQ(text_of_file(list), "apples\n");
  EXPECT_EQ(text_of_file(till), "{\"till\": 1}\n");
  const io::Value d = io::parse_json(text_of_file(result), result);
  EXPECT_EQ(d.find_path("result.item")->as_text(), "apples");
  EXPECT_EQ(text_of_file(result).find("attachment"), std::string::npos);
  EXPECT_NE(err.str().find("wrote " + till), std::string::npos);
}

TEST_F(RunTest, AnEndingThatTheVerbDoesNotHaveIsRefusedBeforeTheWork) {
  EXPECT_EQ(run({"shop", "count", "a", "--fail", "bug", "-o", "a.toml"}), 2);
  EXPECT_NE(err.str().find(".html, or .list (the items, one a line), or .till.json (the till's own "
                           "file, with --fast)"),
            std::string::npos)
      << err.str();
  // The ending .json would fit, but another verb means something else by it.
  EXPECT_EQ(run({"explain", "a.json", "-o", "a.till.json"}), 2);
  EXPECT_NE(err.str().find("explain has no .till.json file"), std::string::npos) << err.str();
}

TEST_F(RunTest, AnAttachmentThatThisRunLacksIsRefused) {
  const std::string till = (folder / "a.till.json").string();
  EXPECT_EQ(run({"shop", "count", "a", "--no-fast", "-o", till}), 2);
  EXPECT_NE(err.str().find("has no .till.json file\n  hint: it has one with --fast"),
            std::string::npos)
      << err.str();
  EXPECT_FALSE(std::filesystem::exists(till));
}

TEST_F(RunTest, HelpListsTheFilesBesidesTheResult) {
  EXPECT_EQ(run({"shop", "count", "--help"}), 0);
  EXPECT_NE(out.str().find("  -o FILE.till.json "), std::string::npos) << out.str();
}

TEST_F(RunTest, WidthAndColourAreOfTheTerminalOnly) {
  EXPECT_EQ(run({"shop", "count", "a"}), 0);
  EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
}

TEST_F(RunTest, AFullDiskIsNoSuccess) {
  out.setstate(std::ios::badbit);
  const std::vector<std::string> arguments{"shop", "count", "a", "--json"};
  EXPECT_EQ(
      cli::run(
          registry, arguments,
          {.out = out, .err = err, .environment = [](const std::string&) { return std::nullopt; }}),
      2);
}

}  // namespace
}  // namespace greenline::cli
