#include "app/diff.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "app/compare.hpp"
#include "app/compare_unlisted.hpp"
#include "app/result_file.hpp"
#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace greenline::app {
namespace {

constexpr std::size_t kMostShown = 200;  // differences in words; all are there as numbers
constexpr std::size_t kMostBars = 24;    // of the chart, and of the rows that a terminal shows

struct DiffRequest {
  base::Settings settings;
  std::string a, b;
  double tolerance = 1e-12;
};

struct Side {
  std::string file, verb, version, command_line, started;
};

struct DiffResult {
  Side a, b;
  Comparison comparison;
};

Side side_of(const std::string& file, const render::Outline& outline) {
  return {file, outline.verb, outline.version, outline.command_line, outline.started};
}

DiffResult diff(const DiffRequest& request, base::Progress&) {
  const io::Value document_a = read_result(request.a, *request.settings.journal),
                  document_b = read_result(request.b, *request.settings.journal);
  render::Outline a = render::read_outline(document_a), b = render::read_outline(document_b);
  add_unlisted(document_a, a);
  add_unlisted(document_b, b);
  if (a.verb != b.verb)
    throw base::UserError(
        "nothing-to-compare",
        fmt::format("{} is a result of `{}`, {} one of `{}`: what both call alike "
                    "need not be the same thing",
                    base::quoted(request.a), a.verb, base::quoted(request.b), b.verb),
        "compare two results of one verb");
  DiffResult out{side_of(request.a, a), side_of(request.b, b), compare(a, b, request.tolerance)};
  if (out.comparison.num_compared == 0 && !out.comparison.unpaired.empty())
    throw base::UserError("nothing-to-compare",
                          fmt::format("{} and {} have no value in common", base::quoted(request.a),
                                      base::quoted(request.b)),
                          "compare two results of one verb and version");
  return out;
}

void describe(verb::Fields& f, DiffRequest& r) {
  f(r.a, "a", "a result written by --json or -o FILE.json")
      .positional()
      .required()
      .placeholder("A.json");
  f(r.b, "b", "the result to compare it with").positional().required().placeholder("B.json");
  f(r.tolerance, "tolerance", "relative difference up to which two numbers count as equal")
      .bounds(0.0, 1.0)
      .source("the rounding of doubles");
}

const char* certainty_text(const Difference& d) {
  if (!d.a || !d.b) return "";
  switch (d.certainty) {
    case Certainty::certain:
      return "no range";
    case Certainty::beyond:
      return "beyond the ranges";
    case Certainty::within:
      return "ranges overlap";
  }
  throw base::InternalError("a certainty of unknown kind");
}

std::string change_text(const Difference& d) {
  const auto change = d.change();
  if (!change) return "";
  const std::string sign = *change > 0 ? "+" : "";
  if (d.unit.percent) return fmt::format("{}{:.3g} points", sign, *change * 100);
  return sign + base::format_quantity({*change * d.unit.factor, d.unit.dimension});
}

verb::Cell cell_of(const std::optional<double>& x, const char* why) {
  return x ? verb::make_cell(*x) : verb::Cell(verb::Absent{why});
}

const char* why_no_change(const Difference& d) {
  return d.a && d.b ? "larger than any number" : "not both are numbers";
}

const char* why_no_relative(const Difference& d) {
  return d.a && *d.a == 0 && d.b ? "A is zero" : why_no_change(d);
}

void present_side(verb::Report& r, const char* key, const char* title, const Side& side) {
  r.group(key, title, [&] {
    r.text("file", side.file);
    r.text("verb", side.verb);
    r.text("version", side.version);
    r.text("command_line", side.command_line, {.label = "command"});
    r.text("started", side.started);
  });
}

// Of each long column and series only the first, which differs most; how many it stands for.
std::vector<std::pair<const Difference*, std::size_t>> for_people(
    const std::vector<Difference>& differences) {
  std::vector<std::pair<const Difference*, std::size_t>> shown;
  std::map<std::string, std::size_t> places;
  for (const Difference& d : differences) {
    if (!d.long_data.empty()) {
      const auto [at, is_new] = places.emplace(d.long_data, shown.size());
      if (!is_new) {
        ++shown[at->second].second;
        continue;
      }
    }
    shown.emplace_back(&d, 1);
  }
  return shown;
}

void present_changes(verb::Report& r, const std::vector<Difference>& differences) {
  std::vector<std::string> keys, a, b, changes, certainties;
  std::vector<verb::Cell> relative;
  bool any_relative = false;
  const auto shown = for_people(differences);
  for (const auto& [difference, num_alike] : shown) {
    if (keys.size() == kMostShown) break;
    const Difference& d = *difference;
    keys.push_back(d.key + (num_alike > 1 ? fmt::format(" (most of {})", num_alike) : ""));
    a.push_back(d.text_a);
    b.push_back(d.text_b);
    changes.push_back(change_text(d));
    relative.push_back(cell_of(d.relative_change(), why_no_relative(d)));
    any_relative = any_relative || d.relative_change();
    certainties.emplace_back(certainty_text(d));
  }
  if (keys.size() < shown.size())
    r.notice(fmt::format(
        "in words: the {} most relevant of {} differences; the numbers of all are in result.values "
        "(--json)",
        keys.size(), shown.size()));
  r.table("changes", "What differs")
      .column("key", keys)
      .column("a", a, "A")
      .column("b", b, "B")
      .column("change", changes)
      .column("relative_change", relative, "relative", true)
      .column("uncertainty", certainties);
  if (any_relative && keys.size() <= kMostBars)
    r.chart({.key = "changes",
             .title = "Relative change",
             .kind = verb::ChartKind::bars,
             .x = "changes.key",
             .y = {"changes.relative_change"},
             .labels = {"relative change"}});
}

void present_numbers(verb::Report& r, const std::vector<Difference>& differences) {
  std::vector<std::string> keys, units;
  std::vector<verb::Cell> a, b, change, relative, beyond;
  for (const Difference& d : differences) {
    if (!d.a && !d.b) continue;
    keys.push_back(d.key);
    units.push_back(base::file_unit(d.unit.dimension).symbol);
    a.push_back(cell_of(d.a, "n/a in A"));
    b.push_back(cell_of(d.b, "n/a in B"));
    change.push_back(cell_of(d.change(), why_no_change(d)));
    relative.push_back(cell_of(d.relative_change(), why_no_relative(d)));
    beyond.push_back(d.a && d.b && d.certainty != Certainty::certain
                         ? verb::make_cell(d.certainty == Certainty::beyond)
                         : verb::Cell(verb::Absent{"no range"}));
  }
  r.table("values", "The numbers that differ, in the units of their keys")
      .column("key", keys)
      .column("unit", units)
      .column("a", a)
      .column("b", b)
      .column("change", change)
      .column("relative_change", relative)
      .column("beyond_uncertainty", beyond)
      .hidden();
}

void present_causes(verb::Report& r, const std::vector<Cause>& causes) {
  std::vector<std::string> kinds, keys, a, b;
  for (const Cause& cause : causes) {
    kinds.push_back(cause.kind);
    keys.push_back(cause.key);
    a.push_back(cause.a);
    b.push_back(cause.b);
  }
  r.table("causes", "What went in differently")
      .column("kind", kinds)
      .column("key", keys)
      .column("a", a, "A")
      .column("b", b, "B");
}

void present_unpaired(verb::Report& r, const std::vector<Unpaired>& unpaired) {
  std::vector<std::string> keys, where;
  for (const Unpaired& l : unpaired) {
    keys.push_back(l.key);
    where.emplace_back(l.in_a ? "A" : "B");
  }
  r.table("unpaired", "What only one of them has").column("key", keys).column("only_in", where);
}

std::string status_of(const Comparison& c) {
  if (c.same()) return "no difference";
  std::string text = c.differences.empty() ? "all common values are the same"
                                           : fmt::format("{} of {} values differ",
                                                         c.differences.size(), c.num_compared);
  if (!c.unpaired.empty()) text += fmt::format("; {} only in one", c.unpaired.size());
  return text;
}

void present(verb::Report& r, const DiffResult& x) {
  const Comparison& c = x.comparison;
  const auto num_beyond =
      std::count_if(c.differences.begin(), c.differences.end(),
                    [](const Difference& d) { return d.certainty == Certainty::beyond; });
  r.title(fmt::format("{} against {}", x.b.file, x.a.file));
  r.text("status", status_of(c), {.headline = true});
  r.value("same", c.same());
  r.value("max_headline_change", c.max_weight(true),
          {.label = "largest relative change of a headline", .headline = true, .as_percent = true});
  r.value("max_relative_change", c.max_weight(false),
          {.label = "largest relative change",
           .why = "of |A|; from zero or n/a it counts as 100 %",
           .headline = true,
           .as_percent = true});
  r.value("num_different", c.differences.size(), {.label = "values that differ"});
  r.value("num_beyond_uncertainty", num_beyond, {.label = "of these beyond their ranges"});
  r.value("num_compared", c.num_compared, {.label = "values compared"});
  r.value("num_within_tolerance", c.num_within_tolerance,
          {.label = "values equal within the tolerance"});
  r.value("num_unpaired", c.unpaired.size(), {.label = "values, rows and columns of one only"});
  present_changes(r, c.differences);
  present_causes(r, c.causes);
  present_unpaired(r, c.unpaired);
  present_numbers(r, c.differences);
  present_side(r, "a", "A", x.a);
  present_side(r, "b", "B", x.b);
  if (std::any_of(c.differences.begin(), c.differences.end(),
                  [](const Difference& d) { return d.certainty == Certainty::within; }))
    r.notice(
        "overlapping ranges do not show that nothing changed: what both results share moves both");
}

}  // namespace

void register_diff(verb::Registry& registry) {
  verb::Info info;
  info.name = "diff";
  info.summary = "what differs between two results, and why";
  info.description =
      "Compares two result files value by value: absolute and relative change, and whether it "
      "exceeds the ranges of the two. Headline values come first, then the others by their "
      "relative "
      "change, then the cells of tables, whose rows are joined by their names. Beside that stands "
      "what went in differently: files, catalogue facts, assumptions, overrides, seed and version.";
  info.examples = {
      {"greenline diff before.json after.json", "every value that differs"},
      {"greenline diff before.json after.json --tolerance 1e-6 --fail-if 'max_relative_change > "
       "0.05'",
       "a gate: exit 1 when a value moved by more than 5 %"}};
  registry.add(std::move(info), &diff);
}

}  // namespace greenline::app
