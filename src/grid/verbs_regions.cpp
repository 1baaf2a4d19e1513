#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grid/regions.hpp"
#include "verb/fields.hpp"
#include "verb/report.hpp"

namespace greenline::grid {
namespace {

using base::AnyQuantity;
using base::CarbonIntensity;

// One member of each row.
template <class Row, class Member>
auto each(const std::vector<Row>& rows, Member member) {
  std::vector<std::decay_t<std::invoke_result_t<Member, const Row&>>> out;
  for (const Row& row : rows) out.push_back(std::invoke(member, row));
  return out;
}

void present_catalogue(verb::Report& r, const RegionsResult& x) {
  r.title("Grids of the catalogue");
  r.value("num_regions", static_cast<std::int64_t>(x.regions.size()), {.label = "regions"});
  r.value("num_countries", static_cast<std::int64_t>(x.countries.size()), {.label = "countries"});
  r.table("regions", "Regions: the mean day of each month of a year")
      .column("region", each(x.regions, &KnownSource::name))
      .column("name", each(x.regions, &KnownSource::title))
      .column("timezone", each(x.regions, &KnownSource::timezone), "time zone")
      .column("year", each(x.regions, &KnownSource::year))
      .column("mean", each(x.regions, &KnownSource::mean), "mean intensity")
      .column("wind_capacity_factor", each(x.regions, &KnownSource::wind_capacity_factor),
              "wind, of its largest hour", true)
      .column("solar_capacity_factor", each(x.regions, &KnownSource::solar_capacity_factor),
              "solar", true)
      .column("source", each(x.regions, &KnownSource::source))
      .whole();
  r.table("countries", "Countries: a yearly mean")
      .column("country", each(x.countries, &KnownSource::name))
      .column("name", each(x.countries, &KnownSource::title))
      .column("year", each(x.countries, &KnownSource::year))
      .column("mean", each(x.countries, &KnownSource::mean), "mean intensity")
      .column("source", each(x.countries, &KnownSource::source));
}

void present_runs(verb::Report& r, const std::string& key, const std::string& title,
                  const std::string& what, const std::vector<HourRun>& runs) {
  r.table(key, title)
      .column(what, each(runs, &HourRun::what))
      .column("start", each(runs, &HourRun::start), "from")
      .column("num_hours", each(runs, &HourRun::num_hours), "hours");
}

void text_or_absent(verb::Report& r, const std::string& key, const std::string& text,
                    const std::string& why, const std::string& label) {
  if (text.empty())
    r.absent(key, {}, why, {.label = label});
  else
    r.text(key, text, {.label = label});
}

void present_fuels(verb::Report& r, const SourceSummary& s) {
  r.table("fuels", "Generation by fuel")
      .column("fuel", each(s.fuels, &FuelSummary::fuel))
      .column("energy", each(s.fuels, &FuelSummary::energy), "energy")
      .column("capacity", each(s.fuels, &FuelSummary::capacity), "largest hour")
      .column("capacity_factor", each(s.fuels, &FuelSummary::capacity_factor),
              "mean of the largest hour", true)
      .column("num_zero", each(s.fuels, &FuelSummary::num_zero), "hours at 0")
      .column("num_negative", each(s.fuels, &FuelSummary::num_negative), "negative hours")
      .column("num_missing", each(s.fuels, &FuelSummary::num_missing), "missing hours")
      .whole();
}

void present_intensities(verb::Report& r, const SourceSummary& s) {
  const AnyQuantity none{CarbonIntensity{}};
  const std::pair<const char*, const std::optional<CarbonIntensity>*> kValues[] = {
      {"mean", &s.mean}, {"min", &s.min}, {"max", &s.max}};
  for (const auto& [key, value] : kValues) {
    const std::string label = std::string(key) + " intensity";
    if (*value)
      r.value(key, **value, {.label = label});
    else
      r.absent(key, none.dimension, "depends on the factor set: see means", {.label = label});
  }
  r.table("means", "Mean intensity of the hours by factor set")
      .column("factors", each(s.means, &FactorSetMean::factors))
      .column("mean", each(s.means, &FactorSetMean::mean), "mean intensity");
}

void present_source(verb::Report& r, const SourceSummary& s) {
  const bool is_file =
      s.kind == footprint::GridKind::generation || s.kind == footprint::GridKind::intensity;
  r.title("What is known about " + s.name);
  r.text("grid", s.name, {.label = "grid"});
  r.text("layout", s.layout, {.label = "layout"});
  r.text("kind", base::enum_name(s.kind), {.label = "kind of source"});
  r.text("signal", base::enum_name(s.signal), {.label = "signal"});
  text_or_absent(r, "region", s.region, "the source does not tell regions apart", "region");
  text_or_absent(r, "timezone", s.timezone, "the source names none; --tz gives one", "time zone");
  r.value("start", s.start, {.label = "from"});
  r.value("end", s.end, {.label = "to"});
  r.value("num_hours", s.num_hours, {.label = "hours"});
  r.value("whole_year", s.whole_year, {.label = "holds a whole year"});
  r.value("step", s.step, {.label = "step of the rows"});
  if (is_file)
    r.text("stamp", base::enum_name(s.stamp), {.label = "a stamp is the"});
  else
    r.absent("stamp", {}, "no file", {.label = "a stamp is the"});
  r.value("num_missing", s.num_missing, {.label = "hours without a value"});
  r.value("num_empty", s.num_empty, {.label = "hours without generation"});
  r.value("num_suspicious", static_cast<std::int64_t>(s.suspicious.size()),
          {.label = "suspicious runs of zeros"});
  r.value("has_wind", s.has_wind, {.label = "has wind"});
  r.value("has_solar", s.has_solar, {.label = "has solar"});
  const auto factor = [&](const char* key, const std::optional<double>& value, const char* fuel) {
    const std::string label = std::string(fuel) + ", mean of its largest hour";
    if (value)
      r.value(key, *value, {.label = label, .as_percent = true});
    else
      r.absent(key, {}, std::string("no ") + fuel, {.label = label});
  };
  factor("wind_capacity_factor", s.wind_capacity_factor, "wind");
  factor("solar_capacity_factor", s.solar_capacity_factor, "solar");
  present_intensities(r, s);
  present_fuels(r, s);
  present_runs(r, "gaps", "Hours without a value", "missing", s.gaps);
  present_runs(r, "suspicious", "Hours in a row at exactly 0: at rest, or missing from the source",
               "fuel", s.suspicious);
  if (s.kind == footprint::GridKind::generation || s.kind == footprint::GridKind::profile)
    r.not_included(
        "imports and exports of power: the intensity is that of generation within the region");
  if (s.kind == footprint::GridKind::generation)
    r.notice(
        "nothing is repaired here; means are over the hours that have all values, negative "
        "generation as 0");
}

}  // namespace

void describe(verb::Fields& f, RegionsRequest& r) {
  f(r.grid.grid, "grid", "a file, a region or a country; without it, all of the catalogue")
      .placeholder("FILE|REGION|COUNTRY")
      .positional();
  footprint::describe_file(f, r.grid);
}

void present(verb::Report& r, const RegionsResult& x) {
  if (x.source) {
    present_source(r, *x.source);
  } else if (!x.file.empty()) {
    r.title("Regions of " + x.file);
    r.value("num_regions", static_cast<std::int64_t>(x.file_regions.size()), {.label = "regions"});
    r.table("regions", "Choose one with --region").column("region", x.file_regions).whole();
  } else {
    present_catalogue(r, x);
  }
}

}  // namespace greenline::grid
