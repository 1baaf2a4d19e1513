// Texts, each once, found by hash: the names of a trace while it is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace greenline::io {

// Fast on the short texts of traces; not for tables that an adversary may fill with collisions of
// his choice and unlimited size (a probe is bounded by the number of texts).
inline std::uint64_t text_hash(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  std::uint64_t h = text.size() * kOdd;
  const char* p = text.data();
  std::size_t n = text.size();
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * kOdd;
    h ^= h >> 29;
  };
  for (; n >= 8; p += 8, n -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    mix(word);
  }
  std::uint64_t rest = 0;
  if (n > 0) std::memcpy(&rest, p, n);  // an empty text may be no place in memory
  mix(rest);
  return h ^ (h >> 32);
}

class TextPool {
 public:
  // Index of the text, in order of first use.
  int index(std::string_view text) {
    if (2 * (texts_.size() + 1) > slots_.size()) grow();
    const std::uint64_t hash = text_hash(text);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].index >= 0; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].tag == static_cast<std::uint32_t>(hash >> 32) &&
          texts_[static_cast<std::size_t>(slots_[at].index)] == text)
        return slots_[at].index;
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32), static_cast<int>(texts_.size())};
    texts_.emplace_back(text);
    return slots_[at].index;
  }
  const std::vector<std::string>& texts() const { return texts_; }
  void clear() {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    texts_.clear();
  }
  std::vector<std::string> take() {
    slots_.clear();
    return std::move(texts_);
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    int index = -1;
  };
  void grow() {
    constexpr std::size_t kFirst = 64;
    slots_.assign(slots_.empty() ? kFirst : 2 * slots_.size(), Slot{});
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::uint64_t hash = text_hash(texts_[i]);
      std::size_t at = hash & (slots_.size() - 1);
      while (slots_[at].index >= 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {static_cast<std::uint32_t>(hash >> 32), static_cast<int>(i)};
    }
  }
  std::vector<Slot> slots_;
  std::vector<std::string> texts_;
};

}  // namespace greenline::io
