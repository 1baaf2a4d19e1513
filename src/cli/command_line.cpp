#include "cli/command_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/options.hpp"

namespace greenline::cli {
namespace {

constexpr std::array kGlobalFlags{
    GlobalFlag{"json", 0, "", "the result as JSON on standard output"},
    GlobalFlag{"csv", 0, "", "the result as CSV"},
    GlobalFlag{"markdown", 0, "", "the result as Markdown"},
    GlobalFlag{"output", 'o', "FILE", "also write FILE.json, .csv, .md or .html (repeatable)"},
    GlobalFlag{"config", 0, "FILE", "inputs from a TOML or JSON file"},
    GlobalFlag{"set", 0, "KEY=VALUE", "override an input or a catalogue fact (repeatable)"},
    GlobalFlag{"catalog", 0, "DIR",
               "lay a folder of facts over the catalogue (repeatable) [$GREENLINE_DATA]"},
    GlobalFlag{"fail-if", 0, "EXPR", "exit 1 when the condition holds: 'energy_kwh > 1.2 GWh'"},
    GlobalFlag{"ledger", 0, "FILE", "keep the result in this SQLite file"},
    GlobalFlag{"seed", 0, "N", "seed of all random draws"},
    GlobalFlag{"threads", 0, "N", "threads to use; the result does not depend on it"},
    GlobalFlag{"quiet", 'q', "", "no progress and no notices on standard error"},
    GlobalFlag{"no-color", 0, "", "no colour [$NO_COLOR]"},
    GlobalFlag{"help", 'h', "", "this text"},
    GlobalFlag{"version", 0, "", "the version"},
};

// One option per flag of the verb, after the global ones.
struct VerbOption {
  const verb::Field* field;
  bool negated;  // --no-name
};

Option option_of(const GlobalFlag& flag) {
  return {flag.name, flag.letter, *flag.placeholder != '\0'};
}

const GlobalFlag* find_global(std::string_view argument) {
  for (const GlobalFlag& flag : kGlobalFlags) {
    if (argument == fmt::format("--{}", flag.name)) return &flag;
    if (flag.letter != 0 && argument == fmt::format("-{}", flag.letter)) return &flag;
  }
  return nullptr;
}

// Takes the first argument that is neither a flag nor the value of a global flag.
std::optional<std::string> take_word(std::vector<std::string>& arguments, std::size_t& at) {
  for (; at < arguments.size(); ++at) {
    if (arguments[at].starts_with("-") && arguments[at].size() > 1) {
      const GlobalFlag* flag = find_global(arguments[at]);
      if (flag != nullptr && *flag->placeholder != '\0') ++at;
      continue;
    }
    std::string word = arguments[at];
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(at));
    return word;
  }
  return std::nullopt;
}

// Takes noun and verb out of the arguments; none when there are none.
void take_verb(const verb::Registry& registry, std::vector<std::string>& arguments,
               CommandLine& command) {
  std::size_t at = 0;
  const auto first = take_word(arguments, at);
  if (!first) return;
  if (registry.find("", *first) != nullptr) {
    command.name = *first;
    return;
  }
  if (registry.of(*first).empty()) registry.get("", *first);  // throws with the nearest
  command.noun = *first;
  // The verb follows its noun, but global flags may stand between.
  if (const auto second = take_word(arguments, at)) {
    registry.get(*first, *second);
    command.name = *second;
  }
}

template <class T>
T whole(const std::string& flag, const std::string& text, T least) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least)
    throw base::UserError("bad-value",
                          fmt::format("--{} is {}; expected a whole number of at least {}", flag,
                                      base::quoted(text), least));
  return value;
}

void set_format(View& view, app::Format format) {
  GL_USER_CHECK(view.format == app::Format::terminal || view.format == format, "given-twice",
                "standard output takes one of --json, --csv, --markdown; write the others with -o");
  view.format = format;
}

void require_once(bool is_first, const std::string& flag) {
  GL_USER_CHECK(is_first, "given-twice", fmt::format("--{} is given twice", flag));
}

// For a flag that takes one text.
void set_once(std::string& target, const std::string& flag, const std::string& value) {
  GL_USER_CHECK(!value.empty(), "missing-value", fmt::format("--{} has no value", flag));
  require_once(target.empty(), flag);
  target = value;
}

void apply_switch(std::string_view name, CommandLine& command) {
  if (name == "json")
    set_format(command.view, app::Format::json);
  else if (name == "csv")
    set_format(command.view, app::Format::csv);
  else if (name == "markdown")
    set_format(command.view, app::Format::markdown);
  else if (name == "quiet")
    command.view.quiet = true;
  else if (name == "no-color")
    command.view.colour = false;
  else if (name == "help")
    command.action = CommandLine::Action::help;
  else if (name == "version")
    command.action = CommandLine::Action::version;
  else
    throw base::InternalError(fmt::format("the flag --{} does nothing", name));
}

