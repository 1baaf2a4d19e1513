#include "plan/configuration.hpp"

namespace greenline::plan {

std::span<const base::EnumName> enum_names(Recompute) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Recompute::none), "none", "everything is kept"},
      {static_cast<int>(Recompute::selective), "selective",
       "the attention core, or norms and activation functions when it is fused"},
      {static_cast<int>(Recompute::full), "full", "whole layers, from their inputs"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(Schedule) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Schedule::one_f_one_b), "1f1b",
       "one forward, one backward; interleaved when a rank has several chunks"},
      {static_cast<int>(Schedule::zero_bubble), "zero-bubble",
       "weight gradients wait and fill the bubble (ZB-H1)"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(Offload) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Offload::none), "none", "everything is on the device"},
      {static_cast<int>(Offload::optimizer), "optimizer",
       "optimizer state and its step are on the host"},
      {static_cast<int>(Offload::all), "all", "kept activations are on the host as well"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(Task) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Task::pretrain), "pretrain", "a training step"},
      {static_cast<int>(Task::finetune), "finetune", "a training step with frozen parts"},
      {static_cast<int>(Task::prefill), "prefill", "a batch of prompts is read"},
      {static_cast<int>(Task::decode), "decode", "one token more for each sequence of a batch"},
  };
  return kNames;
}

std::span<const base::EnumName> enum_names(Compat) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Compat::none), "none", "our model"},
      {static_cast<int>(Compat::korthikanti), "korthikanti",
       "the closed forms of the paper: no embedding, biases, norms or buffers"},
  };
  return kNames;
}

std::int64_t num_micro_batches(const Problem& p, const Configuration& c) {
  return p.global_batch / (c.strategy.data_parallel * c.micro_batch);
}

std::int64_t computed_tokens(const Problem& p) {
  return p.task == Task::decode ? 1 : p.sequence_length;
}

model::Slice slice_of(const Problem& p, const Configuration& c) {
  model::Slice slice;
  slice.tensor_parallel = c.strategy.tensor_parallel;
  slice.sequence_parallel = c.strategy.sequence_parallel;
  slice.micro_batch = c.micro_batch;
  slice.sequence_length = computed_tokens(p);
  slice.attention = p.attention;
  slice.context_parallel = c.strategy.context_parallel;
  slice.expert_parallel = c.strategy.expert_parallel;
  slice.kernels = p.kernels;
  slice.value_bytes = model::value_bytes(p.machine.precision);
  slice.narrow_products = p.machine.precision == catalog::Precision::fp8;
  slice.cached_tokens = p.task == Task::decode ? p.cached_tokens : 0;
  return slice;
}

model::Slice head_slice(const Problem& p, const Configuration& c) {
  model::Slice slice = slice_of(p, c);
  if (p.task == Task::prefill) slice.sequence_length = slice.context_parallel = 1;
  return slice;
}

}  // namespace greenline::plan
