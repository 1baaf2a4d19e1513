// CSV text to columns of doubles: the reader beside what a program writes that has none (getline,
// istringstream, stod), in the same run on the same text. Compare bytes_per_second.
#include "io/csv.hpp"

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

constexpr int kNumColumns = 8;

// Like a grid year: a time and eight numbers a row; `num_rows` rows.
const std::string& grid_text(std::int64_t num_rows) {
  static std::string text;
  static std::int64_t held = -1;
  if (held == num_rows) return text;
  held = num_rows;
  text = "datetime_utc,c0,c1,c2,c3,c4,c5,c6,c7\n";
  std::mt19937 random(1);
  for (std::int64_t row = 0; row < num_rows; ++row) {
    text += "2021-01-01T00:00Z";
    for (int c = 0; c < kNumColumns; ++c) {
      const unsigned value = random();
      text += ',' + std::to_string(value % 20000);
      if (c % 4 == 3) text += '.' + std::to_string(value % 97);
    }
    text += '\n';
  }
  return text;
}

void parse_only(benchmark::State& state) {
  const std::string& text = grid_text(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(greenline::io::parse_csv(text, "bench").num_rows());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void parse_and_numbers(benchmark::State& state) {
  const std::string& text = grid_text(state.range(0));
  for (auto _ : state) {
    const greenline::io::CsvTable table = greenline::io::parse_csv(text, "bench");
    for (int c = 0; c < kNumColumns; ++c)
      benchmark::DoNotOptimize(table.numbers("c" + std::to_string(c)).data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

// No quotes, no checks, no places.
void naive_numbers(benchmark::State& state) {
  const std::string& text = grid_text(state.range(0));
  for (auto _ : state) {
    std::vector<std::vector<double>> columns(kNumColumns);
    std::istringstream lines(text);
    std::string line, cell;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      std::istringstream cells(line);
      std::getline(cells, cell, ',');
      for (auto& column : columns) {
        std::getline(cells, cell, ',');
        column.push_back(std::stod(cell));
      }
    }
    benchmark::DoNotOptimize(columns.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

// One year of hours, and about 100 MB.
BENCHMARK(parse_only)->Arg(8760)->Arg(1'600'000)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_and_numbers)->Arg(8760)->Arg(1'600'000)->Unit(benchmark::kMillisecond);
BENCHMARK(naive_numbers)->Arg(8760)->Arg(1'600'000)->Unit(benchmark::kMillisecond);

}  // namespace
