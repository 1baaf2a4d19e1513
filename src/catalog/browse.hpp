// Looking at the catalogue: what kinds and entries there are, what one entry says, what a result
// rests on.
#pragma once

#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"
#include "catalog/catalog.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::catalog {

struct ListRequest {
  base::Settings settings;
  std::string kind;  // "" : all kinds
};
struct ListResult {
  struct Row {
    std::string kind, entry, name;
    std::int64_t num_facts = 0;
  };
  std::vector<Row> rows;  // by kind, then entry
};
ListResult list(const ListRequest& request, base::Progress& progress = base::no_progress());

struct ShowRequest {
  base::Settings settings;
  std::string name;  // an entry ("h100-sxm") or a fact ("h100-sxm.tdp")
};
struct ShowResult {
  std::string name;
  std::vector<Fact> facts;  // by id
};
// UserError "unknown-entry" with the nearest.
ShowResult show(const ShowRequest& request, base::Progress& progress = base::no_progress());

struct CiteRequest {
  base::Settings settings;
  std::string file;  // a result
};
struct CiteResult {
  struct Reference {
    Source source;
    std::vector<std::string> facts;  // ids that rest on it
  };
  std::vector<Reference> references;    // by key
  std::vector<std::string> user_facts;  // ids given by the user: no reference
};
// The references behind the facts that a result used. DataError "not-a-result".
CiteResult cite(const CiteRequest& request, base::Progress& progress = base::no_progress());

void describe(verb::Fields& f, ListRequest& r);
void describe(verb::Fields& f, ShowRequest& r);
void describe(verb::Fields& f, CiteRequest& r);
void present(verb::Report& r, const ListResult& x);
void present(verb::Report& r, const ShowResult& x);
void present(verb::Report& r, const CiteResult& x);

}  // namespace greenline::catalog
