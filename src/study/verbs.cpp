#include "study/verbs.hpp"

#include <fmt/format.h>

#include "study/new_study.hpp"
#include "study/study.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::study {

void describe(verb::Fields& f, NewRequest& r) {
  f(r.file, "file", "where to write").positional();
  f(r.force, "force", "replace an existing file");
}

void present(verb::Report& r, const NewResult& x) {
  r.title("A study to fill in");
  r.text("file", x.file, {.label = "written", .headline = true});
  r.text("next", fmt::format("greenline study run {}", x.file), {.label = "next"});
}

void register_verbs(verb::Registry& registry) {
  registry.add<StudyRequest, StudyResult>(
      {.noun = "study",
       .name = "run",
       .heading = verb::Heading::plan,
       .summary = "how long, how many kWh, how many tonnes of CO2e a training run takes",
       .description = "From a model and a machine to time, energy, carbon and cost under a real "
                      "grid, hour by hour; with the nearest "
                      "measurements of others, and what would change the answer.",
       .examples = {{"greenline study run llama3-70b --on 128xdgx-h100 --tokens 15T --grid ERCO",
                     "from flags"},
                    {"greenline study run study.toml -o report.html", "from a file, as a report"}},
       .positional_is_config = true},
      run);
  registry.add<NewRequest, NewResult>(
      {.noun = "study",
       .name = "new",
       .heading = verb::Heading::plan,
       .summary = "writes a commented study file to start from",
       .description = "Every input of `study run` with its meaning and default.",
       .examples = {{"greenline study new", "writes study.toml"},
                    {"greenline study new big.toml --force", "replaces a file"}}},
      create);
}

}  // namespace greenline::study
