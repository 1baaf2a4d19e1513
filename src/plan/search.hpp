// Which strategy on how many devices is best, under limits, and what there is to choose from.
//
//   SearchRequest r;
//   r.plan.model = "llama3-70b"; r.plan.system = "dgx-h100"; r.devices = {1024};
//   SearchResult x = search(r);
//   x.best->strategy_text;
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "plan/configuration.hpp"
#include "plan/estimate.hpp"
#include "plan/greenline_plot.hpp"
#include "plan/search_rounds.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::plan {

inline constexpr double kMostRows = 1000;

struct SearchRequest {
  base::Settings settings;
  // Model, node, batch, software, task, price, grid. Its settings, number of devices, strategy and
  // what else the search turns are set from here.
  EstimateRequest plan;
  std::vector<std::int64_t> devices;  // counts to try
  std::int64_t max_devices = 0;       // alone: counts up to it, see device_counts; 0: no limit
  Objective objective = Objective::time;
  SpaceOptions space;
  // Of one iteration, of all devices at the facility meter, of one iteration, of all devices.
  std::optional<base::Time> max_time;
  std::optional<base::Power> max_power;
  std::optional<base::Money> max_cost;
  std::optional<base::MoneyRate> max_price;
  std::int64_t top = 10;  // rows of the table of the best
};

// One configuration with its figures of one iteration.
struct SearchRow {
  Configuration configuration;
  std::string strategy;
  std::int64_t devices = 0;
  base::Estimate<base::Time> time;
  base::Estimate<base::Energy> energy;  // at the facility meter
  base::Estimate<base::Carbon> carbon;
  std::optional<base::Estimate<base::Money>> cost;
  base::Power power;  // at the facility meter, nominal
  Memory memory;
  double mfu = 0, tokens_per_s = 0;
  std::vector<TimePart> parts;
};

// "tp8,pp4,dp32,zero1,sp b1 full v2": one word more for each thing that is not as usual.
std::string short_name(const SearchRow& row);

// Configurations that cannot be the answer, and why.
struct RuledOut {
  std::string reason;
  std::int64_t number = 0;  // of configurations; of splits of the devices where they cannot run
  std::string example;      // "" where there is none
};

enum class SearchStatus : std::uint8_t { ok, does_not_fit, infeasible };
const char* status_name(SearchStatus status);

struct SearchResult {
  SearchStatus status = SearchStatus::ok;
  std::string why;  // which limit binds and by how much; "" when ok
  bool interrupted = false;

  std::string model, system, precision;
  Objective objective = Objective::time;
  std::vector<std::int64_t> devices;  // counts that were tried
  std::int64_t global_batch = 0, sequence_length = 0;

  SearchCounts counts;
  std::vector<RuledOut> ruled_out;
  base::Time wall_time;  // of the search alone

  std::optional<EstimateResult> best;  // set when ok
  std::optional<SearchRow> nearest;    // set when not: what is short or past a limit by least
  std::vector<SearchRow> top;          // the best, in order
  std::vector<SearchRow> pareto;       // no other is better in time, energy and cost
  std::vector<SearchRow> cells;        // the best of each (tp, pp) on the devices of the best
  std::optional<std::string> no_cost;  // why costs are not known
  GreenlinePlot greenline;             // empty unless ok

  double configurations_per_s() const;
  double evaluated_per_s() const;
};

// UserError for what estimate() refuses, "no-strategy" when no split of the devices can run,
// "missing-input" without a number of devices, "no-price" when the objective or a limit needs a
// price and nobody says one, "conflict" for limits that contradict each other. Nothing that fits,
// or nothing that keeps the limits, is a status.
//
// Under mpirun the ranks of settings.communicator share the work and have the same result.
SearchResult search(const SearchRequest& request, base::Progress& progress = base::no_progress());

// Counts up to `most` that a search tries: parts of a node that divide it, then 2^k and 3 2^k whole
// nodes. Those of a smaller maximum are among those of a larger one.
std::vector<std::int64_t> device_counts(std::int64_t most, std::int64_t devices_per_node);

void describe(verb::Fields& fields, SearchRequest& request);
void present(verb::Report& report, const SearchResult& result);

// The strategy `auto` of an estimate: the fastest of the usual configurations (Breadth::usual,
// 1F1B, nothing on the host) of a fixed number of devices.
struct SearchLimits {
  std::optional<std::int64_t> micro_batch;
  std::optional<Recompute> recompute;
  std::int64_t interleave = 1;
  Schedule schedule = Schedule::one_f_one_b;
  Offload offload = Offload::none;
};

struct SearchOutcome {
  Configuration best;
  bool fits = false;       // false: nothing fits, `best` is the one that is short by least
  std::int64_t tried = 0;  // configurations that could run
  bool interrupted = false;
};

// The shortest iteration that fits; equal times go to the one with less memory, then to the earlier
// one of the space. UserError "no-strategy" when nothing can run at all.
SearchOutcome search(const Problem& problem, const SearchLimits& limits, base::Progress& progress);

}  // namespace greenline::plan
