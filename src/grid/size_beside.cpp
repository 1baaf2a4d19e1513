#include "grid/size_beside.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace greenline::grid {
namespace {

namespace units = base::units;

double highest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

double flexible_share(const SizeOptions& options) {
  double share = 0;
  for (const FlexibleWork& work : options.flexible) share += work.share;
  return std::min(share, 1.0);
}

bool moves_within_days(const SizeOptions& options) {
  return std::all_of(options.flexible.begin(), options.flexible.end(),
                     [](const FlexibleWork& work) { return !work.hours_later; });
}

// The battery of an answer: with power of its own the rates follow from it.
Battery built_battery(const SizeOptions& options, base::Energy capacity, base::Power power) {
  Battery battery = options.battery;
  battery.capacity = capacity;
  if (options.own_battery_power && capacity > base::Energy{}) {
    const double per_hour = power.in(units::MW) / capacity.in(units::MWh);
    constexpr double kLeast = 1e-12;  // a rate of 0 is no battery
    battery.charge_rate = std::max(kLeast, per_hour * battery.charge_efficiency);
    battery.discharge_rate = std::max(kLeast, per_hour * battery.discharge_efficiency);
  }
  return battery;
}

// Hours after a window that stand for all that comes: each could take from the battery as much as
// the load needs, at the lowest intensity of the year.
struct Afterwards {
  std::size_t num_hours = 0;
  double load_mw = 0, intensity_g_per_kwh = 0;
};

Afterwards afterwards(const SiteHours& site, const SizeAnswer& answer) {
  const double load = highest(site.load_mw);
  const double power = std::min(load, answer.battery_power.in(units::MW));
  constexpr double kMostHours = 168;
  Afterwards out{
      0, load, *std::min_element(site.intensity_g_per_kwh.begin(), site.intensity_g_per_kwh.end())};
  if (power > 0)
    out.num_hours = static_cast<std::size_t>(
        std::ceil(std::min(kMostHours, answer.design.battery.in(units::MWh) / power)));
  return out;
}

// Two days of a site, and what comes after.
SiteHours window_of(const SiteHours& site, std::size_t day, std::size_t next,
                    const Afterwards& after) {
  SiteHours out;
  out.start = site.start;
  for (const std::size_t d : {day, next}) {
    out.day_begin.push_back(out.num_hours());
    for (std::size_t t = site.day_begin[d]; t < site.day_begin[d + 1]; ++t) {
      out.load_mw.push_back(site.load_mw[t]);
      out.wind_share.push_back(site.wind_share[t]);
      out.solar_share.push_back(site.solar_share[t]);
      out.intensity_g_per_kwh.push_back(site.intensity_g_per_kwh[t]);
    }
  }
  out.day_begin.push_back(out.num_hours());
  if (after.num_hours == 0) return out;
  const std::size_t n = out.num_hours() + after.num_hours;
  out.load_mw.resize(n, after.load_mw);
  out.wind_share.resize(n, 0);
  out.solar_share.resize(n, 0);
  out.intensity_g_per_kwh.resize(n, after.intensity_g_per_kwh);
  out.day_begin.push_back(n);
  return out;
}

// Energy prices of a window: afterwards as cheap as its intensity is low.
std::vector<double> window_prices(const std::vector<double>& usd_per_mwh, std::size_t num_hours,
                                  const Afterwards& after, double mean_intensity) {
  if (usd_per_mwh.empty()) return {};
  std::vector<double> out(num_hours, usd_per_mwh.front());
  const double share = mean_intensity > 0 ? after.intensity_g_per_kwh / mean_intensity : 0;
  for (std::size_t t = num_hours - after.num_hours; t < num_hours; ++t) out[t] *= share;
  return out;
}

// The sizes of an answer as the only ones, and nothing to pay for them.
SizeOptions fixed_sizes(SizeOptions o, const SizeAnswer& answer) {
  const auto only = [](double size) { return Bounds{size, size}; };
  o.wind_mw = only(answer.design.wind.in(units::MW));
  o.solar_mw = only(answer.design.solar.in(units::MW));
  o.battery_mwh = only(answer.design.battery.in(units::MWh));
  if (o.own_battery_power) o.battery_mw = only(answer.battery_power.in(units::MW));
  o.extra_servers = only(answer.design.extra_servers);
  o.embodied_kg_per_year = o.usd_per_year = o.capital_usd = {};
  o.most_embodied_t_per_year.reset(), o.most_capital_usd.reset();
  o.least_coverage = 0;
  o.boundary = Boundary::given;
  o.start = nullptr;
  return o;
}

// One pass over all days from a state; what each day takes from the grid and where it ends.
class RollingYear {
 public:
  RollingYear(const SiteHours& site, const SizeOptions& options, const Afterwards& after,
              base::Progress& progress)
      : site_(site),
        options_(options),
        after_(after),
        prices_(options.energy_usd_per_mwh),
        progress_(progress),
        days_(site.day_begin.size() - 1) {
    for (const double i : site.intensity_g_per_kwh)
      mean_intensity_ += i / static_cast<double>(site.num_hours());
  }

