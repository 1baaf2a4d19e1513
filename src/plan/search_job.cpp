#include "plan/search_job.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "catalog/system_file.hpp"
#include "plan/class_plans.hpp"
#include "plan/estimate_recommender.hpp"
#include "plan/resolve.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::UserError;
using catalog::Catalog;

// Ascending, each once. `on`: devices of --on, 0 without.
std::vector<std::int64_t> counts_to_try(const SearchRequest& r, std::int64_t on,
                                        std::int64_t devices_per_node) {
  std::vector<std::int64_t> counts = r.devices;
  if (on > 0) {
    for (const std::int64_t n : counts)
      if (n != on)
        throw UserError(
            "conflict", fmt::format("--on {} is {} devices; --devices is {}", r.plan.on, on, n),
            "give one of them; --system NODE with --devices as often as you like tries several");
    counts = {on};
  }
  if (counts.empty() && r.max_devices == 0)
    throw UserError("missing-input", "a search needs to know how many devices there are",
                    "give --devices N (as often as you like), --on NxNODE or --max-devices N");
  if (counts.empty()) {
    counts = device_counts(r.max_devices, devices_per_node);
    assume(r.plan, "devices", fmt::format("{}", fmt::join(counts, ", ")),
           "parts of a node and 2^k and 3 2^k nodes, up to --max-devices");
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  GL_USER_CHECK(counts.front() >= 1 && static_cast<double>(counts.back()) <= kMostDevices,
                "out-of-range",
                fmt::format("--devices {}: expected 1 to {}",
                            counts.front() < 1 ? counts.front() : counts.back(), kMostDevices));
  if (r.max_devices > 0 && counts.back() > r.max_devices)
    throw UserError(
        "conflict",
        fmt::format("--devices {} is above --max-devices {}", counts.back(), r.max_devices),
        "leave one of them out");
  return counts;
}

using Price = std::optional<base::Estimate<base::MoneyRate>>;

Price known_price(const Catalog& facts, const EstimateRequest& plan, const SearchRequest& r,
                  const catalog::System& system) {
  const Price price = price_of(facts, plan, system);
  GL_USER_CHECK(!price || price->nominal() > base::MoneyRate{}, "bad-price",
                fmt::format("the price of a device is {}: expected more than 0",
                            base::format_quantity(price->nominal())));
  const char* asks = r.objective == Objective::cost ? "--objective cost"
                     : r.max_cost                   ? "--max-cost"
                     : r.max_price                  ? "--max-price"
                                                    : nullptr;
  if (asks != nullptr && !price)
    throw UserError("no-price",
                    fmt::format("{} needs the price of a device of {}, which the "
                                "catalogue does not have",
                                asks, system.id),
                    "give --price, like --price 2.5USD/h");
  return price;
}

// Limits in the numbers of scores. A price for all devices is a limit on their number.
ScoreLimits limits_of(const SearchRequest& r, const Price& price) {
  ScoreLimits limits;
  if (r.max_time) limits.time = r.max_time->in(units::s);
  if (r.max_power) limits.power = r.max_power->in(units::W);
  if (r.max_cost) limits.device_seconds = (*r.max_cost / price->nominal()).in(units::s);
  return limits;
}

// Counts that cost more than --max-price are not tried; the smallest is, when all do.
std::vector<std::int64_t> affordable(SearchJob& job, std::vector<std::int64_t> counts) {
  const SearchRequest& r = job.request;
  if (!r.max_price) return counts;
  const auto total = [&](std::int64_t n) { return static_cast<double>(n) * job.price->nominal(); };
  const auto first_dear = std::find_if(counts.begin(), counts.end(),
                                       [&](std::int64_t n) { return total(n) > *r.max_price; });
  job.past_price.assign(first_dear, counts.end());
  counts.erase(first_dear, counts.end());
  if (!counts.empty()) return counts;
  const std::int64_t least = job.past_price.front();
  job.why_past_price = fmt::format("{} devices cost {} an hour, above --max-price {}", least,
                                   base::format_quantity(total(least) * (1.0 * units::h)),
                                   base::format_quantity(*r.max_price));
  return {least};
}

// A recommender has neither micro-batches nor a pipeline.
void refuse_transformer_space(const SpaceOptions& s) {
  constexpr const char* kBy = "for a recommender";
  refuse(!s.micro_batch.empty(), "--micro-batch", kBy);
  refuse(!s.interleave.empty(), "--interleave", kBy);
  refuse(!s.recompute.empty(), "--recompute", kBy);
  refuse(!s.schedule.empty(), "--schedule", kBy);
  refuse(s.offload != std::vector{Offload::none}, "--offload", kBy);
  refuse(s.breadth != Breadth::all, "--breadth", kBy);
}

template <class P>
void set_setting(SearchJob& job, const P& p, catalog::Precision precision, SearchResult& x) {
  job.system = p.system;
  job.machine = p.machine;
  x.model = p.shape.id;
  x.system = p.system.id;
  x.precision = catalog::precision_name(precision);
  x.objective = job.request.objective;
  x.global_batch = p.global_batch;
}

// The problem on each number of devices that is tried.
template <class P>
void set_problems(SearchJob& job, const P& p, std::vector<P>& problems, SearchResult& x) {
  job.price = known_price(job.facts, job.plan, job.request, p.system);
  if (!job.price) x.no_cost = "no --price is given and the node has none in the catalogue";
  x.devices = affordable(job, counts_to_try(job.request, p.devices, p.system.devices_per_node));
  for (const std::int64_t n : x.devices) {
    problems.push_back(p);
    problems.back().devices = n;
  }
}

// Returns the driver of the error of times.
std::string set_transformer(SearchJob& job, SearchResult& x) {
  catalog::Precision precision{};
  Problem p = make_problem(job.facts, job.plan, precision);
  if (job.request.space.offload != std::vector{Offload::none})
    model::set_host_link(p.machine, job.facts, p.system);
  set_setting(job, p, precision, x);
  x.sequence_length = p.sequence_length;
  set_problems(job, p, job.task.problems, x);
  return "plan." + p.system.device.generation + ".time";
}

std::string set_recommender(SearchJob& job, SearchResult& x) {
  refuse_transformer_space(job.request.space);
  catalog::Precision precision{};
  const RecommenderProblem p = make_recommender_problem(job.facts, job.plan, precision);
  set_setting(job, p, precision, x);
  set_problems(job, p, job.task.recommenders, x);
  return kRecommenderTime;
}

}  // namespace

