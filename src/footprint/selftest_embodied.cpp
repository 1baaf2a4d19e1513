#include "footprint/selftest_embodied.hpp"

#include <fmt/format.h>

#include "footprint/act.hpp"
#include "footprint/boavizta.hpp"
#include "footprint/device.hpp"
#include "footprint/lifecycle.hpp"
#include "footprint/sci.hpp"

namespace greenline::footprint {
namespace {

using base::Carbon;
using base::CheckRow;
using catalog::Catalog;
namespace units = base::units;

constexpr double kRounding = 1e-9;  // the reference is printed to ten digits

// A reference that is printed with `digits` behind the point: half of the last one is allowed.
CheckRow row(const char* table, std::string name, double expected, double got, const char* unit,
             double tolerance, const char* source) {
  CheckRow r;
  r.table = table;
  r.name = std::move(name);
  r.expected = expected;
  r.got = got;
  r.unit = unit;
  r.tolerance = tolerance;
  r.source = source;
  return r;
}

CheckRow digits(const char* table, std::string name, double expected, double got, const char* unit,
                double last_digit, const char* source) {
  CheckRow r = row(table, std::move(name), expected, got, unit, last_digit * 0.5001, source);
  r.relative = false;
  return r;
}

base::CarbonIntensity fab(const Catalog& facts, const char* place) {
  return facts.get<base::CarbonIntensity>(fmt::format("act-fab-{}.intensity", place));
}

void add_nodes(const Catalog& facts, std::vector<CheckRow>& rows) {
  struct Node {
    int nm;
    double taiwan, usa, solar;
  };
  constexpr Node kNodes[] = {{28, 1328.2, 1119.4, 770.7}, {20, 1542.4, 1264.0, 799.1},
                             {14, 1556.7, 1278.3, 813.4}, {10, 1777.1, 1434.9, 863.4},
                             {8, 1807.0, 1454.4, 865.5},  {7, 2318.2, 1819.4, 986.5},
                             {5, 2778.0, 2140.0, 1074.6}, {3, 3162.6, 2408.6, 1149.4}};
  const double yield = facts.get<double>("act.yield");
  for (const Node& n : kNodes) {
    const FabNode node = fab_node(facts, fmt::format("act-{}nm", n.nm));
    const auto add = [&](const char* place, double expected) {
      rows.push_back(
          digits("ACT: carbon of an area of logic", fmt::format("{} nm, {}", n.nm, place), expected,
                 carbon_per_area(node, fab(facts, place), yield).in(units::gCO2e / units::cm2),
                 "gCO2e/cm2", 0.1, "act2022"));
    };
    add("taiwan", n.taiwan);
    add("usa", n.usa);
    add("solar", n.solar);
  }
}

void add_dies(const base::Settings& settings, std::vector<CheckRow>& rows) {
  struct Die {
    const char* device;
    double kilograms;
  };
  for (const Die& die : {Die{"v100", 12.69}, Die{"a100-40", 19.15}, Die{"h100-sxm", 22.61}}) {
    const DeviceResult x =
        device_models({.settings = settings, .id = die.device}, base::no_progress());
    for (const DeviceModel& model : x.models)
      if (model.name == "ACT, die")
        rows.push_back(digits("ACT: logic dies", die.device, die.kilograms,
                              model.carbon.in(units::kgCO2e), "kgCO2e", 0.01, "act2022"));
  }
}

// The two products that the source compares with assessments of their makers: all logic is 28 nm
// made with coal and 95 % abated, memory is 50 nm DDR3, flash 30 nm.
void add_products(const Catalog& facts, std::vector<CheckRow>& rows) {
  const double yield = facts.get<double>("act.yield");
  const auto logic = [&](base::Area area) {
    return logic_carbon(area, fab_node(facts, "act-28nm", 0.95), fab(facts, "coal"), yield);
  };
  const auto made = [&](const char* fact, double gigabytes) {
    return capacity_carbon(gigabytes * units::GB, facts.get<CarbonPerData>(fact), yield);
  };
  const auto memory = [&](double gigabytes) {
    return made("act-dram-ddr3-50nm.per_capacity", gigabytes);
  };
  const auto flash = [&](double gigabytes) {
    return made("act-ssd-nand-30nm.per_capacity", gigabytes);
  };
  const Carbon package = facts.get<Carbon>("act.package");
  const auto add = [&](const char* table, const char* name, double expected, Carbon got) {
    rows.push_back(
        row(table, name, expected, got.in(units::kgCO2e), "kgCO2e", kRounding, "act2022"));
    rows.back().floor = 1e-7;  // the reference has seven digits behind the point
  };
  const char* server = "ACT: Dell R740";
  add(server, "8 drives of 3840 GB, 68 GB memory", 1476.9942857,
      8 * (flash(3840) + memory(68) + 13 * package));
  add(server, "drive of 400 GB, 68 GB memory", 62.75, flash(400) + memory(68) + 13 * package);
  add(server, "12 memory modules of 36 GB", 328.6285714, 12 * (memory(36) + 18 * package));
  rows.back().note = "18 packages a module, as the value implies; other copies of it count 19";
  add(server, "2 processors of 6.98 cm2", 23.1434057, 2 * (logic(6.98 * units::cm2) + 2 * package));
  const char* phone = "ACT: Fairphone 3";
  add(phone, "4 GB memory, 64 GB flash", 5.3102857, memory(4) + flash(64) + 2 * package);
  add(phone, "processor of 46.4 mm2", 0.8992937, logic(46.4 * units::mm2) + package);
  add(phone, "20 circuits of 166.68 mm2", 5.6916439, logic(166.68 * units::mm2) + 20 * package);
}

void add_boavizta(const Catalog& facts, std::vector<CheckRow>& rows) {
  rows.push_back(digits("Boavizta: components", "effective area of 814 mm2", 2808.445,
                        effective_area(814.0 * units::mm2).in(units::mm2), "mm2", 0.001,
                        "boavizta"));
  struct Total {
    const char* device;
    double kilograms;
  };
  for (const Total& t : {Total{"p100", 129.3}, Total{"l4", 113.6}, Total{"a100-pcie-40", 275.7},
                         Total{"a100-40", 273.4}, Total{"h100-sxm", 575.2}}) {
    CheckRow r = row("Boavizta: accelerators", t.device, t.kilograms,
                     accelerator_parts(facts, t.device).total.in(units::kgCO2e), "kgCO2e", 0.015,
                     "boavizta");
    r.note = "mass and transport are not in ours: up to 1.5 %";
    rows.push_back(r);
  }
  rows.push_back(digits("Boavizta: components", "h100-sxm, memory", 430.7,
                        accelerator_parts(facts, "h100-sxm").memory.in(units::kgCO2e), "kgCO2e",
                        0.1, "boavizta"));
}

// XLM of LLMCarbon: units, carbon of each, count; amortised over five years.
void add_llmcarbon(std::vector<CheckRow>& rows) {
  constexpr double kDays = 20.4, kLifeDays = 5 * 365;
  const double kilograms =
      (1.47 * 1 * 64 + 256 * 0.4 * 64 + 32768 * 0.018 * 64 + 8.15 * 1.2 * 512 + 111.6 * 1.2 * 64) *
      kDays / kLifeDays;
  rows.push_back(digits("LLMCarbon: embodied", "XLM, 512 V100 for 20.4 days", 0.64805,
                        kilograms / 1000, "tCO2e", 1e-5, "faiz2023"));
  struct Run {
    const char* model;
    double parameters, tokens, devices, share, peak, watts, pue, intensity, days, mwh, tonnes;
  };
  // FLOPs = 6 N D; days from the sustained rate; energy and carbon from the power of a system.
  constexpr Run kRuns[] = {
      {"T5 11B", 11e9, 600e9, 512, .37, 123, 310, 1.12, .545, 19.67, 83.9, 45.74},
      {"GPT-3 175B", 175e9, 300e9, 10000, .197, 125, 330, 1.10, .429, 14.81, 1289.8, 553.34},
      {"GShard, 2.3B dense", 2.3e9, 1000e9, 1000, .39, 123, 288, 1.09, .177, 3.33, 25.1, 4.44},
      {"Switch, 7.41B dense", 7.41e9, 2000e9, 1000, .28, 123, 245, 1.10, .330, 29.88, 193.3, 63.78},
      {"XLM 0.55B", .55e9, 7000e9, 512, .212, 125, 342, 1.10, .413, 19.71, 91.1, 37.62}};
  for (const Run& r : kRuns) {
    const base::Time time = 6 * r.parameters * r.tokens * units::FLOP /
                            (r.devices * r.peak * r.share * units::TFLOP_per_s);
    const base::Energy energy = time * (r.watts * r.devices * units::W) * r.pue;
    const Carbon carbon = energy * (r.intensity * 1000 * units::g_per_kWh);
    const char* table = "LLMCarbon: training";
    const std::string name = r.model;
    rows.push_back(
        digits(table, name + ": time", r.days, time.in(units::day), "days", 0.01, "faiz2023"));
    rows.push_back(
        digits(table, name + ": energy", r.mwh, energy.in(units::MWh), "MWh", 0.1, "faiz2023"));
    rows.push_back(digits(table, name + ": carbon", r.tonnes, carbon.in(units::tCO2e), "tCO2e",
                          0.01, "faiz2023"));
  }
}

void add_servers(const Catalog& facts, std::vector<CheckRow>& rows) {
  const double flat = facts.get<Carbon>("a100-40.embodied_flat").in(units::kgCO2e);
  const double host = facts.get<Carbon>("host-8gpu.embodied").in(units::kgCO2e);
  rows.push_back(digits("Cloud Carbon Footprint: servers", "p4d: host and eight accelerators",
                        4676.79, host + 8 * flat, "kgCO2e", 0.01, "ccf_embodied"));
  const auto part = [&](const char* name) {
    return facts.get<Carbon>(fmt::format("host-8gpu.embodied_{}", name)).in(units::kgCO2e);
  };
  rows.push_back(digits("Cloud Carbon Footprint: servers", "p4d: parts of the host", host,
                        part("base") + part("cpu") + part("ram") + part("ssd"), "kgCO2e", 0.01,
                        "ccf_embodied"));
  // 768 GB: 533 / 384 kg for each above 16; two drives.
  rows.push_back(
      digits("Cloud Carbon Footprint: servers", "p3dn", 3543.79,
             part("base") + part("cpu") + (768 - 16) * 533.0 / 384 + part("ssd") / 8 * 2 + 8 * flat,
             "kgCO2e", 0.01, "ccf_embodied"));
}

LifecycleRequest life(const base::Settings& settings, const char* grid) {
  LifecycleRequest request;
  request.settings = settings;
  request.grid.grid = grid;
  return request;
}

double standard_example(const base::Settings& settings) {
  SciRequest request;
  request.settings = settings;
  request.grid.grid = "0 g/kWh";
  request.embodied = 1000.0 * units::kgCO2e;
  request.reserved = 1.0 * units::h;
  request.lifetime = 4.0 * units::year;
  request.functional_unit = "1 hour";
  return sci(request, base::no_progress()).embodied.nominal().in(units::gCO2e);
}

void add_scenarios(const base::Settings& settings, std::vector<CheckRow>& rows) {
  rows.push_back(digits("Software carbon intensity", "1000 kg, 4 years, 1 h", 28.54,
                        standard_example(settings), "gCO2e", 0.01, "sci_spec"));
  const char* table = "Sustainable AI: scenarios";
  rows.push_back(digits(table, "rebound, 20 % in each of 4 half-years, 28.5 % net", 1.7456,
                        rebound_factor({0.2, 4, 0.285}), "", 1e-4, "wu2022"));
  rows.push_back(digits(table, "rebound, 20 % in each of 4 half-years, 25.8 % net", 1.8115,
                        rebound_factor({0.2, 4, 0.258}), "", 1e-4, "wu2022"));
  const auto embodied_at = [&](double utilisation) {
    LifecycleRequest request = life(settings, "380 g/kWh");
    request.training.server_hours = 1.0 * units::h;
    request.utilisation = utilisation;
    return lifecycle(request, base::no_progress()).embodied.nominal();
  };
  rows.push_back(digits(table, "embodied carbon, utilisation 30 % to 80 %", 2.667,
                        embodied_at(0.3) / embodied_at(0.8), "", 1e-3, "wu2022"));
  // Idle power is 0.4 of the highest: energy of the same work goes with (0.4 + 0.6 U) / U.
  LifecycleRequest request = life(settings, "380 g/kWh");
  request.training.energy = 1.0 * units::MWh;
  request.utilisation = 0.25;
  const LifecycleResult idle = lifecycle(request, base::no_progress());
  rows.push_back(row(table, "energy of the same work, utilisation 25 % to 80 %", 2.0,
                     idle.operational.nominal() / idle.what_if.operational[7], "", 1e-9, "wu2022"));
  // Training 1, inference over the life 1, and twice as much again in making: a total of 4.
  LifecycleRequest translation = life(settings, "1000 g/kWh");
  translation.pue = 1.0;
  for (PhaseInput* phase : {&translation.training, &translation.inference}) {
    phase->energy = 1.0 * units::MWh;
    phase->embodied = 1.0 * units::tCO2e;
  }
  const LifecycleResult x = lifecycle(translation, base::no_progress());
  rows.push_back(row("Beyond Efficiency: scenarios", "translation: total by training in use", 4,
                     x.total.nominal() / x.phases.front().operational.nominal(), "", 1e-12,
                     "wu2024"));
}

}  // namespace

std::vector<CheckRow> embodied_checks(const base::Settings& settings) {
  const Catalog facts(settings);
  std::vector<CheckRow> rows;
  add_nodes(facts, rows);
  add_dies(settings, rows);
  add_products(facts, rows);
  add_boavizta(facts, rows);
  add_llmcarbon(rows);
  add_servers(facts, rows);
  add_scenarios(settings, rows);
  return rows;
}

}  // namespace greenline::footprint
