#include "catalog/browse.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "io/file.hpp"
#include "io/json.hpp"

namespace greenline::catalog {

ListResult list(const ListRequest& request, base::Progress&) {
  const Catalog facts(request.settings);
  const std::vector<std::string> kinds = facts.kinds();
  if (!request.kind.empty() && std::find(kinds.begin(), kinds.end(), request.kind) == kinds.end())
    throw base::unknown_name("kind", request.kind, kinds);
  std::map<std::pair<std::string, std::string>, ListResult::Row> rows;
  for (const Fact& fact : facts.facts()) {
    if (!request.kind.empty() && fact.kind != request.kind) continue;
    // A region is one entry, not one for each month of its profile.
    const std::string entry =
        fact.kind == "grid" ? fact.id.substr(0, fact.id.find('.')) : fact.entry();
    ListResult::Row& row = rows[{fact.kind, entry}];
    row.kind = fact.kind;
    row.entry = entry;
    ++row.num_facts;
    if (fact.id == entry + ".name")
      row.name = fact.text;
    else if (fact.id == entry + ".same_as")
      row.name = "another name for " + fact.text;
    else if (row.name.empty())
      row.name = fact.quantity;
  }
  ListResult result;
  for (auto& [key, row] : rows) result.rows.push_back(std::move(row));
  return result;
}

ShowResult show(const ShowRequest& request, base::Progress&) {
  const Catalog facts(request.settings);
  ShowResult result;
  result.name = request.name;
  if (const Fact* fact = facts.peek(request.name)) result.facts.push_back(*fact);
  const std::span<const Fact> below = facts.facts_of(request.name);
  result.facts.insert(result.facts.end(), below.begin(), below.end());
  if (const Fact* other = facts.peek(request.name + ".same_as")) {
    const std::span<const Fact> its = facts.facts_of(other->text);
    result.facts.insert(result.facts.end(), its.begin(), its.end());
  }
  if (result.facts.empty()) {
    std::vector<std::string> known;
    for (const Fact& fact : facts.facts()) known.push_back(fact.entry());
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw base::unknown_name("entry", request.name, known, "`greenline catalog list` shows all");
  }
  return result;
}

CiteResult cite(const CiteRequest& request, base::Progress&) {
  const io::Value document =
      io::parse_json(io::read_file(request.file, request.settings.journal.get()), request.file);
  const io::Value* used = document.find_path("greenline.provenance.facts");
  if (!used || !used->is_array())
    throw base::DataError(
        "not-a-result",
        fmt::format("{} is not a result of greenline: it has no greenline.provenance.facts",
                    request.file),
        "make one with `greenline study run … -o result.json`", {request.file, 1, 1});
  std::map<std::string, CiteResult::Reference> references;
  CiteResult result;
  for (const io::Value& item : used->as_array()) {
    const io::Value* id = item.find("id");
    const io::Value* key = item.find("source");
    if (!id || !key)
      throw base::DataError("not-a-result", "a fact has no id or no source", "", item.where());
    const io::Value* origin = item.find("origin");
    const bool is_user =
        origin != nullptr && origin->is_text() && origin->as_text().starts_with("user");
    if (is_user || key->as_text() == "user") {
      result.user_facts.push_back(id->as_text());
      continue;
    }
    CiteResult::Reference& reference = references[key->as_text()];
    if (const Source* source = find_source(key->as_text()))
      reference.source = *source;
    else
      reference.source.key = key->as_text();
    reference.facts.push_back(id->as_text());
  }
  for (auto& [key, reference] : references) result.references.push_back(std::move(reference));
  return result;
}

}  // namespace greenline::catalog
