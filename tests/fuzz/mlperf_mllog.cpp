// Any text is a LoadGen log, a run log and a power log, or a DataError; readings ascend in time.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "mlperf/loadgen.hpp"
#include "mlperf/mllog.hpp"
#include "mlperf/training_log.hpp"
#include "require.hpp"

using namespace greenline;

namespace {

template <class Body>
void guarded(Body&& body) {
  try {
    body();
  } catch (const base::DataError& error) {
    require(error.code() == "bad-mllog" || error.code() == "missing-key" ||
            error.code() == "no-readings");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  guarded([&] {
    const mlperf::LoadgenLog log = mlperf::parse_loadgen(text, "detail");
    for (const mlperf::LoadgenEntry& entry : log.entries)
      require(entry.line >= 1 && log.find(entry.key) != nullptr);
    if (const auto n = log.number("result_query_count")) require(std::isfinite(*n));
    require(log.time_ns("power_begin") >= 0);
  });
  guarded([&] {
    const mlperf::RunLog run = mlperf::parse_run_log(text, "run");
    require(run.stop_ns > run.start_ns);
  });
  guarded([&] {
    const mlperf::PowerLog log = mlperf::parse_power_log(text, "node");
    require(log.lines.size() == log.readings.size());
    require(std::is_sorted(log.readings.begin(), log.readings.end(),
                           [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; }));
    require(mlperf::run_energy(log, 1.0 * base::units::s).energy >= base::Energy{});
  });
  mlperf::parse_summary(text);
  mlperf::MllogRecord record;
  mlperf::MllogLines lines(text);
  while (lines.next())
    require(mlperf::read_mllog(lines.line(), record) != mlperf::MllogLine::other);
  return 0;
}
