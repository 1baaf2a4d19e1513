#include "base/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "base/statistics.hpp"

namespace greenline::base {
namespace {

using Drivers = std::vector<std::shared_ptr<const Driver>>;

constexpr double kNotableShare = 0.05;  // of a sum, from which a term's evidence counts

Evidence weaker(Evidence a, Evidence b) { return std::max(a, b); }

bool same_numbers(const Driver& a, const Driver& b) {
  return a.nominal == b.nominal && a.low == b.low && a.high == b.high && a.scale == b.scale;
}

bool id_less(const std::shared_ptr<const Driver>& a, const std::shared_ptr<const Driver>& b) {
  return a->id < b->id;
}

// Two drivers of one id would share their random draws without being the same input.
void require_same(const Driver& a, const Driver& b) {
  if (same_numbers(a, b)) return;
  throw InternalError(
      fmt::format("driver \"{}\" stands for two inputs: {} in {}..{} and {} in {}..{}; independent "
                  "copies need ids that end in #k",
                  a.id, a.nominal, a.low, a.high, b.nominal, b.low, b.high));
}

// Keeps the first of each id in a list sorted by id.
Drivers unique_drivers(Drivers sorted) {
  Drivers out;
  for (auto& driver : sorted) {
    if (!out.empty() && out.back()->id == driver->id) {
      if (out.back() != driver) require_same(*out.back(), *driver);
    } else {
      out.push_back(std::move(driver));
    }
  }
  return out;
}

Drivers merge_drivers(const Drivers& a, const Drivers& b) {
  if (b.empty()) return a;
  if (a.empty()) return b;
  Drivers all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), id_less);
  return unique_drivers(std::move(all));
}

bool lists_source(std::string_view list, std::string_view source) {
  while (!list.empty()) {
    const std::size_t end = list.find("; ");
    if (list.substr(0, end) == source) return true;
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 2);
  }
  return false;
}

// "a; b" and "b; c" make "a; b; c".
std::string merge_sources(const std::string& a, const std::string& b) {
  if (a.empty() || a == b) return b;
  std::string out = a;
  std::string_view rest = b;
  while (!rest.empty()) {
    const std::size_t end = rest.find("; ");
    const std::string_view source = rest.substr(0, end);
    if (!lists_source(out, source)) out.append("; ").append(source);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
  }
  return out;
}

bool is_notable(double term, double total) {
  return std::abs(term) >= kNotableShare * std::abs(total);
}

double apply(detail::Op op, double a, double b) {
  switch (op) {
    case detail::Op::add:
      return a + b;
    case detail::Op::subtract:
      return a - b;
    case detail::Op::multiply:
      return a * b;
    case detail::Op::divide:
      break;
  }
  return a / b;
}

Evidence combined_evidence(const AnyEstimate& a, const AnyEstimate& b, detail::Op op,
                           double result) {
  if (op == detail::Op::add || op == detail::Op::subtract) {
    if (!is_notable(a.nominal, result)) return b.evidence;
    if (!is_notable(b.nominal, result)) return a.evidence;
  }
  return weaker(a.evidence, b.evidence);
}

}  // namespace

const char* evidence_name(Evidence e) {
  switch (e) {
    case Evidence::measured:
      return "measured";
    case Evidence::modelled:
      return "modelled";
    case Evidence::simulated:
      return "simulated";
    case Evidence::datasheet:
      return "datasheet";
    case Evidence::assumed:
      break;
  }
  return "assumed";
}

double AnyEstimate::percentile(double share) const {
  if (!draws) return nominal;
  Draws sorted = *draws;
  // Before the sort, whose order NaN would break.
  if (std::any_of(sorted.begin(), sorted.end(), [](double x) { return std::isnan(x); }))
    throw InternalError("an estimate has a draw that is not a number; source: " + source);
  std::sort(sorted.begin(), sorted.end());
  return percentile_of_sorted(sorted, share);
}

