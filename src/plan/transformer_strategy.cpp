#include "plan/transformer_strategy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

[[noreturn]] void bad(const std::string& message, const char* hint) {
  throw base::UserError("bad-strategy", message, hint);
}

const ClassStrategy* find_class(const std::vector<ClassStrategy>& classes, const char* name) {
  for (const ClassStrategy& c : classes)
    if (c.layer_class == name) return &c;
  return nullptr;
}

// Position of a level among those of a class, -1: not there.
int position(const ClassStrategy& c, LevelKind kind) {
  for (std::size_t i = 0; i < c.levels.size(); ++i)
    if (c.levels[i].kind == kind) return static_cast<int>(i);
  return -1;
}

std::int64_t degree(const ClassStrategy& c, LevelKind kind) {
  const int at = position(c, kind);
  return at < 0 ? 1 : c.levels[static_cast<std::size_t>(at)].degree;
}

void check_order(const ClassStrategy& dense) {
  const std::string text = class_strategy_text({dense});
  for (const StrategyLevel& level : dense.levels)
    if (level.kind > LevelKind::pipeline)
      bad(fmt::format("strategy {}: {} is no level of dense layers", text, level_name(level.kind)),
          "dense layers take tp, ddp, fsdp and pp");
  const int tp = position(dense, LevelKind::tensor), pp = position(dense, LevelKind::pipeline);
  const int fsdp = position(dense, LevelKind::fsdp), ddp = position(dense, LevelKind::ddp);
  if (pp >= 0 && pp + 1 < static_cast<int>(dense.levels.size()))
    bad(fmt::format("strategy {}: pp must be the outermost level (got level {})", text, pp),
        "write it last: dense=tp,ddp,pp4");
  if (ddp >= 0 && fsdp > ddp)
    bad(fmt::format("strategy {}: fsdp must be inside ddp (got level {})", text, fsdp),
        "write dense=fsdp,ddp: shards within, copies outside");
  if (tp > std::min(fsdp, ddp) && tp < std::max(fsdp, ddp) && fsdp >= 0 && ddp >= 0)
    bad(fmt::format("strategy {}: tp must not stand between fsdp and ddp (got level {})", text, tp),
        "write dense=tp,fsdp,ddp or dense=fsdp,ddp,tp");
}

void check_embedding(const ClassStrategy& embedding, const ClassStrategy& dense) {
  const LevelKind kind = embedding.levels.front().kind;
  const bool split = position(dense, LevelKind::tensor) >= 0;
  if (split && kind == LevelKind::row) return;
  if (!split && position(dense, kind) >= 0) return;
  bad(fmt::format("strategy {}: a transformer's embedding is split with its dense layers",
                  class_strategy_text({embedding})),
      "leave embedding out; tables of their own have recommenders");
}

std::int64_t expert_degree(const ClassStrategy& experts, std::int64_t data_parallel,
                           std::int64_t devices_per_node) {
  const std::string text = class_strategy_text({experts});
  for (const StrategyLevel& level : experts.levels) {
    const bool data = level.kind == LevelKind::ddp || level.kind == LevelKind::fsdp;
    if (level.kind != LevelKind::expert && !data)
      bad(fmt::format("strategy {}: {} is no level of experts", text, level_name(level.kind)),
          "experts take ep: experts=ep8; data-parallel ranks of the dense layers share them");
  }
  if (position(experts, LevelKind::expert) < 0) return 1;
  const std::int64_t given = degree(experts, LevelKind::expert);
  return given > 0 ? given : std::min(devices_per_node, data_parallel);
}

}  // namespace

Strategy transformer_strategy(const std::vector<ClassStrategy>& classes, std::int64_t devices,
                              std::int64_t devices_per_node) {
  const ClassStrategy* given = find_class(classes, "dense");
  if (given == nullptr)
    bad(fmt::format("strategy {}: dense layers have none", class_strategy_text(classes)),
        "say dense=level[,level]");
  if (devices <= 0)
    bad(fmt::format("strategy {} needs the number of devices", class_strategy_text(classes)),
        "give --devices");
  const ClassStrategy dense = with_degrees(*given, devices, devices_per_node);
  check_order(dense);
  Strategy s;
  s.tensor_parallel = degree(dense, LevelKind::tensor);
  s.pipeline_parallel = degree(dense, LevelKind::pipeline);
  const std::int64_t shards = degree(dense, LevelKind::fsdp),
                     copies = degree(dense, LevelKind::ddp);
  s.data_parallel = shards * copies;
  if (position(dense, LevelKind::fsdp) >= 0) s.zero = 3;
  if (s.zero == 3 && copies > 1) s.shard_group = shards;
  const int tp = position(dense, LevelKind::tensor);
  s.data_innermost = tp > 0 && s.tensor_parallel > 1 && s.data_parallel > 1;
  if (const ClassStrategy* embedding = find_class(classes, "embedding"))
    check_embedding(*embedding, dense);
  if (const ClassStrategy* experts = find_class(classes, "experts"))
    s.expert_parallel = expert_degree(*experts, s.data_parallel, devices_per_node);
  return s;
}

}  // namespace greenline::plan
