// Measured runs with the columns of vtrain2024's tables.
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/file.hpp"
#include "plan/validation.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using catalog::Catalog;

// No size of a run is larger; beyond it products of sizes would leave 64 bits.
constexpr double kLargest = 1e9;

constexpr const char* kSize = "Parameters (billion)";

// What all rows have in common: a GPT, with the software of the time. Megatron-DeepSpeed keeps
// attention scores, and exchanges gradients in 16 bits after the backward pass.
MeasuredRun common_run(const Catalog& facts, const std::string& system) {
  MeasuredRun run;
  run.source = "vtrain2024";
  Problem& p = run.problem;
  p.shape = catalog::model_shape(facts, "megatron-18b");
  p.system = catalog::system(facts, system.empty() ? "dgx-a100-80" : system);
  p.machine = model::machine(facts, p.system, catalog::Precision::fp16);
  p.attention = model::Attention::materialised;
  p.overlap_gradients = false;
  p.gradient_bytes = 2;
  run.generation = p.system.device.generation;
  run.configuration.recompute = Recompute::full;
  return run;
}

class Row {
 public:
  Row(const io::CsvTable& table, std::size_t row) : table_(table), row_(row) {}

  base::DataError refusal(const std::string& why) const {
    return base::DataError("bad-run",
                           fmt::format("row {} is a run that cannot be: {}", row_ + 1, why), "",
                           table_.where(row_, 0));
  }
  std::int64_t whole(const char* column) const {
    const double value = table_.number(row_, table_.column(column));
    if (!(value >= 1 && value <= kLargest && value == std::floor(value)))
      throw refusal(
          fmt::format("{} is {}, expected a whole number from 1 to {}", column, value, kLargest));
    return static_cast<std::int64_t>(value);
  }
  base::Time time() const {
    constexpr const char* kColumn = "iteration time (ms)";
    const double value = table_.number(row_, table_.column(kColumn));
    if (!(value > 0)) throw refusal(fmt::format("{} is {}, expected more than 0", kColumn, value));
    return value * units::ms;
  }
  // As the file names it, or the parameters of the shape.
  std::string size(const catalog::ModelShape& shape) const {
    if (table_.has(kSize)) return fmt::format("{}", table_.number(row_, table_.column(kSize)));
    return fmt::format("{:.2f}", model::megatron_parameters(shape) / 1e9);
  }
  base::Location where() const { return table_.where(row_, 0); }

 private:
  const io::CsvTable& table_;
  std::size_t row_;
};

Strategy strategy_of(const Row& row, std::int64_t devices) {
  Strategy s;
  s.tensor_parallel = row.whole("tensor parallelism");
  s.pipeline_parallel = row.whole("pipeline parallelism");
  s.data_parallel = row.whole("data parallelism");
  // Each is at most 1e9, so two of them stay within 64 bits and the third only divides.
  if (devices % s.tensor_parallel != 0 ||
      s.pipeline_parallel * s.data_parallel != devices / s.tensor_parallel)
    throw row.refusal("tp x pp x dp is not the number of devices");
  return s;
}

MeasuredRun run_of(const Row& row, const MeasuredRun& common) {
  MeasuredRun run = common;
  run.iteration = row.time();
  run.where = row.where();
  Problem& p = run.problem;
  p.shape.hidden = row.whole("hidden size");
  p.shape.heads = p.shape.kv_heads = row.whole("attention heads");
  p.shape.layers = row.whole("# layers");
  p.shape.ffn_hidden = 4 * p.shape.hidden;
  p.shape.sequence_length = p.sequence_length = row.whole("sequence length");
  p.devices = row.whole("# GPUs");
  p.global_batch = row.whole("global batch");
  const std::string size = row.size(p.shape);
  p.shape.id = fmt::format("gpt-{}b", size);
  Configuration& c = run.configuration;
  c.micro_batch = row.whole("micro batch");
  c.strategy = strategy_of(row, p.devices);
  if (const std::string why = why_impossible(p, c); !why.empty()) throw row.refusal(why);
  const Strategy& s = c.strategy;
  run.name = fmt::format("{}B tp{} dp{} pp{} b{}", size, s.tensor_parallel, s.data_parallel,
                         s.pipeline_parallel, c.micro_batch);
  return run;
}

}  // namespace

std::vector<MeasuredRun> vtrain_runs(const Catalog& facts, const std::string& path,
                                     base::Journal& journal, const std::string& system) {
  const io::CsvTable table = io::parse_csv(io::read_file(path, &journal), path);
  const MeasuredRun common = common_run(facts, system);
  std::vector<MeasuredRun> runs;
  runs.reserve(table.num_rows());
  for (std::size_t i = 0; i < table.num_rows(); ++i) runs.push_back(run_of(Row(table, i), common));
  return runs;
}

}  // namespace greenline::plan
