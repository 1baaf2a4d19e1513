#include "plan/strategy.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/class_strategy.hpp"
#include "plan/transformer_strategy.hpp"

namespace greenline::plan {
namespace {

using base::UserError;

constexpr const char* kGrammar =
    "a strategy is tpN, cpN, ppN, dpN, epN, zero0..zero3, fsdp, fsdpN, hsdpN, sp and dpfirst, "
    "joined "
    "by commas: tp8,pp8,dp4,sp";

// Far above any machine, far below where a product of three overflows.
constexpr std::int64_t kMostDevices = 1'000'000;

struct Word {
  std::string name;                    // "tp"
  std::optional<std::int64_t> number;  // 8
};

Word split_word(std::string_view text) {
  const std::size_t digits = text.find_first_of("0123456789");
  Word w{std::string(text.substr(0, digits)), {}};
  if (digits == std::string_view::npos) return w;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + digits, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kMostDevices) {
    throw UserError("bad-strategy",
                    fmt::format("strategy word {}: expected a number up to {} after {}",
                                base::quoted(text), kMostDevices, base::quoted(w.name)),
                    kGrammar);
  }
  w.number = value;
  return w;
}

UserError unknown_word(std::string_view text, const std::string& name) {
  const std::vector<std::string> known = {"tp",   "cp",   "pp",   "dp", "ep",
                                          "zero", "fsdp", "hsdp", "sp", "dpfirst"};
  const auto near = base::nearest(name, known, 1);
  return UserError("bad-strategy",
                   fmt::format("unknown strategy word {}{}", base::quoted(text),
                               near.empty() ? "" : "; nearest: " + near[0]),
                   kGrammar);
}

std::int64_t positive(const Word& w, std::string_view text) {
  if (!w.number || *w.number < 1) {
    throw UserError("bad-strategy",
                    fmt::format("strategy word {}: expected a number from 1 on after {}",
                                base::quoted(text), w.name),
                    kGrammar);
  }
  return *w.number;
}

// Ways of sharing among data-parallel ranks: one of them in a strategy.
std::string key_of(const std::string& name) {
  return name == "fsdp" || name == "hsdp" ? "zero" : name;
}

class Parser {
 public:
  void word(std::string_view text) {
    const Word w = split_word(text);
    if (!seen_.insert(key_of(w.name)).second) {
      throw UserError(
          "bad-strategy",
          fmt::format("strategy word {} repeats or contradicts an earlier one", base::quoted(text)),
          kGrammar);
    }
    if (std::int64_t* degree = degree_of(w.name))
      *degree = positive(w, text);
    else if (w.name == "dp")
      set_data_parallel(positive(w, text), text);
    else if (key_of(w.name) == "zero")
      set_sharing(w, text);
    else if (w.name == "sp" && !w.number)
      strategy_.sequence_parallel = true;
    else if (w.name == "dpfirst" && !w.number)
      strategy_.data_innermost = true;
    else
      throw unknown_word(text, w.name);
  }

  Strategy finish(std::string_view text, std::int64_t devices) {
    if (!data_parallel_given_ && devices > 0) {
      const std::int64_t others =
          strategy_.tensor_parallel * strategy_.context_parallel * strategy_.pipeline_parallel;
      if (devices % others == 0) strategy_.data_parallel = devices / others;
    }
    if (devices > 0 && strategy_.devices() != devices) {
      throw UserError("bad-strategy",
                      fmt::format("strategy {} needs {} devices; --devices is {}", text,
                                  strategy_.devices(), devices),
                      "change --devices or one of tp, cp, pp, dp; an omitted dp is inferred when "
                      "the product of the others divides the devices");
    }
    if (strategy_.sequence_parallel && strategy_.tensor_parallel == 1) {
      throw UserError(
          "bad-strategy",
          fmt::format("strategy {} has sequence parallelism (sp) without tensor parallelism", text),
          "sp splits along the tensor-parallel group: add tpN with N > 1, or leave sp out");
    }
    return strategy_;
  }

 private:
  void set_data_parallel(std::int64_t n, std::string_view text) {
    if (data_parallel_given_)
      throw UserError(
          "bad-strategy",
          fmt::format("strategy word {} gives the data-parallel size again", base::quoted(text)),
          kGrammar);
    data_parallel_given_ = true;
    strategy_.data_parallel = n;
  }
  std::int64_t* degree_of(const std::string& name) {
    if (name == "tp") return &strategy_.tensor_parallel;
    if (name == "cp") return &strategy_.context_parallel;
    if (name == "pp") return &strategy_.pipeline_parallel;
    if (name == "ep") return &strategy_.expert_parallel;
    return nullptr;
  }
  void set_sharing(const Word& w, std::string_view text) {
    if (w.name == "zero") return set_zero(w, text);
    strategy_.zero = 3;
    if (w.name == "hsdp")
      strategy_.shard_group = positive(w, text);
    else if (w.number)
      set_data_parallel(positive(w, text), text);
  }
  void set_zero(const Word& w, std::string_view text) {
    if (!w.number || *w.number > 3)
      throw UserError("bad-strategy",
                      fmt::format("strategy word {}: expected zero0, zero1, zero2 or zero3",
                                  base::quoted(text)),
                      kGrammar);
    strategy_.zero = static_cast<int>(*w.number);
  }

  Strategy strategy_;
  std::set<std::string> seen_;
  bool data_parallel_given_ = false;
};

Strategy parse_words(std::string_view text, std::int64_t devices) {
  Parser parser;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view word = rest.substr(0, comma);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    if (word.empty())
      throw UserError("bad-strategy",
                      fmt::format("strategy {} has an empty word", base::quoted(text)), kGrammar);
    parser.word(word);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return parser.finish(text, devices);
}

}  // namespace

Strategy parse_strategy(std::string_view text, std::int64_t devices,
                        std::int64_t devices_per_node) {
  if (!is_class_strategy(text)) return parse_words(text, devices);
  return transformer_strategy(parse_class_strategy(text), devices, devices_per_node);
}

std::string strategy_text(const Strategy& s) {
  std::string text = fmt::format("tp{}", s.tensor_parallel);
  if (s.context_parallel > 1) text += fmt::format(",cp{}", s.context_parallel);
  text += fmt::format(",pp{},dp{}", s.pipeline_parallel, s.data_parallel);
  if (s.expert_parallel > 1) text += fmt::format(",ep{}", s.expert_parallel);
  if (s.shard_group > 0)
    text += fmt::format(",hsdp{}", s.shard_group);
  else if (s.zero > 0)
    text += fmt::format(",zero{}", s.zero);
  if (s.sequence_parallel) text += ",sp";
  if (s.data_innermost) text += ",dpfirst";
  return text;
}

}  // namespace greenline::plan
