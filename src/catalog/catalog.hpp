// The cited facts we ship, and what the user lays over them.
//
// One fact a row of data/**/*.csv. A fact's id is `<entry>.<property>`, split at the last dot:
// "h100-sxm.tdp", "megatron-1.7b.layers". An entry's kind is the file it stands in
// ("accelerators"), or the folder of data/ ("grid" for data/grid/ERCO.csv). Overlays (a folder of
// such files, or one TOML file of [kind.entry] tables) add or override single facts, marked `user`;
// overrides KEY=VALUE replace single facts.
//
//   Catalog facts(settings);
//   Power tdp = facts.get<Power>("h100-sxm.tdp");
//   Estimate<Power> node = facts.estimate<Power>("h100-sxm.node_w");
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/quantity.hpp"

namespace greenline::catalog {

struct Fact {
  std::string id, kind;
  std::string quantity;             // the physical quantity in words; "" when the user gave none
  std::string unit;                 // as in the file; "text" for names
  std::string text;                 // the value in `unit`, or the name
  base::AnyQuantity value;          // base units; unused when unit is "text"
  std::optional<double> low, high;  // base units
  std::string source;               // key of data/sources.bib, or "user"
  int year = 0;                     // 0: unknown
  std::string note;
  base::Evidence evidence = base::Evidence::assumed;
  std::string origin = "built-in";  // "user FILE:LINE:COLUMN", "user --set"
  bool is_user() const { return origin.starts_with("user"); }
  // A share of a whole, whose interval stays below 1; said by the first word of its quantity.
  bool is_share() const { return quantity.starts_with("share "); }
  bool is_text() const { return unit == "text"; }
  std::string entry() const { return id.substr(0, id.rfind('.')); }
  std::string property() const { return id.substr(id.rfind('.') + 1); }
};

struct Source {
  std::string key, type, text;           // text: the whole BibTeX entry
  std::string title, author, year, url;  // "" when the entry has none
};

class Catalog {
 public:
  // Built-in facts, then overlays, then overrides of the settings. DataError for a malformed
  // overlay with its file:line; UserError "unknown-fact" for an override of an id that nobody
  // knows, with the nearest; "unknown-kind" for an overlay of a kind that nothing reads;
  // "impossible-fact" for a negative quantity or a share above 1.
  explicit Catalog(const base::Settings& settings);

  // All facts, sorted by id.
  const std::vector<Fact>& facts() const { return *facts_; }
  // Those whose id starts with "<entry>.": of the entry, and of entries whose name goes on with a
  // dot ("grid-x" and "grid-x.wind").
  std::span<const Fact> facts_of(std::string_view entry) const;

  // Looking a fact up records it in the journal as used, except with peek().
  const Fact* peek(std::string_view id) const;
  const Fact* find(std::string_view id) const;
  const Fact& at(std::string_view id) const;  // UserError "unknown-fact", nearest named

  // Typed values. UserError "wrong-dimension" when the fact has another one.
  template <class Q>
  Q get(std::string_view id) const {
    return from_base<Q>(quantity(id, base::AnyQuantity(Q{}).dimension).value);
  }
  template <class Q>
  std::optional<Q> maybe(std::string_view id) const {
    return peek(id) ? std::optional<Q>(get<Q>(id)) : std::nullopt;
  }
  std::string text(std::string_view id) const;
  std::string text_or(std::string_view id, std::string_view otherwise) const;
  std::int64_t integer(std::string_view id) const;

  // With its low and high as a driver named by the id; the default band of its evidence where the
  // source gives none.
  template <class Q>
  base::Estimate<Q> estimate(std::string_view id) const {
    return base::Estimate<Q>(any_estimate(id, base::AnyQuantity(Q{}).dimension));
  }
  base::AnyEstimate any_estimate(std::string_view id, base::Dimension expected) const;

  // Entries of a kind ("models"), sorted; an entry is there when it has at least one fact.
  std::vector<std::string> entries(std::string_view kind) const;
  std::vector<std::string> kinds() const;
  // UserError "unknown-<what>" with the nearest entries unless the entry exists. `what`: "model",
  // "system".
  void require_entry(std::string_view kind, std::string_view entry, std::string_view what) const;

  std::uint64_t seed() const { return seed_; }
  base::Journal* journal() const { return journal_.get(); }  // null when nothing is recorded

 private:
  base::AnyQuantity quantity(std::string_view id, base::Dimension expected) const;
  template <class Q>
  static Q from_base(double v) {
    if constexpr (std::is_same_v<Q, double>)
      return v;
    else
      return Q::from_base(v);
  }

  std::shared_ptr<const std::vector<Fact>> facts_;  // sorted by id
  std::shared_ptr<base::Journal> journal_;
  std::uint64_t seed_;
};

// Every id that a `--set` may name: the built-in facts and those of the overlays.
bool is_known_fact(const base::Settings& settings, std::string_view id);

// The built-in bibliography, sorted by key.
const std::vector<Source>& sources();
const Source* find_source(std::string_view key);

}  // namespace greenline::catalog
