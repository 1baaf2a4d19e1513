#include "verb/registry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::verb {

void Registry::add(Info info, std::function<std::unique_ptr<Call>()> make) {
  if (find(info.noun, info.name) != nullptr)
    throw base::InternalError("the verb \"" + info.full_name() + "\" is registered twice");
  verbs_.push_back({std::move(info), std::move(make)});
}

const Verb* Registry::find(std::string_view noun, std::string_view name) const {
  for (const Verb& verb : verbs_) {
    if (verb.info.noun == noun && verb.info.name == name) return &verb;
  }
  return nullptr;
}

const Verb& Registry::get(std::string_view noun, std::string_view name) const {
  if (const Verb* verb = find(noun, name)) return *verb;
  const std::vector<const Verb*> siblings = noun.empty() ? std::vector<const Verb*>{} : of(noun);
  std::vector<std::string> known;
  if (!siblings.empty()) {
    for (const Verb* verb : siblings) known.push_back(verb->info.name);
    throw base::unknown_name("verb", name, known,
                             fmt::format("verbs of {}: {}; see greenline {} --help", noun,
                                         fmt::join(known, ", "), noun));
  }
  // Somebody may have typed the verb of a noun alone, "simulate".
  const std::string_view given = noun.empty() ? name : noun;
  std::vector<std::string> same;
  for (const Verb& verb : verbs_) {
    if (!verb.info.noun.empty() && verb.info.name == given) same.push_back(verb.info.full_name());
    if (verb.info.noun.empty()) known.push_back(verb.info.name);
  }
  for (const std::string& n : nouns()) known.push_back(n);
  throw base::unknown_name(
      "verb", given, known,
      same.empty() ? "see greenline --help"
                   : fmt::format("did you mean greenline {}?", fmt::join(same, " or greenline ")));
}

std::vector<std::string> Registry::nouns() const {
  std::vector<std::string> nouns;
  for (const Verb& verb : verbs_) {
    const std::string& noun = verb.info.noun;
    if (!noun.empty() && std::find(nouns.begin(), nouns.end(), noun) == nouns.end())
      nouns.push_back(noun);
  }
  return nouns;
}

std::vector<const Verb*> Registry::of(std::string_view noun) const {
  std::vector<const Verb*> verbs;
  for (const Verb& verb : verbs_) {
    if (verb.info.noun == noun) verbs.push_back(&verb);
  }
  return verbs;
}

void Registry::add_selftest(std::string room, base::Selftest selftest) {
  selftests_.emplace_back(std::move(room), std::move(selftest));
}

}  // namespace greenline::verb
