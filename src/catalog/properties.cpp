#include "catalog/properties.hpp"

#include <fmt/format.h>

namespace greenline::catalog {

std::string Properties::id(std::string_view property) const {
  return fmt::format("{}.{}", entry_, property);
}

std::int64_t Properties::positive(std::string_view property) const {
  const std::int64_t value = facts_.integer(id(property));
  GL_USER_CHECK(
      value > 0, "bad-fact",
      fmt::format("fact {}: expected a positive whole number, got {}", id(property), value));
  return value;
}

std::int64_t Properties::size(std::string_view property, std::int64_t most) const {
  const std::int64_t value = positive(property);
  GL_USER_CHECK(value <= most, "bad-fact",
                fmt::format("fact {}: expected at most {}, got {}", id(property), most, value));
  return value;
}

std::int64_t Properties::size_or(std::string_view property, std::int64_t otherwise) const {
  return has(property) ? size(property) : otherwise;
}

std::int64_t Properties::count_or(std::string_view property, std::int64_t otherwise) const {
  if (!has(property)) return otherwise;
  return facts_.integer(id(property)) == 0 ? 0 : size(property);
}

}  // namespace greenline::catalog
