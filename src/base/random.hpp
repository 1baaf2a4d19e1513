// Counter-based random numbers: draw i of stream s is a pure function of (key, s, i), so results do
// not depend on threads or order. Philox4x32-10 (Salmon et al., SC'11).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace greenline::base {

std::uint64_t fnv1a_64(std::string_view text);

// One Philox4x32-10 block.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// A stream of 64-bit words and uniform doubles for one key; copyable, cheap, seekable. Word i is
// half of the block whose counter is (i / 2, stream): its first two 32-bit words for even i, its
// last two for odd i, low word first everywhere.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t key, std::uint64_t stream = 0) : key_(key), stream_(stream) {}
  std::uint64_t next();
  double uniform();  // in (0, 1): midpoints of 2^52 cells
  double normal();   // standard, by the inverse distribution function
  // In 0 .. bound - 1, unbiased: words below 2^64 mod bound are skipped. bound > 0.
  std::uint64_t below(std::uint64_t bound);
  void seek(std::uint64_t index) { index_ = index; }

 private:
  std::uint64_t key_, stream_, index_ = 0;
};

// Fisher-Yates shuffle of 0..n-1, from the last place down to the second, each swapped with place
// RandomStream(key).below(place + 1).
std::vector<std::uint32_t> shuffled(std::uint32_t n, std::uint64_t key);

// Inverse of the standard normal distribution function, to a few units in the last place for
// p >= 1e-300; 0 < p < 1.
double normal_quantile(double p);

}  // namespace greenline::base
