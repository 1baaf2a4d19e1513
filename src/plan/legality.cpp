// What stands against a configuration.
#include <fmt/format.h>

#include "plan/configuration.hpp"
#include "plan/stage.hpp"

namespace greenline::plan {
namespace {

std::string tensor_parallelism(const Problem& p, const Strategy& s) {
  const auto& shape = p.shape;
  const std::int64_t t = s.tensor_parallel;
  if (shape.heads % t != 0 || shape.ffn_hidden % t != 0)
    return fmt::format("tp {} does not divide the {} heads and feed-forward size {} of {}", t,
                       shape.heads, shape.ffn_hidden, shape.id);
  if (shape.kv_heads % t != 0)
    return fmt::format("tp {} does not divide the {} key and value heads of {}", t, shape.kv_heads,
                       shape.id);
  if (shape.experts && shape.experts->ffn_hidden % t != 0)
    return fmt::format("tp {} does not divide the feed-forward size {} of an expert of {}", t,
                       shape.experts->ffn_hidden, shape.id);
  return "";
}

std::string context_parallelism(const Problem& p, const Strategy& s) {
  const std::int64_t n = s.context_parallel;
  if (n == 1) return "";
  if (p.task == Task::decode)
    return fmt::format("cp {} splits the tokens of a sequence; decoding computes one", n);
  if (p.sequence_length % n != 0)
    return fmt::format("cp {} does not divide the sequence length {}", n, p.sequence_length);
  return "";
}

std::string expert_parallelism(const Problem& p, const Strategy& s) {
  const std::int64_t n = s.expert_parallel;
  if (n == 1) return "";
  if (!p.shape.experts) return fmt::format("ep {} needs experts; {} has none", n, p.shape.id);
  if (p.shape.experts->experts % n != 0)
    return fmt::format("ep {} does not divide the {} experts of {}", n, p.shape.experts->experts,
                       p.shape.id);
  if (s.data_parallel % n != 0)
    return fmt::format("ep {} does not divide dp {}: experts are spread over data-parallel ranks",
                       n, s.data_parallel);
  if (s.shard_group > 0 && s.shard_group % n != 0 && n % s.shard_group != 0)
    return fmt::format("ep {} and the shard group {} do not divide one another", n, s.shard_group);
  return "";
}

std::string sharding(const Strategy& s) {
  if (s.shard_group == 0) return "";
  if (s.zero != 3)
    return fmt::format("a shard group of {} (hsdp) shares weights: it needs zero3, not zero{}",
                       s.shard_group, s.zero);
  if (s.data_parallel % s.shard_group != 0)
    return fmt::format("hsdp {} does not divide dp {}", s.shard_group, s.data_parallel);
  return "";
}

std::string pipeline(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  if (s.pipeline_parallel * c.interleave > p.shape.layers)
    return fmt::format("pp {} x interleave {} is more than the {} layers of {}",
                       s.pipeline_parallel, c.interleave, p.shape.layers, p.shape.id);
  if (c.interleave > 1 && s.pipeline_parallel == 1)
    return fmt::format("interleave {} needs a pipeline: pp is 1", c.interleave);
  if (c.schedule != Schedule::zero_bubble) return "";
  if (s.pipeline_parallel == 1) return "the zero-bubble schedule needs a pipeline: pp is 1";
  if (c.interleave > 1)
    return fmt::format("the zero-bubble schedule has one chunk a rank; interleave is {}",
                       c.interleave);
  return "";
}

std::string batches(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  const std::int64_t step = s.data_parallel * c.micro_batch;
  if (p.global_batch % step != 0 || p.global_batch < step)
    return fmt::format("global batch {} is not a multiple of dp {} x micro-batch {} = {}",
                       p.global_batch, s.data_parallel, c.micro_batch, step);
  if (const std::int64_t m = num_micro_batches(p, c);
      c.interleave > 1 && m % s.pipeline_parallel != 0)
    return fmt::format(
        "interleaving needs micro-batches in multiples of pp {}; global batch {} makes {}",
        s.pipeline_parallel, p.global_batch, m);
  return "";
}

std::string inference(const Problem& p, const Configuration& c) {
  if (is_training(p.task)) return "";
  const char* task = base::enum_name(p.task);
  if (c.strategy.zero == 1 || c.strategy.zero == 2)
    return fmt::format("zero{} shares gradients and optimizer state; {} has none", c.strategy.zero,
                       task);
  if (c.recompute != Recompute::none)
    return fmt::format("{} has no backward pass to recompute activations for", task);
  if (c.offload != Offload::none)
    return fmt::format("{} has no optimizer state or kept activations to offload", task);
  if (c.schedule != Schedule::one_f_one_b || c.interleave > 1)
    return fmt::format("{} has forward passes alone: no interleaving, no zero-bubble schedule",
                       task);
  return "";
}

std::string finetuning(const Problem& p) {
  const Frozen& f = p.frozen;
  if (p.task != Task::finetune) {
    if (f.embedding || f.layers || f.head) return "frozen parts need the task finetune";
    return "";
  }
  if (f.embedding && f.layers && f.head) return "everything is frozen: nothing trains";
  if (p.shape.tied_embeddings && f.embedding != f.head)
    return fmt::format("embedding and head of {} share their weights: freeze both or none",
                       p.shape.id);
  return "";
}

std::string offloading(const Problem& p, const Configuration& c) {
  if (c.offload != Offload::none && !(p.machine.host.bandwidth > base::Bandwidth{}))
    return fmt::format(
        "offloading needs the bandwidth of the host link; {}.host_bandwidth is "
        "not in the catalogue",
        p.system.id);
  return "";
}

}  // namespace

std::string why_impossible(const Problem& p, const Configuration& c) {
  const Strategy& s = c.strategy;
  if (std::string why = tensor_parallelism(p, s); !why.empty()) return why;
  if (std::string why = context_parallelism(p, s); !why.empty()) return why;
  if (std::string why = expert_parallelism(p, s); !why.empty()) return why;
  if (std::string why = sharding(s); !why.empty()) return why;
  if (std::string why = pipeline(p, c); !why.empty()) return why;
  if (std::string why = inference(p, c); !why.empty()) return why;
  if (std::string why = finetuning(p); !why.empty()) return why;
  if (std::string why = offloading(p, c); !why.empty()) return why;
  return batches(p, c);
}

}  // namespace greenline::plan
