#include "cli/help.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "cli/command_line.hpp"
#include "render/text.hpp"

namespace greenline::cli {
namespace {

constexpr int kWidth = 100;
constexpr int kFlagColumn = 34;

constexpr std::array kHeadings{
    std::pair{verb::Heading::plan, "Plan"},       std::pair{verb::Heading::measure, "Measure"},
    std::pair{verb::Heading::account, "Account"}, std::pair{verb::Heading::engines, "Engines"},
    std::pair{verb::Heading::other, "And"},
};

std::string spaces(int n) { return std::string(static_cast<std::size_t>(n), ' '); }

// Lines of at most kWidth columns; all but the first behind `indent` spaces, where the first
// starts.
std::string wrapped(std::string_view text, int indent) {
  return render::join(render::wrap(render::printable(text), kWidth - indent),
                      "\n" + spaces(indent));
}

// "  left            right", the right side wrapped in its column.
std::string entry(const std::string& left, std::string_view right) {
  const std::string line = "  " + left;
  const bool fits = render::display_width(line) + 2 <= kFlagColumn;
  return (fits ? render::pad_right(line, kFlagColumn) : line + "\n" + spaces(kFlagColumn)) +
         wrapped(right, kFlagColumn) + "\n";
}

std::string verb_lines(const std::vector<const verb::Verb*>& verbs) {
  std::string out;
  for (const verb::Verb* verb : verbs) out += entry(verb->info.full_name(), verb->info.summary);
  return out;
}

std::string placeholder_of(const verb::Field& field) {
  if (!field.placeholder_text().empty()) return field.placeholder_text();
  const std::size_t dot = field.name().rfind('.');
  std::string name = field.name().substr(dot == std::string::npos ? 0 : dot + 1);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '_' ? '-' : c;
  });
  return name;
}

std::string flag_text(const verb::Field& field) {
  if (field.is_file_only()) return fmt::format("[[{}]]", field.name());
  std::string text = field.short_letter() != 0 ? fmt::format("-{}, ", field.short_letter()) : "";
  if (field.is_switch()) return text + "--[no-]" + field.flag().substr(2);
  return text + field.flag() + " " + placeholder_of(field);
}

std::string field_help(const verb::Field& field) {
  std::string text = field.help();
  if (!field.choice_names().empty())
    text += fmt::format(": {}", fmt::join(field.choice_names(), ", "));
  std::vector<std::string> marks;
  if (field.is_required()) marks.emplace_back("required");
  if (field.is_repeated()) marks.emplace_back("repeatable");
  if (field.is_file_only()) marks.emplace_back("only in a file");
  if (!field.is_required() && !field.is_switch() && !field.default_text().empty())
    marks.push_back("default " + field.default_text());
  if (field.is_switch() && field.default_text() == "true") marks.emplace_back("default on");
  if (!field.environment_name().empty()) marks.push_back("$" + field.environment_name());
  if (!marks.empty()) text += fmt::format(" [{}]", fmt::join(marks, "; "));
  return text;
}

// The table a field belongs to: "site" for "site.pue", "" at the top.
std::string group_of(const verb::Field& field) {
  const std::size_t dot = field.name().rfind('.');
  return dot == std::string::npos ? "" : field.name().substr(0, dot);
}

std::string input_lines(const verb::Fields& fields) {
  std::vector<std::string> groups;
  for (const auto& field : fields.all()) {
    if (!field->is_hidden() &&
        std::find(groups.begin(), groups.end(), group_of(*field)) == groups.end())
      groups.push_back(group_of(*field));
  }
  std::string out;
  for (const std::string& group : groups) {
    out += group.empty() ? "\nInputs\n" : fmt::format("\nInputs: {}\n", group);
    for (const auto& field : fields.all()) {
      if (!field->is_hidden() && group_of(*field) == group)
        out += entry(flag_text(*field), field_help(*field));
    }
  }
  return out;
}

std::string attachment_lines(const verb::Info& info) {
  if (info.attachments.empty()) return "";
  std::string out = "\nFiles besides the result\n";
  for (const verb::Attachment& attachment : info.attachments)
    out += entry("-o FILE" + attachment.suffix,
                 attachment.what + (attachment.when.empty() ? "" : ", " + attachment.when));
  return out;
}

std::string global_lines() {
  std::string out = "\nEvery verb\n";
  for (const GlobalFlag& flag : global_flags()) {
    const std::string letter = flag.letter != 0 ? fmt::format("-{}, ", flag.letter) : "";
    const std::string value = *flag.placeholder != '\0' ? fmt::format(" {}", flag.placeholder) : "";
    out += entry(fmt::format("{}--{}{}", letter, flag.name, value), flag.help);
  }
  return out;
}

std::string usage_of(const verb::Info& info, const verb::Fields& fields) {
  std::string usage = "greenline " + info.full_name();
  for (const auto& field : fields.all()) {
    if (!field->is_positional()) continue;
    const std::string place = placeholder_of(*field);
    usage += field->is_required() ? " " + place : " [" + place + "]";
  }
  return usage + " [flags]";
}

}  // namespace

std::string help_of_all(const verb::Registry& registry) {
  std::string out =
      "greenline: how long an AI workload takes, how many joules it needs and how many grams of "
      "CO2e that is\n\n"
      "Usage: greenline NOUN VERB [inputs] [flags]\n";
  for (const auto& [heading, title] : kHeadings) {
    std::vector<const verb::Verb*> verbs;
    for (const verb::Verb& verb : registry.all()) {
      if (verb.info.heading == heading) verbs.push_back(&verb);
    }
    if (!verbs.empty()) out += fmt::format("\n{}\n{}", title, verb_lines(verbs));
  }
  return out + "\ngreenline NOUN VERB --help shows examples and all flags.\n";
}

std::string help_of_noun(const verb::Registry& registry, std::string_view noun) {
  return fmt::format(
      "Usage: greenline {} VERB [inputs] [flags]\n\nVerbs\n{}\ngreenline {} VERB --help shows "
      "examples and all flags.\n",
      noun, verb_lines(registry.of(noun)), noun);
}

std::string help_of_verb(const verb::Verb& verb) {
  const auto call = verb.make();
  std::string out = "Examples\n";
  for (const verb::Example& example : verb.info.examples)
    out += fmt::format("  {}\n      {}\n", example.command, example.what);
  out += fmt::format("\nUsage: {}\n\n{}\n", usage_of(verb.info, call->fields()),
                     wrapped(verb.info.summary + ".", 0));
  if (!verb.info.description.empty()) out += "\n" + wrapped(verb.info.description, 0) + "\n";
  return out + input_lines(call->fields()) + attachment_lines(verb.info) + global_lines();
}

}  // namespace greenline::cli
