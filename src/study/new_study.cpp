#include "study/new_study.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/file.hpp"

namespace greenline::study {

std::string study_template() {
  return R"(# A study: how long, how many joules, how many grams of CO2e.
#   greenline study run THIS_FILE
# Lines that start with "#" and a key show the default. Flags win over this file: --grid CISO.

# What runs. `greenline catalog list models` shows the names.
model = "llama3-70b"
tokens = "15T"                   # or steps = 100000
#sequence_length = 8192          # default: that of the model
#global_batch = 512              # sequences; default: the model's published batch, or 4 Mi tokens

# Where it runs. NxNODE; `greenline catalog list nodes` shows the names.
on = "128xdgx-h100"
#system = "dgx-h100"             # the same in two keys
#devices = 1024

# How it is spread over the devices: "auto" searches, or say it: "tp8,pp4,dp32,zero1,sp".
#strategy = "auto"
#micro_batch = 1                 # sequences
#interleave = 1                  # model chunks on each pipeline rank
#recompute = "none"              # none, selective, full
#precision = "auto"              # bf16 where the device has it
#attention = "auto"              # fused, materialised
#flop_convention = "full"        # what MFU counts for attention: the full square, or its "causal" half
#kernels = "fused"               # or "eager": one kernel for every primitive operation
#gradient_bytes = 4              # of one gradient between data-parallel ranks
#schedule = "1f1b"               # or "zero-bubble"
#offload = "none"                # what the host keeps: optimizer, all
#overlap_gradients = true        # exchange gradients beside the computation
#overlap_tensor = false          # cut tensor-parallel exchanges in pieces (async TP)
#memory_reserve = 0.05           # share of device memory for driver, buffers and fragments
#compat = "none"                 # memory as another work counts it: "korthikanti"

# The site.
grid = "ERCO"                    # a file of hours, a region, a country (USA) or "380 g/kWh"
#factors = "carbon-explorer"     # emission factors of files with generation by fuel; or "ipcc2014-lifecycle"
#stamp = "auto"                  # what a time stamp of the file means: start or end of its hour
#signal = "average"              # or "marginal": what the intensities of the file are
#region = "CISO"                 # which region of a file that holds several
#tz = "America/Los_Angeles"      # time zone of times that name none, and of the grid's local days
#fill = "none"                   # or "interpolate": at most 3 missing hours in a row
#clip_negative = false           # negative generation counts as 0 instead of being refused
#unit = "lb/MWh"                 # of intensities whose column names none
#intensity = "life-cycle"        # or "direct", of a file that holds both
#start = 2021-01-01T00:00:00Z    # default: the first hour of the grid's data
#pue = 1.1                       # power usage effectiveness
#goodput = 0.9                   # share of the wall time that trains
#price = "2.5 USD/h"             # of one device
#market_intensity = "0 g/kWh"    # of contractual instruments; the market-based total appears only with it
#amortize = "busy"               # embodied carbon over busy hours, or over all hours: "reserved"

# Wind and solar that serve the site hour by hour; the grid covers the rest.
#[site.power]
#wind = "0 MW"
#solar = "0 MW"
#plan = false                    # choose wind, solar and a battery for this load; rules of `grid size` in [site.power.size]

# What would change it. Without any [[options]], the standard ones are asked: another grid, half a year later,
# wind and solar, half the devices. Unset keys stay as above.
#[[options]]
#name = "in California, from July"
#grid = "CISO"
#start = 2021-07-01T00:00:00Z
#[[options]]
#name = "half the devices"
#devices = 512
)";
}

NewResult create(const NewRequest& request, base::Progress&) {
  GL_USER_CHECK(request.force || !io::is_file(request.file), "file-exists",
                fmt::format("{} exists; --force replaces it", request.file));
  io::write_file(request.file, study_template());
  return {request.file};
}

}  // namespace greenline::study
