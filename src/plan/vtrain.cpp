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
constexpr const char* kDevices = "# GPUs";
constexpr const char* kTime = "iteration time (ms)";

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

  base::DataError refusal(const char* column, const std::string& why) const {
    return base::DataError("bad-run",
                           fmt::format("row {} is a run that cannot be: {}", row_ + 1, why), "",
                           where(column));
  }
  std::int64_t whole(const char* column) const {
    const double value = number(column);
    if (!(value >= 1 && value <= kLargest && value == std::floor(value)))
      throw refusal(column, fmt::format("{} is {}, expected a whole number from 1 to {}", column,
                                        value, kLargest));
    return static_cast<std::int64_t>(value);
  }
  base::Time time() const {
    const double value = number(kTime);
    if (!(value > 0))
      throw refusal(kTime, fmt::format("{} is {}, expected more than 0", kTime, value));
    return value * units::ms;
  }
  // As the file names it, or the parameters of the shape.
  std::string size(const catalog::ModelShape& shape) const {
    const double billions = model::megatron_parameters(shape) / 1e9;
    if (!table_.has(kSize)) return fmt::format("{:.2f}", billions);
    // Files round, and count the vocabulary or not; neighbours in the series of narayanan2021 are
    // further apart.
    constexpr double kFactor = 1.5;
    const double given = number(kSize);
    if (!(given > billions / kFactor && given < billions * kFactor))
      throw refusal(kSize, fmt::format("{} is {}, its layers have {:.3g}", kSize, given, billions));
    return fmt::format("{}", given);
  }
  base::Location where(const char* column) const {
    return table_.where(row_, table_.column(column));
  }

 private:
  double number(const char* column) const { return table_.number(row_, table_.column(column)); }

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
    throw row.refusal(kDevices, "tp x pp x dp is not the number of devices");
  return s;
}

MeasuredRun run_of(const Row& row, const MeasuredRun& common) {
  MeasuredRun run = common;
  run.iteration = row.time();
  run.where = row.where(kTime);
  Problem& p = run.problem;
  p.shape.hidden = row.whole("hidden size");
  p.shape.heads = p.shape.kv_heads = row.whole("attention heads");
  p.shape.layers = row.whole("# layers");
  p.shape.head_size = 0;  // hidden / heads
  p.shape.ffn_hidden = 4 * p.shape.hidden;
  if (const std::string why = catalog::why_no_shape(p.shape); !why.empty())
    throw row.refusal("hidden size", why);
  p.shape.sequence_length = p.sequence_length = row.whole("sequence length");
  p.devices = row.whole(kDevices);
  p.global_batch = row.whole("global batch");
  const std::string size = row.size(p.shape);
  p.shape.id = fmt::format("gpt-{}b", size);
  Configuration& c = run.configuration;
  c.micro_batch = row.whole("micro batch");
  c.strategy = strategy_of(row, p.devices);
  if (const std::string why = why_impossible(p, c); !why.empty())
    throw row.refusal("global batch", why);
  const Strategy& s = c.strategy;
  run.name = fmt::format("{}B tp{} dp{} pp{} b{}", size, s.tensor_parallel, s.data_parallel,
                         s.pipeline_parallel, c.micro_batch);
  return run;
}

}  // namespace

std::vector<MeasuredRun> vtrain_runs(const Catalog& facts, std::span<const std::string> paths,
                                     base::Journal& journal, const std::string& system) {
  const MeasuredRun common = common_run(facts, system);
  std::vector<MeasuredRun> runs;
  for (const std::string& path : paths) {
    const io::CsvTable table = io::parse_csv(io::read_file(path, &journal), path);
    for (std::size_t i = 0; i < table.num_rows(); ++i)
      runs.push_back(run_of(Row(table, i), common));
  }
  check_runs(runs);
  return runs;
}

}  // namespace greenline::plan
