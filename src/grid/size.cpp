#include "grid/size.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "grid/battery_life.hpp"
#include "grid/size_beside.hpp"
#include "grid/size_inputs.hpp"
#include "grid/size_summary.hpp"
#include "grid/size_sweep.hpp"
#include "io/file.hpp"
#include "solve/mps.hpp"

namespace greenline::grid {
namespace {

using base::CarbonRate;
using base::Estimate;
namespace units = base::units;

CarbonRate yearly_t(double t) { return t * units::tCO2e / (1.0 * units::year); }
CarbonRate yearly_kg(double kg) { return kg * units::kgCO2e / (1.0 * units::year); }

SizeStatus status_of(solve::Status status) {
  switch (status) {
    case solve::Status::optimal:
      return SizeStatus::optimal;
    case solve::Status::infeasible:
      return SizeStatus::infeasible;
    case solve::Status::unbounded:
      return SizeStatus::unbounded;
    case solve::Status::interrupted:
      return SizeStatus::interrupted;
    case solve::Status::iteration_limit:
    case solve::Status::not_converged:
      break;
  }
  return SizeStatus::not_converged;
}

// One run of the verb: what its steps share.
class Sizing {
 public:
  Sizing(const SizeRequest& request, base::Progress& progress)
      : request_(request),
        rules_(request.rules),
        progress_(progress),
        facts_(request.settings),
        embodied_(embodied_carbon(rules_, facts_)),
        options_(size_options(rules_, embodied_)),
        site_(load_size_site(request, facts_)),
        wear_(battery_wear(facts_)) {
    x_.site = site_.hours;
    x_.compat = request.compat;
    x_.rules = rules_;
    x_.num_years_of_files = 1 + request.weather.size();
    x_.server_kg_per_w = embodied_.factors.server_kg_per_w;
    x_.idle_share = embodied_.idle_share;
    x_.method = method();
    set_life(rules_.battery_years ? *rules_.battery_years * units::year : wear_.calendar_life,
             !rules_.battery_years);
    say_assumed();
    ranges_ = sweep_ranges(x_.site, rules_, options_);
  }

  SizeResult run() {
    if (request_.compat == Compat::carbon_explorer)
      choose_as_released();
    else if (x_.method == SizeMethod::lp)
      solve_program();
    else
      search();
    if (!request_.write_mps.empty()) write_mps();
    add_front();
    if (x_.has_plan()) add_beside();
    if (x_.status != SizeStatus::optimal)
      request_.settings.journal->notice(fmt::format("{}: {}", base::enum_name(x_.status), x_.why));
    add_grid_only(x_);
    mark_knees(x_.front);
    x_.grid = std::move(site_.first.grid);
    x_.load_shape = std::move(site_.first.load_shape);
    return std::move(x_);
  }

 private:
  SizeMethod method() const {
    if (rules_.method) return *rules_.method;
    return rules_.charge == Charge::surplus_only || request_.compat == Compat::carbon_explorer
               ? SizeMethod::sweep
               : SizeMethod::lp;
  }

  void say_assumed() {
    base::Journal& journal = *request_.settings.journal;
    if (request_.load_shape.empty())
      journal.assumed({"--load-shape", site_.first.load_shape, "default"});
    if (!rules_.method)
      journal.assumed({"--method", base::enum_name(x_.method), "what --charge and --compat allow"});
    if (rules_.objective == Objective::cost)
      journal.assumed({"--prices", "0 where none is given", "default"});
  }

  // A life that is given is what it is. Otherwise costs are those of a battery that only ages, and
  // `most_cycles_per_year` is the use that wears it out within that time: what cycles more is used
  // up in proportion, which the program weighs (grid/size_lp.hpp).
  void set_life(base::Time life, bool wears) {
    x_.battery_life = life;
    x_.battery_life_why = wears ? "age" : "given";
    set_costs(options_, rules_, embodied_.factors, x_.site, request_.compat, life);
    options_.most_cycles_per_year =
        wears ? wear_.most_cycles_per_year(rules_.depth_of_discharge) : solve::kInfinity;
  }

