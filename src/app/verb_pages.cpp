#include "app/verb_pages.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/file.hpp"

namespace greenline::app {
namespace {

std::string page_name(const verb::Info& info) {
  return (info.noun.empty() ? info.name : info.noun + "-" + info.name) + ".md";
}

// Text inside a Markdown table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string default_of(const verb::Field& field) {
  if (field.is_required()) return "required";
  std::string text = field.default_text().empty() || field.is_switch()
                         ? ""
                         : "`" + cell(field.default_text()) + "`";
  if (!field.source_text().empty()) text += (text.empty() ? "" : ", ") + cell(field.source_text());
  if (!field.environment_name().empty())
    text += (text.empty() ? "" : ", ") + ("`$" + field.environment_name() + "`");
  return text;
}

std::string flag_of(const verb::Field& field) {
  if (field.is_file_only()) return "`[[" + field.name() + "]]` (file only)";
  std::string flag = "`" + field.flag() + "`";
  if (field.is_positional()) flag += " (positional)";
  if (field.is_repeated()) flag += " (repeatable)";
  return flag;
}

std::string help_of(const verb::Field& field) {
  std::string help = cell(field.help());
  if (!field.choice_names().empty())
    help += fmt::format("; one of `{}`", fmt::join(field.choice_names(), "`, `"));
  return help;
}

}  // namespace

std::string verb_page(const verb::Verb& verb) {
  const verb::Info& info = verb.info;
  std::string page = fmt::format("# greenline {}\n\n{}.\n\n{}\n", info.full_name(), info.summary,
                                 info.description);
  page += "\n## Examples\n";
  for (const verb::Example& example : info.examples)
    page += fmt::format("\n{}:\n\n```\n{}\n```\n", example.what, example.command);
  page += "\n## Inputs\n\n| flag | type | default | meaning |\n|---|---|---|---|\n";
  const auto call = verb.make();
  for (const auto& field : call->fields().all()) {
    if (field->is_hidden()) continue;
    page += fmt::format("| {} | {} | {} | {} |\n", flag_of(*field), cell(field->type()),
                        default_of(*field), help_of(*field));
  }
  page +=
      "\nThe same names, with `_` for `-`, are the keys of a TOML or JSON file given by "
      "`--config FILE`. A flag wins over the file, the file over the default.\n";
  if (info.attachments.empty()) return page;
  page += "\n## Files besides the result\n\n| flag | what it writes |\n|---|---|\n";
  for (const verb::Attachment& attachment : info.attachments)
    page += fmt::format("| `-o FILE{}` | {}{} |\n", attachment.suffix, cell(attachment.what),
                        attachment.when.empty() ? "" : ", " + cell(attachment.when));
  return page;
}

void write_verb_pages(const verb::Registry& registry, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  GL_USER_CHECK(
      !error, "cannot-write",
      fmt::format("cannot make the folder {}: {}", base::quoted(directory), error.message()));
  std::string list = "# Verbs\n\n| verb | what it does |\n|---|---|\n";
  for (const verb::Verb& verb : registry.all()) {
    const std::string name = page_name(verb.info);
    io::write_file(directory + "/" + name, verb_page(verb));
    list +=
        fmt::format("| [{}]({}) | {} |\n", verb.info.full_name(), name, cell(verb.info.summary));
  }
  io::write_file(directory + "/README.md", list);
}

}  // namespace greenline::app
