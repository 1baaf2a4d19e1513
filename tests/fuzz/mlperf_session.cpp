// Any text is what a client or server wrote, or a DataError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "mlperf/session_file.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const mlperf::SessionFile file = mlperf::parse_session_file(text, "server.json");
    for (const mlperf::SessionMessage& m : file.messages) require(m.line >= 1);
  } catch (const base::DataError& error) {
    require(error.code() == "wrong-type" || error.code() == "bad-json" ||
            error.code() == "number-out-of-range");
  }
  return 0;
}
