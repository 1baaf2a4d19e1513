#include "plan/search_job.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "catalog/system_file.hpp"
#include "plan/resolve.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::UserError;
using catalog::Catalog;

// Ascending, each once.
std::vector<std::int64_t> counts_to_try(const SearchRequest& r, const Problem& p) {
  std::vector<std::int64_t> counts = r.devices;
  if (p.devices > 0) counts.push_back(p.devices);  // of --on
  if (counts.empty() && r.max_devices == 0)
    throw UserError("missing-input", "a search needs to know how many devices there are",
                    "give --devices N (as often as you like), --on NxNODE or --max-devices N");
  if (counts.empty()) {
    counts = device_counts(r.max_devices, p.system.devices_per_node);
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

std::optional<base::MoneyRate> known_price(const Catalog& facts, const EstimateRequest& plan,
                                           const SearchRequest& r, const catalog::System& system) {
  const std::optional<base::MoneyRate> price = price_of(facts, plan, system);
  GL_USER_CHECK(!price || *price > base::MoneyRate{}, "bad-price",
                fmt::format("the price of a device is {}: expected more than 0",
                            base::format_quantity(*price)));
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
ScoreLimits limits_of(const SearchRequest& r, const std::optional<base::MoneyRate>& price) {
  ScoreLimits limits;
  if (r.max_time) limits.time = r.max_time->in(units::s);
  if (r.max_power) limits.power = r.max_power->in(units::W);
  if (r.max_cost) limits.device_seconds = (*r.max_cost / *price).in(units::s);
  return limits;
}

// Counts that cost more than --max-price are not tried.
void keep_affordable(SearchJob& job) {
  const SearchRequest& r = job.request;
  if (!r.max_price) return;
  const auto total = [&](const Problem& p) { return static_cast<double>(p.devices) * *job.price; };
  auto& problems = job.task.problems;
  const Problem least = problems.front();
  std::erase_if(problems, [&](const Problem& p) { return total(p) > *r.max_price; });
  if (!problems.empty()) return;
  job.past_price = fmt::format("{} devices cost {} an hour, above --max-price {}", least.devices,
                               base::format_quantity(total(least) * (1.0 * units::h)),
                               base::format_quantity(*r.max_price));
  problems.push_back(least);
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
  catalog::Precision precision{};
  Problem p = make_problem(facts, plan, precision);
  if (r.space.offload != std::vector{Offload::none})
    model::set_host_link(p.machine, facts, p.system);
  if (p.shape.recommender)
    throw base::UnsupportedError("search-shape",
                                 fmt::format("{} is a recommendation model: a search is for "
                                             "transformers",
                                             p.shape.id),
                                 "`greenline plan estimate --strategy auto` compares those of "
                                 "a recommender");
  x.model = p.shape.id;
  x.system = p.system.id;
  x.precision = catalog::precision_name(precision);
  x.objective = r.objective;
  x.global_batch = p.global_batch;
  x.sequence_length = p.sequence_length;
  SearchJob job{r, facts, std::move(plan), {}, {}, {}, ""};
  job.price = known_price(facts, job.plan, r, p.system);
  if (!job.price) x.no_cost = "no --price is given and the node has none in the catalogue";
  for (const std::int64_t n : counts_to_try(r, p)) {
    job.task.problems.push_back(p);
    job.task.problems.back().devices = n;
  }
  keep_affordable(job);
  for (const Problem& tried : job.task.problems) x.devices.push_back(tried.devices);
  job.task.space = r.space;
  job.task.objective = r.objective;
  job.task.limits = limits_of(r, job.price);
  job.task.num_leaders = static_cast<std::size_t>(r.top);
  const std::string driver = "plan." + p.system.device.generation + ".time";
  job.meter = Meter(facts, p.system, pue_of(facts, job.plan).nominal(),
                    facts.estimate<double>(driver).nominal());
  return job;
}

EstimateRequest request_for(const SearchJob& job, const Candidate& c) {
  EstimateRequest e = job.plan;
  e.system = job.task.problems.front().system.id;
  e.on.clear();
  e.devices = c.devices;
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
