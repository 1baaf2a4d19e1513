#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/chrome_trace.hpp"
#include "trace/anonymise.hpp"
#include "trace/diff.hpp"
#include "trace/verbs_graph.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::trace {
namespace {

using base::Time;

Time time_of(double ns) { return Time::from_base(ns / 1e9); }

template <class Get>
auto column(const std::vector<DifferenceRow>& rows, Get get) {
  std::vector<std::decay_t<decltype(get(rows.front()))>> values;
  values.reserve(rows.size());
  for (const DifferenceRow& row : rows) values.push_back(get(row));
  return values;
}

void add_rows(verb::Report& r, const char* key, const char* title, const char* name,
              const std::vector<DifferenceRow>& rows, bool has_numbers) {
  auto table = r.table(key, title);
  table.column(name, column(rows, [](const auto& x) { return x.name; }));
  if (has_numbers)
    table.column("count_a", column(rows, [](const auto& x) { return x.number_a; }), "number in A")
        .column("count_b", column(rows, [](const auto& x) { return x.number_b; }), "in B");
  table.column("a", column(rows, [](const auto& x) { return time_of(x.a); }), "A")
      .column("b", column(rows, [](const auto& x) { return time_of(x.b); }), "B")
      .column("difference", column(rows, [](const auto& x) { return time_of(x.difference()); }),
              "B - A");
}

}  // namespace

void describe(verb::Fields& f, TraceDiffRequest& r) {
  f(r.a, "a", "the first trace, or those of a job")
      .positional()
      .required()
      .placeholder("A.json.gz");
  f(r.b, "b", "what to compare it with").positional().required().placeholder("B.json.gz");
  f(r.orphans, "orphans", "GPU events whose launch is not in the trace");
  f(r.top, "top", "kernels in the table").bounds(0.0, 1e6);
}

void present(verb::Report& r, const TraceDiffResult& x) {
  r.title("What differs between two traces");
  r.value("num_ranks_a", x.ranks_a, {.label = "ranks of A"});
  r.value("num_ranks_b", x.ranks_b, {.label = "ranks of B"});
  r.value("total_a", time_of(x.total.a), {.label = "A", .headline = true});
  r.value("total_b", time_of(x.total.b), {.label = "B", .headline = true});
  r.value("total_difference", time_of(x.total.difference()),
          {.label = "B - A, mean of the ranks", .headline = true});
  r.value("busy_difference", time_of(x.busy.difference()), {.label = "of it busy"});
  r.value("idle_difference", time_of(x.idle.difference()), {.label = "of it idle"});
  add_rows(r, "parts", "Where the time went, mean of the ranks", "part", x.parts, false);
  add_rows(r, "classes", "By class of kernel", "class", x.classes, true);
  add_rows(r, "operators", "By class of the operator that launched it", "class", x.operators, true);
  add_rows(r, "kernels", "Kernels that differ most", "name", x.kernels, true);
  r.chart({.key = "classes",
           .title = "By class of kernel",
           .kind = verb::ChartKind::bars,
           .x = "classes.class",
           .y = {"classes.a", "classes.b"},
           .labels = {"A", "B"},
           .y_label = "s"});
}

void describe(verb::Fields& f, AnonymiseRequest& r) {
  f(r.files, "files", "trace of one rank").positional().required().placeholder("FILE");
  f(r.keep_shapes, "keep_shapes", "leave the shapes and types of the inputs of operators");
}

void present(verb::Report& r, const AnonymiseResult& x) {
  r.title("A trace without names");
  r.value("num_events", x.num_events, {.label = "events, as before", .headline = true});
  r.value("names_replaced", x.names_replaced, {.label = "names replaced", .headline = true});
  r.value("names_kept", x.names_kept, {.label = "kept: of ATen, of a runtime, of values"});
  r.value("shapes_removed", x.shapes_removed, {.label = "operators without their shapes now"});
  r.attachment(".trace.json", [&] { return io::chrome_trace(*x.trace); });
}

void register_compare_verbs(verb::Registry& registry) {
  registry.add<TraceDiffRequest, TraceDiffResult>(
      {.noun = "trace",
       .name = "diff",
       .heading = verb::Heading::measure,
       .summary = "what differs between two traces, by class of operator and kernel",
       .description = "Parts of the breakdown, classes and kernels of two traces or jobs side by "
                      "side: time and number as means of the ranks of each, largest difference "
                      "first.",
       .examples = {{"greenline trace diff before.json.gz after.json.gz", "two runs of one rank"},
                    {"greenline trace diff before/ after/ --top 50 --json", "two jobs"}}},
      diff_traces);
  registry.add<AnonymiseRequest, AnonymiseResult>(
      {.noun = "trace",
       .name = "anonymise",
       .heading = verb::Heading::measure,
       .summary = "a trace with the same timing and without the names that say whose it is",
       .description =
           "Stamps, streams, ids, classes of kernels, kinds of collectives and names of ATen and "
           "the runtimes stay. Names of kernels, ranges, Python functions, groups, processes and "
           "devices go, and shapes unless they are asked for.",
       .examples = {{"greenline trace anonymise rank0.json.gz -o shared.trace.json", "to show it"},
                    {"greenline trace anonymise rank0.json.gz --keep-shapes -o shared.trace.json",
                     "with the shapes of inputs"}},
       .attachments = {{".trace.json", "the trace without names", ""}}},
      anonymise);
}

}  // namespace greenline::trace
