// One training iteration of a model on a machine: how long, does it fit, how many joules and grams
// of CO2e.
//
//   EstimateRequest r;
//   r.model = "llama3-70b"; r.system = "dgx-h100"; r.devices = 1024;
//   EstimateResult x = estimate(r);
//   x.iteration.nominal().in(units::s);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/estimate.hpp"
#include "base/journal.hpp"
#include "base/progress.hpp"
#include "base/quantity.hpp"
#include "footprint/grid_hours.hpp"
#include "model/breakdown.hpp"
#include "model/power.hpp"
#include "plan/configuration.hpp"
#include "plan/iteration.hpp"
#include "plan/memory.hpp"

namespace greenline::verb {
class Fields;
class Report;
}  // namespace greenline::verb

namespace greenline::plan {

enum class PrecisionChoice : std::uint8_t { automatic, fp8, bf16, fp16, tf32 };
std::span<const base::EnumName> enum_names(PrecisionChoice);
enum class AttentionChoice : std::uint8_t { automatic, fused, materialised };
std::span<const base::EnumName> enum_names(AttentionChoice);
// How attention scores count in MFU and HFU: the whole square, or the half that a causal mask
// leaves.
enum class FlopConvention : std::uint8_t { full, causal };
std::span<const base::EnumName> enum_names(FlopConvention);

// analytic: our model. madmax: the rules of hsia2024 exactly as published, on its own shapes and
// machines.
enum class Fidelity : std::uint8_t { analytic, madmax };
std::span<const base::EnumName> enum_names(Fidelity);

// Beyond what any machine has, well within 64 bits for every product of them.
inline constexpr double kMostDevices = 1e6, kMostSequences = 1e7, kMostTokens = 1e8,
                        kMostChunks = 1e3, kMostPue = 10;

struct EstimateRequest {
  base::Settings settings;
  std::string model;                   // catalogue entry of kind models
  std::string system;                  // catalogue entry of kind nodes, or a system file (.toml)
  std::int64_t devices = 0;            // 0: product of the strategy
  std::string on;                      // "128xdgx-h100": system and devices in one
  std::string strategy = "auto";       // "auto", or as in plan/strategy.hpp
  std::int64_t micro_batch = 0;        // sequences; 0: 1, or free when the strategy is auto
  std::int64_t global_batch = 0;       // sequences; 0: batch_tokens of the model, or 4 Mi tokens
  std::int64_t sequence_length = 0;    // tokens; 0: that of the model
  std::int64_t interleave = 0;         // model chunks on each pipeline rank; 0: 1, or free when the
                                       // strategy is auto
  std::optional<Recompute> recompute;  // unset: none, or free when the strategy is auto
  std::optional<Schedule> schedule;    // unset: 1F1B, or free when the strategy is auto
  // Automatic: bf16 where the device has it, else fp16.
  PrecisionChoice precision = PrecisionChoice::automatic;
  // Automatic: materialised for the GPT family, else fused.
  AttentionChoice attention = AttentionChoice::automatic;
  FlopConvention flop_convention = FlopConvention::full;
  Compat compat = Compat::none;
  Fidelity fidelity = Fidelity::analytic;
  Task task = Task::pretrain;
  std::vector<std::string> freeze;  // of a fine-tuning: "embedding", "layers", "head"
  std::int64_t cached_tokens = 0;   // decode: in the KV cache of each sequence; 0: the sequence
                                    // length
  Offload offload = Offload::none;
  model::Kernels kernels = model::Kernels::fused;
  double gradient_bytes = 4;  // of one gradient on its way between data-parallel ranks
  bool overlap_gradients = true;
  bool overlap_tensor = false;
  std::optional<bool> prefetch;  // madmax: gather sharded weights of the backward pass ahead;
                                 // unset: as published, images yes, text no
  bool timeline = false;         // run the iteration task by task as well
  std::optional<base::MoneyRate> price;  // of one device; unset: that of the node, if known
  double memory_reserve = 0.05;  // driver context, communication buffers, allocator fragments
  footprint::GridInput grid = {.grid = "USA"};  // its mean over hours counts
  // Replaces `grid`, for a caller that knows its own.
  std::optional<base::CarbonIntensity> intensity;
  std::optional<double> pue;  // unset: facility.pue
};

// A published measurement of the same model, and what this estimate says for one device beside it.
struct AnchorGap {
  std::string id, system, strategy, precision, source;
  std::int64_t devices = 0;
  double tokens_per_s_per_device = 0;  // measured
  double ratio = 0;                    // this estimate / measured
  bool same_generation = false;
};

// Where an iteration goes: what is exposed, by cause.
struct TimePart {
  std::string name;
  base::Time time;
};

// By cause; they sum to the total.
std::vector<TimePart> parts_of(const Iteration& iteration);

// All communication of one device, and the part that no computation hides.
struct Communication {
  base::Time exposed;
  std::optional<base::Time> total;    // where the fidelity counts it
  std::vector<TimePart> collectives;  // by kind, exposed or not
};

// The iteration again as tasks on processors: a check of the closed form, and a picture.
struct TimelineRun {
  model::Timeline timeline;
  model::Schedule schedule;
  model::TimelineNames names;
  base::Time exposed_communication;
};

enum class FitStatus : std::uint8_t { ok, does_not_fit };
const char* status_name(FitStatus status);

struct EstimateResult {
  FitStatus status = FitStatus::ok;
  std::string why;   // what is short; "" when it fits
  std::string mend;  // smallest change after which it fits; "" when it fits or nothing helps

