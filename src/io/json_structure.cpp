#include "io/json_structure.hpp"

#include <algorithm>
#include <limits>

#include <simdjson.h>

namespace greenline::io {

struct JsonStructure::Parser {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> implementation;
  std::size_t capacity = 0;
};

JsonStructure::JsonStructure() : parser_(std::make_unique<Parser>()) {}
JsonStructure::~JsonStructure() = default;

bool JsonStructure::read(std::string_view text) {
  places_ = {};
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) return false;
  Parser& p = *parser_;
  if (!p.implementation || p.capacity < text.size()) {
    constexpr std::size_t kLeast = 4096, kDepth = 1;  // the depth matters to later stages only
    p.capacity = std::max(text.size(), kLeast);
    p.implementation.reset();
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(
            p.capacity, kDepth, p.implementation) != simdjson::SUCCESS)
      throw std::bad_alloc();
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  if (p.implementation->stage1(bytes, text.size(), simdjson::stage1_mode::regular) !=
      simdjson::SUCCESS)
    return false;
  // The library ends its list with the size of the text.
  places_ = {p.implementation->structural_indexes.get(),
             std::size_t{p.implementation->n_structural_indexes} + 1};
  return true;
}

std::string_view JsonStructure::unescaped(std::string_view within_quotes) {
  from_.assign(within_quotes).append(1, '"').append(simdjson::SIMDJSON_PADDING, '\0');
  to_.resize(from_.size() + simdjson::SIMDJSON_PADDING);
  auto* begin = reinterpret_cast<std::uint8_t*>(to_.data());
  const std::uint8_t* end = parser_->implementation->parse_string(
      reinterpret_cast<const std::uint8_t*>(from_.data()), begin);
  if (end == nullptr) return {};
  return {to_.data(), static_cast<std::size_t>(end - begin)};
}

}  // namespace greenline::io
