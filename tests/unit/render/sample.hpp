// A made-up study that holds one of everything a report can hold.
#pragma once

#include <string>
#include <vector>

#include "base/estimate.hpp"
#include "render/document.hpp"

namespace greenline::render {

// Draws spread evenly over low..high: percentiles are known without any random number.
inline base::AnyEstimate even_estimate(double nominal, double low, double high,
                                       base::Dimension dimension) {
  auto draws = std::make_shared<base::Draws>();
  // The 5th and the 95th percentile of the 256 order statistics lie at ranks 12.75 and 242.25.
  for (int k = 0; k < base::kNumDraws; ++k)
    (*draws)[static_cast<std::size_t>(k)] = low + (high - low) * (k - 12.75) / (242.25 - 12.75);
  base::AnyEstimate x;
  x.nominal = nominal;
  x.dimension = dimension;
  x.draws = std::move(draws);
  x.evidence = base::Evidence::modelled;
  x.source = "made-up";
  return x;
}

template <class Q>
base::Estimate<Q> even(Q nominal, Q low, Q high) {
  return base::Estimate<Q>(
      even_estimate(nominal.base_value(), low.base_value(), high.base_value(), Q::kDimension));
}

inline verb::Document sample_report() {
  using namespace base::units;
  verb::Report r;
  r.title("Pre-training llama3-70b on 128 × dgx-h100 with the grid of ERCO");
  r.value("duration", even(54.2 * day, 48.1 * day, 62.9 * day),
          {.label = "Duration",
           .why = "",
           .headline = true,
           .as_percent = false,
           .derivation = verb::Derivation{
               "",
               "tokens ÷ throughput",
               {{"tokens", "study.tokens", 15e12, "given"},
                {"throughput", "plan.tokens_per_s", base::Rate::from_base(3.2e6), "modelled"}},
               {}}});
  r.value("energy", even(7.85 * GWh, 6.91 * GWh, 9.02 * GWh),
          {.label = "Energy at the meter",
           .why = "",
           .headline = true,
           .as_percent = false,
           .derivation = {}});
  r.value("coverage", 0.4512,
          {.label = "Covered by wind and solar",
           .why = "",
           .headline = true,
           .as_percent = true,
           .derivation = {}});
  r.value("devices", std::int64_t{1024});
  r.value("peak", 1.234 * MW,
          {.label = "Peak power",
           .why = "At the facility meter, power usage effectiveness included.",
           .headline = false,
           .as_percent = false,
           .derivation = {}});
  r.group("operational", "Operational carbon", [&] {
    r.value("location", even(2831.0 * tCO2e, 2400.0 * tCO2e, 3350.0 * tCO2e),
            {.label = "Location based",
             .why = "",
             .headline = false,
             .as_percent = false,
             .derivation = {}});
    r.absent("market", base::kCarbon, "no contractual instrument was given",
             {.label = "Market based",
              .why = "",
              .headline = false,
              .as_percent = false,
              .derivation = {}});
  });
  r.table("parts", "Why this long")
      .column("part", std::vector<std::string>{"matrix products", "attention", "all-reduce"},
              "Part of an iteration")
      .column("time", std::vector<base::Time>{9.21 * s, 1.5 * s, 0.75 * s}, "Time")
      .column("share", std::vector<double>{0.8037, 0.1309, 0.0654}, "Share", true);
  r.table("options", "What would change it")
      .column("name", std::vector<std::string>{"grid CISO", "half the devices"}, "Option")
      .column("delta",
              std::vector<base::Estimate<base::Carbon>>{
                  even(-750.0 * tCO2e, -900.0 * tCO2e, -600.0 * tCO2e),
                  even(25.0 * tCO2e, 10.0 * tCO2e, 40.0 * tCO2e)},
              "Difference");
  std::vector<base::Instant> starts;
  std::vector<base::Energy> energies;
  for (int i = 0; i < 1300; ++i) {
    starts.push_back(base::Instant{1609459200LL * 1000000000 + i * 3600000000000LL});
    energies.push_back((5.0 + i % 24) * MWh);
  }
  r.table("hours", "Hour by hour").column("start", starts).column("energy", energies).hidden();
  r.series("load",
           base::Series<base::Power>{starts[0], 1.0 * h, {1.0 * MW, 2.0 * MW, 4.0 * MW, 3.0 * MW}},
           "Load");
  r.chart({.key = "parts",
           .title = "Parts of an iteration",
           .kind = verb::ChartKind::bars,
           .x = "parts.part",
           .y = {"parts.time"},
           .labels = {"time"},
           .x_label = "",
           .y_label = ""});
  r.chart({.key = "options",
           .title = "Differences",
           .kind = verb::ChartKind::interval_bars,
           .x = "options.name",
           .y = {"options.delta"},
           .labels = {},
           .x_label = "",
           .y_label = ""});
  r.chart({.key = "hours",
           .title = "Energy",
           .kind = verb::ChartKind::lines,
           .x = "hours.start",
           .y = {"hours.energy"},
           .labels = {},
           .x_label = "",
           .y_label = ""});
  r.notice("The run is longer than the grid's year; the year is repeated by calendar hour.");
  r.not_included("The embodied carbon of the building.");
  return r.take();
}

inline Provenance sample_provenance() {
  Provenance p;
  p.version = "0.1.0";
  p.verb = "study run";
  p.command_line = "greenline study run llama3-70b --on 128xdgx-h100";
  p.inputs = {
      {"grid/erco.csv", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}};
  p.facts = {{"h100-sxm.node_w", "6474", "W", "mlperf-v4.0", "built-in", "measured"}};
  p.seed = 20230325;
  p.threads = 2;
  p.isa = "avx2";
  p.started = base::Instant{1796040000LL * 1000000000};
  p.wall_time = 2.1 * base::units::s;
  return p;
}

inline io::Value sample_document() {
  return make_document(sample_report(), sample_provenance(),
                       {{"--pue", "1.1", "uptime-2023"}, {"goodput", "0.9", "assumed"}});
}

}  // namespace greenline::render
