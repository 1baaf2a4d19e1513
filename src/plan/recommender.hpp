// A recommendation model on a machine, ours: embedding tables spread over all devices, MLPs copied,
// sharded or split, one iteration as tasks on two streams of a device.
//
//   RecommenderProblem p;
//   p.shape = catalog::model_shape(facts, "dlrm-a");
//   p.system = catalog::system(facts, "zionex");
//   p.machine = model::machine(facts, p.system, catalog::Precision::tf32);
//   p.devices = 128;
//   p.strategy = parse_class_strategy("dense=ddp;embedding=shard");
//   p.global_batch = 65536;
//   RecommenderPlan plan = recommender_plan(p);
//
// A device looks rows up, exchanges pooled vectors with all others while its bottom layers compute,
// and goes back in the same way; gradients of the MLPs leave as they become known. Both kinds of
// exchange share one queue. Rows are updated with row-wise Adagrad (mudigere2022), MLPs with Adam.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "catalog/entries.hpp"
#include "model/breakdown.hpp"
#include "model/machine.hpp"
#include "model/power.hpp"
#include "plan/class_strategy.hpp"
#include "plan/configuration.hpp"
#include "plan/memory.hpp"

namespace greenline::plan {

struct RecommenderProblem {
  catalog::ModelShape shape;  // with `recommender`
  catalog::System system;
  model::Machine machine;
  std::int64_t devices = 0;
  // dense: ddp, fsdp and tp, each at most once; embedding: shard (whole tables), row or column.
  std::vector<ClassStrategy> strategy;
  std::int64_t global_batch = 0;  // samples
  Task task = Task::pretrain;     // prefill: a forward pass
  Frozen frozen;                  // embedding; layers: the MLPs
  bool overlap = true;            // exchanges run beside the computation
  double memory_reserve = 0;      // share of the device memory that the model cannot have
};

// Tasks of the timeline; processor 0 computes, processor 1 exchanges.
enum class RecommenderTag : int {
  matmul,
  lookup,
  interaction,
  update,  // of rows
  optimizer,
  all_to_all,  // pooled vectors and their gradients; row-wise: reduce-scatter and all-gather
  activation_exchange,
  weight_gather,
  gradient_exchange
};
inline constexpr int kNumRecommenderTags = 9;
const char* recommender_tag_name(RecommenderTag tag);

struct RecommenderPlan {
  std::vector<ClassStrategy> strategy;  // with all degrees
  std::int64_t local_batch = 0;         // samples of one replica
  double table_imbalance = 1;           // tables of the fullest device over their mean
  base::Time iteration;
  std::vector<base::Time> time;  // (kNumRecommenderTags) busy, by tag
  base::Time communication, exposed_communication;
  model::BusyFractions busy;
  Memory memory;
  model::Timeline timeline;
  model::Schedule schedule;
  model::TimelineNames names;
};

// "" when the strategy can run, else what stands against it.
std::string why_impossible(const RecommenderProblem& problem);

// On the fullest device. UserError as below.
Memory recommender_memory(const RecommenderProblem& problem);

// UserError "bad-strategy" for levels, batches or tables that do not divide.
RecommenderPlan recommender_plan(const RecommenderProblem& problem);

}  // namespace greenline::plan
