// `--fidelity madmax`: how long an iteration takes by the rules of hsia2024, exactly as published,
// quirks included, and beside it a memory verdict, which they have not.
//
//   MadmaxProblem p;
//   p.shape = catalog::model_shape(facts, "dlrm-a");
//   p.system = madmax_system(facts, "zionex");
//   p.devices = 128;
//   p.strategy = parse_class_strategy("dense=ddp;embedding=shard");
//   p.global_batch = 65536;
//   MadmaxPlan plan = madmax(p);     // plan.iteration == 54.002422 ms
//
// What their rules leave out: attention scores, latencies, activations and optimizer steps, the
// third matrix of a SwiGLU layer. They halve a network port's datasheet rate, as if it were that of
// both directions, and move unpooled embedding rows in an all-to-all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "catalog/entries.hpp"
#include "model/timeline.hpp"
#include "plan/class_strategy.hpp"
#include "plan/configuration.hpp"

namespace greenline::plan {

// A machine with the constants that the authors fitted to their fleet.
struct MadmaxSystem {
  std::string id, device;  // entries of the catalogue
  std::int64_t devices_per_node = 1;
  std::optional<base::WorkRate> fp64, fp32, fp16, int8;  // peaks by size of a dense value: 8, 4, 2
                                                         // and 1 byte; 4 means TF32 where it exists
  base::Data memory;                                     // of one device
  base::Bandwidth memory_bandwidth;
  base::Bandwidth intra, inter;  // of one device, one direction as they count it, at full use
  double compute_utilisation = 0, memory_utilisation = 0;  // shares that a run reaches
  double intra_utilisation = 0, inter_utilisation = 0;
  double allreduce_intra_share = 0;  // of an all-reduce over several nodes, weight of the links
                                     // within
};

// The node `id` with its facts `madmax_*`. UnsupportedError "not-published" for a node that has
// none, with those that have; UserError for an unknown one.
MadmaxSystem madmax_system(const catalog::Catalog& facts, std::string_view id);

struct MadmaxProblem {
  catalog::ModelShape shape;
  MadmaxSystem system;
  std::int64_t devices = 0;
  std::vector<ClassStrategy> strategy;  // dense; embedding, else shard for a recommender, ddp for
                                        // others
  Task task = Task::pretrain;           // or prefill: their inference, one forward pass
  std::int64_t global_batch = 0;        // samples
  // Transformers under FSDP: gather the weights of the next block of the backward pass before the
  // gradients of this one are scattered. As published: images yes, text no.
  std::optional<bool> prefetch;
};

// Tasks of the timeline. Processor 0 computes, processor 1 communicates.
enum class MadmaxTag : int { gemm, embedding, all_to_all, all_reduce, all_gather, reduce_scatter };
inline constexpr int kNumMadmaxTags = 6;
const char* madmax_tag_name(MadmaxTag tag);  // "matrix products", "all-to-all"

// Where in the model a task of the timeline stands, for a picture.
struct MadmaxBlock {
  const char* part = "";  // "embedding", "bottom", "top", "attention", "feed-forward"
  std::int64_t index = 0;
  bool backward = false;
};

// On one device. They count gradients, optimizer state and activations nowhere: ours are gradients
// and Adam of dense values (4 and 12 bytes beside 2-byte weights, else the weight's size and
// twice that), and row-wise Adagrad of embeddings, 4 bytes a row. Activations are not counted.
struct MadmaxMemory {
  base::Data dense_weights, dense_gradients, dense_optimizer;
  base::Data embedding_weights, embedding_optimizer;
  base::Data capacity;

  base::Data total() const {
    return dense_weights + dense_gradients + dense_optimizer + embedding_weights +
           embedding_optimizer;
  }
  bool fits() const { return total() <= capacity; }
};

struct MadmaxPlan {
  std::vector<ClassStrategy> strategy;     // with all degrees; dense, then embedding
  std::int64_t local_dense_batch = 0;      // samples of one model replica
  std::int64_t local_embedding_batch = 0;  // samples whose rows one device group looks up
  base::Time iteration;
  base::Time gemm, embedding;  // busy computing
  base::Time all_to_all, all_reduce, all_gather, reduce_scatter;
  base::Rate throughput;  // samples
  bool prefetch = false;  // what was done
  MadmaxMemory memory;
  model::Timeline timeline;
  model::Schedule schedule;
  std::vector<MadmaxBlock> blocks;   // (num_tasks)
  std::vector<std::string> notices;  // where the published rules are known to be short

  base::Time communication() const { return all_to_all + all_reduce + all_gather + reduce_scatter; }
  // Not below zero by the rounding of long sums.
  base::Time exposed_communication() const {
    return std::max(base::Time{}, iteration - gemm - embedding);
  }
};

// UserError "bad-strategy" for levels that their rules forbid, a batch that does not divide;
// "no-peak" when the device has no rate for the model's dense values; "out-of-range" for sizes no
// plan has. UnsupportedError "not-published" for what they give no equations for: experts, pipeline
// levels, replicated tables of a recommender, fine-tuning, decoding.
MadmaxPlan madmax(const MadmaxProblem& problem);

}  // namespace greenline::plan