  void take_plan(SizeAnswer answer) {
    x_.plan = std::move(answer);
    if (!(x_.plan.battery_wear > 1)) return;
    x_.battery_life = x_.battery_life / x_.plan.battery_wear;
    x_.battery_life_why = "cycles";
  }

  void solve_program() {
    coarse_ = sweep_plan(x_.site, ranges_, options_, rules_.flexible, 0, progress_);
    progress_.stage("linear program", 0);
    SizeAnswer answer = grid::size(x_.site, options_, progress_);
    x_.status = status_of(answer.status);
    if (x_.status == SizeStatus::optimal)
      take_plan(std::move(answer));
    else
      explain();
    // The sweep looks at carbon only: no answer to a question of cost.
    if (x_.status != SizeStatus::interrupted || !coarse_.found) return;
    if (rules_.objective == Objective::carbon)
      take_design(coarse_.design);
    else
      x_.why = "stopped before there was an answer";
  }

  void explain() {
    switch (x_.status) {
      case SizeStatus::infeasible:
        explain_infeasible();
        break;
      case SizeStatus::unbounded:
        x_.why = "more of everything is always better: a price is missing";
        break;
      case SizeStatus::interrupted:
        x_.why = "stopped; the sizes are the best of a sweep, whose battery takes surplus only";
        break;
      case SizeStatus::not_converged:
        x_.why = "the solver gave up, or its answer did not pass the check";
        break;
      case SizeStatus::optimal:
        break;
    }
  }

  // The least grid energy within all limits but the coverage.
  void explain_infeasible() {
    SizeOptions o = options_;
    o.least_coverage = 0;
    o.per_tonne = 1, o.per_usd = 0;
    if (!o.most_embodied_t_per_year) o.embodied_kg_per_year = {};
    constexpr double kAboveAll = 1e5;  // g/kWh: no embodied carbon weighs as much
    SiteHours counted = x_.site;
    std::fill(counted.intensity_g_per_kwh.begin(), counted.intensity_g_per_kwh.end(), kAboveAll);
    const SizeAnswer answer = grid::size(counted, o, progress_);
    if (answer.status == solve::Status::optimal) {
      x_.reachable_coverage = answer.coverage;
      x_.why = fmt::format(
          "a coverage of {} is asked for; the highest within the other limits is "
          "about {:.4f}",
          rules_.coverage, answer.coverage);
    } else {
      x_.why = "the limits on sizes and budgets exclude each other";
    }
  }

  void search() {
    constexpr int kRounds = 4;  // each narrows the ranges tenfold
    SweepPlan found = sweep_plan(x_.site, ranges_, options_, rules_.flexible, kRounds, progress_);
    if (found.found) take_design(found.design);
    x_.front = std::move(found.front);
    x_.edges = std::move(found.edges);
    if (found.stopped) {
      x_.status = SizeStatus::interrupted;
      x_.why = "stopped; the best of the designs that were tried";
    } else if (found.found) {
      x_.status = SizeStatus::optimal;
    } else {
      x_.status = SizeStatus::infeasible;
      x_.reachable_coverage = found.highest_coverage;
      x_.why = fmt::format(
          "no design of the sweep keeps all limits; the highest coverage of one "
          "is {:.4f}",
          found.highest_coverage);
    }
    warn_of_edges();
  }

  void warn_of_edges() {
    if (!x_.edges.empty())
      request_.settings.journal->notice(
          fmt::format("the best design lies at the edge of the sweep: {}; a larger range may hold "
                      "a better one",
                      fmt::join(x_.edges, ", ")));
  }

  // The hours of a design without a linear program: those of the greedy dispatch.
  void take_design(const Design& design) {
    const Dispatch run = grid::greedy(x_.site, options_, design, {});
    SizeAnswer a;
    const double years = x_.site.years();
    a.status = solve::Status::optimal;
    a.design = design;
    a.battery_power = design.battery / (1.0 * units::h) * options_.battery.discharge_rate /
                      options_.battery.discharge_efficiency;
    a.charge_mw = run.schedule.charge_mw, a.discharge_mw = run.schedule.discharge_mw;
    a.out_mw = run.schedule.out_mw, a.in_mw = run.schedule.in_mw;
    a.grid_mw = run.grid_mw, a.curtailed_mw = run.curtailed_mw, a.state_mwh = run.state_mwh;
    a.initial_mwh = run.schedule.initial_mwh;
    a.operational_t = run.operational_kg / 1000 / years;
    const double cycles = run.cycles / years;
    a.embodied_t = yearly_embodied(options_).of(design, cycles) / 1000;
    a.objective = a.operational_t + a.embodied_t;
    a.load_mwh = run.load_mwh / years, a.grid_mwh = run.grid_mwh / years;
    a.curtailed_mwh = run.curtailed_mwh / years, a.moved_mwh = run.moved_mwh / years;
    a.coverage = run.coverage();
    a.battery_cycles = cycles;
    a.battery_wear = wear_of_use(options_, cycles);
    take_plan(std::move(a));
  }

