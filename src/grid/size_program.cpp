#include "grid/size_program.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace greenline::grid {
namespace {

using solve::kInfinity;

// One block after the other; every block is one line of the program in the header.
class Builder {
 public:
  Builder(const SiteHours& site, const SizeOptions& options, bool named)
      : site_(site),
        options_(options),
        named_(named),
        num_hours_(static_cast<int>(site.num_hours())),
        highest_load_(*std::max_element(site.load_mw.begin(), site.load_mw.end())),
        load_mwh_(std::accumulate(site.load_mw.begin(), site.load_mw.end(), 0.0)) {}

  SizeProgram build() {
    add_sizes();
    add_hours();
    add_battery();
    add_flexible();
    add_limits();
    return std::move(out_);
  }

 private:
  static std::size_t at(int hour) { return static_cast<std::size_t>(hour); }
  int before(int hour) const { return hour > 0 ? hour - 1 : num_hours_ - 1; }
  bool wears() const { return options_.most_cycles_per_year < kInfinity; }
  bool cyclic() const { return options_.boundary == Boundary::cyclic; }

  std::string named(const char* what, int hour) const {
    return named_ ? fmt::format("{}_{}", what, hour) : std::string();
  }
  const char* named(const char* what) const { return named_ ? what : ""; }
  int hourly_columns(const char* what) {
    const int first = lp_.num_columns();
    for (int t = 0; t < num_hours_; ++t) lp_.add_column(0, 0, kInfinity, named(what, t));
    return first;
  }
  int hourly_rows(const char* what, double low, double high) {
    const int first = lp_.num_rows();
    for (int t = 0; t < num_hours_; ++t) lp_.add_row(low, high, named(what, t));
    return first;
  }

  double cost(double kg, double usd) const {
    return options_.per_tonne * kg / 1000 + options_.per_usd * usd;
  }
  int size_column(const char* what, double PerUnit::*unit, const Bounds& bounds) {
    return lp_.add_column(cost(options_.embodied_kg_per_year.*unit, options_.usd_per_year.*unit),
                          bounds.low, bounds.high, named(what));
  }

  void add_sizes() {
    columns_.wind = size_column("wind", &PerUnit::wind_mw, options_.wind_mw);
    columns_.solar = size_column("solar", &PerUnit::solar_mw, options_.solar_mw);
    columns_.battery = size_column("battery", &PerUnit::battery_mwh, options_.battery_mwh);
    if (wears()) {
      std::swap(lp_.cost.back(), battery_cost_);
      columns_.battery_wear = lp_.add_column(battery_cost_, 0, kInfinity, named("battery_wear"));
    }
    columns_.extra_servers =
        size_column("extra_servers", &PerUnit::extra_servers, options_.extra_servers);
    if (options_.own_battery_power)
      columns_.battery_power =
          size_column("battery_power", &PerUnit::battery_mw, options_.battery_mw);
  }

  double energy_usd(int hour) const {
    const std::vector<double>& usd = options_.energy_usd_per_mwh;
    if (usd.empty()) return 0;
    return usd.size() == 1 ? usd[0] : usd[at(hour)];
  }

  // load + idle + charge ≤ R + discharge + grid, and charge ≤ R. Moved work comes later.
  void add_hours() {
    columns_.charge = hourly_columns("charge");
    columns_.discharge = hourly_columns("discharge");
    columns_.grid = hourly_columns("grid");
    rows_.balance = hourly_rows("balance", 0, kInfinity);
    const int clean = hourly_rows("clean", 0, kInfinity);
    for (int t = 0; t < num_hours_; ++t) {
      const int row = rows_.balance + t;
      // g/kWh times MWh is kg.
      lp_.cost[at(columns_.grid + t)] =
          cost(site_.intensity_g_per_kwh[at(t)], energy_usd(t)) / site_.years();
      lp_.row_lower[at(row)] = site_.load_mw[at(t)];
      for (const int r : {row, clean + t}) {
        lp_.add(r, columns_.wind, site_.wind_share[at(t)]);
        lp_.add(r, columns_.solar, site_.solar_share[at(t)]);
        lp_.add(r, columns_.charge + t, -1);
      }
      lp_.add(row, columns_.discharge + t, 1);
      lp_.add(row, columns_.grid + t, 1);
      lp_.add(row, columns_.extra_servers, -options_.idle_share * highest_load_);
    }
  }

