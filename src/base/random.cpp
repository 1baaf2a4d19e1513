#include "base/random.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace greenline::base {
namespace {

std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

// For p <= 1/2: Abramowitz & Stegun 26.2.23, |error| < 4.5e-4, refined by two Halley steps, each of
// which cubes the error.
double lower_quantile(double p) {
  const double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int step = 0; step < 2; ++step) {
    double slope_steps;  // (Phi(x) - p) / phi(x)
    if (p > 0.25) {
      // Distances from the median are exact here, so that the quantile keeps its relative accuracy
      // near 0.
      const double excess = 0.5 * std::erf(x / std::numbers::sqrt2) - (p - 0.5);
      slope_steps = excess * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
    } else {
      // Relative to p, because exp(x * x / 2) alone overflows in the far tail.
      const double excess = 0.5 * std::erfc(-x / std::numbers::sqrt2) / p - 1;
      slope_steps = excess * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2 + std::log(p));
    }
    x -= slope_steps / (1 + x * slope_steps / 2);
  }
  return x;
}

}  // namespace

std::uint64_t fnv1a_64(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211u;
  }
  return hash;
}

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  constexpr int kNumRounds = 10;
  for (int round = 0; round < kNumRounds; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {high_word(product1) ^ counter[1] ^ key[0], low_word(product1),
               high_word(product0) ^ counter[3] ^ key[1], low_word(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint64_t RandomStream::next() {
  const std::uint64_t block = index_ / 2;
  const auto words =
      philox4x32({low_word(block), high_word(block), low_word(stream_), high_word(stream_)},
                 {low_word(key_), high_word(key_)});
  const std::size_t half = index_ % 2 == 0 ? 0 : 2;
  ++index_;
  return words[half] | (static_cast<std::uint64_t>(words[half + 1]) << 32);
}

double RandomStream::uniform() {
  // The midpoints of 2^52 equal cells: exact in a double, and neither 0 nor 1.
  return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52;
}

double RandomStream::normal() { return normal_quantile(uniform()); }

std::uint64_t RandomStream::below(std::uint64_t bound) {
  GL_CHECK_GT(bound, std::uint64_t{0});
  // 2^64 mod bound words are too many for a fair share each; they are drawn again.
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t word = next();
  while (word < surplus) word = next();
  return word % bound;
}

std::vector<std::uint32_t> shuffled(std::uint32_t n, std::uint64_t key) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  RandomStream stream(key);
  for (std::uint32_t left = n; left > 1; --left) {
    std::swap(order[left - 1], order[stream.below(left)]);
  }
  return order;
}

double normal_quantile(double p) {
  GL_CHECK_GT(p, 0.0);
  GL_CHECK_LT(p, 1.0);
  return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

}  // namespace greenline::base
