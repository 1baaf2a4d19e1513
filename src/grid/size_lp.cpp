#include "grid/size_lp.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "grid/size_program.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;
using solve::kInfinity;
using Hours = std::vector<double>;

void check_site(const SiteHours& site) {
  const std::size_t n = site.num_hours();
  GL_USER_CHECK(n > 0, "bad-load", std::string("the site has no hours"));
  GL_CHECK_EQ(site.wind_share.size(), n);
  GL_CHECK_EQ(site.solar_share.size(), n);
  GL_CHECK_EQ(site.intensity_g_per_kwh.size(), n);
  for (std::size_t t = 0; t < n; ++t)
    GL_USER_CHECK(site.load_mw[t] >= 0 && std::isfinite(site.load_mw[t]), "bad-load",
                  fmt::format("the load of hour {} is {} MW; expected a number that is at least 0",
                              t, site.load_mw[t]));
  GL_USER_CHECK(*std::max_element(site.load_mw.begin(), site.load_mw.end()) > 0, "bad-load",
                std::string("the load is 0 in every hour; expected some work"));
}

void check_battery(const Battery& b) {
  GL_USER_CHECK(b.charge_efficiency > 0 && b.charge_efficiency <= 1 && b.discharge_efficiency >= 1,
                "bad-battery",
                fmt::format("charge efficiency {} and discharge efficiency {}; expected at most 1 "
                            "stored per unit taken in, and at least 1 drawn per unit given",
                            b.charge_efficiency, b.discharge_efficiency));
  GL_USER_CHECK(b.charge_rate > 0 && b.discharge_rate > 0, "bad-battery",
                fmt::format("rates of {} and {} per hour; expected more than 0", b.charge_rate,
                            b.discharge_rate));
  GL_USER_CHECK(
      b.upper_slope <= 0 && b.lower_slope >= 0 && 0 <= b.lower && b.lower < b.upper && b.upper <= 1,
      "bad-battery",
      fmt::format("the state lies between {} + {} · power and {} + {} · power of the "
                  "capacity; expected 0 ≤ lower < upper ≤ 1, and slopes inwards",
                  b.lower, b.lower_slope, b.upper, b.upper_slope));
  GL_USER_CHECK(b.depth_of_discharge > 0 && b.depth_of_discharge <= 1, "bad-battery",
                fmt::format("a depth of discharge of {}; expected above 0 and at most 1",
                            b.depth_of_discharge));
}

void check_flexible(const SiteHours& site, const std::vector<FlexibleWork>& flexible) {
  double sum = 0;
  for (const FlexibleWork& work : flexible) {
    GL_USER_CHECK(work.share >= 0 && work.share <= 1, "bad-flexible",
                  fmt::format("a flexible share of {}; expected 0 to 1", work.share));
    GL_USER_CHECK(!work.hours_later || *work.hours_later > 0 ||
                      *work.hours_later == FlexibleWork::kNoDeadline,
                  "bad-flexible",
                  fmt::format("a deadline after {} hours; expected at least 1",
                              work.hours_later.value_or(0)));
    sum += work.share;
    if (work.hours_later) continue;
    const auto& days = site.day_begin;
    GL_CHECK_GE(days.size(), std::size_t{2});
    GL_CHECK_EQ(days.front(), std::size_t{0});
    GL_CHECK_EQ(days.back(), site.num_hours());
  }
  constexpr double kRounding = 1e-12;  // .1 + .2 + .7 is not 1
  GL_USER_CHECK(sum <= 1 + kRounding, "bad-flexible",
                fmt::format("the flexible shares add up to {}; expected at most 1", sum));
}

