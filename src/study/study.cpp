#include "study/study.hpp"

#include <set>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "grid/residual.hpp"
#include "study/anchors.hpp"
#include "study/options.hpp"
#include "study/scenario.hpp"

namespace greenline::study {

using catalog::Catalog;

namespace {

constexpr double kMostHourlyYears = 10;  // beyond that the table would outgrow what a report is for

// An option's files and facts are part of the result; what the planner assumed for it would read as
// the study's.
void keep_provenance(const base::Journal& from, base::Journal& to) {
  for (const base::InputRecord& record : from.inputs()) to.input(record);
  for (const base::FactRecord& record : from.facts()) to.fact(record);
}

OptionRow option_row(const StudyRequest& request, const Option& option, const Scenario& base,
                     base::Progress& progress) {
  StudyRequest changed = with_option(request, option);
  changed.settings.journal = std::make_shared<base::Journal>();
  // The run starts when the study starts, also on a grid whose data begin elsewhere.
  if (!changed.start) changed.start = base.start;
  OptionRow row;
  row.name = option.name;
  row.change = change_text(option);
  row.scenario = evaluate(changed, Catalog(changed.settings), progress);
  keep_provenance(*changed.settings.journal, *request.settings.journal);
  row.status = plan::status_name(row.scenario.plan.status);
  row.delta = row.scenario.total - base.total;
  row.delta_energy = row.scenario.energy - base.energy;
  row.delta_duration = row.scenario.duration - base.duration;
  return row;
}

// The user did not ask for a standard option, so one that cannot be answered (half the devices
// outlast a short file) is left out and says why.
std::optional<OptionRow> standard_row(const StudyRequest& request, const Option& option,
                                      const Scenario& base, base::Progress& progress) {
  try {
    return option_row(request, option, base, progress);
  } catch (const base::UserError& error) {
    request.settings.journal->notice(
        fmt::format("option {} is left out: {}", option.name, error.message()));
    return std::nullopt;
  }
}

void check_names(const std::vector<Option>& options) {
  std::set<std::string> names;
  for (const Option& option : options) {
    GL_USER_CHECK(!option.name.empty(), "missing-input",
                  std::string("an option has an empty name; the report lists options by name"));
    GL_USER_CHECK(names.insert(option.name).second, "duplicate-option",
                  fmt::format("two options are called {}; give each its own name",
                              base::quoted(option.name)));
  }
}

void note_repeated_year(const Scenario& s, base::Journal& journal) {
  const std::string notice =
      footprint::repeated_year_notice(s.grid, s.start, s.start + s.duration.nominal());
  if (!notice.empty()) journal.notice(notice);
}

void note_supply(const StudyRequest& request, const std::vector<Option>& options,
                 const Scenario& base, base::Journal& journal) {
  bool supplied =
      request.site.power.wind > base::Power{} || request.site.power.solar > base::Power{};
  for (const Option& o : options) supplied = supplied || o.wind || o.solar;
  const std::string notice = grid::profile_supply_notice(base.grid);
  if (supplied && !notice.empty()) journal.notice(notice);
}

}  // namespace

StudyResult run(const StudyRequest& request, base::Progress& progress) {
  const Catalog facts(request.settings);
  StudyResult result;
  result.seed = request.settings.seed;
  result.price = request.price;
  progress.stage("study", 0);
  result.base = evaluate(request, facts, progress);
  const Scenario& base = result.base;
  if (!request.start)
    request.settings.journal->assumed(
        {"start", base::format_instant(base.start), "the first hour of the grid's data"});
  note_repeated_year(base, *request.settings.journal);
  if (base.duration.nominal().in(base::units::year) <= kMostHourlyYears)
    result.hours = hours_of(base);
  result.throughput_anchors = throughput_anchors(request, base, facts);
  result.power_anchors = power_anchors(base, facts);

  StudyRequest asked = request;  // options on the same grid keep the sizes of the study
  asked.site.power.found = base.supply.found;
  std::vector<Option> options = request.options;
  const bool standard = options.empty() && request.standard_options;
  if (standard) options = standard_options(request, base, facts);
  check_names(options);
  progress.stage("options", options.size());
  note_supply(request, options, base, *request.settings.journal);
  for (const Option& option : options) {
    if (progress.cancelled()) {
      result.interrupted = true;
      break;
    }
    if (!standard)
      result.options.push_back(option_row(asked, option, base, progress));
    else if (auto row = standard_row(asked, option, base, progress))
      result.options.push_back(std::move(*row));
    progress.advance();
  }
  return result;
}

}  // namespace greenline::study
