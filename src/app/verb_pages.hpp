// docs/verbs: one Markdown page per verb, made from the same lists that drive the flags.
#pragma once

#include <string>

#include "verb/registry.hpp"

namespace greenline::app {

std::string verb_page(const verb::Verb& verb);

// Writes <noun>-<verb>.md for each verb and README.md, the list of all.
void write_verb_pages(const verb::Registry& registry, const std::string& directory);

}  // namespace greenline::app
