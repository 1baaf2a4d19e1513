// Typed access to the keys of one config.json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "catalog/properties.hpp"
#include "io/value.hpp"

namespace greenline::catalog {

// A key may be several, "n_layer|num_hidden_layers": the first one that is there counts. A null is
// as good as absent.
class ConfigKeys {
 public:
  explicit ConfigKeys(const io::Value& root) : root_(root) {}

  const io::Value* find(std::string_view keys) const;
  bool has(std::string_view keys) const { return find(keys) != nullptr; }

  // A whole number from 1 to kMostSize. DataError "bad-config" when it is missing or outside,
  // "wrong-type" when it is another thing.
  std::int64_t size(std::string_view keys, std::int64_t most = kMostSize) const;
  std::int64_t size_or(std::string_view keys, std::int64_t otherwise) const;
  std::int64_t count_or(std::string_view keys, std::int64_t otherwise) const;  // from 0
  bool flag_or(std::string_view key, bool otherwise) const;
  double number_or(std::string_view key, double otherwise) const;
  std::string text_or(std::string_view key, std::string_view otherwise) const;

  const io::Value& root() const { return root_; }

 private:
  const io::Value& root_;
};

// UnsupportedError "unsupported-model" at the place of `key`, or of the file.
[[noreturn]] void unsupported_config(const ConfigKeys& keys, std::string_view key,
                                     const std::string& what);

}  // namespace greenline::catalog
