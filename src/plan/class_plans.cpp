#include "plan/class_plans.hpp"

#include <fmt/format.h>

#include "model/workload.hpp"

namespace greenline::plan {

using base::UserError;

void refuse(bool given, const char* flag, const char* by) {
  if (given)
    throw UserError("conflict", fmt::format("{} has no meaning {}", flag, by), "leave it out");
}

std::string strategy_flag(const std::vector<ClassStrategy>& strategy) {
  return fmt::format("--strategy '{}'", class_strategy_text(strategy));
}

void refuse_transformer_inputs(const EstimateRequest& r, const char* by) {
  refuse(r.micro_batch > 0, "--micro-batch", by);
  refuse(r.interleave > 1, "--interleave", by);
  refuse(r.schedule.value_or(Schedule::one_f_one_b) != Schedule::one_f_one_b, "--schedule", by);
  refuse(r.recompute.has_value(), "--recompute", by);
  refuse(r.compat != Compat::none, "--compat", by);
  refuse(r.offload != Offload::none, "--offload", by);
  refuse(r.overlap_tensor, "--overlap-tensor", by);
  refuse(r.kernels != model::Kernels::fused, "--kernels", by);
  refuse(r.sequence_length > 0, "--sequence-length", by);
  if (r.strategy != "auto" && !is_class_strategy(r.strategy))
    throw UserError(
        "bad-strategy",
        fmt::format("strategy {}: {} a strategy is by layer class", base::quoted(r.strategy), by),
        "for example 'dense=ddp;embedding=shard', inner level first");
}

void set_sizes(const catalog::ModelShape& shape, const catalog::System& system,
               std::int64_t devices, std::int64_t global_batch, EstimateResult& x) {
  x.model = shape.id;
  x.system = system.id;
  x.devices = devices;
  x.devices_per_node = system.devices_per_node;
  x.nodes = static_cast<double>(devices) / static_cast<double>(system.devices_per_node);
  x.global_batch = global_batch;
  x.sequence_length = shape.recommender ? 0 : shape.sequence_length;
  x.micro_batches = 1;
  x.tokens = static_cast<double>(global_batch);
  if (!shape.recommender) x.tokens *= static_cast<double>(shape.sequence_length);
  x.parameters = model::count_parameters(shape).total();
}

}  // namespace greenline::plan
