// A number that says how far to trust it: a nominal value, 256 draws, its evidence and its source.
//
// Draw k of a driver is the same everywhere, and arithmetic works draw by draw, so what two results
// have in common cancels in their difference or ratio. The nominal comes from nominal inputs only
// and is what is printed; low and high are the 5th and 95th percentile of the draws.
//
//   const Driver driver{"dgx-h100.node_power", 6474, 5691, 7041};
//   Estimate<Power> node = from_driver<Power>(driver, Evidence::measured, "mlperf-v4.0", seed);
//   Estimate<Energy> energy = node * Estimate<Time>(54.0 * units::day);
//   energy.nominal(); energy.low(); energy.high();
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/quantity.hpp"

namespace greenline::base {

// From strongest to weakest.
enum class Evidence : std::uint8_t { measured, modelled, simulated, datasheet, assumed };
const char* evidence_name(Evidence e);

inline constexpr int kNumDraws = 256;
using Draws = std::array<double, kNumDraws>;  // (num_draws), base units

// On which scale a driver is normal: automatic is logarithmic when low > 0, share is logit.
enum class DriverScale : std::uint8_t { automatic, linear, share };

// One uncertain input. Draw k: u_k = (pi(k) + 1/2) / 256, pi a shuffle of 0..255 by Philox4x32-10
// keyed by FNV-1a-64(id) xor seed; the value is a two-piece normal with the nominal as median and
// low/high as its 5 % and 95 % points, in logarithms when low > 0, in logits for shares.
struct Driver {
  // Catalogue fact ("h100-sxm.tdp") or verb.field ("study.goodput"); ends in "#k" for independent
  // copies.
  std::string id;
  double nominal = 0, low = 0, high = 0;  // base units; low <= nominal <= high
  DriverScale scale = DriverScale::automatic;
  std::string source;
  bool operator==(const Driver&) const = default;
};

// Throws UserError "bad-band" unless all are finite, low <= nominal <= high, and a share that has a
// width lies strictly between 0 and 1.
Draws driver_draws(const Driver& driver, std::uint64_t seed);

// The default band of an evidence class, as factors of the nominal. Our convention, not literature
// (docs/methods/evidence.md); a fact that states its own low and high needs none of it.
//
//   measured   0.95 .. 1.05   telemetry and component counters; the MLPerf training target
//   modelled   0.70 .. 1.30   interpolation of a curve that was measured on the same family
//   simulated  0.70 .. 1.30   as modelled: what is simulated is a model too
//   datasheet  0.50 .. 2.00   a nameplate that stands in for what happens: hardware draws less
//                             than its TDP, and a TDP leaves out memory, fans and supplies
//   assumed    0.50 .. 2.00   a constant of no stated band: within a factor of two
struct Band {
  double low, high;
};
Band default_band(Evidence e);

// A driver with the default band of its evidence. For shares the factors act on the odds
// p / (1 - p), so that the band of 0.9 stays below 1.
Driver with_default_band(std::string id, double nominal, Evidence evidence,
                         DriverScale scale = DriverScale::automatic, std::string source = "");

// The untyped body. `draws` is null for a value that is certain (all draws equal the nominal).
struct AnyEstimate {
  double nominal = 0;  // base units
  Dimension dimension;
  std::shared_ptr<const Draws> draws;
  Evidence evidence = Evidence::measured;
  std::string source;  // where it comes from, in words or a citation key
  std::vector<std::shared_ptr<const Driver>> drivers;  // sorted by id, unique

  double draw(int k) const { return draws ? (*draws)[static_cast<std::size_t>(k)] : nominal; }
  // Linear interpolation between order statistics. InternalError when a draw is not a number.
  double percentile(double share) const;
  double low() const { return percentile(0.05); }
  double high() const { return percentile(0.95); }
};

// Squared Spearman correlation of each driver with the result, largest first (Saltelli's screening
// measure).
struct DriverShare {
  Driver driver;
  double rank_correlation_squared = 0;
};
std::vector<DriverShare> rank_drivers(const AnyEstimate& result, std::uint64_t seed);

namespace detail {
enum class Op : std::uint8_t { add, subtract, multiply, divide };
// a op b, draw by draw. The drivers are those of both; InternalError when one id stands for two
// different drivers. A sum has the weakest evidence among its terms of at least 5 % of it, a
// product the weakest.
AnyEstimate combine(const AnyEstimate& a, const AnyEstimate& b, Op op, Dimension dimension);
void require_dimension(Dimension got, Dimension expected);
}  // namespace detail

template <class Q>
class Estimate {
 public:
  Estimate() { body_.dimension = dimension(); }
  // Certain: equal draws, no drivers. Implicit by design: a plain quantity is an estimate.
  Estimate(Q value, Evidence evidence = Evidence::measured, std::string source = "") {
    body_.nominal = AnyQuantity(value).value;
    body_.dimension = dimension();
    body_.evidence = evidence;
    body_.source = std::move(source);
  }
  // InternalError unless the body has the dimension of Q.
  explicit Estimate(AnyEstimate body) : body_(std::move(body)) {
    detail::require_dimension(body_.dimension, dimension());
  }