void apply_global(const GlobalFlag& flag, const std::string& value, CommandLine& command) {
  const std::string name = flag.name;
  app::Invocation& invocation = command.invocation;
  View& view = command.view;
  if (*flag.placeholder == '\0' && value != "true")
    throw base::UserError("bad-value",
                          fmt::format("--{} takes no value, got {}", name, base::quoted(value)));
  if (name == "output") {
    view.files.push_back({value});
  } else if (name == "config") {
    set_once(invocation.config_file, name, value);
  } else if (name == "set") {
    invocation.sets.push_back(value);
  } else if (name == "catalog") {
    invocation.catalog_directories.push_back(value);
  } else if (name == "fail-if") {
    set_once(invocation.fail_if, name, value);
  } else if (name == "ledger") {
    set_once(view.ledger, name, value);
  } else if (name == "seed") {
    require_once(!invocation.seed.has_value(), name);
    invocation.seed = whole<std::uint64_t>(name, value, 0);
  } else if (name == "threads") {
    require_once(view.threads == 0, name);
    view.threads = whole<int>(name, value, 1);
  } else {
    apply_switch(name, command);
  }
}

// Positionals go to the positional fields in order; the last one takes all the rest when it is
// repeated.
void assign_positionals(const verb::Fields& fields, const std::vector<std::string>& texts,
                        app::Invocation& invocation) {
  std::vector<const verb::Field*> places;
  for (const auto& field : fields.all()) {
    if (field->is_positional()) places.push_back(field.get());
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool fits = i < places.size() || (!places.empty() && places.back()->is_repeated());
    GL_USER_CHECK(
        fits, "too-many-arguments",
        fmt::format("unexpected {}: the verb takes {} argument{} without a flag",
                    base::quoted(texts[i]), places.size(), places.size() == 1 ? "" : "s"));
    const verb::Field& field = *places[std::min(i, places.size() - 1)];
    invocation.flags.push_back({field.name(), texts[i], field.flag(), true});
  }
}

void add_verb_options(const verb::Fields& fields, std::vector<Option>& options,
                      std::vector<VerbOption>& verb_options) {
  for (const auto& field : fields.all()) {
    if (field->is_file_only()) continue;
    const std::string name = field->flag().substr(2);
    options.push_back({name, field->short_letter(), !field->is_switch()});
    verb_options.push_back({field.get(), false});
    if (!field->is_switch()) continue;
    options.push_back({"no-" + name, 0, false});
    verb_options.push_back({field.get(), true});
  }
}

void add_flag(const VerbOption& option, const Given& given, app::Invocation& invocation) {
  const verb::Field& field = *option.field;
  if (!option.negated) {
    invocation.flags.push_back({field.name(), given.value, field.flag()});
    return;
  }
  const std::string typed = "--no-" + field.flag().substr(2);
  GL_USER_CHECK(given.value == "true", "bad-value",
                fmt::format("{} takes no value, got {}", typed, base::quoted(given.value)));
  invocation.flags.push_back({field.name(), "false", typed});
}

std::vector<std::string> split_paths(const std::string& text) {
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin) paths.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

// As a shell would need it to run the same again.
std::string shell_words(std::span<const std::string> arguments) {
  std::string line = "greenline";
  for (const std::string& argument : arguments) {
    const bool plain = !argument.empty() &&
                       argument.find_first_of(" \t\n'\"\\$`*?[](){}<>|&;!#~") == argument.npos;
    line += ' ';
    if (plain) {
      line += argument;
      continue;
    }
    line += '\'';
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace

std::span<const GlobalFlag> global_flags() { return kGlobalFlags; }

CommandLine parse_command_line(const verb::Registry& registry,
                               std::span<const std::string> arguments,
                               const Environment& environment) {
  CommandLine command;
  app::Invocation& invocation = command.invocation;
  std::vector<std::string> rest(arguments.begin(), arguments.end());
  take_verb(registry, rest, command);

  std::vector<Option> options;
  for (const GlobalFlag& flag : kGlobalFlags) options.push_back(option_of(flag));
  std::vector<VerbOption> verb_options;
  std::unique_ptr<verb::Call> call;
  if (!command.name.empty()) {
    call = registry.get(command.noun, command.name).make();
    add_verb_options(call->fields(), options, verb_options);
  }

  if (const auto data = environment("GREENLINE_DATA"))
    invocation.catalog_directories = split_paths(*data);
  if (const auto isa = environment("GREENLINE_ISA"))
    invocation.instruction_set = base::instruction_set_of(*isa);
  if (const auto no_color = environment("NO_COLOR")) command.view.colour = no_color->empty();
  const Split split = split_arguments(options, rest);
  for (const Given& given : split.given) {
    if (given.option < kGlobalFlags.size())
      apply_global(kGlobalFlags[given.option], given.value, command);
    else
      add_flag(verb_options[given.option - kGlobalFlags.size()], given, invocation);
  }
  if (command.action != CommandLine::Action::run) return command;
  if (call == nullptr) {
    command.action = CommandLine::Action::help;
    return command;
  }
  assign_positionals(call->fields(), split.positionals, invocation);
  for (app::OutputFile& file : command.view.files) {
    file = app::output_file(file.path, registry, registry.get(command.noun, command.name).info);
    if (!file.attachment.empty()) invocation.attachments.push_back(file.attachment);
  }
  invocation.noun = command.noun;
  invocation.name = command.name;
  invocation.command_line = shell_words(arguments);
  invocation.environment = environment;
  return command;
}

}  // namespace greenline::cli