void check_limits(const SizeOptions& o) {
  const std::pair<const char*, const Bounds*> all[] = {{"wind", &o.wind_mw},
                                                       {"solar", &o.solar_mw},
                                                       {"battery", &o.battery_mwh},
                                                       {"battery power", &o.battery_mw},
                                                       {"extra servers", &o.extra_servers}};
  for (const auto& [name, bounds] : all)
    GL_USER_CHECK(bounds->low >= 0 && bounds->low < kInfinity && bounds->high >= bounds->low,
                  "bad-size-limit",
                  fmt::format("{} between {} and {}; expected 0 ≤ least ≤ most", name, bounds->low,
                              bounds->high));
  GL_USER_CHECK(o.least_coverage >= 0 && o.least_coverage <= 1, "bad-size-limit",
                fmt::format("a coverage of {}; expected 0 to 1", o.least_coverage));
  for (const auto& most : {o.most_embodied_t_per_year, o.most_capital_usd})
    GL_USER_CHECK(!most || (*most >= 0 && std::isfinite(*most)), "bad-size-limit",
                  fmt::format("a budget of {}; expected a number that is at least 0", *most));
  GL_USER_CHECK(o.idle_share >= 0 && o.idle_share <= 1, "bad-size-limit",
                fmt::format("idle servers at {} of their power; expected 0 to 1", o.idle_share));
  GL_USER_CHECK(
      o.initial_mwh >= 0 && std::isfinite(o.initial_mwh), "bad-size-limit",
      fmt::format("a battery that starts with {} MWh; expected at least 0", o.initial_mwh));
}

void check(const SiteHours& site, const SizeOptions& o) {
  check_site(site);
  check_battery(o.battery);
  check_flexible(site, o.flexible);
  check_limits(o);
  const std::size_t prices = o.energy_usd_per_mwh.size();
  GL_USER_CHECK(prices <= 1 || prices == site.num_hours(), "bad-energy-price",
                fmt::format("{} energy prices for {} hours; expected one for all or one for each",
                            prices, site.num_hours()));
  GL_USER_CHECK(o.per_tonne >= 0 && o.per_usd >= 0 && o.per_tonne + o.per_usd > 0,
                "bad-energy-price",
                fmt::format("{} per tonne and {} per USD; expected at least 0, and not both 0",
                            o.per_tonne, o.per_usd));
}