std::vector<DriverShare> rank_drivers(const AnyEstimate& result, std::uint64_t seed) {
  std::vector<DriverShare> out;
  out.reserve(result.drivers.size());
  if (!result.draws) {
    for (const auto& driver : result.drivers) out.push_back({*driver, 0});
    return out;
  }
  for (const auto& driver : result.drivers) {
    const double r = spearman(driver_draws(*driver, seed), *result.draws);
    // A side without spread explains nothing.
    out.push_back({*driver, std::isnan(r) ? 0 : r * r});
  }
  std::stable_sort(out.begin(), out.end(), [](const DriverShare& a, const DriverShare& b) {
    return a.rank_correlation_squared > b.rank_correlation_squared;
  });
  return out;
}

AnyEstimate sum(const std::vector<AnyEstimate>& terms) {
  AnyEstimate total;
  if (terms.empty()) return total;
  total.dimension = terms.front().dimension;
  for (const AnyEstimate& term : terms) {
    detail::require_dimension(term.dimension, total.dimension);
    total.nominal += term.nominal;
    total.source = merge_sources(total.source, term.source);
  }
  Drivers all;
  for (const AnyEstimate& term : terms) {
    if (is_notable(term.nominal, total.nominal)) {
      total.evidence = weaker(total.evidence, term.evidence);
    }
    all.insert(all.end(), term.drivers.begin(), term.drivers.end());
  }
  std::stable_sort(all.begin(), all.end(), id_less);
  total.drivers = unique_drivers(std::move(all));
  if (detail::any_uncertain(terms)) {
    auto draws = std::make_shared<Draws>();
    draws->fill(0);
    for (const AnyEstimate& term : terms) {
      for (int k = 0; k < kNumDraws; ++k) (*draws)[static_cast<std::size_t>(k)] += term.draw(k);
    }
    total.draws = std::move(draws);
  }
  return total;
}

AnyEstimate from_driver(const Driver& driver, Dimension dimension, Evidence evidence,
                        std::string source, std::uint64_t seed) {
  AnyEstimate out;
  out.nominal = driver.nominal;
  out.dimension = dimension;
  out.evidence = evidence;
  out.source = std::move(source);
  const Draws draws = driver_draws(driver, seed);  // also checks the band
  if (driver.low < driver.high) out.draws = std::make_shared<const Draws>(draws);
  out.drivers = {std::make_shared<const Driver>(driver)};
  return out;
}

namespace detail {

AnyEstimate combine(const AnyEstimate& a, const AnyEstimate& b, Op op, Dimension dimension) {
  AnyEstimate out;
  out.nominal = apply(op, a.nominal, b.nominal);
  out.dimension = dimension;
  out.evidence = combined_evidence(a, b, op, out.nominal);
  out.source = merge_sources(a.source, b.source);
  out.drivers = merge_drivers(a.drivers, b.drivers);
  if (a.draws || b.draws) {
    auto draws = std::make_shared<Draws>();
    for (int k = 0; k < kNumDraws; ++k) {
      (*draws)[static_cast<std::size_t>(k)] = apply(op, a.draw(k), b.draw(k));
    }
    out.draws = std::move(draws);
  }
  return out;
}

void require_dimension(Dimension got, Dimension expected) {
  if (got == expected) return;
  throw InternalError(fmt::format("an estimate of {} where one of {} is expected",
                                  dimension_name(got), dimension_name(expected)));
}

AnyEstimate describe_inputs(const std::vector<AnyEstimate>& inputs) {
  AnyEstimate out;
  for (const AnyEstimate& input : inputs) {
    out.evidence = weaker(out.evidence, input.evidence);
    out.source = merge_sources(out.source, input.source);
    out.drivers = merge_drivers(out.drivers, input.drivers);
  }
  return out;
}

bool any_uncertain(const std::vector<AnyEstimate>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const AnyEstimate& input) { return input.draws != nullptr; });
}

}  // namespace detail
}  // namespace greenline::base
