#include "grid/selftest.hpp"

#include <fmt/format.h>

#include "grid/balance.hpp"
#include "grid/flexible.hpp"
#include "grid/intensity.hpp"
#include "grid/selftest_size.hpp"
#include "grid/selftest_storage.hpp"
#include "grid/simulate.hpp"
#include "grid/site_of_grid.hpp"
#include "io/file.hpp"

namespace greenline::grid {
namespace {

using base::CheckRow;
namespace units = base::units;

// The references are printed with six decimals of a percent or a g/kWh.
constexpr double kPrinted = 1e-6;

CheckRow row(std::string table, std::string name, double expected, double got, std::string unit,
             double tolerance) {
  CheckRow r;
  r.table = std::move(table);
  r.name = std::move(name);
  r.expected = expected;
  r.got = got;
  r.unit = std::move(unit);
  r.tolerance = tolerance;
  r.source = "carbonexplorer2023";
  return r;
}

// Six hours that can be checked by hand: 10 MW against 14, 20, 6, 0, 12 and 5 MW leave 4 + 10 + 5
// of 60 MWh to the grid.
CheckRow six_hours() {
  const std::vector<base::Power> load(6, 10.0 * units::MW);
  std::vector<base::Power> supply;
  for (const double mw : {14.0, 20.0, 6.0, 0.0, 12.0, 5.0}) supply.push_back(mw * units::MW);
  return row("Balance", "six hours by hand", 41.0 / 60, balance(load, supply).coverage(), "",
             1e-15);  // one division
}

struct Reference {
  const char *name, *file;
  double mean, min, max;  // g/kWh; 0: no reference
};
constexpr Reference kIntensities[] = {
    {"BPAT 1-15 May 2021", "eia_bpat_2021-05-01_15_mwh.csv", 27.585381, 0, 0},
    {"CISO 2021", "eia_ciso_2021_mwh.csv", 264.710407, 87.242891, 427.531084},
    {"ERCO 2021", "eia_erco_2021_mwh.csv", 360.639021, 152.852421, 525.375590},
};

struct Coverage {
  const char *name, *file;
  double load_mw, wind_mw, solar_mw, percent;
};
constexpr Coverage kCoverages[] = {
    {"BPAT 1-15 May 2021", "eia_bpat_2021-05-01_15_mwh.csv", 70, 500, 0, 74.0192},
    {"BPAT 1-15 May 2021", "eia_bpat_2021-05-01_15_mwh.csv", 70, 100, 0, 46.0831},
    {"CISO 2021", "eia_ciso_2021_mwh.csv", 50, 100, 0, 65.043180},
    {"CISO 2021", "eia_ciso_2021_mwh.csv", 50, 0, 100, 41.437771},
    {"CISO 2021", "eia_ciso_2021_mwh.csv", 50, 150, 100, 88.359021},
    {"CISO 2021", "eia_ciso_2021_mwh.csv", 50, 300, 300, 94.669896},
    {"ERCO 2021", "eia_erco_2021_mwh.csv", 50, 100, 0, 73.294788},
    {"ERCO 2021", "eia_erco_2021_mwh.csv", 50, 0, 100, 37.519948},
    {"ERCO 2021", "eia_erco_2021_mwh.csv", 50, 150, 100, 94.099271},
    {"ERCO 2021", "eia_erco_2021_mwh.csv", 50, 300, 300, 98.885412},
};

class Rows {
 public:
  explicit Rows(const base::SelftestRequest& request) : request_(request) {}

  // False, and a notice, when the file is not there.
  bool has(const char* file) {
    if (!request_.root.empty() && io::is_file(path(file))) return true;
    request_.settings.journal->notice(
        request_.root.empty()
            ? "rows on hourly files are left out: --root and GREENLINE_SHARED are not set"
            : fmt::format("rows on {} are left out: there is no such file", path(file)));
    return false;
  }

  void intensities(const Reference& r) {
    if (!has(r.file)) return;
    const IntensityResult x = intensity({quiet(), {.grid = path(r.file)}});
    add("Intensity", fmt::format("{}: mean", r.name), r.mean, x.mean.in(units::g_per_kWh), "g/kWh",
        kPrinted);
    if (r.min > 0)
      add("Intensity", fmt::format("{}: lowest hour", r.name), r.min, x.min.in(units::g_per_kWh),
          "g/kWh", kPrinted);
    if (r.max > 0)
      add("Intensity", fmt::format("{}: highest hour", r.name), r.max, x.max.in(units::g_per_kWh),
          "g/kWh", kPrinted);
  }

  void coverage(const Coverage& c) {
    if (!has(c.file)) return;
    SimulateRequest r;
    r.settings = quiet();
    r.grid.grid = path(c.file);
    r.load = c.load_mw * units::MW;
    r.wind = c.wind_mw * units::MW;
    r.solar = c.solar_mw * units::MW;
    r.compat = Compat::carbon_explorer;
    add("Coverage",
        fmt::format("{}: {} MW load, {} MW wind, {} MW solar", c.name, c.load_mw, c.wind_mw,
                    c.solar_mw),
        c.percent / 100, simulate(r).balance.coverage(), "", kPrinted);
  }

  // With the load of the release and days of 24 hours; none where the file is not there.
  std::optional<SiteHours> site(const char* file, double load_mw) {
    if (!has(file)) return std::nullopt;
    const base::Settings settings = quiet();
    const footprint::GridHours grid =
        footprint::load_grid({.grid = path(file)}, catalog::Catalog(settings), settings);
    SiteHours out = site_hours(
        grid,
        carbon_explorer_load(load_mw * units::MW, grid.intensity.start, grid.intensity.size()),
        CapacityBasis::window_max);
    out.day_begin = blocks_of(out.num_hours());
    return out;
  }

  std::vector<CheckRow> rows;

 private:
  void add(std::string table, std::string name, double expected, double got, std::string unit,
           double tolerance) {
    rows.push_back(
        row(std::move(table), std::move(name), expected, got, std::move(unit), tolerance));
  }
  std::string path(const char* file) const { return request_.root + "/data/grid/" + file; }
  // The notices about each file would drown the table.
  base::Settings quiet() const {
    base::Settings settings = request_.settings;
    settings.journal = std::make_shared<base::Journal>();
    return settings;
  }

  const base::SelftestRequest& request_;
};

}  // namespace

std::vector<CheckRow> selftest(const base::SelftestRequest& request, base::Progress& progress) {
  Rows rows(request);
  rows.rows.push_back(six_hours());
  progress.stage("grid references", std::size(kIntensities) + std::size(kCoverages));
  for (const Reference& r : kIntensities) rows.intensities(r), progress.advance();
  for (const Coverage& c : kCoverages) rows.coverage(c), progress.advance();
  const SiteOfFile site_of_file = [&](const char* file, double mw) { return rows.site(file, mw); };
  add_storage_rows(site_of_file, rows.rows);
  add_size_rows(site_of_file, rows.rows, progress);
  return std::move(rows.rows);
}

}  // namespace greenline::grid
