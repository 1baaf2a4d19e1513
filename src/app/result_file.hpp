#pragma once

#include <string>

#include "base/journal.hpp"
#include "io/value.hpp"

namespace greenline::app {

// A result document from a JSON file of at most 256 MiB. DataError "file-too-large", "bad-json", or
// "not-a-result" with the file.
io::Value read_result(const std::string& path, base::Journal& journal);

}  // namespace greenline::app
