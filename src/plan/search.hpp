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
  Configuration configuration;  // of a transformer
  std::string strategy;
  std::int64_t devices = 0;
  std::int64_t equals = 0;  // others with the same time, energy and cost; of `top` alone
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

// What cannot be the answer, and why.
struct RuledOut {
  std::string constraint;  // legality, memory, time, power, cost, price; others: it is no better
  std::int64_t number = 0;
  std::string of;       // configurations, splits of the devices, numbers of devices
  std::string example;  // or what it means; "" where there is none
};

// interrupted: stopped before it found anything that fits and keeps the limits.
enum class SearchStatus : std::uint8_t { ok, does_not_fit, infeasible, interrupted };
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

  bool is_recommender() const { return sequence_length == 0; }  // it reads samples
  double configurations_per_s() const;
  double evaluated_per_s() const;
};

// UserError for what estimate() refuses, "no-strategy" when no split of the devices can run,
// "missing-input" without a number of devices, "no-price" when the objective or a limit needs a
// price and nobody says one, "conflict" for inputs that contradict each other or have no meaning
// for the model. Nothing that fits, or nothing that keeps the limits, is a status.
//
// Under mpirun the ranks of settings.communicator share the work and have the same result.
SearchResult search(const SearchRequest& request, base::Progress& progress = base::no_progress());

// Counts up to `most` that a search tries: parts of a node that divide it, then 2^k and 3 2^k whole
// nodes. Those of a smaller maximum are among those of a larger one.
std::vector<std::int64_t> device_counts(std::int64_t most, std::int64_t devices_per_node);

void describe(verb::Fields& fields, SearchRequest& request);
void present(verb::Report& report, const SearchResult& result);

// The strategy `auto` of an estimate: the fastest of a space on a fixed number of devices.
struct SearchOutcome {
  Configuration best;
  RecommenderStrategy recommender;  // of a recommender, instead
  bool fits = false;                // false: nothing fits, `best` is the one that is short by least
  std::int64_t tried = 0;           // configurations that could run
  bool interrupted = false;
};

// The shortest iteration that fits, ties as in plan/pareto.hpp. UserError "no-strategy" when
// nothing can run at all.
SearchOutcome search(const Problem& problem, const SpaceOptions& space, base::Progress& progress);
SearchOutcome search(const RecommenderProblem& problem, base::Progress& progress);

}  // namespace greenline::plan