  std::string model, system, precision, strategy_text;
  Configuration configuration;
  std::int64_t devices = 0, devices_per_node = 0;
  double nodes = 0;  // a node that is used in part counts in part
  std::int64_t global_batch = 0, sequence_length = 0, micro_batches = 0;
  double tokens = 0;  // of one iteration
  double parameters = 0;
  std::int64_t configurations_tried = 1;  // by the search
  bool interrupted = false;               // the search was stopped: the best so far

  Fidelity fidelity = Fidelity::analytic;
  Task task = Task::pretrain;
  base::Estimate<base::Time> iteration;
  std::vector<TimePart> parts;  // nominal; sum to the nominal iteration
  Communication communication;
  model::BusyFractions busy;
  std::optional<TimelineRun> timeline;      // where asked for
  base::Estimate<base::Rate> tokens_per_s;  // tokens are dimensionless
  base::Estimate<base::Rate> tokens_per_s_per_device;
  double mfu = 0, hfu = 0;  // of the nominal iteration
  std::string flop_convention;
  base::Work model_flops, hardware_flops;  // of one iteration, all devices
  base::WorkRate peak;                     // of one device, dense

  Memory memory;
  model::PowerDraw power;  // of a device and a node while training
  base::Estimate<double> pue;
  base::Estimate<base::CarbonIntensity> intensity;
  base::Estimate<base::Energy> it_energy,
      energy;  // of one iteration: servers; at the facility meter
  base::Estimate<base::Carbon> carbon;
  std::optional<base::Estimate<base::MoneyRate>> price;  // of one device
  std::optional<base::Estimate<base::Money>> cost;       // of one iteration
  std::vector<AnchorGap> anchors;                        // nearest first
  std::vector<std::string> notices;                      // what one must know to use the numbers
};

// UserError for unknown names, a strategy that does not match the devices, batches that do not
// divide, and for results that cannot be true (MFU above 1, watts above the node's maximum). Not
// fitting is a status.
EstimateResult estimate(const EstimateRequest& request,
                        base::Progress& progress = base::no_progress());

// Batch, number format and software: what a search has in common with one strategy.
void describe_run(verb::Fields& fields, EstimateRequest& request);
// The inputs of a plan alone, for verbs that bring their own grid and site.
void describe_workload(verb::Fields& fields, EstimateRequest& request);
// Task, frozen parts, cache and price: for verbs that are about one iteration.
void describe_task(verb::Fields& fields, EstimateRequest& request);
void describe(verb::Fields& fields, EstimateRequest& request);
void present(verb::Report& report, const EstimateResult& result);

}  // namespace greenline::plan
