// Reading the properties of one catalogue entry.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"

namespace greenline::catalog {

// No vocabulary, width or context is larger; no image and no patch has larger sides.
inline constexpr std::int64_t kMostSize = 100'000'000, kMostPixels = 100'000;

class Properties {
 public:
  Properties(const Catalog& facts, std::string_view entry) : facts_(facts), entry_(entry) {}

  const Catalog& facts() const { return facts_; }
  const std::string& entry() const { return entry_; }
  std::string id(std::string_view property) const;
  bool has(std::string_view property) const { return facts_.peek(id(property)) != nullptr; }

  // A whole number of 1 or more. UserError "bad-fact".
  std::int64_t positive(std::string_view property) const;
  // The same, as the size of a model: products of two of them fit 64 bits.
  std::int64_t size(std::string_view property, std::int64_t most = kMostSize) const;
  std::int64_t size_or(std::string_view property, std::int64_t otherwise) const;
  // A size, or 0.
  std::int64_t count_or(std::string_view property, std::int64_t otherwise) const;

  // One of these names. UserError "unknown-<property>".
  template <class E>
  E choice(std::string_view property,
           std::initializer_list<std::pair<const char*, E>> names) const {
    const std::string text = facts_.text(id(property));
    std::vector<std::string> known;
    for (const auto& [name, value] : names) {
      if (text == name) return value;
      known.emplace_back(name);
    }
    throw base::unknown_name(property, text, known, "fact " + id(property));
  }

 private:
  const Catalog& facts_;
  std::string entry_;
};

}  // namespace greenline::catalog
