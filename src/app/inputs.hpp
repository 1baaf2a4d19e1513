// Fills the fields of a call. Order: flag or --set, then file, then environment, then default.
#pragma once

#include <string>
#include <vector>

#include "app/run.hpp"
#include "render/document.hpp"
#include "verb/registry.hpp"

namespace greenline::app {

// Settings first, then every field. UserError for an unknown key of a file or --set (nearest of the
// verb's fields and the catalogue's facts), a missing required input, a second config file, and for
// what takes one value and is given two, by flags, by --set or by one of each.
void fill_inputs(verb::Call& call, const verb::Info& info, const Invocation& invocation);

// The defaults that shaped the result, then what the library assumed on its way.
std::vector<render::Assumed> assumptions(verb::Call& call);

}  // namespace greenline::app
