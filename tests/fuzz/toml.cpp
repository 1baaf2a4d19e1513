// Any bytes are a TOML table or a DataError with a place. What is a table can be written as JSON.
#include "io/toml.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "io/json.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  io::Value value;
  try {
    value = io::parse_toml(text, "fuzz");
  } catch (const base::DataError& error) {
    require(error.where().line > 0 && error.where().column > 0);
    return 0;
  }
  require(value.is_object());
  require_places(value);
  io::parse_json(io::write_json(value), "again");
  return 0;
}
