// Any bytes are a JSON value or a DataError with a place. What is a value reads back from its own
// text.
#include "io/json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  io::Value value;
  try {
    value = io::parse_json(text, "fuzz");
  } catch (const base::DataError& error) {
    require(error.where().line > 0 && error.where().column > 0);
    return 0;
  }
  require_places(value);
  for (const int indent : {0, 2})
    require(io::parse_json(io::write_json(value, indent), "again") == value);
  return 0;
}
