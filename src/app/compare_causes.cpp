#include "app/compare_causes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace greenline::app {
namespace {

using render::Outline;

using Named = std::vector<std::pair<std::string, std::string>>;  // key, text; keys may repeat

// Keys that repeat are told apart by their number.
std::map<std::pair<std::string, int>, std::string> numbered(const Named& list) {
  std::map<std::string, int> seen;
  std::map<std::pair<std::string, int>, std::string> out;
  for (const auto& [key, text] : list) out[{key, seen[key]++}] = text;
  return out;
}

void add_causes(const std::string& kind, const Named& a, const Named& b,
                std::vector<Cause>& causes) {
  auto in_b = numbered(b);
  std::map<std::string, int> seen;
  for (const auto& [key, text] : a) {
    const auto found = in_b.find({key, seen[key]++});
    if (found == in_b.end()) {
      causes.push_back({kind, key, text, ""});
    } else {
      if (found->second != text) causes.push_back({kind, key, text, found->second});
      in_b.erase(found);
    }
  }
  seen.clear();
  for (const auto& [key, text] : b)
    if (in_b.count({key, seen[key]++}) != 0) causes.push_back({kind, key, "", text});
}

Named facts_of(const Outline& outline) {
  Named list;
  for (const render::ShownFact& f : outline.facts)
    list.emplace_back(f.id, f.value + (f.unit.empty() || f.unit == "1" ? "" : " " + f.unit) + " (" +
                                f.origin + ", " + f.source + ")");
  return list;
}

Named files_of(const Outline& outline) {
  Named list;
  for (const render::ShownFile& f : outline.inputs)
    list.emplace_back(f.path, "SHA-256 " + f.sha256.substr(0, 12) + "…");
  return list;
}

Named assumptions_of(const Outline& outline) {
  Named list;
  for (const render::ShownAssumption& a : outline.assumed)
    list.emplace_back(a.key, a.value + (a.source.empty() ? "" : " (" + a.source + ")"));
  return list;
}

// "KEY=VALUE" by key.
Named overrides_of(const Outline& outline) {
  Named list;
  for (const std::string& text : outline.overrides) {
    const std::size_t equals = std::min(text.find('='), text.size());
    list.emplace_back(text.substr(0, equals), equals < text.size() ? text.substr(equals + 1) : "");
  }
  return list;
}

// The words of a command line as provenance keeps it: only single quotes.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (c == '\\' && !quoted && i + 1 < line.size()) {
      word += line[++i];
    } else if (c == ' ' && !quoted) {
      if (any || !word.empty()) words.push_back(std::exchange(word, ""));
      any = false;
    } else {
      word += c;
    }
  }
  if (any || !word.empty()) words.push_back(word);
  return words;
}

bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         (word[1] == '-' || (word[1] >= 'a' && word[1] <= 'z'));
}

// Flags with their values, and words without a flag by number. What only shows or keeps a result,
// and --set, which has a list of its own, are left out.
Named flags_of(const Outline& outline) {
  static constexpr std::array<std::string_view, 13> kLeftOut{
      "-o",       "--output",  "--json",     "--csv",     "--markdown", "-q",    "--quiet",
      "--ledger", "--threads", "--no-color", "--fail-if", "--set",      "--seed"};
  const std::vector<std::string> words = words_of(outline.command_line);
  Named list;
  int num_bare = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {  // after the program
    if (!is_flag(words[i])) {
      list.emplace_back("word " + std::to_string(++num_bare), words[i]);
      continue;
    }
    const std::size_t equals = std::min(words[i].find('='), words[i].size());
    const std::string key = words[i].substr(0, equals);
    std::string value = equals < words[i].size() ? words[i].substr(equals + 1) : "";
    const bool is_switch = key == "--json" || key == "--csv" || key == "--markdown" ||
                           key == "-q" || key == "--quiet" || key == "--no-color";
    if (equals == words[i].size() && !is_switch && i + 1 < words.size() && !is_flag(words[i + 1]))
      value = words[++i];
    if (std::find(kLeftOut.begin(), kLeftOut.end(), key) == kLeftOut.end())
      list.emplace_back(key, value.empty() ? "given" : value);
  }
  return list;
}

}  // namespace

std::vector<Cause> causes_of(const Outline& a, const Outline& b) {
  std::vector<Cause> causes;
  add_causes("version", {{"greenline", a.version}}, {{"greenline", b.version}}, causes);
  add_causes("seed", {{"seed", a.seed}}, {{"seed", b.seed}}, causes);
  add_causes("flag", flags_of(a), flags_of(b), causes);
  add_causes("file", files_of(a), files_of(b), causes);
  add_causes("set", overrides_of(a), overrides_of(b), causes);
  add_causes("fact", facts_of(a), facts_of(b), causes);
  add_causes("assumed", assumptions_of(a), assumptions_of(b), causes);
  return causes;
}

}  // namespace greenline::app