  void add_battery() {
    const Battery& b = options_.battery;
    const double lower = b.upper - (b.upper - b.lower) * b.depth_of_discharge;
    columns_.state = hourly_columns("state");
    const int recursion = hourly_rows("recursion", 0, 0), full = hourly_rows("full", -kInfinity, 0),
              empty = hourly_rows("empty", 0, kInfinity);
    for (int t = 0; t < num_hours_; ++t) {
      const int state = columns_.state + t;
      lp_.add(recursion + t, state, 1);
      lp_.add(recursion + t, columns_.charge + t, -b.charge_efficiency);
      lp_.add(recursion + t, columns_.discharge + t, b.discharge_efficiency);
      if (t > 0 || cyclic()) lp_.add(recursion + t, columns_.state + before(t), -1);
      lp_.add(full + t, state, 1);
      lp_.add(full + t, columns_.battery, -b.upper);
      lp_.add(full + t, columns_.charge + t, -b.upper_slope);
      lp_.add(empty + t, state, 1);
      lp_.add(empty + t, columns_.battery, -lower);
      lp_.add(empty + t, columns_.discharge + t, -b.lower_slope);
    }
    if (options_.boundary == Boundary::full) lp_.add(recursion, columns_.battery, -b.upper);
    if (options_.boundary == Boundary::given)
      lp_.row_lower[at(recursion)] = lp_.row_upper[at(recursion)] = options_.initial_mwh;
    add_rates();
    if (wears()) add_wear(b.discharge_efficiency / ((b.upper - lower)));
  }

  // wear ≥ capacity, and wear ≥ cycles / most cycles · capacity.
  void add_wear(double cycled_per_discharged) {
    const double per_year = options_.most_cycles_per_year * site_.years();
    const int age = lp_.add_row(0, kInfinity, named("age")),
              use = lp_.add_row(0, kInfinity, named("use"));
    lp_.add(age, columns_.battery_wear, 1);
    lp_.add(age, columns_.battery, -1);
    lp_.add(use, columns_.battery_wear, 1);
    for (int t = 0; t < num_hours_; ++t)
      lp_.add(use, columns_.discharge + t, -cycled_per_discharged / per_year);
  }

  void add_rates() {
    const Battery& b = options_.battery;
    const int size = options_.own_battery_power ? columns_.battery_power : columns_.battery;
    const auto per_size = [&](double rate, double efficiency) {
      return options_.own_battery_power ? 1.0 : rate / efficiency;
    };
    const int charge = hourly_rows("charge_rate", -kInfinity, 0),
              discharge = hourly_rows("discharge_rate", -kInfinity, 0);
    for (int t = 0; t < num_hours_; ++t) {
      lp_.add(charge + t, columns_.charge + t, 1);
      lp_.add(charge + t, size, -per_size(b.charge_rate, b.charge_efficiency));
      lp_.add(discharge + t, columns_.discharge + t, 1);
      lp_.add(discharge + t, size, -per_size(b.discharge_rate, b.discharge_efficiency));
    }
  }

  void add_flexible() {
    if (options_.flexible.empty()) return;
    // load - out + in ≤ (1 + extra servers) · highest load
    const int cap = hourly_rows("cap", -kInfinity, 0);
    for (int t = 0; t < num_hours_; ++t) {
      lp_.row_upper[at(cap + t)] = highest_load_ - site_.load_mw[at(t)];
      lp_.add(cap + t, columns_.extra_servers, -highest_load_);
    }
    for (std::size_t k = 0; k < options_.flexible.size(); ++k) {
      const FlexibleWork& work = options_.flexible[k];
      const int out = hourly_columns(fmt::format("out{}", k).c_str()),
                in = hourly_columns(fmt::format("in{}", k).c_str());
      for (int t = 0; t < num_hours_; ++t) {
        lp_.upper[at(out + t)] = work.share * site_.load_mw[at(t)];
        for (const auto& [row, sign] : {std::pair{rows_.balance + t, 1}, {cap + t, -1}}) {
          lp_.add(row, out + t, sign);
          lp_.add(row, in + t, -sign);
        }
      }
      columns_.out.push_back(out);
      columns_.in.push_back(in);
      work.hours_later ? add_queue(out, in, *work.hours_later, k) : add_days(out, in, k);
    }
  }

  void add_days(int out, int in, std::size_t k) {
    const std::string name = fmt::format("day{}", k);
    for (std::size_t d = 0; d + 1 < site_.day_begin.size(); ++d) {
      const int row = lp_.add_row(0, 0, named(name.c_str(), static_cast<int>(d)));
      for (std::size_t t = site_.day_begin[d]; t < site_.day_begin[d + 1]; ++t) {
        lp_.add(row, out + static_cast<int>(t), 1);
        lp_.add(row, in + static_cast<int>(t), -1);
      }
    }
  }

