#include "plan/search_verdict.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"

namespace greenline::plan {
namespace {

using base::UserError;

// What to change, by how the reason begins.
struct Hint {
  std::string_view reason, hint;
};
constexpr std::string_view kSizes =
    "choose a number of devices, a global batch or a micro-batch with more common factors";
constexpr std::array kHints = {
    Hint{"offloading",
         "leave --offload out, or give the node's host_bandwidth in an overlay of the catalogue"},
    Hint{"everything is frozen", "leave one --freeze out"},
    Hint{"embedding and head", "freeze both of embedding and head, or none"},
    Hint{"frozen parts", "add --task finetune, or leave --freeze out"},
    Hint{"the zero-bubble", "leave --schedule out, or --interleave"},
    Hint{"interleav", "leave --interleave out, or choose a global batch of more micro-batches"},
    Hint{"pp", "leave --interleave out, or choose fewer devices"},
    Hint{"prefill", "an inference has no --recompute, --offload, --schedule or --interleave"},
    Hint{"decode", "an inference has no --recompute, --offload, --schedule or --interleave"},
    Hint{"tp", "choose a number of devices that has more factors with the model's heads"},
};

std::string_view hint_for(std::string_view reason) {
  const auto* const found = std::find_if(
      kHints.begin(), kHints.end(), [&](const Hint& h) { return reason.starts_with(h.reason); });
  return found == kHints.end() ? kSizes : found->hint;
}

using Reasons = std::map<std::string, Impossible>;

// What stands against the configurations of the splits that can run.
Reasons reasons_of_configurations(const SearchTask& task) {
  Reasons reasons;
  for (const Problem& p : task.problems)
    for (const Layout& layout : layouts(p, task.space).possible)
      for_each_configuration(
          p, layout, task.space, [](const Configuration&) { return true; },
          [&](const std::string& why) {
            Impossible& same = reasons[why.substr(0, why.find(' '))];
            if (same.number++ == 0) same.example = why;
          });
  return reasons;
}

std::vector<Impossible> by_number(const Reasons& reasons) {
  std::vector<Impossible> sorted;
  for (const auto& [word, reason] : reasons) sorted.push_back(reason);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.number > b.number; });
  return sorted;
}

std::string devices_text(const SearchTask& task) {
  std::vector<std::int64_t> counts;
  for (const Problem& p : task.problems) counts.push_back(p.devices);
  for (const RecommenderProblem& p : task.recommenders) counts.push_back(p.devices);
  return counts.size() == 1 ? fmt::format("{}", counts.front())
                            : fmt::format("any of {}", fmt::join(counts, ", "));
}

std::string past_limit(const SearchJob& job, const SearchRow& row, const Score& score) {
  const SearchRequest& r = job.request;
  const Excess excess = excess_of(score, job.task.limits);
  const std::string nearest =
      fmt::format("the nearest is {} on {} devices", row.strategy, row.devices);
  const double percent = 100 * (excess.ratio - 1);
  const std::string above =
      percent < 1000 ? fmt::format("{:.3g} %", percent) : fmt::format("{:.0f} %", percent);
  switch (excess.limit) {
    case Limit::time:
      return fmt::format("{}: an iteration takes {}, {} above --max-time {}", nearest,
                         base::format_quantity(row.time.nominal()), above,
                         base::format_quantity(*r.max_time));
    case Limit::power:
      return fmt::format("{}: it draws {}, {} above --max-power {}", nearest,
                         base::format_quantity(row.power), above,
                         base::format_quantity(*r.max_power));
    case Limit::cost:
      return fmt::format("{}: an iteration costs {}, {} above --max-cost {}", nearest,
                         base::format_quantity(row.cost->nominal()), above,
                         base::format_quantity(*r.max_cost));
  }
  throw base::InternalError("past an unknown limit");
}

}  // namespace

void no_strategy(const SearchTask& task, const Findings& found) {
  const bool is_split = found.splits > 0;
  const std::vector<Impossible> reasons =
      by_number(is_split ? reasons_of_configurations(task) : found.impossible);
  std::string text;
  for (const Impossible& reason : reasons)
    text += fmt::format("{}{} ({} {})", text.empty() ? "" : "; ", reason.example, reason.number,
                        is_split ? "configurations" : "splits");
  if (is_split)
    text = fmt::format("{} splits could, but not with the values that are fixed: {}", found.splits,
                       text);
  const bool is_recommender = !task.recommenders.empty();
  const auto& shape =
      is_recommender ? task.recommenders.front().shape : task.problems.front().shape;
  const std::int64_t batch =
      is_recommender ? task.recommenders.front().global_batch : task.problems.front().global_batch;
  throw UserError("no-strategy",
                  fmt::format("no split of {} devices can run global batch {} of {}: {}",
                              devices_text(task), batch, shape.id, text),
                  std::string(reasons.empty() ? kSizes : hint_for(reasons.front().example)));
}

std::vector<RuledOut> ruled_out(const SearchJob& job, const Findings& found) {
  const SearchRequest& r = job.request;
  const SearchCounts& n = found.counts;
  const auto past = [&](Limit limit) {
    const auto i = static_cast<std::size_t>(limit);
    return n.past_limit_at_least[i] + n.past_limit[i];
  };
  std::vector<RuledOut> out;
  for (const auto& [word, impossible] : found.impossible)
    out.push_back({"legality", impossible.number, "splits", impossible.example});
  out.push_back({"legality", n.illegal, "configurations", ""});
  out.push_back({"memory", n.does_not_fit, "configurations", ""});
  if (r.max_time) out.push_back({"time", past(Limit::time), "configurations", "past --max-time"});
  if (r.max_power)
    out.push_back({"power", past(Limit::power), "configurations", "past --max-power"});
  if (r.max_cost) out.push_back({"cost", past(Limit::cost), "configurations", "past --max-cost"});
  if (r.max_price) {
    const std::string example =
        job.past_price.empty()
            ? ""
            : fmt::format("from {} devices on, past --max-price", job.past_price.front());
    out.push_back(
        {"price", static_cast<std::int64_t>(job.past_price.size()), "numbers of devices", example});
  }
  out.push_back(
      {"others", n.bounded, "configurations", "at least as slow and as costly as others"});
  return out;
}

std::string why_nothing(const SearchJob& job, const Findings& found, const SearchRow& nearest,
                        const Score& score, const std::string& short_of_memory) {
  if (!job.why_past_price.empty()) return job.why_past_price;
  const SearchCounts& n = found.counts;
  const char* so_far = found.interrupted ? "stopped before all was tried; so far, " : "";
  if (!short_of_memory.empty())
    return fmt::format("{}none of {} configurations fits; {} on {} devices is short by least: {}",
                       so_far, n.all(), nearest.strategy, nearest.devices, short_of_memory);
  std::string limits;
  for (const RuledOut& out : ruled_out(job, found))
    if (out.example.starts_with("past ") && out.number > 0)
      limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ", out.number, out.example);
  return fmt::format("{}{} of {} configurations fit and none keeps the limits ({}); {}", so_far,
                     n.all() - n.does_not_fit, n.all(), limits, past_limit(job, nearest, score));
}

}  // namespace greenline::plan