  void choose_as_released() {
    if (!rules_.battery_years) {
      constexpr double kYears = 3000.0 / 365;  // one cycle a day, as the release counts
      set_life(kYears * units::year, false);
      x_.battery_life_why = "one cycle a day, as the release counts";
    }
    x_.strategies = published_choices(x_.site, ranges_, rules_, progress_);
    if (x_.strategies.empty()) {
      x_.status = SizeStatus::interrupted;
      x_.why = "stopped before a strategy was done";
      return;
    }
    x_.status = SizeStatus::optimal;
    const PublishedChoice& best = best_strategy();
    take_design(best.design);
    if (!best.edges.empty()) x_.edges = {best.edges};
    warn_of_edges();
    request_.settings.journal->notice(
        "compat carbon-explorer: total, operational and embodied are by the rules of the release; "
        "all other figures of the design are by ours");
  }

  const PublishedChoice& best_strategy() const {
    return *std::min_element(
        x_.strategies.begin(), x_.strategies.end(),
        [](const auto& a, const auto& b) { return a.kt_per_mw < b.kt_per_mw; });
  }

  void write_mps() {
    std::ostringstream text;
    solve::write_mps(size_program(x_.site, options_, true), text);
    io::write_file(request_.write_mps, text.str());
  }

  void add_front() {
    x_.front.insert(x_.front.end(), coarse_.front.begin(), coarse_.front.end());
    if (rules_.pareto > 0 && x_.has_plan()) add_program_front();
    if (x_.has_plan())
      x_.front.push_back({"plan",
                          x_.plan.design,
                          yearly_t(x_.plan.embodied_t),
                          yearly_t(x_.plan.operational_t),
                          x_.plan.coverage,
                          {},
                          false});
  }

  void add_program_front() {
    constexpr double kSpan = 1.5;  // of the embodied carbon of the least total
    for (const SizeAnswer& a :
         pareto(x_.site, options_, static_cast<std::size_t>(rules_.pareto), kSpan, progress_))
      if (a.status == solve::Status::optimal)
        x_.front.push_back({"linear program", a.design, yearly_t(a.embodied_t),
                            yearly_t(a.operational_t), a.coverage, a.embodied_price_per_t, false});
  }

  void add_beside() {
    add_estimates();
    const CarbonRate embodied = embodied_with(x_.plan.battery_cycles);
    const double years = x_.site.years();
    const Replay replayed = grid::replay(x_.site, options_, x_.plan);
    x_.replayed = yearly_kg(replayed.dispatch.operational_kg / years) + embodied;
    x_.num_violations = replayed.violations.size();
    x_.largest_violation = replayed.largest;
    add_greedy();
    add_rolling();
    if (site_.carbon_free_share.empty())
      x_.cfe_why = "the source has no generation by fuel";
    else
      x_.cfe_score = carbon_free_score(x_.site, site_.carbon_free_share, x_.plan.grid_mw,
                                       x_.plan.load_mwh * years);
    add_tornado(x_);
    add_duration(x_);
    choose_week(x_);
    if (x_.method == SizeMethod::lp || x_.compat == Compat::none)
      x_.surface = coverage_surface(x_.site, ranges_, options_, rules_.flexible, x_.plan.design);
  }

  // That of the plan, with a battery that cycles so often.
  CarbonRate embodied_with(double cycles) const {
    const double more = wear_of_use(options_, cycles) - x_.plan.battery_wear;
    return yearly_t(x_.plan.embodied_t) +
           yearly_kg(more * options_.embodied_kg_per_year.battery_mwh *
                     x_.plan.design.battery.in(units::MWh));
  }

