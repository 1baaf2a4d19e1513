#include <gtest/gtest.h>

#include "app/register.hpp"
#include "cli/command_line.hpp"

namespace greenline::cli {
namespace {

// The words of a command as a shell makes them; the examples quote with '…' only.
std::vector<std::string> shell_split(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

TEST(Examples, AreTwoForEachVerbAndNameFlagsThatExist) {
  verb::Registry registry;
  app::register_all(registry);
  ASSERT_GT(registry.all().size(), 5U);
  for (const verb::Verb& verb : registry.all()) {
    EXPECT_GE(verb.info.examples.size(), 2U) << verb.info.full_name();
    for (const verb::Example& example : verb.info.examples) {
      std::vector<std::string> words = shell_split(example.command);
      ASSERT_EQ(words.front(), "greenline") << example.command;
      words.erase(words.begin());
      const CommandLine parsed =
          parse_command_line(registry, words, [](const std::string&) { return std::nullopt; });
      EXPECT_EQ(parsed.invocation.noun, verb.info.noun) << example.command;
      EXPECT_EQ(parsed.invocation.name, verb.info.name) << example.command;
    }
  }
}

}  // namespace
}  // namespace greenline::cli
