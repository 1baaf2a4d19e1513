#include "footprint/device.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "footprint/act.hpp"
#include "footprint/boavizta.hpp"

namespace greenline::footprint {
namespace {

using base::Carbon;
using catalog::Catalog;
namespace units = base::units;

constexpr double kDevicesOfHost = 8;  // of the host of the catalogue

// A published figure: the property of the catalogue that holds it.
struct Published {
  const char* property;
  EmbodiedMethod method;
  const char* name;
  const char* boundary;
  const char* excludes;
};
constexpr Published kPublished[] = {
    {"embodied_vendor", EmbodiedMethod::vendor, "maker's product carbon footprint",
     "cradle to gate, share of the baseboard", "host, use, end of life"},
    {"embodied_lca", EmbodiedMethod::assessment, "life-cycle assessment after a teardown",
     "cradle to gate", "host, use, end of life"},
    {"embodied_llmcarbon", EmbodiedMethod::die, "LLMCarbon, area of the die", "logic die",
     "memory, package, board, cooling, host"},
    {"embodied_share", EmbodiedMethod::share, "share of an instance of eight",
     "device and an eighth of its host", "network, building, end of life"},
    {"embodied_flat", EmbodiedMethod::flat, "Cloud Carbon Footprint, flat", "cradle to grave",
     "host; the figure is the same for every accelerator"}};

// Whose figures stand for a device that has none of its own.
struct Sibling {
  const char* device;
  const char* of;
};
constexpr Sibling kSiblings[] = {{"a100-80", "a100-40"},
                                 {"a100-pcie-80", "a100-pcie-40"},
                                 {"a100-pcie-80", "a100-40"},
                                 {"h200", "h100-sxm"},
                                 {"h100-96gb-500w", "h100-sxm"}};

DeviceModel computed(EmbodiedMethod method, std::string name, Carbon carbon, std::string boundary,
                     std::string source, std::string excludes) {
  // Half to twice by convention for a model of components (data/README.md).
  return {method,
          std::move(name),
          carbon,
          carbon / 2,
          carbon * 2,
          std::move(boundary),
          std::move(source),
          base::Evidence::modelled,
          "",
          std::move(excludes)};
}

void add_published(const Catalog& facts, const std::string& id, std::vector<DeviceModel>& models) {
  for (const Published& p : kPublished) {
    const std::string fact_id = fmt::format("{}.{}", id, p.property);
    const catalog::Fact* fact = facts.find(fact_id);
    if (!fact) continue;
    const auto estimate = facts.estimate<Carbon>(fact_id);
    models.push_back({p.method, p.name, estimate.nominal(),
                      fact->low ? Carbon::from_base(*fact->low) : estimate.low(),
                      fact->high ? Carbon::from_base(*fact->high) : estimate.high(), p.boundary,
                      fact->source, fact->evidence, "", p.excludes});
  }
}

void add_fab(const Catalog& facts, const std::string& id, const DeviceRequest& request,
             std::vector<DeviceModel>& models) {
  if (!facts.peek(id + ".die_area")) return;
  const auto fab =
      facts.get<base::CarbonIntensity>(fmt::format("act-fab-{}.intensity", request.fab));
  const double yield = facts.get<double>("act.yield");
  const Carbon die =
      logic_carbon(facts.get<base::Area>(id + ".die_area"),
                   fab_node(facts, facts.text(id + ".die_node"), request.abatement), fab, yield);
  models.push_back(computed(EmbodiedMethod::die, "ACT, die", die, "logic die", "act2022",
                            "memory, package, board, cooling, host"));
  if (!facts.peek(id + ".memory")) return;
  // The source knows no stacked memory: the newest memory that it knows stands in.
  const Carbon memory =
      capacity_carbon(facts.get<base::Data>(id + ".memory"),
                      facts.get<CarbonPerData>("act-dram-ddr4-10nm.per_capacity"), yield);
  models.push_back(computed(EmbodiedMethod::fab, "ACT, die, memory and package",
                            die + memory + facts.get<Carbon>("act.package"),
                            "logic die, memory as 10 nm DDR4, one package", "act2022",
                            "stacking of the memory, interposer, board, cooling, host"));
}

void add_bill(const Catalog& facts, const std::string& id, std::vector<DeviceModel>& models) {
  if (!has_bill_of_materials(facts, id)) return;
  models.push_back(computed(EmbodiedMethod::bill_of_materials, "Boavizta, bill of materials",
                            accelerator_parts(facts, id).total,
                            "cradle to gate, parts of the device", "boavizta",
                            "transport, assembly, host, use, end of life"));
}

std::vector<DeviceModel> models_of(const Catalog& facts, const std::string& id,
                                   const DeviceRequest& request) {
  std::vector<DeviceModel> models;
  add_published(facts, id, models);
  add_fab(facts, id, request, models);
  add_bill(facts, id, models);
  return models;
}

void add_proxies(const Catalog& facts, const std::string& id, const DeviceRequest& request,
                 std::vector<DeviceModel>& models) {
  for (const Sibling& sibling : kSiblings) {
    if (id != sibling.device) continue;
    for (DeviceModel model : models_of(facts, sibling.of, request)) {
      if (model.name.starts_with("ACT") && facts.peek(id + ".die_area")) continue;
      model.method = EmbodiedMethod::proxy;
      model.proxy_of = sibling.of;
      model.name += fmt::format(", proxy: of {}", sibling.of);
      model.evidence = base::Evidence::assumed;
      model.low = model.carbon / 3;  // a third to three times by convention for a proxy
      model.high = model.carbon * 3;
      models.push_back(model);
    }
  }
}

std::string why_unknown(const Catalog& facts, const std::string& id) {
  std::vector<std::string> known;
  for (const catalog::Fact& fact : facts.facts())
    if (fact.property() == "embodied" || fact.property() == "die_area" ||
        fact.property() == "bom_die_effective")
      if (known.empty() || known.back() != fact.entry()) known.push_back(fact.entry());
  const base::UserError nearest = base::unknown_name("device", id, known);
  return fmt::format("the catalogue has no embodied figure of it: {}", nearest.message());
}

std::optional<double> spread_of(const std::vector<DeviceModel>& models) {
  std::vector<Carbon> own;
  for (const DeviceModel& model : models)
    if (model.proxy_of.empty()) own.push_back(model.carbon);
  if (own.size() < 2) return std::nullopt;
  return *std::max_element(own.begin(), own.end()) / *std::min_element(own.begin(), own.end());
}

}  // namespace

std::span<const base::EnumName> enum_names(EmbodiedMethod) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(EmbodiedMethod::vendor), "vendor", "footprint by the maker"},
      {static_cast<int>(EmbodiedMethod::assessment), "assessment", "life-cycle assessment"},
      {static_cast<int>(EmbodiedMethod::bill_of_materials), "bill-of-materials",
       "factors of parts"},
      {static_cast<int>(EmbodiedMethod::fab), "fab", "model of the fab, with memory and package"},
      {static_cast<int>(EmbodiedMethod::die), "die", "logic die alone"},
      {static_cast<int>(EmbodiedMethod::share), "share", "share of a whole instance"},
      {static_cast<int>(EmbodiedMethod::flat), "flat", "the same for every accelerator"},
      {static_cast<int>(EmbodiedMethod::proxy), "proxy", "figure of another device"}};
  return kNames;
}

