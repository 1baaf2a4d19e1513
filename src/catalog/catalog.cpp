#include "catalog/catalog.hpp"

#include <algorithm>
#include <cmath>

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

// Later facts win over earlier ones; an override keeps the words of the fact it replaces.
void lay_over(std::vector<Fact>& facts, Fact fact) {
  const auto it = std::lower_bound(facts.begin(), facts.end(), fact, by_id);
  if (it != facts.end() && it->id == fact.id) {
    if (fact.quantity == "given by the user") fact.quantity = it->quantity;
    *it = std::move(fact);
  } else {
    facts.insert(it, std::move(fact));
  }
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
                fmt::format("--set expects KEY=VALUE, got \"{}\"", text));
  const std::string id = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  const Fact* old = find_in(facts, id);
  if (!old) throw base::unknown_name("fact", id, ids(facts), "`greenline catalog list` shows all");
  Fact fact = *old;
  fact.text = value;
  fact.low = fact.high = std::nullopt;
  if (!fact.is_text())
    fact.value = base::parse_quantity(value, fact.value.dimension, "--set " + id);
  fact.source = "user";
  fact.note =
      fmt::format("set by the user; built in: {} {} ({})", old->text, old->unit, old->source);
  fact.origin = "--set";
  return fact;
}

std::vector<Fact> with_overlays(const base::Settings& settings) {
  std::vector<Fact> facts = *built_in();
  for (const std::string& path : settings.overlay_directories)
    for (Fact& fact : read_overlay(path, settings.journal.get())) lay_over(facts, std::move(fact));
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
  for (const std::string& text : settings.overrides) lay_over(facts, override_of(facts, text));
  facts_ = std::make_shared<const std::vector<Fact>>(std::move(facts));
}

const Fact* Catalog::peek(std::string_view id) const { return find_in(*facts_, id); }

const Fact* Catalog::find(std::string_view id) const {
  const Fact* fact = peek(id);
  if (fact && journal_)
    journal_->fact({fact->id, fact->text, fact->unit, fact->source, fact->origin});
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
  if (fact.source == "user" && !fact.low && !fact.high) {
    AnyEstimate certain;
    certain.nominal = nominal;
    certain.dimension = expected;
    certain.evidence = fact.evidence;
    certain.source = fact.source;
    return certain;
  }
  const base::Band band = base::default_band(fact.evidence);
  // A negative nominal turns its band around.
  const double a = nominal * band.low, b = nominal * band.high;
  base::Driver driver;
  driver.id = fact.id;
  driver.nominal = nominal;
  driver.low = fact.low.value_or(std::min(a, b));
  driver.high = fact.high.value_or(std::max(a, b));
  driver.source = fact.source;
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

std::vector<std::string> Catalog::kinds() const {
  std::vector<std::string> out;
  for (const Fact& f : *facts_) out.push_back(f.kind);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

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
