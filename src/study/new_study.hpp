// A commented study file to start from.
#pragma once

#include <string>

#include "base/journal.hpp"
#include "base/progress.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::study {

struct NewRequest {
  base::Settings settings;
  std::string file = "study.toml";
  bool force = false;  // replace an existing file
};
struct NewResult {
  std::string file;
};

// The text of the file: every input of `study run` with its meaning; what has a default is
// commented out.
std::string study_template();

// Writes it. UserError "file-exists" unless forced.
NewResult create(const NewRequest& request, base::Progress& progress = base::no_progress());

void describe(verb::Fields& f, NewRequest& r);
void present(verb::Report& r, const NewResult& x);

}  // namespace greenline::study
