#include "cli/options.hpp"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::cli {
namespace {

std::vector<std::string> flags_of(std::span<const Option> options) {
  std::vector<std::string> flags;
  for (const Option& option : options) flags.push_back("--" + option.name);
  return flags;
}

[[noreturn]] void unknown_flag(std::string_view argument, std::span<const Option> options) {
  const std::string_view flag = argument.substr(0, argument.find('='));
  throw base::unknown_name("flag", flag, flags_of(options), "--help lists all flags");
}

// "--load=" would make the parser take the next argument as the value.
void refuse_empty_values(std::span<const Option> options, std::span<const std::string> arguments) {
  for (const Option& option : options) {
    const std::string empty = "--" + option.name + "=";
    if (std::find(arguments.begin(), arguments.end(), empty) != arguments.end())
      throw base::UserError("missing-value", fmt::format("--{} has no value", option.name),
                            "write --" + option.name + " VALUE");
  }
}

class Parser {
 public:
  explicit Parser(std::span<const Option> options) : options_(options) {
    app_.set_help_flag();
    app_.allow_extras();
    for (std::size_t i = 0; i < options.size(); ++i) index_[add(options[i])] = i;
  }

  void parse(std::span<const std::string> arguments) {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
      app_.parse(std::move(reversed));
    } catch (const CLI::ArgumentMismatch& e) {
      // Its text begins with the name of the option.
      const std::string text = e.what();
      throw base::UserError("missing-value", text.substr(0, text.find(':')) + " has no value");
    }
  }

  std::vector<Given> given() const {
    std::vector<Given> given;
    std::map<std::size_t, std::size_t> seen;
    for (const CLI::Option* parsed : app_.parse_order()) {
      const std::size_t option = index_.at(parsed);
      given.push_back({option, parsed->results().at(seen[option]++)});
      refuse_swallowed_flag(given.back());
    }
    return given;
  }

  std::vector<std::string> remaining() const { return app_.remaining(); }

 private:
  const CLI::Option* add(const Option& option) {
    const std::string names =
        (option.letter != 0 ? fmt::format("-{},", option.letter) : "") + "--" + option.name;
    CLI::Option* added = nullptr;
    try {
      added = option.takes_value ? app_.add_option(names) : app_.add_flag(names);
    } catch (const CLI::OptionAlreadyAdded&) {
      throw base::InternalError("two inputs share the flag --" + option.name);
    }
    // Whether a flag may be repeated is for the field to say.
    if (option.takes_value) added->expected(1)->allow_extra_args(false);
    added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return added;
  }

  // "--grid --json": the value was forgotten.
  void refuse_swallowed_flag(const Given& given) const {
    if (!options_[given.option].takes_value || !given.value.starts_with("--")) return;
    const std::string flag = given.value.substr(0, given.value.find('='));
    const std::vector<std::string> flags = flags_of(options_);
    if (std::find(flags.begin(), flags.end(), flag) == flags.end()) return;
    throw base::UserError("missing-value", fmt::format("--{} has no value: {} follows it",
                                                       options_[given.option].name, flag));
  }

  std::span<const Option> options_;
  CLI::App app_;
  std::map<const CLI::Option*, std::size_t> index_;
};

}  // namespace

Split split_arguments(std::span<const Option> options, std::span<const std::string> arguments) {
  const auto marker = std::find(arguments.begin(), arguments.end(), "--");
  const std::span<const std::string> before(arguments.begin(), marker);
  refuse_empty_values(options, before);
  Parser parser(options);
  parser.parse(before);
  Split split;
  split.given = parser.given();
  for (const std::string& argument : parser.remaining()) {
    if (argument.size() > 1 && argument.front() == '-') unknown_flag(argument, options);
    split.positionals.push_back(argument);
  }
  if (marker != arguments.end())
    split.positionals.insert(split.positionals.end(), marker + 1, arguments.end());
  return split;
}

}  // namespace greenline::cli
