// A year of hours: reading it, matching it with a load, and the carbon of a run in 256 draws
// against the naive loop over hours for each draw, in the same run.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "footprint/grid_file.hpp"
#include "footprint/operational.hpp"
#include "grid/balance.hpp"

namespace {

using namespace greenline;
namespace units = base::units;

std::string year_of_generation() {
  std::string text = "datetime_utc,WND,SUN,WAT,OIL,NG,COL,NUC,OTH\n";
  const base::Instant start = base::parse_instant("2021-01-01T00Z");
  for (unsigned i = 0; i < 8760; ++i) {
    text += base::format_instant(base::advance(start, 1.0 * units::h, i));
    for (unsigned f = 0; f < 8; ++f)
      text += "," + std::to_string(1 + (i * 2654435761u + f * 40503u) % 20000);
    text += "\n";
  }
  return text;
}

footprint::GridHours year() {
  static const catalog::Catalog facts{base::Settings{}};
  base::Journal journal;
  return footprint::read_grid(year_of_generation(), "year.csv", {}, facts, journal);
}

void read_year(benchmark::State& state) {
  const std::string text = year_of_generation();
  const catalog::Catalog facts{base::Settings{}};
  for (auto _ : state) {
    base::Journal journal;
    benchmark::DoNotOptimize(footprint::read_grid(text, "year.csv", {}, facts, journal));
  }
  state.SetItemsProcessed(state.iterations() * 8760);
}
BENCHMARK(read_year)->Unit(benchmark::kMillisecond);

void balance_year(benchmark::State& state) {
  const footprint::GridHours grid = year();
  const std::vector<base::Power> load(8760, 5.0 * units::GW);
  for (auto _ : state) benchmark::DoNotOptimize(grid::balance(load, grid.wind.values));
  state.SetItemsProcessed(state.iterations() * 8760);
}
BENCHMARK(balance_year)->Unit(benchmark::kMicrosecond);

struct Run {
  footprint::GridHours grid = year();
  base::Instant start = base::parse_instant("2026-03-01T05:20Z");
  base::Estimate<base::Time> duration = base::from_driver<base::Time>(
      {"d", 54.0 * 86400, 45.0 * 86400, 70.0 * 86400, base::DriverScale::automatic, ""},
      base::Evidence::modelled, "", 1);
  base::Estimate<base::Power> power{1.0 * units::MW};
};

void draws_by_prefix_sums(benchmark::State& state) {
  const Run run;
  for (auto _ : state)
    benchmark::DoNotOptimize(footprint::operational(run.grid, run.start, run.duration, run.power));
}
BENCHMARK(draws_by_prefix_sums)->Unit(benchmark::kMicrosecond);

void draws_by_naive_loop(benchmark::State& state) {
  const Run run;
  for (auto _ : state) {
    base::Carbon total{};
    for (int k = 0; k < base::kNumDraws; ++k)
      total +=
          footprint::operational_hours(run.grid, run.start, run.duration.draw(k), run.power.draw(k))
              .total_carbon;
    benchmark::DoNotOptimize(total);
  }
}
BENCHMARK(draws_by_naive_loop)->Unit(benchmark::kMicrosecond);

}  // namespace
