#include "catalog/catalog.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "catalog/embedded.hpp"
#include "catalog/facts_file.hpp"

namespace greenline::catalog {

using base::AnyEstimate;
using base::AnyQuantity;
using base::Dimension;

namespace {

bool by_id(const Fact& a, const Fact& b) { return a.id < b.id; }

const Fact* find_in(const std::vector<Fact>& facts, std::string_view id) {
  const auto it = std::lower_bound(facts.begin(), facts.end(), id,
                                   [](const Fact& f, std::string_view key) { return f.id < key; });
  return it != facts.end() && it->id == id ? &*it : nullptr;
}

const std::shared_ptr<const std::vector<Fact>>& built_in() {
  static const auto facts = [] {
    auto all = std::make_shared<std::vector<Fact>>();
    for (const EmbeddedFile& file : embedded_files()) {
      if (!file.path.ends_with(".csv")) continue;
      std::vector<Fact> more =
          parse_facts_csv(file.bytes, "data/" + std::string(file.path), kind_of_path(file.path));
      for (Fact& f : more) f.origin = "built-in";
      std::move(more.begin(), more.end(), std::back_inserter(*all));
    }
    std::sort(all->begin(), all->end(), by_id);
    return std::shared_ptr<const std::vector<Fact>>(std::move(all));
  }();
  return facts;
}

// Of facts with one id the last is kept, with the words of the one before where it has none.
void keep_last_of_each(std::vector<Fact>& facts) {
  std::stable_sort(facts.begin(), facts.end(), by_id);
  std::vector<Fact> out;
  out.reserve(facts.size());
  for (Fact& fact : facts) {
    if (out.empty() || out.back().id != fact.id) {
      out.push_back(std::move(fact));
      continue;
    }
    if (fact.quantity.empty()) fact.quantity = std::move(out.back().quantity);
    out.back() = std::move(fact);
  }
  facts = std::move(out);
}

std::vector<std::string> ids(const std::vector<Fact>& facts) {
  std::vector<std::string> out;
  out.reserve(facts.size());
  for (const Fact& f : facts) out.push_back(f.id);
  return out;
}

// "h100-sxm.tdp=650 W"
Fact override_of(const std::vector<Fact>& facts, const std::string& text) {
  const std::size_t equals = text.find('=');
  GL_USER_CHECK(equals != std::string::npos && equals > 0, "bad-override",
                fmt::format("--set expects KEY=VALUE, got {}", base::quoted(text)));
  const std::string id = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  const Fact* old = find_in(facts, id);
  if (!old) throw base::unknown_name("fact", id, ids(facts), "`greenline catalog list` shows all");
  Fact fact = *old;
  fact.text = value;
  fact.low = fact.high = std::nullopt;
  if (!fact.is_text()) {
    fact.value = base::parse_quantity(value, fact.value.dimension, "--set " + id);
    fact.text = base::shortest(fact.value.value / base::parse_unit(fact.unit).value);
  }
  fact.source = "user";
  fact.note =
      fmt::format("set by the user; built in: {} {} ({})", old->text, old->unit, old->source);
  fact.origin = "user --set";
  return fact;
}

std::vector<std::string> kinds_of(const std::vector<Fact>& facts) {
  std::vector<std::string> out;
  for (const Fact& f : facts) out.push_back(f.kind);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// What the catalogue holds is lengths of time, powers, counts, shares: none is negative.
void check_possible(const Fact& fact) {
  if (fact.is_text()) return;
  const double least = std::min(fact.value.value, fact.low.value_or(fact.value.value));
  const double most = std::max(fact.value.value, fact.high.value_or(fact.value.value));
  GL_USER_CHECK(least >= 0 && (!fact.is_share() || (least > 0 && most <= 1)), "impossible-fact",
                fmt::format("fact {} ({}): expected {}, got {} {}", fact.id, fact.origin,
                            fact.is_share() ? "a share above 0, at most 1" : "at least 0",
                            fact.text, fact.unit));
}

void check_overlay(const Fact& fact, const std::vector<std::string>& kinds) {
  check_possible(fact);
  if (!std::binary_search(kinds.begin(), kinds.end(), fact.kind))
    throw base::unknown_name("kind", fact.kind, kinds,
                             fmt::format("fact {} ({}): a CSV overlay is named after its kind "
                                         "(models.csv), a TOML overlay has [models.NAME] tables",
                                         fact.id, fact.origin));
}

std::vector<Fact> with_overlays(const base::Settings& settings) {
  std::vector<Fact> facts = *built_in();
  const std::vector<std::string> kinds = kinds_of(facts);
  for (const std::string& path : settings.overlay_directories) {
    std::vector<Fact> more = read_overlay(path, settings.journal.get());
    for (const Fact& fact : more) check_overlay(fact, kinds);
    std::move(more.begin(), more.end(), std::back_inserter(facts));
  }
  keep_last_of_each(facts);
  return facts;
}

}  // namespace

Catalog::Catalog(const base::Settings& settings)
    : journal_(settings.journal), seed_(settings.seed) {
  if (settings.overlay_directories.empty() && settings.overrides.empty()) {
    facts_ = built_in();
    return;
  }
  std::vector<Fact> facts = with_overlays(settings);
  for (const std::string& text : settings.overrides) {
    Fact fact = override_of(facts, text);
    check_possible(fact);
    *std::lower_bound(facts.begin(), facts.end(), fact, by_id) = std::move(fact);
  }
  facts_ = std::make_shared<const std::vector<Fact>>(std::move(facts));
}

std::span<const Fact> Catalog::facts_of(std::string_view entry) const {
  const std::string prefix = std::string(entry) + ".";
  const auto begin =
      std::lower_bound(facts_->begin(), facts_->end(), prefix,
                       [](const Fact& f, const std::string& key) { return f.id < key; });
  const auto end =
      std::find_if(begin, facts_->end(), [&](const Fact& f) { return !f.id.starts_with(prefix); });
  return {begin, end};
}

const Fact* Catalog::peek(std::string_view id) const { return find_in(*facts_, id); }

const Fact* Catalog::find(std::string_view id) const {
  const Fact* fact = peek(id);
  if (fact && journal_)
    journal_->fact({fact->id, fact->text, fact->unit, fact->source, fact->origin,
                    base::evidence_name(fact->evidence)});
  return fact;
}

const Fact& Catalog::at(std::string_view id) const {
  const Fact* fact = find(id);
  if (!fact)
    throw base::unknown_name("fact", id, ids(*facts_), "`greenline catalog list` shows all");
  return *fact;
}

AnyQuantity Catalog::quantity(std::string_view id, Dimension expected) const {
  const Fact& fact = at(id);
  GL_USER_CHECK(!fact.is_text() && fact.value.dimension == expected, "wrong-dimension",
                fmt::format("fact {} ({}): expected {}, got \"{}\" in {}", fact.id, fact.origin,
                            base::dimension_name(expected), fact.text, fact.unit));
  return fact.value;
}

std::string Catalog::text(std::string_view id) const {
  const Fact& fact = at(id);
  GL_USER_CHECK(fact.is_text(), "wrong-dimension",
                fmt::format("fact {} ({}): expected a name, got {} {}", fact.id, fact.origin,
                            fact.text, fact.unit));
  return fact.text;
}

std::string Catalog::text_or(std::string_view id, std::string_view otherwise) const {
  return peek(id) ? text(id) : std::string(otherwise);
}

std::int64_t Catalog::integer(std::string_view id) const {
  const double value = quantity(id, {}).value;
  GL_USER_CHECK(value == std::floor(value) && std::abs(value) < 9e15, "not-an-integer",
                fmt::format("fact {}: expected a whole number, got {}", id, base::shortest(value)));
  return static_cast<std::int64_t>(value);
}

AnyEstimate Catalog::any_estimate(std::string_view id, Dimension expected) const {
  const double nominal = quantity(id, expected).value;
  const Fact& fact = *peek(id);
  // A value the user set is taken at their word: certain, unless they gave a band.
  if (fact.is_user() && !fact.low && !fact.high) {
    AnyEstimate certain;
    certain.nominal = nominal;
    certain.dimension = expected;
    certain.evidence = fact.evidence;
    certain.source = fact.source;
    return certain;
  }
  const auto scale = fact.is_share() ? base::DriverScale::share : base::DriverScale::automatic;
  base::Driver driver =
      base::with_default_band(fact.id, nominal, fact.evidence, scale, fact.source);
  driver.low = fact.low.value_or(driver.low);
  driver.high = fact.high.value_or(driver.high);
  return base::from_driver(driver, expected, fact.evidence, fact.source, seed_);
}

std::vector<std::string> Catalog::entries(std::string_view kind) const {
  std::vector<std::string> out;
  for (const Fact& f : *facts_) {
    if (f.kind != kind) continue;
    std::string entry = f.entry();
    if (out.empty() || out.back() != entry) out.push_back(std::move(entry));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> Catalog::kinds() const { return kinds_of(*facts_); }

void Catalog::require_entry(std::string_view kind, std::string_view entry,
                            std::string_view what) const {
  const std::vector<std::string> known = entries(kind);
  if (std::find(known.begin(), known.end(), entry) != known.end()) return;
  throw base::unknown_name(
      what, entry, known,
      fmt::format("`greenline catalog list {}` shows all; describe your own with --catalog", kind));
}

bool is_known_fact(const base::Settings& settings, std::string_view id) {
  if (settings.overlay_directories.empty()) return find_in(*built_in(), id) != nullptr;
  return find_in(with_overlays(settings), id) != nullptr;
}

}  // namespace greenline::catalog
