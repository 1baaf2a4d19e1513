// How long the best sizes for a year take, beside SciPy's HiGHS on the same program in the same
// run, and how long a front of 25 points takes beside one answer from nothing.
//
// With GREENLINE_SHARED the year is that of CISO 2021, else one of invented weather.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>

#include "footprint/grid_hours.hpp"
#include "grid/size_lp.hpp"
#include "solve/mps.hpp"

namespace greenline::grid {
namespace {

constexpr std::size_t kHours = 8760;
constexpr double kLoadMw = 50;

// Wind that keeps for some hours, solar by day, a dirtier grid in the evening.
SiteHours invented_year() {
  SiteHours site;
  double wind = 0.4;
  std::uint32_t state = 1;
  for (std::size_t t = 0; t < kHours; ++t) {
    state = state * 1664525u + 1013904223u;
    wind = std::clamp(wind + 0.25 * (state / 4294967296.0 - 0.5) + 0.02 * (0.4 - wind), 0.0, 1.0);
    const double hour = static_cast<double>(t % 24);
    site.wind_share.push_back(wind);
    site.solar_share.push_back(std::max(0.0, std::sin((hour - 6) * M_PI / 12)) *
                               (0.6 + 0.4 * wind));
    site.intensity_g_per_kwh.push_back(280 - 80 * std::sin((hour - 2) * M_PI / 12) - 60 * wind);
  }
  return site;
}

SiteHours measured_year(const std::string& shared) {
  const base::Settings settings;
  const footprint::GridHours grid = footprint::load_grid(
      {.grid = shared + "/data/grid/eia_ciso_2021_mwh.csv"}, catalog::Catalog(settings), settings);
  SiteHours site;
  const base::Power wind = *std::max_element(grid.wind.values.begin(), grid.wind.values.end()),
                    solar = *std::max_element(grid.solar.values.begin(), grid.solar.values.end());
  for (std::size_t t = 0; t < kHours; ++t) {
    site.wind_share.push_back(grid.wind.values[t] / wind);
    site.solar_share.push_back(grid.solar.values[t] / solar);
    site.intensity_g_per_kwh.push_back(grid.intensity.values[t].in(base::units::g_per_kWh));
  }
  return site;
}

SiteHours year() {
  const char* shared = std::getenv("GREENLINE_SHARED");
  SiteHours site = shared != nullptr ? measured_year(shared) : invented_year();
  for (std::size_t t = 0; t < kHours; ++t)
    site.load_mw.push_back(kLoadMw * (1 + 0.025 * std::sin(static_cast<double>(t) / 4)));
  for (std::size_t t = 0; t <= kHours; t += 24) site.day_begin.push_back(t);
  return site;
}

SizeOptions options_of(const SiteHours& site, bool flexible) {
  SizeOptions o;
  o.battery.charge_rate = o.battery.discharge_rate = 3;
  EmbodiedFactors f;
  f.wind_g_per_kwh = 12, f.solar_g_per_kwh = 55, f.battery_kg_per_kwh = 74;
  f.battery_years = 3000.0 / 365, f.server_kg_per_w = 7.1348, f.server_years = 4;
  o.embodied_kg_per_year = embodied_kg_per_year(f, site, ServerBasis::mean_load);
  if (flexible) o.flexible = {{.share = 0.4, .hours_later = {}}};
  return o;
}

double number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\"" + key + "\": ");
  if (at == std::string::npos) throw std::runtime_error("the peer said: " + text);
  return std::stod(text.substr(at + key.size() + 4));
}

struct Peer {
  double objective = 0, seconds = 0;
};
// Debian's SciPy belongs to Debian's Python, which need not be the first in the path.
Peer peer(const solve::LinearProgram& lp) {
  const std::string path = std::filesystem::temp_directory_path() / "greenline_bench_size.mps";
  {
    std::ofstream file(path);
    solve::write_mps(lp, file);
  }
  const std::string command =
      "for p in python3 /usr/bin/python3; do $p -c 'import scipy' 2>/dev/null && exec $p "
      "'" GREENLINE_BENCH "/grid/size_peer.py' " +
      path + "; done; echo no SciPy: install python3-scipy";
  std::FILE* pipe = popen(command.c_str(), "r");
  char line[4096] = {};
  const bool read = pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr;
  if (pipe != nullptr) pclose(pipe);
  std::filesystem::remove(path);
  if (!read) throw std::runtime_error("no peer");
  return {number_after(line, "objective"), number_after(line, "seconds")};
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

SizeAnswer optimal(SizeAnswer x) {
  if (x.status != solve::Status::optimal) throw std::runtime_error("not optimal");
  return x;
}

void one_year(benchmark::State& state) {
  const SiteHours site = year();
  const SizeOptions options = options_of(site, state.range(0) != 0);
  for (auto _ : state) {
    const double begin = processor_seconds();
    const SizeAnswer ours = optimal(size(site, options));
    const double seconds = processor_seconds() - begin;
    state.PauseTiming();
    const Peer theirs = peer(size_program(site, options, false));
    state.ResumeTiming();
    state.counters["t_per_year"] = ours.objective;
    state.counters["iterations"] = static_cast<double>(ours.iterations);
    state.counters["ours_s"] = seconds;
    state.counters["scipy_highs_s"] = theirs.seconds;
    state.counters["times_highs"] = seconds / theirs.seconds;
    state.counters["objective_gap"] = std::abs(ours.objective / theirs.objective - 1);
  }
}
BENCHMARK(one_year)->ArgName("flexible")->Arg(0)->Arg(1)->Iterations(1)->Unit(benchmark::kSecond);

void front_of_25(benchmark::State& state) {
  const SiteHours site = year();
  const SizeOptions options = options_of(site, state.range(0) != 0);
  for (auto _ : state) {
    const double begin = processor_seconds();
    const SizeAnswer best = optimal(size(site, options));
    const double cold = processor_seconds();
    SizeOptions from_best = options;
    from_best.start = &best.basis;
    const std::vector<SizeAnswer> front = pareto(site, from_best, 25);
    const double end = processor_seconds();
    optimal(front.back());
    state.counters["cold_s"] = cold - begin;
    state.counters["front_s"] = end - cold;
    state.counters["times_cold"] = (end - cold) / (cold - begin);
  }
}
BENCHMARK(front_of_25)
    ->ArgName("flexible")
    ->Arg(0)
    ->Arg(1)
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace greenline::grid