double sum(const Hours& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double dot(const PerUnit& unit, const PerUnit& size) {
  return unit.wind_mw * size.wind_mw + unit.solar_mw * size.solar_mw +
         unit.battery_mwh * size.battery_mwh + unit.battery_mw * size.battery_mw +
         unit.extra_servers * size.extra_servers;
}

// Takes an answer of the program apart.
class Reader {
 public:
  Reader(const SiteHours& site, const SizeOptions& options, const SizeProgram& program,
         const solve::Solution& solution)
      : site_(site), options_(options), columns_(program.columns), solution_(solution) {
    answer_.status = solution.status;
    answer_.iterations = solution.iterations;
    answer_.seconds = solution.seconds;
    answer_.solver = solution.solver;
    answer_.residuals = solution.residuals;
    answer_.basis = solution.basis;
    if (solution.status != solve::Status::optimal) return;
    answer_.objective = solution.objective;
    read_sizes();
    read_hours();
    read_totals();
    read_prices(program.rows);
  }
  SizeAnswer take() { return std::move(answer_); }

 private:
  // A bound of 0 that is missed by a rounding error is 0.
  double value(int column) const {
    return std::max(0.0, solution_.primal[static_cast<std::size_t>(column)]);
  }
  Hours hours(int first) const {
    Hours out;
    for (std::size_t t = 0; t < site_.num_hours(); ++t)
      out.push_back(value(first + static_cast<int>(t)));
    return out;
  }

  void read_sizes() {
    const Battery& b = options_.battery;
    size_ = {value(columns_.wind), value(columns_.solar), value(columns_.battery),
             value(columns_.battery) * b.discharge_rate / b.discharge_efficiency,
             value(columns_.extra_servers)};
    if (columns_.battery_power >= 0) size_.battery_mw = value(columns_.battery_power);
    answer_.design = {size_.wind_mw * units::MW, size_.solar_mw * units::MW,
                      size_.battery_mwh * units::MWh, size_.extra_servers};
    answer_.battery_power = size_.battery_mw * units::MW;
    if (columns_.battery_power < 0) size_.battery_mw = 0;  // costs nothing of its own
  }

  // What goes in and out of the battery in one hour, or leaves and enters it within a day, is
  // cancelled: less is lost, and no limit is nearer.
  void read_hours() {
    const Battery& b = options_.battery;
    const std::size_t n = site_.num_hours();
    Hours charge = hours(columns_.charge), discharge = hours(columns_.discharge);
    answer_.out_mw.assign(n, 0), answer_.in_mw.assign(n, 0);
    for (std::size_t k = 0; k < columns_.out.size(); ++k) {
      const Hours out = hours(columns_.out[k]), in = hours(columns_.in[k]);
      const bool in_day = !options_.flexible[k].hours_later;
      for (std::size_t t = 0; t < n; ++t) {
        const double both = in_day ? std::min(out[t], in[t]) : 0;
        answer_.out_mw[t] += out[t] - both, answer_.in_mw[t] += in[t] - both;
      }
    }
    const double ratio = b.charge_efficiency / b.discharge_efficiency;
    for (std::size_t t = 0; t < n; ++t) {
      const double both = std::min(charge[t], discharge[t] / ratio);
      charge[t] -= both, discharge[t] = std::max(0.0, discharge[t] - both * ratio);
    }
    answer_.state_mwh = hours(columns_.state);
    answer_.charge_mw = std::move(charge), answer_.discharge_mw = std::move(discharge);
    read_initial();
    read_grid();
  }

  void read_initial() {
    switch (options_.boundary) {
      case Boundary::cyclic:
        answer_.initial_mwh = answer_.state_mwh.back();
        break;
      case Boundary::full:
        answer_.initial_mwh = size_.battery_mwh * options_.battery.upper;
        break;
      case Boundary::given:
        answer_.initial_mwh = options_.initial_mwh;
    }
  }

  // What the grid gives is what is then missing.
  void read_grid() {
    const double highest = *std::max_element(site_.load_mw.begin(), site_.load_mw.end());
    idle_mw_ = options_.idle_share * highest * size_.extra_servers;
    for (std::size_t t = 0; t < site_.num_hours(); ++t) {
      const double supply =
          size_.wind_mw * site_.wind_share[t] + size_.solar_mw * site_.solar_share[t];
      const double missing = site_.load_mw[t] + idle_mw_ - answer_.out_mw[t] + answer_.in_mw[t] +
                             answer_.charge_mw[t] - supply - answer_.discharge_mw[t];
      answer_.grid_mw.push_back(std::max(0.0, missing));
      answer_.curtailed_mw.push_back(std::max(0.0, -missing));
    }
  }

  void read_totals() {
    const double years = site_.years();
    double carbon_kg = 0, energy_usd = 0;
    const Hours& usd = options_.energy_usd_per_mwh;
    for (std::size_t t = 0; t < site_.num_hours(); ++t) {
      carbon_kg += answer_.grid_mw[t] * site_.intensity_g_per_kwh[t];
      if (!usd.empty()) energy_usd += answer_.grid_mw[t] * (usd.size() == 1 ? usd[0] : usd[t]);
    }
    read_wear();
    PerUnit worn = size_;
    worn.battery_mwh *= answer_.battery_wear;
    answer_.operational_t = carbon_kg / 1000 / years;
    answer_.embodied_t = dot(options_.embodied_kg_per_year, worn) / 1000;
    answer_.usd = energy_usd / years + dot(options_.usd_per_year, worn);
    answer_.capital_usd = dot(options_.capital_usd, size_);
    const double load = sum(site_.load_mw) + idle_mw_ * static_cast<double>(site_.num_hours());
    answer_.load_mwh = load / years;
    answer_.grid_mwh = sum(answer_.grid_mw) / years;
    answer_.curtailed_mwh = sum(answer_.curtailed_mw) / years;
    answer_.moved_mwh = sum(answer_.out_mw) / years;
    answer_.coverage = 1 - answer_.grid_mwh / answer_.load_mwh;
  }

  void read_wear() {
    answer_.battery_cycles = cycles_per_year(
        site_, options_.battery, size_.battery_mwh * units::MWh, sum(answer_.discharge_mw));
    answer_.battery_wear = wear_of_use(options_, answer_.battery_cycles);
  }

  void read_prices(const SizeRows& rows) {
    // Rows are upper limits: a dual is at most 0. That of coverage is per MWh of the whole window.
    const auto price = [&](int row) {
      return std::max(0.0, -solution_.dual[static_cast<std::size_t>(row)]);
    };
    answer_.coverage_price = price(rows.coverage) * site_.years();
    answer_.embodied_price_per_t = price(rows.embodied);
    answer_.capital_price_per_usd = price(rows.capital);
  }

  const SiteHours& site_;
  const SizeOptions& options_;
  const SizeColumns& columns_;
  const solve::Solution& solution_;
  PerUnit size_;
  double idle_mw_ = 0;
  SizeAnswer answer_;
};

SizeAnswer solved(const SiteHours& site, const SizeOptions& options, const SizeProgram& program,
                  const solve::Basis* start, base::Progress& progress) {
  const solve::Solution solution =
      solve::solve(program.lp, {.start = start, .solver = options.solver}, progress);
  return Reader(site, options, program, solution).take();
}

}  // namespace