  static constexpr Dimension dimension() { return AnyQuantity(Q{}).dimension; }
  Q nominal() const { return make(body_.nominal); }
  Q low() const { return make(body_.low()); }
  Q high() const { return make(body_.high()); }
  Q draw(int k) const { return make(body_.draw(k)); }
  Evidence evidence() const { return body_.evidence; }
  const std::string& source() const { return body_.source; }
  const AnyEstimate& any() const { return body_; }
  operator const AnyEstimate&() const { return body_; }

  friend Estimate operator+(const Estimate& a, const Estimate& b) {
    return Estimate(detail::combine(a.body_, b.body_, detail::Op::add, dimension()));
  }
  friend Estimate operator-(const Estimate& a, const Estimate& b) {
    return Estimate(detail::combine(a.body_, b.body_, detail::Op::subtract, dimension()));
  }
  Estimate operator-() const { return Estimate(Q{}) - *this; }

 private:
  static Q make(double base) {
    if constexpr (std::is_same_v<Q, double>)
      return base;
    else
      return Q::from_base(base);
  }
  AnyEstimate body_;
};

template <class A, class B>
auto operator*(const Estimate<A>& a, const Estimate<B>& b) {
  using R = decltype(A{} * B{});
  return Estimate<R>(
      detail::combine(a.any(), b.any(), detail::Op::multiply, Estimate<R>::dimension()));
}
template <class A, class B>
auto operator/(const Estimate<A>& a, const Estimate<B>& b) {
  using R = decltype(A{} / B{});
  return Estimate<R>(
      detail::combine(a.any(), b.any(), detail::Op::divide, Estimate<R>::dimension()));
}

template <class Q>
Estimate<Q> operator*(const Estimate<Q>& a, double k) {
  return Estimate<Q>(detail::combine(a.any(), Estimate<double>(k).any(), detail::Op::multiply,
                                     Estimate<Q>::dimension()));
}
template <class Q>
Estimate<Q> operator*(double k, const Estimate<Q>& a) {
  return a * k;
}
template <class Q>
Estimate<Q> operator/(const Estimate<Q>& a, double k) {
  return Estimate<Q>(detail::combine(a.any(), Estimate<double>(k).any(), detail::Op::divide,
                                     Estimate<Q>::dimension()));
}

// Sum of many terms; the evidence is the weakest among terms of at least 5 % of the total.
AnyEstimate sum(const std::vector<AnyEstimate>& terms);
template <class Q>
Estimate<Q> sum(const std::vector<Estimate<Q>>& terms) {
  std::vector<AnyEstimate> bodies;
  bodies.reserve(terms.size());
  for (const auto& t : terms) bodies.push_back(t.any());
  AnyEstimate total = sum(bodies);
  if (terms.empty()) total.dimension = Estimate<Q>::dimension();
  return Estimate<Q>(std::move(total));
}

// An estimate from one driver.
AnyEstimate from_driver(const Driver& driver, Dimension dimension, Evidence evidence,
                        std::string source, std::uint64_t seed);
template <class Q>
Estimate<Q> from_driver(const Driver& driver, Evidence evidence, std::string source,
                        std::uint64_t seed) {
  return Estimate<Q>(
      from_driver(driver, Estimate<Q>::dimension(), evidence, std::move(source), seed));
}

namespace detail {
// What a function of the inputs has from them: the weakest evidence, all drivers, the sources.
AnyEstimate describe_inputs(const std::vector<AnyEstimate>& inputs);
bool any_uncertain(const std::vector<AnyEstimate>& inputs);
}  // namespace detail

// An estimate whose nominal and draws come from a function of the draw: what is not plain
// arithmetic. f(-1) gives the nominal, f(k) draw k; drivers and evidence are those of the inputs,
// which must name every estimate that f looks at: when all of them are certain, f is asked for the
// nominal only.
template <class Q, class F>
Estimate<Q> recompute(F&& f, const std::vector<AnyEstimate>& inputs, std::string source = "") {
  AnyEstimate body = detail::describe_inputs(inputs);
  body.dimension = Estimate<Q>::dimension();
  if (!source.empty()) body.source = std::move(source);
  const auto base = [&f](int k) { return AnyQuantity(static_cast<Q>(f(k))).value; };
  body.nominal = base(-1);
  if (detail::any_uncertain(inputs)) {
    auto draws = std::make_shared<Draws>();
    for (int k = 0; k < kNumDraws; ++k) (*draws)[static_cast<std::size_t>(k)] = base(k);
    body.draws = std::move(draws);
  }
  return Estimate<Q>(std::move(body));
}

}  // namespace greenline::base
