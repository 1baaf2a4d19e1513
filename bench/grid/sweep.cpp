// How many designs a second: the sweep on each instruction set, on one core, beside the same sweep
// in NumPy, and the dispatch of one design by hours and by minutes. Design-hours per second.
#include "grid/sweep.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>

#include "base/parallel.hpp"
#include "grid/carbon_explorer.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

SiteHours year() {
  SiteHours site;
  for (int t = 0; t < 8760; ++t) {
    site.load_mw.push_back(50 + 2 * std::sin(t / 4.0));
    site.wind_share.push_back(std::max(0.0, std::sin(t / 3.81) + 0.7 * std::sin(t / 37.0)) / 1.7);
    site.solar_share.push_back(std::max(0.0, std::sin((t % 24 - 6) / 3.82)));
    site.intensity_g_per_kwh.push_back(260 + 120 * std::cos(t / 3.9));
  }
  site.day_begin = blocks_of(8760);
  return site;
}

std::vector<Design> designs(int count) {
  std::vector<Design> out;
  for (int i = 0; i < count; ++i)
    out.push_back({i * 31 % 97 * 4.0 * units::MW, i * 17 % 97 * 4.0 * units::MW,
                   i * 53 % 97 * 4.0 * units::MWh, i % 5 * 0.1});
  return out;
}

// bench/grid/sweep.py, measured once, in this run.
double numpy_rate() {
  static const double rate = [] {
    // Debian's own Python: python3-numpy belongs to it.
    std::FILE* pipe = popen("/usr/bin/python3 '" GREENLINE_BENCH "/grid/sweep.py'", "r");
    if (pipe == nullptr) throw std::runtime_error("python3 does not start");
    char line[4096] = {};
    const bool read = std::fgets(line, sizeof line, pipe) != nullptr;
    const std::string text = line, key = "\"design_hours_per_s\": ";
    const std::size_t at = text.find(key);
    if (pclose(pipe) != 0 || !read || at == std::string::npos)
      throw std::runtime_error("bench/grid/sweep.py failed: is python3-numpy installed?");
    return std::stod(text.substr(at + key.size()));
  }();
  return rate;
}

void count(benchmark::State& state, double design_hours) {
  const double all = design_hours * static_cast<double>(state.iterations());
  state.counters["design_hours_per_s"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
  state.counters["numpy_per_s"] = numpy_rate();
  state.counters["times_numpy"] =
      benchmark::Counter(all / numpy_rate(), benchmark::Counter::kIsRate);
}

void sweep_on(benchmark::State& state, base::InstructionSet set, double share) {
  if (set > base::widest_instruction_set()) {
    state.SkipWithError("this machine lacks it");
    return;
  }
  numpy_rate();
  base::set_num_threads(1);
  const SiteHours site = year();
  const std::vector<Design> all = designs(1024);
  SweepOptions options;
  options.start = Start::full;
  options.instruction_set = set;
  options.flexible_share = share;
  for (auto _ : state) benchmark::DoNotOptimize(sweep(site, all, options));
  count(state, 1024.0 * 8760);
  base::set_num_threads(0);
}
BENCHMARK_CAPTURE(sweep_on, scalar, base::InstructionSet::scalar, 0.0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep_on, avx2, base::InstructionSet::avx2, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep_on, avx512, base::InstructionSet::avx512, 0.0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep_on, scalar_flexible, base::InstructionSet::scalar, 0.4)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sweep_on, avx512_flexible, base::InstructionSet::avx512, 0.4)
    ->Unit(benchmark::kMillisecond);

void dispatch_one(benchmark::State& state, BatteryStep step) {
  const SiteHours site = year();
  const Design design = designs(12)[11];
  DispatchOptions options;
  options.battery = published_battery();
  options.step = step;
  options.start = Start::full;
  for (auto _ : state) benchmark::DoNotOptimize(dispatch(site, design, options));
  count(state, 8760);
}
BENCHMARK_CAPTURE(dispatch_one, by_hours, BatteryStep::hour)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(dispatch_one, by_minutes, BatteryStep::minute)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace greenline::grid
