#include "footprint/verbs.hpp"

#include "footprint/device.hpp"
#include "footprint/grid_hours.hpp"
#include "footprint/lifecycle.hpp"
#include "footprint/reconcile.hpp"
#include "footprint/sci.hpp"
#include "footprint/selftest.hpp"
#include "verb/fields.hpp"
#include "verb/registry.hpp"

namespace greenline::footprint {

void describe(verb::Fields& f, GridInput& r) {
  verb::Field& grid =
      f(r.grid, "grid",
        "hourly CSV file, a region (ERCO), a country (USA) or a number (\"380 g/kWh\")")
          .placeholder("FILE|REGION|COUNTRY|NUMBER");
  if (r.grid.empty()) grid.required();
  f(r.factors, "factors",
    "emission factors by fuel for files of generation: an entry of `catalog list grid_factors`")
      .source("carbonexplorer2023");
  describe_file(f, r);
}

void describe_file(verb::Fields& f, GridInput& r) {
  f(r.stamp, "stamp", "what a time stamp of the file means").chosen();
  f(r.signal, "signal", "what the intensities of a file are; average unless the file says marginal")
      .chosen();
  f(r.region, "region", "which region of a file that holds several").placeholder("NAME");
  f(r.timezone, "tz",
    "time zone of times that name none, and of the grid's local days (America/Los_Angeles)")
      .placeholder("ZONE");
  f(r.fill, "fill", "what is done about missing hours of a file");
  f(r.clip_negative, "clip_negative", "count negative generation as 0 instead of refusing it");
  f(r.unit, "unit", "unit of intensities whose column names none (lb/MWh)").placeholder("UNIT");
  f(r.scope, "intensity",
    "which of the two a file that holds both is read for; life-cycle unless given")
      .chosen();
}

void register_verbs(verb::Registry& registry) {
  registry.add<LifecycleRequest, LifecycleResult>(
      {.noun = "footprint",
       .name = "lifecycle",
       .heading = verb::Heading::account,
       .summary = "carbon of a model over data, experimentation, training and inference",
       .description =
           "Adds up carbon in use and in making over the phases of a model's life, "
           "location-based and, where contracts are given, market-based beside it. Shows what "
           "another utilisation, service life and demand would change.",
       .examples = {{"greenline footprint lifecycle --grid USA --training.energy 1287MWh "
                     "--inference.served '5e9 requests' --inference.energy-per "
                     "'0.28 J/request'",
                     "training and serving"},
                    {"greenline footprint lifecycle --config lifecycle.toml -o report.html",
                     "from a file"}}},
      lifecycle);
  registry.add<DeviceRequest, DeviceResult>(
      {.noun = "footprint",
       .name = "device",
       .heading = verb::Heading::account,
       .summary = "every published embodied figure of an accelerator, side by side",
       .description = "Published models of one accelerator differ by more than an order of "
                      "magnitude because they draw the boundary in different places. Shows each "
                      "with its range, boundary and source, and the total with hosts.",
       .examples = {{"greenline footprint device h100-sxm", "one accelerator"},
                    {"greenline footprint device a100-40 --devices 8", "a node of eight"}}},
      device_models);
  registry.add<SciRequest, SciResult>(
      {.noun = "footprint",
       .name = "sci",
       .heading = verb::Heading::account,
       .summary = "software carbon intensity (ISO/IEC 21031): carbon for each unit of work",
       .description = "SCI = (E · I + M) / R, with M the share of the reserved machine's making. "
                      "Location-based; offsets and contracts do not count.",
       .examples =
           {{"greenline footprint sci --energy 2kWh --grid USA --reserved 1h --functional-unit "
             "'1e6 tokens'",
             "an hour of serving"},
            {"greenline footprint sci --energy-per '0.3 J/token' --grid '380 g/kWh' "
             "--reserved 1h --functional-unit '1e6 tokens'",
             "from joules for each token"}}},
      sci);
  registry.add<ReconcileRequest, ReconcileResult>(
      {.noun = "footprint",
       .name = "reconcile",
       .heading = verb::Heading::account,
       .summary = "explains a model card's carbon figure, step by step",
       .description = "A waterfall from the devices at rated power over node, facility and grid "
                      "to embodied carbon, and the step that the published figure is nearest to.",
       .examples = {{"greenline footprint reconcile examples/cards/bloom.toml", "from a card"},
                    {"greenline footprint reconcile Llama-2 --source llama2_card --device a100-80 "
                     "--device-hours 3311616h --published 539t --grid USA",
                     "from flags"}},
       .positional_is_config = true},
      reconcile);
  registry.add_selftest("footprint", selftest);
}

}  // namespace greenline::footprint