  void add_greedy() {
    if (!rules_.deadline.empty()) {
      x_.greedy_why = "it moves work within a day, not up to a deadline";
      return;
    }
    const Dispatch run = grid::greedy(x_.site, options_, x_.plan.design, x_.plan.battery_power);
    const double years = x_.site.years();
    x_.greedy = yearly_kg(run.operational_kg / years) + embodied_with(run.cycles / years);
    x_.greedy_coverage = run.coverage();
  }

  void add_rolling() {
    if (!rules_.deadline.empty()) {
      x_.rolling_why = "work that waits longer than a day leaves the window of two days";
      return;
    }
    if (x_.method == SizeMethod::sweep) {
      x_.rolling_why = "the battery takes surplus only, for which the future does not matter";
      return;
    }
    const Rolling run = grid::rolling(x_.site, options_, x_.plan, progress_);
    if (run.done)
      x_.rolling = yearly_kg(run.operational_kg / x_.site.years()) +
                   embodied_with(cycles_per_year(x_.site, options_.battery, x_.plan.design.battery,
                                                 run.discharged_mwh));
    else
      x_.rolling_why = "stopped, or the battery comes back to no state of its own";
  }

  static double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }

  Estimate<base::Time> battery_life_estimate() const {
    if (x_.battery_life_why == "age") return facts_.estimate<base::Time>("battery.calendar_life");
    if (x_.battery_life_why == "cycles")
      return Estimate<base::Time>(x_.battery_life / wear_.full_cycles) *
             facts_.estimate<double>("battery.cycle_life");
    return Estimate<base::Time>(x_.battery_life);
  }

  // Sizes are certain, constants are not.
  void add_estimates() {
    const Design& d = x_.plan.design;
    const PerUnit& unit = options_.embodied_kg_per_year;
    const bool by_capacity = rules_.embodied_basis == EmbodiedBasis::capacity;
    const auto plant = [&](const Estimate<base::CarbonIntensity>& per_kwh, base::Power capacity,
                           const std::vector<double>& share, double kg_per_mw) {
      return by_capacity ? Estimate<CarbonRate>(yearly_kg(kg_per_mw * capacity.in(units::MW)),
                                                base::Evidence::assumed, "given")
                         : per_kwh * Estimate<base::Power>(capacity * mean(share));
    };
    x_.embodied_wind = plant(embodied_.wind, d.wind, x_.site.wind_share, unit.wind_mw);
    x_.embodied_solar = plant(embodied_.solar, d.solar, x_.site.solar_share, unit.solar_mw);
    x_.embodied_battery =
        embodied_.battery * Estimate<base::Energy>(d.battery) / battery_life_estimate();
    const double server_w = unit.extra_servers * d.extra_servers /
                            std::max(1e-300, x_.server_kg_per_w) *
                            embodied_.factors.server_years;  // of the basis that the cost has
    x_.embodied_servers = embodied_.server_kg_per_w *
                          Estimate<base::Carbon>(server_w * units::kgCO2e) / embodied_.server_life;
    x_.embodied = base::sum<CarbonRate>(
        {x_.embodied_wind, x_.embodied_solar, x_.embodied_battery, x_.embodied_servers});
    x_.operational = Estimate<CarbonRate>(yearly_t(x_.plan.operational_t)) * site_.first.grid.level;
    if (!x_.strategies.empty()) {
      const PublishedChoice& best = best_strategy();
      x_.operational = best.operational, x_.embodied = best.embodied;
    }
    x_.total = x_.operational + x_.embodied;
  }

  const SizeRequest& request_;
  const SizeRules& rules_;
  base::Progress& progress_;
  catalog::Catalog facts_;
  EmbodiedCarbon embodied_;
  SizeOptions options_;
  SizeSite site_;
  BatteryWear wear_;
  DesignGrid ranges_;
  SweepPlan coarse_;  // of a linear program: the front, and what there is when it is stopped
  SizeResult x_;
};

}  // namespace

SizeResult size(const SizeRequest& request, base::Progress& progress) {
  return Sizing(request, progress).run();
}

}  // namespace greenline::grid