DeviceResult device_models(const DeviceRequest& request, base::Progress&) {
  GL_USER_CHECK(request.devices > 0, "out-of-bounds",
                fmt::format("expected at least one device, got {}", request.devices));
  const Catalog facts(request.settings);
  DeviceResult x;
  x.id = request.id;
  x.devices = request.devices;
  x.models = models_of(facts, request.id, request);
  x.spread = spread_of(x.models);
  add_proxies(facts, request.id, request, x.models);
  std::stable_sort(x.models.begin(), x.models.end(),
                   [](const auto& a, const auto& b) { return a.method < b.method; });
  const auto count = static_cast<double>(request.devices);
  x.host = facts.estimate<Carbon>("host-8gpu.embodied") * (count / kDevicesOfHost);
  x.excludes = {"network between the nodes and storage outside them",
                "building, cooling and power distribution",
                "transport to the site and end of life"};
  const std::string chosen = request.id + ".embodied";
  if (facts.peek(chosen)) {
    x.device = facts.estimate<Carbon>(chosen);
    x.all = *x.device * count;
    x.total = *x.all + x.host;
  } else if (x.models.empty()) {
    x.why_unknown = why_unknown(facts, request.id);
  } else {
    const DeviceModel& first = x.models.front();
    const base::Driver driver{.id = request.id + ".embodied_model",
                              .nominal = first.carbon.base_value(),
                              .low = first.low.base_value(),
                              .high = first.high.base_value(),
                              .source = first.source};
    x.device = base::from_driver<Carbon>(driver, first.evidence, first.source, facts.seed());
    x.all = *x.device * count;
    x.total = *x.all + x.host;
  }
  return x;
}

}  // namespace greenline::footprint
