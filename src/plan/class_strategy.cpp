#include "plan/class_strategy.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

using base::UserError;

constexpr const char* kGrammar =
    "levels by layer class, inner to outer: \"dense=tp8,ddp;embedding=shard\"; classes are dense, "
    "embedding and experts; levels ddp, fsdp, tp, pp, ep, shard, row and column";

// Far above any machine, far below where a product of them overflows.
constexpr std::int64_t kMostDegree = 1'000'000;

constexpr std::array<const char*, 8> kLevelNames = {"ddp", "fsdp",  "tp",  "pp",
                                                    "ep",  "shard", "row", "column"};
const std::vector<std::string>& class_names() {
  static const std::vector<std::string> kNames = {"dense", "embedding", "experts"};
  return kNames;
}

[[noreturn]] void bad(const std::string& message) {
  throw UserError("bad-strategy", message, kGrammar);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Trimmed pieces between separators: one at least, some perhaps empty.
std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    out.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

std::string with_nearest(std::string_view given, std::span<const std::string> known) {
  const auto near = base::nearest(given, known, 1);
  return near.empty() ? "" : "; nearest: " + near[0];
}

StrategyLevel parse_level(std::string_view text, std::string_view layer_class) {
  const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  const std::string_view name = text.substr(0, digits), number = text.substr(digits);
  const auto known = std::find(kLevelNames.begin(), kLevelNames.end(), name);
  if (known == kLevelNames.end()) {
    const std::vector<std::string> names(kLevelNames.begin(), kLevelNames.end());
    bad(fmt::format("strategy of {}: unknown level {}{}", layer_class, base::quoted(text),
                    with_nearest(name, names)));
  }
  StrategyLevel level{static_cast<LevelKind>(known - kLevelNames.begin()), 0};
  if (number.empty()) return level;
  const char* const stop = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), stop, level.degree);
  if (error != std::errc() || end != stop || level.degree < 1 || level.degree > kMostDegree)
    bad(fmt::format("strategy of {}: level {}: expected a degree from 1 to {} after {}",
                    layer_class, base::quoted(text), kMostDegree, name));
  return level;
}

ClassStrategy parse_class(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    bad(fmt::format("strategy part {}: expected class=level[,level]", base::quoted(text)));
  const std::string_view name = trimmed(text.substr(0, equals));
  if (std::find(class_names().begin(), class_names().end(), name) == class_names().end())
    bad(fmt::format("strategy part {}: unknown layer class {}{}", base::quoted(text),
                    base::quoted(name), with_nearest(name, class_names())));
  ClassStrategy out{std::string(name), {}};
  for (const std::string_view piece : pieces(text.substr(equals + 1), ',')) {
    if (piece.empty()) bad(fmt::format("strategy of {}: an empty level", name));
    const StrategyLevel level = parse_level(piece, name);
    for (const StrategyLevel& before : out.levels)
      if (before.kind == level.kind)
        bad(fmt::format("strategy of {}: level {} is given twice", name, level_name(level.kind)));
    out.levels.push_back(level);
  }
  return out;
}

std::string level_text(const StrategyLevel& level) {
  return level.degree > 0 ? fmt::format("{}{}", level_name(level.kind), level.degree)
                          : level_name(level.kind);
}

}  // namespace

const char* level_name(LevelKind kind) { return kLevelNames[static_cast<std::size_t>(kind)]; }

std::vector<ClassStrategy> parse_class_strategy(std::string_view text) {
  std::vector<ClassStrategy> out;
  for (const std::string_view piece : pieces(text, ';')) {
    if (piece.empty()) bad(fmt::format("strategy {}: an empty part", base::quoted(text)));
    ClassStrategy next = parse_class(piece);
    for (const ClassStrategy& before : out)
      if (before.layer_class == next.layer_class)
        bad(fmt::format("strategy {}: class {} is given twice", base::quoted(text),
                        next.layer_class));
    out.push_back(std::move(next));
  }
  return out;
}

std::string class_strategy_text(const std::vector<ClassStrategy>& strategy) {
  std::string out;
  for (const ClassStrategy& s : strategy) {
    out += (out.empty() ? "" : ";") + s.layer_class;
    for (std::size_t i = 0; i < s.levels.size(); ++i)
      out += (i == 0 ? '=' : ',') + level_text(s.levels[i]);
  }
  return out;
}

ClassStrategy with_degrees(ClassStrategy strategy, std::int64_t devices,
                           std::int64_t devices_per_node) {
  auto& levels = strategy.levels;
  if (levels.size() > 1 && levels.front().degree == 0)
    levels.front().degree = std::min(devices, devices_per_node);
  std::int64_t product = 1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].degree == 0 && i + 1 < levels.size())
      bad(fmt::format("strategy {}: level {} needs its degree", class_strategy_text({strategy}),
                      level_name(levels[i].kind)));
    if (levels[i].degree == 0) levels[i].degree = std::max<std::int64_t>(devices / product, 1);
    product *= levels[i].degree;
    if (product > devices)
      bad(fmt::format("strategy {}: its degrees make more than the {} devices there are",
                      class_strategy_text({strategy}), devices));
  }
  if (product != devices)
    bad(fmt::format("strategy {}: its degrees make {} devices, there are {}",
                    class_strategy_text({strategy}), product, devices));
  return strategy;
}

}  // namespace greenline::plan
