#include "app/run.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "app/host.hpp"
#include "app/inputs.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "render/document.hpp"
#include "verb/expression.hpp"

namespace greenline::app {
namespace {

base::Instant now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  // Whole seconds: provenance says when, not how precisely.
  return {std::chrono::duration_cast<std::chrono::seconds>(since_epoch).count() * 1'000'000'000};
}

render::Provenance provenance_before(const verb::Info& info, const Invocation& invocation,
                                     const base::Settings& settings) {
  render::Provenance p;
  p.version = version();
  p.verb = info.full_name();
  p.command_line = invocation.command_line;
  p.overrides = invocation.sets;
  p.seed = settings.seed;
  p.threads = base::num_threads();
  p.isa = base::enum_name(settings.instruction_set);
  p.started = now();
  return p;
}

io::Value fresh_document(verb::Call& call, const Invocation& invocation, verb::Document document,
                         render::Provenance provenance) {
  const base::Journal& journal = *call.settings().journal;
  provenance.inputs = journal.inputs();
  provenance.facts = journal.facts();
  for (std::string& notice : journal.notices()) document.notices.push_back(std::move(notice));
  if (!invocation.sets.empty())
    document.notices.push_back(fmt::format("set by --set: {}", fmt::join(invocation.sets, ", ")));
  if (provenance.interrupted) document.notices.push_back("interrupted: this is the best so far");
  return render::make_document(document, provenance, assumptions(call));
}

// The notices of a document live in it, so that every view and every later `report` shows them. A
// stored document may have none.
io::Value::Array& notices_of(io::Value& document) {
  io::Value& notices = document["report"]["notices"];
  if (notices.is_null()) notices = io::Value::Array{};
  return notices.as_array();
}

// Moves what was made for this run out of the report's document.
void take_attachments(verb::Document& document, const verb::Info& info,
                      const Invocation& invocation, Outcome& outcome) {
  const auto declared = [&](const std::string& suffix) {
    return std::find_if(info.attachments.begin(), info.attachments.end(),
                        [&](const verb::Attachment& a) { return a.suffix == suffix; });
  };
  for (const auto& [suffix, text] : document.attachments)
    if (declared(suffix) == info.attachments.end())
      throw base::InternalError(fmt::format("{} attaches \"{}\", which its Info does not list",
                                            info.full_name(), suffix));
  for (const std::string& suffix : invocation.attachments) {
    const auto found = document.attachments.find(suffix);
    if (found == document.attachments.end() || !found->second) {
      const auto attachment = declared(suffix);
      throw base::UserError("no-attachment",
                            fmt::format("this run of {} has no {} file", info.full_name(), suffix),
                            attachment == info.attachments.end() || attachment->when.empty()
                                ? ""
                                : "it has one " + attachment->when);
    }
    outcome.attachments[suffix] = *found->second;
  }
}

void apply_fail_if(const std::string& condition, Outcome& outcome) {
  if (condition.empty()) return;
  const io::Value* result = outcome.document.find("result");
  if (result == nullptr) throw base::InternalError("a document without result");
  if (!verb::evaluate_truth(condition, verb::lookup_in(*result))) return;
  notices_of(outcome.document).emplace_back("--fail-if holds: " + condition);
  outcome.exit_code = 1;
}

}  // namespace

Outcome run(const verb::Registry& registry, const Invocation& invocation,
            base::Progress& progress) {
  const verb::Verb& verb = registry.get(invocation.noun, invocation.name);
  // A condition that cannot be read is better refused before the work than after it.
  if (!invocation.fail_if.empty()) verb::names_in(invocation.fail_if);
  const std::unique_ptr<verb::Call> call = verb.make();
  fill_inputs(*call, verb.info, invocation);

  render::Provenance provenance = provenance_before(verb.info, invocation, call->settings());
  const auto clock_start = std::chrono::steady_clock::now();
  verb::Report report(call->settings().seed, invocation.attachments);
  call->run(progress, report);
  provenance.wall_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count() *
      base::units::s;
  provenance.interrupted = progress.cancelled();

  Outcome outcome;
  verb::Document document = report.take();
  take_attachments(document, verb.info, invocation, outcome);
  if (const io::Value* stored = call->stored_document())
    outcome.document = *stored;
  else
    outcome.document =
        fresh_document(*call, invocation, std::move(document), std::move(provenance));
  apply_fail_if(invocation.fail_if, outcome);
  for (const io::Value& notice : notices_of(outcome.document))
    outcome.notices.push_back(notice.as_text());
  return outcome;
}

}  // namespace greenline::app
