// Strategies by layer class, as MAD-Max writes them: "dense=tp,ddp;embedding=shard". Levels go from
// the innermost, within a node, to the outermost.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace greenline::plan {

enum class LevelKind : std::uint8_t { ddp, fsdp, tensor, pipeline, expert, shard, row, column };

struct StrategyLevel {
  LevelKind kind = LevelKind::ddp;
  std::int64_t degree = 0;  // 0: what the machine leaves: a node's devices, or all that remain
};

struct ClassStrategy {
  std::string layer_class;            // "dense", "embedding", "experts"
  std::vector<StrategyLevel> levels;  // inner to outer
};

const char* level_name(LevelKind kind);  // as it is written: "tp"

// `class=level[,level]` joined by semicolons; a level is ddp, fsdp, tp, pp, ep, shard (tables
// whole), row or column, with its degree where it is not implied: "tp8". Blanks around words are
// taken off. UserError "bad-strategy" with the nearest word for an unknown class or level, an empty
// or repeated one, a degree that is no number from 1 to 1e6.
std::vector<ClassStrategy> parse_class_strategy(std::string_view text);

// Is this text in that form?
inline bool is_class_strategy(std::string_view text) {
  return text.find('=') != std::string_view::npos;
}

// Canonical text, with the degrees that are known.
std::string class_strategy_text(const std::vector<ClassStrategy>& strategy);

// The levels with every degree: one level takes all devices; of several without a degree the first
// takes a node's, the last what remains. UserError "bad-strategy" when a degree in between is
// missing or the product is not `devices`.
ClassStrategy with_degrees(ClassStrategy strategy, std::int64_t devices,
                           std::int64_t devices_per_node);

}  // namespace greenline::plan
