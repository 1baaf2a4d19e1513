// A Hugging Face config.json as a model shape. docs/formats/hugging_face.md lists the keys that are
// read; others are left alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/journal.hpp"
#include "catalog/entries.hpp"

namespace greenline::catalog {

// The id is `_name_or_path` where that names a model, else the file's name without its ending. The
// journal, when given, gets the file, one notice that sums the shape up, and one for each thing
// that changes cost and that the shape has no word for (a sliding window, soft caps, quantised
// weights). Errors: UnsupportedError "unsupported-model" for an architecture that no shape
// describes, with those that are read; DataError "bad-config" for a missing key or a size that
// cannot be, "bad-shape" for sizes that contradict each other, and those of io::read_file and
// io::parse_json.
ModelShape import_hugging_face(const std::string& path, base::Journal* journal);

// The same from text; `name` stands for the file in messages.
ModelShape parse_hugging_face(std::string_view text, const std::string& name,
                              base::Journal* journal = nullptr);

// The values of `model_type` that are read, sorted.
std::vector<std::string> hugging_face_types();

}  // namespace greenline::catalog