  bool run(double initial_mwh) {
    progress_.stage("days of a rolling horizon", days_.size());
    double state = initial_mwh;
    for (std::size_t day = 0; day < days_.size(); ++day) {
      if (!plan(day, state)) return false;
      state = days_[day].end_mwh;
      progress_.advance();
    }
    return true;
  }
  // Again from the end of the year, until a day ends as it did before; false when none does.
  bool close_the_circle() {
    constexpr int kMostPasses = 8;  // a state forgets where it came from within days
    const double tolerance = 1e-6 * highest(site_.load_mw);
    double state = days_.back().end_mwh;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      for (std::size_t day = 0; day < days_.size(); ++day) {
        const double before = days_[day].end_mwh;
        if (!plan(day, state)) return false;
        state = days_[day].end_mwh;
        if (std::abs(state - before) <= tolerance) return true;
      }
    }
    return false;
  }
  Rolling totals() const {
    Rolling out{.done = true};
    for (const Day& day : days_) {
      out.operational_kg += day.carbon_kg;
      out.grid_mwh += day.grid_mwh;
      out.discharged_mwh += day.discharged_mwh;
    }
    return out;
  }

 private:
  struct Day {
    double carbon_kg = 0, grid_mwh = 0, discharged_mwh = 0, end_mwh = 0;
  };

  bool plan(std::size_t day, double state) {
    if (progress_.cancelled()) return false;
    const SiteHours window = window_of(site_, day, (day + 1) % days_.size(), after_);
    options_.energy_usd_per_mwh =
        window_prices(prices_, window.num_hours(), after_, mean_intensity_);
    options_.initial_mwh = state;
    const SizeAnswer x = size(window, options_);
    if (x.status != solve::Status::optimal) return false;
    Day& out = days_[day];
    out = {};
    const std::size_t n = window.day_begin[1];
    for (std::size_t t = 0; t < n; ++t) {
      out.grid_mwh += x.grid_mw[t];
      out.discharged_mwh += x.discharge_mw[t];
      out.carbon_kg += x.grid_mw[t] * window.intensity_g_per_kwh[t];
    }
    out.end_mwh = x.state_mwh[n - 1];
    return true;
  }

  const SiteHours& site_;
  SizeOptions options_;
  Afterwards after_;
  std::vector<double> prices_;  // one for all hours, or none
  double mean_intensity_ = 0;
  base::Progress& progress_;
  std::vector<Day> days_;
};

}  // namespace

Replay replay(const SiteHours& site, const SizeOptions& options, const SizeAnswer& answer) {
  ReplayOptions o;
  o.battery = built_battery(options, answer.design.battery, answer.battery_power);
  o.flexible_share = flexible_share(options);
  o.idle_share = options.idle_share;
  o.whole_days = moves_within_days(options);
  o.cyclic = options.boundary == Boundary::cyclic;
  // The solver keeps each row to 1e-6 of its largest term, which in those of the battery is its
  // capacity, and the state of an hour is the sum of all rows before it.
  constexpr double kSummed = 1e-5;
  const double most = std::max(highest(site.load_mw), answer.design.battery.in(units::MWh));
  o.tolerance = kSummed * most / highest(site.load_mw);
  Schedule schedule{answer.charge_mw, answer.discharge_mw, answer.out_mw, answer.in_mw,
                    answer.initial_mwh};
  return replay(site, answer.design, schedule, o);
}

Dispatch greedy(const SiteHours& site, const SizeOptions& options, const Design& design,
                base::Power battery_power) {
  DispatchOptions o;
  o.battery = built_battery(options, design.battery, battery_power);
  o.start = options.boundary == Boundary::full ? Start::full : Start::cyclic;
  o.flexible_share = flexible_share(options);
  o.idle_share = options.idle_share;
  return dispatch(site, design, o);
}

Rolling rolling(const SiteHours& site, const SizeOptions& options, const SizeAnswer& answer,
                base::Progress& progress) {
  GL_CHECK_LT(std::size_t{1}, site.day_begin.size());
  RollingYear year(site, fixed_sizes(options, answer), afterwards(site, answer), progress);
  if (!year.run(answer.initial_mwh)) return {};
  if (options.boundary == Boundary::cyclic && !year.close_the_circle()) return {};
  return year.totals();
}

double carbon_free_score(const SiteHours& site, const std::vector<double>& carbon_free_share,
                         const std::vector<double>& grid_mw, double load_mwh) {
  GL_CHECK_EQ(carbon_free_share.size(), site.num_hours());
  double not_clean = 0;
  for (std::size_t t = 0; t < site.num_hours(); ++t)
    not_clean += grid_mw[t] * (1 - carbon_free_share[t]);
  return load_mwh > 0 ? 1 - not_clean / load_mwh : 0;
}

}  // namespace greenline::grid