void check(const SearchRequest& r) {
  GL_USER_CHECK(r.max_devices >= 0, "out-of-range",
                fmt::format("--max-devices {}: expected 0 or more", r.max_devices));
  GL_USER_CHECK(r.top >= 1 && static_cast<double>(r.top) <= kMostRows, "out-of-range",
                fmt::format("--top {}: expected 1 to {}", r.top, kMostRows));
  const auto positive = [](bool good, const char* name) {
    GL_USER_CHECK(good, "out-of-range", fmt::format("{}: expected more than 0", name));
  };
  positive(!r.max_time || *r.max_time > base::Time{}, "--max-time");
  positive(!r.max_power || *r.max_power > base::Power{}, "--max-power");
  positive(!r.max_cost || *r.max_cost > base::Money{}, "--max-cost");
  positive(!r.max_price || *r.max_price > base::MoneyRate{}, "--max-price");
}

EstimateRequest plan_of(const SearchRequest& r) {
  EstimateRequest plan = r.plan;
  plan.settings = r.settings;
  plan.system = catalog::use_system_file(plan.settings, plan.system);
  return plan;
}

SearchJob make_job(const SearchRequest& r, const Catalog& facts, EstimateRequest plan,
                   SearchResult& x) {
  SearchJob job{r, facts, std::move(plan), {}, {}, {}, {}, {}, {}, ""};
  const bool is_recommender = model_of(facts, job.plan).recommender.has_value();
  const std::string driver = is_recommender ? set_recommender(job, x) : set_transformer(job, x);
  job.task.space = r.space;
  job.task.objective = r.objective;
  job.task.limits = limits_of(r, job.price);
  job.task.num_leaders = static_cast<std::size_t>(r.top);
  job.meter = Meter(facts, job.system, pue_of(facts, job.plan).nominal(),
                    facts.estimate<double>(driver).nominal());
  return job;
}

EstimateRequest request_for(const SearchJob& job, const Candidate& c) {
  EstimateRequest e = job.plan;
  e.system = job.system.id;
  e.on.clear();
  e.devices = c.devices;
  if (job.is_recommender()) {
    e.strategy = class_strategy_text(class_strategy(c.recommender));
    return e;
  }
  e.strategy = strategy_text(c.configuration.strategy);
  e.micro_batch = c.configuration.micro_batch;
  e.recompute = c.configuration.recompute;
  e.interleave = c.configuration.interleave;
  e.schedule = c.configuration.schedule;
  e.offload = c.configuration.offload;
  return e;
}

std::vector<std::int64_t> device_counts(std::int64_t most, std::int64_t devices_per_node) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t part : divisors(devices_per_node))
    if (part <= most) counts.push_back(part);
  for (std::int64_t nodes = 2; nodes * devices_per_node <= most; nodes *= 2) {
    counts.push_back(nodes * devices_per_node);
    if (nodes * 3 / 2 * devices_per_node <= most)
      counts.push_back(nodes * 3 / 2 * devices_per_node);
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

}  // namespace greenline::plan
