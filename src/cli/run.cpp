#include "cli/run.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "app/host.hpp"
#include "app/output.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "cli/help.hpp"
#include "cli/interrupt.hpp"
#include "cli/job.hpp"
#include "cli/progress_bar.hpp"
#include "render/ledger.hpp"
#include "render/text.hpp"

namespace greenline::cli {
namespace {

std::string help_text(const verb::Registry& registry, const CommandLine& command) {
  if (!command.name.empty()) return help_of_verb(registry.get(command.noun, command.name));
  return command.noun.empty() ? help_of_all(registry) : help_of_noun(registry, command.noun);
}

void show(const app::Outcome& outcome, const View& view, const Streams& streams) {
  std::vector<std::string> outputs;
  for (const app::OutputFile& file : view.files) outputs.push_back(file.path);
  if (!view.ledger.empty()) outputs.push_back(view.ledger);
  app::refuse_inputs_as_outputs(outcome.document, outputs);
  for (const app::OutputFile& file : view.files) app::write_output(outcome, file);
  if (!view.ledger.empty()) render::append_to_ledger(view.ledger, outcome.document);
  const render::TerminalOptions options{.width = streams.width,
                                        .colour = view.colour && streams.out_is_terminal};
  streams.out << app::rendered(outcome.document, view.format, options) << std::flush;
  if (!streams.out)
    throw base::UserError("cannot-write", "standard output cannot be written", "is the disk full?");
  if (view.quiet) return;
  // The human view has its own list of notices.
  if (view.format != app::Format::terminal) {
    for (const std::string& notice : outcome.notices)
      streams.err << "notice: " << render::printable(notice) << '\n';
  }
  for (const app::OutputFile& file : view.files)
    streams.err << "wrote " << render::printable(file.path) << '\n';
}

// The work; none on a rank whose help the verb does not ask for.
std::optional<app::Outcome> work(const verb::Registry& registry, const CommandLine& command,
                                 const Streams& streams, const Job& job) {
  app::Invocation invocation = command.invocation;
  invocation.communicator = job.communicator();
  if (!job.speaks() && !registry.get(invocation.noun, invocation.name).info.is_shared)
    return std::nullopt;
  base::set_num_threads(command.view.threads);
  ProgressBar progress(streams.err, streams.err_is_terminal && !command.view.quiet);
  app::Outcome outcome = app::run(registry, invocation, progress);
  progress.clear();
  return outcome;
}

int dispatch(const verb::Registry& registry, std::span<const std::string> arguments,
             const Streams& streams, Job& job) {
  const CommandLine command = parse_command_line(registry, arguments, streams.environment);
  std::optional<app::Outcome> outcome;
  if (command.action == CommandLine::Action::run) outcome = work(registry, command, streams, job);
  job.finish();
  if (!job.speaks()) return 0;
  switch (command.action) {
    case CommandLine::Action::help:
      streams.out << help_text(registry, command) << std::flush;
      return 0;
    case CommandLine::Action::version:
      streams.out << "greenline " << app::version() << '\n' << std::flush;
      return 0;
    case CommandLine::Action::run:
      show(*outcome, command.view, streams);
      return outcome->exit_code;
  }
  throw base::InternalError("a command of unknown action");
}

// Printable throughout: what a message repeats of a file or of the command line must not steer the
// terminal.
void report_error(const std::exception& error, bool as_json, const Streams& streams) {
  const auto* known = dynamic_cast<const base::Error*>(&error);
  if (as_json) streams.out << app::error_json(error) << std::flush;
  if (known == nullptr) {
    streams.err << "error: " << render::printable(error.what())
                << "\n  hint: this is our bug: please report it with the command that led here\n";
    return;
  }
  streams.err << "error: " << render::printable(known->message()) << '\n';
  if (const std::string where = known->where().text(); !where.empty())
    streams.err << "  at " << render::printable(where) << '\n';
  if (!known->hint().empty()) streams.err << "  hint: " << render::printable(known->hint()) << '\n';
}

// As one of our errors, whatever was thrown.
int exit_code_of(const std::exception& error, Job* job) {
  const auto* known = dynamic_cast<const base::Error*>(&error);
  if (job != nullptr) job->fail(known != nullptr ? *known : base::InternalError(error.what()));
  return base::exit_code(known != nullptr ? known->kind() : base::ErrorKind::internal);
}

}  // namespace

int run(const verb::Registry& registry, std::span<const std::string> arguments,
        const Streams& streams) {
  const bool as_json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  const Launch launch = launch_of(streams.environment);
  std::optional<Job> job;
  // A launcher ends all ranks as soon as one ends with a failure: the first speaks for all.
  const auto failed = [&](const std::exception& error) {
    const int code = exit_code_of(error, job ? &*job : nullptr);
    if (launch.rank != 0) return 0;
    report_error(error, as_json, streams);
    return code;
  };
  try {
    job.emplace(launch);
    return dispatch(registry, arguments, streams, *job);
  } catch (const std::bad_alloc&) {
    return failed(base::UnsupportedError("out-of-memory", "out of memory",
                                         "a smaller input, or a machine with more"));
  } catch (const std::exception& e) {
    return failed(e);
  }
}

}  // namespace greenline::cli
