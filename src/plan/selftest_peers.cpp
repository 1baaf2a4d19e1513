#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "plan/iteration.hpp"
#include "plan/memory.hpp"
#include "plan/placement.hpp"
#include "plan/selftest_tables.hpp"
#include "plan/slice_cost.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::CheckRow;
using catalog::Catalog;

// What we say of a run, in the parts in which Calculon reports: layers alone in the passes, without
// embedding and head.
struct Parts {
  base::Time forward, backward, recompute, bubble, optimizer, tensor_parallel, pipeline, total;
  base::Data memory;
};

Parts parts_of(const Planned& plan) {
  const Problem& p = plan.problem;
  const Configuration& c = plan.configuration;
  const LayerCost layer = slice_cost(p, c).dense;
  const double layers = static_cast<double>(p.shape.layers) /
                        static_cast<double>(c.strategy.pipeline_parallel) *
                        static_cast<double>(num_micro_batches(p, c));
  const Iteration it = iteration(p, c);
  Parts parts;
  parts.forward = layers * layer.forward.total();
  parts.backward = layers * (layer.backward.total() + layer.weight_gradient.total());
  parts.recompute = it.recompute;
  parts.bubble = it.bubble;
  parts.optimizer = it.optimizer;
  parts.tensor_parallel = it.tensor_parallel;
  parts.pipeline = it.pipeline;
  parts.total = it.total();
  parts.memory = fullest_stage(p, c).total();
  return parts;
}

void append_calculon_run(const io::Value& theirs, const std::string& run, const Parts& ours,
                         CheckRows& rows) {
  const auto number = [&](const char* key) {
    const io::Value* value = theirs.find(key);
    if (value != nullptr) return value->as_double();
    throw base::DataError("bad-run", fmt::format("no {} in what Calculon says", base::quoted(key)),
                          "", theirs.where());
  };
  const auto add = [&](const char* component, double expected, double got, const char* unit) {
    if (expected == 0) return;  // nothing to compare with: no pipeline, no bubble
    CheckRow row{"isaev2023: parts of the iteration",
                 fmt::format("{} {}", run, component),
                 expected,
                 got,
                 unit,
                 0.2,
                 true,
                 false,
                 "isaev2023",
                 "a model of the same run, not a measurement"};
    row.component = component;
    rows.push_back(std::move(row));
  };
  const auto add_time = [&](const char* component, double expected, base::Time got) {
    add(component, expected, got.in(units::s), "s");
  };
  add_time("forward", number("fw_time"), ours.forward);
  add_time("backward", number("bw_time"), ours.backward);
  add_time("recompute", number("recompute_time"), ours.recompute);
  add_time("tensor parallel", number("tp_comm_exposed_time") + number("recomm_exposed_time"),
           ours.tensor_parallel);
  add_time("pipeline", number("pp_comm_exposed_time"), ours.pipeline);
  add_time("bubble", number("bubble_time"), ours.bubble);
  add_time("optimizer", number("optim_step_time"), ours.optimizer);
  add_time("total", number("total_time"), ours.total);
  add("memory", number("proc_mem_tier1_cap_req") / (1 << 30), ours.memory.in(units::GiB), "GiB");
}

void append_calculon(const Catalog& facts, const base::SelftestRequest& r, CheckRows& rows) {
  const std::filesystem::path folder = std::filesystem::path(r.root) / "oracles" / "calculon";
  for (const PublishedPlan& x : published_plans()) {
    for (const bool full : {true, false}) {
      const std::string file =
          (folder / fmt::format("c_{}_{}.json", x.calculon, full ? "full" : "seqsel")).string();
      if (r.root.empty() || !io::is_file(file)) continue;
      const Planned plan = plan_of(facts, x, full ? Recompute::full : Recompute::selective, !full);
      append_calculon_run(io::parse_json(io::read_file(file, r.settings.journal.get()), file),
                          full ? x.full : x.selective, parts_of(plan), rows);
    }
  }
}

// What llm-analysis says of inference on ideal A100: a prompt of 512 tokens, one sequence.
struct Inference {
  const char* model;
  std::int64_t tensor_parallel;
  double prefill, decode;  // ms
};
constexpr Inference kInference[] = {{"llama1-7b", 1, 22.41, 6.73},
                                    {"llama1-13b", 1, 43.1, 12.94},
                                    {"llama1-33b", 1, 107.74, 32.36},
                                    {"llama1-65b", 2, 113.33, 33.85}};

void append_inference(const Catalog& facts, CheckRows& rows) {
  for (const Inference& x : kInference) {
    Problem p;
    p.shape = catalog::model_shape(facts, x.model);
    p.system = catalog::system(facts, "dgx-a100-80");
    p.machine = model::machine(facts, p.system, catalog::Precision::bf16);
    p.devices = x.tensor_parallel;
    p.global_batch = 1;
    p.sequence_length = p.cached_tokens = 512;
    Configuration c;
    c.strategy.tensor_parallel = x.tensor_parallel;
    const auto add = [&](Task task, const char* what, double expected) {
      p.task = task;
      rows.push_back({"llm-analysis: inference on ideal devices",
                      fmt::format("{} {}", x.model, what), expected,
                      iteration(p, c).total().in(units::ms), "ms", 0.2, true, false,
                      "li2023llmanalysis",
                      "a model with every share of the peak at 1; ours has the fitted shares"});
    };
    add(Task::prefill, "prefill of 512 tokens", x.prefill);
    add(Task::decode, "one token", x.decode);
  }
}

}  // namespace

void append_peer_tables(const Catalog& facts, const base::SelftestRequest& r, CheckRows& rows) {
  append_calculon(facts, r, rows);
  append_inference(facts, rows);
}

}  // namespace greenline::plan
