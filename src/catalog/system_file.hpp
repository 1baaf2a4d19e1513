// A machine in a file of its own: an overlay with one node, as `plan calibrate -o FILE.toml`
// writes.
#pragma once

#include <string>

#include "base/journal.hpp"

namespace greenline::catalog {

// When `system` names a TOML file, lays the file over the facts of `settings` and returns the name
// of its one node; else returns `system` as it is. UserError "bad-system-file" for a file with no
// node or several, and the errors of read_overlay.
std::string use_system_file(base::Settings& settings, const std::string& system);

}  // namespace greenline::catalog