double cycles_per_year(const SiteHours& site, const Battery& b, base::Energy capacity,
                       double discharged_mwh) {
  const double usable = capacity.in(units::MWh) * (b.upper - b.lower) * b.depth_of_discharge;
  return usable > 0 ? discharged_mwh * b.discharge_efficiency / usable / site.years() : 0;
}

double wear_of_use(const SizeOptions& options, double cycles_per_year) {
  return std::max(1.0, cycles_per_year / options.most_cycles_per_year);
}

SizeAnswer size(const SiteHours& site, const SizeOptions& options, base::Progress& progress) {
  check(site, options);
  return solved(site, options, build_size_program(site, options, false), options.start, progress);
}

solve::LinearProgram size_program(const SiteHours& site, const SizeOptions& options, bool named) {
  check(site, options);
  return build_size_program(site, options, named).lp;
}

std::vector<SizeAnswer> pareto(const SiteHours& site, const SizeOptions& options,
                               std::size_t num_points, double span, base::Progress& progress) {
  GL_USER_CHECK(num_points >= 2, "bad-size-limit",
                fmt::format("{} points of a front; expected at least 2", num_points));
  SizeOptions o = options;
  o.per_tonne = 1, o.per_usd = 0;
  const SizeAnswer best = size(site, o, progress);
  if (best.status != solve::Status::optimal) return {best};
  SizeProgram program = build_size_program(site, o, false);
  // The embodied carbon becomes a limit instead of a cost: but for a trace of it, so that what a
  // budget leaves over is not spent on nothing.
  constexpr double kTrace = 1e-6;
  for (const int column :
       {program.columns.wind, program.columns.solar, program.columns.battery,
        program.columns.extra_servers, program.columns.battery_power, program.columns.battery_wear})
    if (column >= 0) program.lp.cost[static_cast<std::size_t>(column)] *= kTrace;
  std::vector<SizeAnswer> front;
  const solve::Basis* start = &best.basis;
  for (std::size_t k = num_points; k-- > 0;) {
    const double budget =
        span * best.embodied_t * static_cast<double>(k) / static_cast<double>(num_points - 1);
    program.lp.row_upper[static_cast<std::size_t>(program.rows.embodied)] = budget;
    front.push_back(solved(site, o, program, start, progress));
    front.back().objective = front.back().operational_t;
    if (front.back().status != solve::Status::optimal) break;
    start = &front.back().basis;
  }
  std::reverse(front.begin(), front.end());
  return front;
}

}  // namespace greenline::grid
