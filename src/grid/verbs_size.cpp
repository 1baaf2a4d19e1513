#include "grid/size.hpp"
#include "grid/verbs.hpp"
#include "grid/verbs_site.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"
#include "verb/report.hpp"

namespace greenline::grid {
namespace {

using base::CarbonRate;
using base::Energy;
using base::Power;
using verb::Report;
namespace units = base::units;

verb::DerivationInput input(const char* symbol, const char* key, base::AnyQuantity value) {
  return {symbol, key, value, "computed"};
}

void present_totals(Report& r, const SizeResult& x) {
  r.value(
      "total", x.total,
      {.label = "operational and embodied carbon",
       .why = "sizes stay; interval of the constants and of another year of the grid",
       .headline = true,
       .derivation = verb::Derivation{
           .formula = "operational + embodied",
           .inputs = {input("operational", "operational_kgco2e_per_year", x.operational.nominal()),
                      input("embodied", "embodied_kgco2e_per_year", x.embodied.nominal())}}});
  r.value("operational", x.operational, {.label = "of it operational, hour by hour"});
  r.value("embodied", x.embodied, {.label = "of it embodied"});
  r.value("grid_only", x.grid_only, {.label = "without wind, solar and battery"});
  r.value("wind", x.plan.design.wind, {.label = "wind", .headline = true});
  r.value("solar", x.plan.design.solar, {.label = "solar", .headline = true});
  r.value("battery", x.plan.design.battery, {.label = "battery", .headline = true});
  r.value("battery_power", x.plan.battery_power, {.label = "most that the battery gives"});
  r.value("extra_servers", x.plan.design.extra_servers,
          {.label = "extra servers", .as_percent = true});
  r.value("coverage", x.plan.coverage,
          {.label = "of the load not from the grid", .headline = true, .as_percent = true});
}

void absent_totals(Report& r, const SizeResult& x) {
  const base::Dimension rate = CarbonRate::kDimension;
  for (const char* key : {"total", "operational", "embodied"}) r.absent(key, rate, x.why);
  r.value("grid_only", x.grid_only, {.label = "without wind, solar and battery"});
  for (const char* key : {"wind", "solar"}) r.absent(key, Power::kDimension, x.why);
  r.absent("battery", Energy::kDimension, x.why);
  r.absent("coverage", {}, x.why);
}

void present_beside(Report& r, const SizeResult& x) {
  r.value(
      "replayed", x.replayed,
      {.label = "the same schedule, replayed", .why = "through the battery, all limits checked"});
  r.value("num_violations", static_cast<std::int64_t>(x.num_violations),
          {.label = "limits broken in the replay",
           .why = "by more than 1e-5 of the larger of load and battery"});
  r.value("largest_violation", x.largest_violation * units::MW,
          {.label = "largest deviation from a limit"});
  constexpr const char* kGreedy = "the same sizes, a battery that takes surplus only";
  if (x.greedy) {
    r.value("greedy", *x.greedy,
            {.label = kGreedy, .why = "as much as it can and as soon as it can; it knows no hour"});
    r.value("greedy_coverage", x.greedy_coverage, {.label = "covered then", .as_percent = true});
  } else {
    r.absent("greedy", CarbonRate::kDimension, x.greedy_why, {.label = kGreedy});
    r.absent("greedy_coverage", {}, x.greedy_why, {.label = "covered then"});
  }
  if (x.rolling)
    r.value("rolling", *x.rolling,
            {.label = "the same sizes, planned 48 h ahead", .why = "each day with the next"});
  else
    r.absent("rolling", CarbonRate::kDimension, x.rolling_why,
             {.label = "the same sizes, planned 48 h ahead"});
  if (x.cfe_score)
    r.value("cfe_score", *x.cfe_score,
            {.label = "carbon-free energy score",
             .why = "hour by hour; the grid's own wind, sun, water and nuclear count",
             .as_percent = true});
  else
    r.absent("cfe_score", {}, x.cfe_why, {.label = "carbon-free energy score"});
}

void present_energies(Report& r, const SizeResult& x) {
  const SizeAnswer& p = x.plan;
  r.value("load_energy", p.load_mwh * units::MWh, {.label = "load in a year"});
  r.value("grid_energy", p.grid_mwh * units::MWh, {.label = "from the grid"});
  r.value("curtailed_energy", p.curtailed_mwh * units::MWh, {.label = "curtailed"});
  r.value("moved_energy", p.moved_mwh * units::MWh, {.label = "work moved"});
  r.value("battery_cycles", p.battery_cycles, {.label = "full cycles of the battery in a year"});
  r.value("battery_life", x.battery_life,
          {.label = "life of the battery", .why = x.battery_life_why});
  r.value("embodied_wind", x.embodied_wind, {.label = "embodied in wind"});
  r.value("embodied_solar", x.embodied_solar, {.label = "embodied in solar"});
  r.value("embodied_battery", x.embodied_battery, {.label = "embodied in the battery"});
  r.value("embodied_servers", x.embodied_servers, {.label = "embodied in extra servers"});
  if (x.rules.objective == Objective::cost) {
    r.value("cost", p.usd * units::USD, {.label = "cost in a year"});
    r.value("capital", p.capital_usd * units::USD, {.label = "capital"});
  }
}

// What a limit costs at the best design: its dual price.
void present_prices(Report& r, const SizeResult& x) {
  if (x.method != SizeMethod::lp || x.rules.objective != Objective::carbon) return;
  if (x.rules.coverage > 0)
    r.value("coverage_price", x.plan.coverage_price * 1e6 / 1e3 * units::g_per_kWh,
            {.label = "carbon that one more kWh of coverage costs"});
  if (x.rules.most_embodied)
    r.value("embodied_price", x.plan.embodied_price_per_t,
            {.label = "operational carbon that one more embodied kg saves, net of it"});
  if (x.rules.most_capital)
    r.value("capital_abatement", x.plan.capital_price_per_usd * units::tCO2e,
            {.label = "carbon a year that one more dollar saves"});
}

void say_what_it_is(Report& r, const SizeResult& x) {
  const bool program = x.method == SizeMethod::lp;
  r.text("label",
         program ? "attributional, perfect foresight, average intensity"
                 : "attributional, no foresight, average intensity",
         {.label = "what these numbers are"});
  if (program)
    r.notice(
        "charge any-renewable: wind and solar may charge the battery while the grid carries the "
        "load, which is arbitrage on average intensity; greedy and rolling show what less "
        "foresight makes of the same sizes");
  if (x.rules.embodied_basis == EmbodiedBasis::generation)
    r.notice(
        "embodied carbon of wind and solar is per energy that the plant can make, so curtailed "
        "energy is charged too; --embodied-basis capacity charges what is built");
  r.not_included("land, transmission, sale of what is curtailed, and wear of wind and solar");
}

}  // namespace

void present_plan(Report& r, const SizeResult& x) {
  r.text("status", base::enum_name(x.status), {.label = "status"});
  if (!x.why.empty()) r.text("why", x.why, {.label = "why"});
  if (x.reachable_coverage)
    r.value("reachable_coverage", *x.reachable_coverage,
            {.label = "highest coverage within the other limits", .as_percent = true});
  r.text("method", base::enum_name(x.method), {.label = "method"});
  r.text("charge",
         base::enum_name(x.method == SizeMethod::sweep ? Charge::surplus_only : x.rules.charge),
         {.label = "what may charge the battery"});
  r.value("battery_c_rate", x.rules.battery_c_rate, {.label = "full charges per hour"});
  r.value("flexible", x.rules.flexible,
          {.label = "work that may move within its day", .as_percent = true});
  if (!x.has_plan()) {
    absent_totals(r, x);
    return;
  }
  present_totals(r, x);
  present_beside(r, x);
  present_energies(r, x);
  present_prices(r, x);
  say_what_it_is(r, x);
  present_charts(r, x);
}

void present(Report& r, const SizeResult& x) {
  r.title("Sizes of wind, solar, battery and servers for a load");
  present_plan(r, x);
  r.value("num_hours", static_cast<std::int64_t>(x.site.num_hours()), {.label = "hours"});
  r.value("num_files", static_cast<std::int64_t>(x.num_years_of_files),
          {.label = "files of hours"});
  r.text("load_shape", x.load_shape, {.label = "load shape"});
  r.text("compat", base::enum_name(x.compat), {.label = "computed as"});
  r.text("solver", x.plan.solver, {.label = "solver"});
  r.value("iterations", x.plan.iterations, {.label = "iterations"});
  present_source(r, x.grid);
}

void register_size(verb::Registry& registry) {
  registry.add<SizeRequest, SizeResult>(
      {.noun = "grid",
       .name = "size",
       .heading = verb::Heading::plan,
       .summary = "which wind, solar, battery and servers emit least, over a whole year",
       .description =
           "Chooses wind, solar, battery, extra servers and when flexible work runs, by one linear "
           "program over all hours, so that operational and embodied carbon (or cost) are least. "
           "Beside the answer stand its replay, a greedy dispatch of the same sizes and one that "
           "sees 48 hours.",
       .examples = {{"greenline grid size --grid caiso_2021.csv --load 50MW", "least carbon"},
                    {"greenline grid size --grid caiso_2021.csv --load 50MW --coverage 0.98 "
                     "--flexible 0.4 -o plan.html",
                     "a coverage that must be reached, with work that moves within its day"}}},
      size);
}

}  // namespace greenline::grid