  // What waits at the end of each hour is at least 0, and at most what was put off in the last
  // `hours` hours. A cycle closes on itself; otherwise nothing waits at the start and at the end.
  void add_queue(int out, int in, int hours, std::size_t k) {
    const int queue = hourly_columns(fmt::format("queue{}", k).c_str());
    const int flow = hourly_rows(fmt::format("flow{}", k).c_str(), 0, 0);
    for (int t = 0; t < num_hours_; ++t) {
      lp_.add(flow + t, queue + t, 1);
      if (t > 0 || cyclic()) lp_.add(flow + t, queue + before(t), -1);
      lp_.add(flow + t, out + t, -1);
      lp_.add(flow + t, in + t, 1);
    }
    if (!cyclic()) lp_.upper[at(queue + num_hours_ - 1)] = 0;
    if (hours == FlexibleWork::kNoDeadline || hours >= num_hours_) return;
    add_deadline(out, queue, hours, k);
  }

  // Each moving sum follows from the one before, so that a row has four entries however long the
  // deadline; only the first is written out.
  void add_deadline(int out, int queue, int hours, std::size_t k) {
    const int recent = hourly_columns(fmt::format("recent{}", k).c_str());
    const int sum = hourly_rows(fmt::format("recent_sum{}", k).c_str(), 0, 0),
              due = hourly_rows(fmt::format("due{}", k).c_str(), -kInfinity, 0);
    const auto earlier = [&](int hour, int by) { return (hour - by + num_hours_) % num_hours_; };
    for (int t = 0; t < num_hours_; ++t) {
      lp_.add(due + t, queue + t, 1);
      lp_.add(due + t, recent + t, -1);
      lp_.add(sum + t, recent + t, 1);
      if (t == 0) {
        for (int i = 0; i < hours && (i == 0 || cyclic()); ++i)
          lp_.add(sum, out + earlier(0, i), -1);
        continue;
      }
      lp_.add(sum + t, recent + t - 1, -1);
      lp_.add(sum + t, out + t, -1);
      if (t >= hours || cyclic()) lp_.add(sum + t, out + earlier(t, hours), 1);
    }
  }

  // Rows that are always there, so that one basis serves with and without a limit.
  void add_limits() {
    const double idle = options_.idle_share * highest_load_ * num_hours_;
    const double open = 1 - options_.least_coverage;
    rows_.coverage = lp_.add_row(
        -kInfinity, options_.least_coverage > 0 ? open * load_mwh_ : kInfinity, named("coverage"));
    for (int t = 0; t < num_hours_; ++t) lp_.add(rows_.coverage, columns_.grid + t, 1);
    lp_.add(rows_.coverage, columns_.extra_servers, -open * idle);
    rows_.embodied = lp_.add_row(-kInfinity, options_.most_embodied_t_per_year.value_or(kInfinity),
                                 named("embodied"));
    add_per_unit(rows_.embodied, options_.embodied_kg_per_year, 1e-3,
                 wears() ? columns_.battery_wear : columns_.battery);
    rows_.capital =
        lp_.add_row(-kInfinity, options_.most_capital_usd.value_or(kInfinity), named("capital"));
    add_per_unit(rows_.capital, options_.capital_usd, 1, columns_.battery);
  }

  void add_per_unit(int row, const PerUnit& unit, double factor, int battery) {
    lp_.add(row, columns_.wind, unit.wind_mw * factor);
    lp_.add(row, columns_.solar, unit.solar_mw * factor);
    lp_.add(row, battery, unit.battery_mwh * factor);
    lp_.add(row, columns_.extra_servers, unit.extra_servers * factor);
    if (options_.own_battery_power) lp_.add(row, columns_.battery_power, unit.battery_mw * factor);
  }

  const SiteHours& site_;
  const SizeOptions& options_;
  const bool named_;
  const int num_hours_;
  const double highest_load_, load_mwh_;
  double battery_cost_ = 0;  // of a MWh that wears
  SizeProgram out_;
  solve::LinearProgram& lp_ = out_.lp;
  SizeColumns& columns_ = out_.columns;
  SizeRows& rows_ = out_.rows;
};

}  // namespace

SizeProgram build_size_program(const SiteHours& site, const SizeOptions& options, bool named) {
  return Builder(site, options, named).build();
}

}  // namespace greenline::grid
