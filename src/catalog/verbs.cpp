#include "catalog/verbs.hpp"

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "catalog/browse.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::catalog {

void describe(verb::Fields& f, ListRequest& r) {
  f(r.kind, "kind", "only this kind: accelerators, nodes, models, grid, …").positional();
}

void describe(verb::Fields& f, ShowRequest& r) {
  f(r.name, "name", "an entry (h100-sxm) or one fact (h100-sxm.tdp)").positional().required();
}

void describe(verb::Fields& f, CiteRequest& r) {
  f(r.file, "file", "a result written by --json or -o FILE.json")
      .positional()
      .required()
      .placeholder("RESULT.json");
}

void present(verb::Report& r, const ListResult& x) {
  r.title("The catalogue");
  std::vector<std::string> kinds, entries, names;
  std::vector<std::int64_t> facts;
  for (const ListResult::Row& row : x.rows) {
    kinds.push_back(row.kind);
    entries.push_back(row.entry);
    names.push_back(row.name);
    facts.push_back(row.num_facts);
  }
  r.value("num_entries", static_cast<std::int64_t>(x.rows.size()), {.label = "entries"});
  r.table("entries", "Entries")
      .whole()
      .column("kind", kinds)
      .column("entry", entries)
      .column("name", names)
      .column("num_facts", facts, "facts");
}

void present(verb::Report& r, const ShowResult& x) {
  r.title(x.name);
  std::vector<std::string> ids, quantities, values, units, low, high, sources, origins, evidence,
      notes;
  for (const Fact& f : x.facts) {
    auto in_unit = [&](const std::optional<double>& base_value) {
      return base_value ? base::shortest(*base_value / base::parse_unit(f.unit).value)
                        : std::string();
    };
    ids.push_back(f.id);
    quantities.push_back(f.quantity);
    values.push_back(f.text);
    units.push_back(f.is_text() ? "" : f.unit);
    low.push_back(in_unit(f.low));
    high.push_back(in_unit(f.high));
    evidence.emplace_back(base::evidence_name(f.evidence));
    sources.push_back(f.source);
    origins.push_back(f.origin);
    notes.push_back(f.note);
  }
  r.table("facts", "Facts")
      .whole()
      .column("id", ids)
      .column("value", values)
      .column("unit", units)
      .column("low", low)
      .column("high", high)
      .column("evidence", evidence)
      .column("source", sources)
      .column("origin", origins)
      .column("quantity", quantities)
      .column("note", notes);
}

void present(verb::Report& r, const CiteResult& x) {
  r.title("References behind the result");
  std::vector<std::string> keys, titles, authors, years, urls, facts, entries;
  for (const CiteResult::Reference& reference : x.references) {
    keys.push_back(reference.source.key);
    authors.push_back(reference.source.author);
    titles.push_back(reference.source.title);
    years.push_back(reference.source.year);
    urls.push_back(reference.source.url);
    facts.push_back(fmt::format("{}", fmt::join(reference.facts, ", ")));
    entries.push_back(reference.source.text);
  }
  r.table("references", "References")
      .column("key", keys)
      .column("author", authors)
      .column("title", titles)
      .column("year", years)
      .column("url", urls)
      .column("facts", facts);
  r.table("bibtex", "BibTeX").hidden().column("key", keys).column("entry", entries);
  r.table("user_facts", "Given by the user, without a reference").column("id", x.user_facts);
}

void register_verbs(verb::Registry& registry) {
  registry.add<ListRequest, ListResult>(
      {.noun = "catalog",
       .name = "list",
       .heading = verb::Heading::account,
       .summary = "the entries of the catalogue",
       .description = "Every entry of the shipped facts and of your overlays, by kind.",
       .examples = {{"greenline catalog list", "all entries"},
                    {"greenline catalog list models", "the model shapes"}}},
      list);
  registry.add<ShowRequest, ShowResult>(
      {.noun = "catalog",
       .name = "show",
       .heading = verb::Heading::account,
       .summary = "the facts of one entry, with their sources",
       .description = "Value, unit, interval, evidence and source of each fact of an entry.",
       .examples = {{"greenline catalog show h100-sxm", "one accelerator"},
                    {"greenline catalog show facility.pue", "one fact"}}},
      show);
  registry.add<CiteRequest, CiteResult>(
      {.noun = "catalog",
       .name = "cite",
       .heading = verb::Heading::account,
       .summary = "the references behind a result",
       .description = "Lists the sources of every fact that a result used, with their BibTeX "
                      "entries in the JSON form.",
       .examples = {{"greenline catalog cite result.json", "the references"},
                    {"greenline catalog cite result.json --json", "with BibTeX"}}},
      cite);
}

}  // namespace greenline::catalog
