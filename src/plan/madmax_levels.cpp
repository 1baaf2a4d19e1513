#include "plan/madmax_levels.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

[[noreturn]] void bad(const std::string& message, const std::string& hint = "") {
  throw base::UserError("bad-strategy", message, hint);
}

[[noreturn]] void not_published(const std::string& message) {
  throw base::UnsupportedError(
      "not-published", message,
      "leave --fidelity out, or choose what hsia2024 describes: dense ddp, fsdp "
      "or tp, embedding shard or ddp, pre-training or inference");
}

void check_dense_kinds(const ClassStrategy& dense) {
  const std::string text = class_strategy_text({dense});
  if (dense.levels.empty()) bad(fmt::format("strategy {}: dense layers have no level", text));
  for (std::size_t i = 0; i < dense.levels.size(); ++i) {
    const LevelKind kind = dense.levels[i].kind;
    if (kind == LevelKind::pipeline || kind == LevelKind::expert)
      not_published(
          fmt::format("strategy {}: MAD-Max gives no equations for {}", text, level_name(kind)));
    if (kind != LevelKind::ddp && kind != LevelKind::fsdp && kind != LevelKind::tensor)
      bad(fmt::format("strategy {}: dense layers take ddp, fsdp and tp, not {}", text,
                      level_name(kind)));
    if (kind == LevelKind::fsdp && i > 0)
      bad(fmt::format("strategy {}: FSDP must be level 0 of dense, got level {}", text, i),
          "levels go from within a node outwards: fsdp,ddp");
    if (std::count_if(dense.levels.begin(), dense.levels.end(),
                      [&](const StrategyLevel& other) { return other.kind == kind; }) > 1)
      bad(fmt::format("strategy {}: level {} is given twice", text, level_name(kind)));
  }
  if (dense.levels.size() > 2)
    bad(fmt::format("strategy {}: at most two levels, got {}", text, dense.levels.size()));
}

ClassStrategy dense_levels(const MadmaxProblem& p, const ClassStrategy& given) {
  check_dense_kinds(given);
  const std::int64_t node = std::min(p.devices, p.system.devices_per_node);
  ClassStrategy dense = with_degrees(given, p.devices, node);
  const std::string text = class_strategy_text({dense});
  for (std::size_t i = 0; i < dense.levels.size(); ++i)
    if (dense.levels[i].degree == 1)
      bad(fmt::format("strategy {}: level {} has degree 1", text, i),
          p.devices == node
              ? fmt::format("one node of {} devices takes one level of degree {}", node, node)
              : "leave the level out");
  const std::int64_t first = dense.levels[0].degree;
  if (first != node && first != p.devices)
    bad(
        fmt::format("strategy {}: level 0 has degree {}, expected the {} devices of a node or all "
                    "{} devices",
                    text, first, node, p.devices));
  return dense;
}

ClassStrategy embedding_levels(const MadmaxProblem& p, const ClassStrategy& given) {
  const std::string text = class_strategy_text({given});
  if (given.levels.size() != 1)
    not_published(fmt::format("strategy {}: MAD-Max describes one level for embeddings, got {}",
                              text, given.levels.size()));
  const LevelKind kind = given.levels[0].kind;
  if (kind == LevelKind::row || kind == LevelKind::column)
    not_published(fmt::format("strategy {}: MAD-Max shards tables whole (shard), not by {}", text,
                              level_name(kind)));
  if (kind != LevelKind::shard && kind != LevelKind::ddp)
    bad(fmt::format("strategy {}: embeddings take shard or ddp, not {}", text, level_name(kind)));
  if (kind == LevelKind::ddp && p.shape.recommender)
    not_published(fmt::format(
        "strategy {}: MAD-Max gives no equations for replicated tables of a recommender", text));
  return with_degrees(given, p.devices, std::min(p.devices, p.system.devices_per_node));
}

}  // namespace

MadmaxLevels madmax_levels(const MadmaxProblem& p) {
  const auto find = [&](const char* layer_class) {
    return std::find_if(p.strategy.begin(), p.strategy.end(),
                        [&](const ClassStrategy& s) { return s.layer_class == layer_class; });
  };
  if (find("experts") != p.strategy.end()) not_published("MAD-Max gives no equations for experts");
  const auto dense = find("dense"), embedding = find("embedding");
  if (dense == p.strategy.end())
    bad(fmt::format("strategy \"{}\" says nothing of dense layers",
                    class_strategy_text(p.strategy)),
        "for example dense=fsdp");
  const LevelKind usual = p.shape.recommender ? LevelKind::shard : LevelKind::ddp;
  return {dense_levels(p, *dense),
          embedding_levels(p, embedding != p.strategy.end()
                                  ? *embedding
                                  : ClassStrategy{"embedding", {{usual, 0}}})};
}

}  // namespace greenline::plan
