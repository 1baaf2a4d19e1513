// Any bytes are a trace or a DataError. What is a trace is the same table for any number of threads
// and when it is written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "io/chrome_trace.hpp"
#include "io/tar.hpp"
#include "io/trace_reader.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const io::TraceRead first = io::read_trace(bytes, "fuzz");
    const io::TraceRead again = io::read_trace(io::chrome_trace(first.trace), "again");
    require(again.dirt.broken_events == 0 && !again.dirt.truncated);
    require(first.trace == again.trace);
  } catch (const base::DataError& error) {
    require(!error.code().empty() && !error.message().empty());
  }
  try {
    if (io::is_tar(bytes))
      for (const io::TarMember& member : io::read_tar(bytes, "fuzz"))
        require(member.bytes.size() <= size);
  } catch (const base::DataError& error) {
    require(error.code() == "bad-tar");
  }
  return 0;
}
