// Any bytes are an energy trace, or time stamps, or a DataError; windows hold no sample twice.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "mlperf/tiny_trace.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const mlperf::EnergyTrace trace = mlperf::parse_energy_trace(bytes, "trace");
    require(trace.microjoules.size() == (size - 5) / 4);
    std::size_t num_samples = 0;
    for (const auto& window : mlperf::window_energies(trace, {0, 0.1, 0.3, 5}))
      num_samples += window.num_samples;
    require(num_samples <= trace.microjoules.size());
  } catch (const base::DataError& error) {
    require(error.code() == "bad-trace");
  }
  try {
    const auto seconds = mlperf::parse_timestamps(bytes, "timestamps");
    require(seconds.size() >= 3 && seconds.front() >= 0);
  } catch (const base::DataError& error) {
    require(error.code() == "bad-timestamps" || error.code() == "bad-json" ||
            error.code() == "number-out-of-range");
  }
  mlperf::parse_tiny_log(bytes);
  mlperf::parse_tiny_results(bytes);
  return 0;
}
