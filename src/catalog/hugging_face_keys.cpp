#include "catalog/hugging_face_keys.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "catalog/hugging_face.hpp"

namespace greenline::catalog {

namespace {

std::int64_t whole(const io::Value& value, std::string_view keys, std::int64_t least,
                   std::int64_t most) {
  const std::int64_t n = value.as_int();
  if (n < least || n > most)
    throw base::DataError("bad-config",
                          fmt::format("{}: expected {} to {}, got {}", keys, least, most, n), "",
                          value.where());
  return n;
}

}  // namespace

const io::Value* ConfigKeys::find(std::string_view keys) const {
  while (!keys.empty()) {
    const std::size_t bar = std::min(keys.find('|'), keys.size());
    const io::Value* value = root_.find(keys.substr(0, bar));
    if (value != nullptr && !value->is_null()) return value;
    keys.remove_prefix(std::min(bar + 1, keys.size()));
  }
  return nullptr;
}

std::int64_t ConfigKeys::size(std::string_view keys, std::int64_t most) const {
  const io::Value* value = find(keys);
  if (value == nullptr)
    throw base::DataError("bad-config", fmt::format("the configuration has no {}", keys),
                          "the keys that are read: docs/formats/hugging_face.md", root_.where());
  return whole(*value, keys, 1, most);
}

std::int64_t ConfigKeys::size_or(std::string_view keys, std::int64_t otherwise) const {
  const io::Value* value = find(keys);
  return value != nullptr ? whole(*value, keys, 1, kMostSize) : otherwise;
}

std::int64_t ConfigKeys::count_or(std::string_view keys, std::int64_t otherwise) const {
  const io::Value* value = find(keys);
  return value != nullptr ? whole(*value, keys, 0, kMostSize) : otherwise;
}

bool ConfigKeys::flag_or(std::string_view key, bool otherwise) const {
  const io::Value* value = find(key);
  return value != nullptr ? value->as_bool() : otherwise;
}

double ConfigKeys::number_or(std::string_view key, double otherwise) const {
  const io::Value* value = find(key);
  return value != nullptr ? value->as_double() : otherwise;
}

std::string ConfigKeys::text_or(std::string_view key, std::string_view otherwise) const {
  const io::Value* value = find(key);
  return value != nullptr ? value->as_text() : std::string(otherwise);
}

void unsupported_config(const ConfigKeys& keys, std::string_view key, const std::string& what) {
  const io::Value* value = keys.find(key);
  throw base::UnsupportedError(
      "unsupported-model", fmt::format("no shape describes {}", what),
      fmt::format("read are the architectures {}; another one can be described as an overlay "
                  "(--catalog DIR) with the properties of `greenline catalog show llama3-8b`",
                  fmt::join(hugging_face_types(), ", ")),
      (value != nullptr ? *value : keys.root()).where());
}

}  // namespace greenline::catalog
