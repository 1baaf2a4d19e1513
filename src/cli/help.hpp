#pragma once

#include <string>
#include <string_view>

#include "verb/registry.hpp"

namespace greenline::cli {

// `greenline --help`: all verbs under their headings.
std::string help_of_all(const verb::Registry& registry);
// `greenline grid --help`: the verbs of a noun.
std::string help_of_noun(const verb::Registry& registry, std::string_view noun);
// `greenline grid simulate --help`: two examples, then the flags.
std::string help_of_verb(const verb::Verb& verb);

}  // namespace greenline::cli
