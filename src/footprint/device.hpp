// Every published embodied figure of an accelerator side by side, and what several of them and
// their hosts add up to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_name.hpp"
#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::footprint {

// In the order in which one is preferred.
enum class EmbodiedMethod { vendor, assessment, bill_of_materials, fab, die, share, flat, proxy };
std::span<const base::EnumName> enum_names(EmbodiedMethod);

struct DeviceRequest {
  base::Settings settings;
  std::string id;              // accelerator of the catalogue: "h100-sxm"
  std::int64_t devices = 1;    // how many
  std::string fab = "taiwan";  // `act-fab-*` of the catalogue: whose power made the die
  double abatement = 0.97;     // of fab gases
};

struct DeviceModel {
  EmbodiedMethod method = EmbodiedMethod::fab;
  std::string name;                // "NVIDIA product carbon footprint"
  base::Carbon carbon, low, high;  // of one device
  std::string boundary, source;
  base::Evidence evidence = base::Evidence::modelled;
  std::string proxy_of;  // device that the figure belongs to; "" for its own
  std::string excludes;
};

struct DeviceResult {
  std::string id, why_unknown;  // why: "" unless nothing is known
  std::int64_t devices = 1;
  std::vector<DeviceModel> models;                     // preferred first
  std::optional<base::Estimate<base::Carbon>> device;  // one, as the other verbs take it
  std::optional<base::Estimate<base::Carbon>> all;     // `devices` of them
  base::Estimate<base::Carbon> host;                   // the share of hosts of `devices`
  std::optional<base::Estimate<base::Carbon>> total;   // all and host
  std::vector<std::string> excludes;                   // of the total
  std::optional<double> spread;  // largest model by smallest; not over proxies
};

// An id that the catalogue has no figure for is a result with why_unknown, not an error; it is
// never 0. UserError "out-of-bounds" for fewer than one device, "unknown-fact" for an unknown fab.
DeviceResult device_models(const DeviceRequest& request, base::Progress& progress);
void describe(verb::Fields& fields, DeviceRequest& request);
void present(verb::Report& report, const DeviceResult& result);

}  // namespace greenline::footprint
