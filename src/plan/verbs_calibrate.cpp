#include <fmt/format.h>

#include "plan/calibrate.hpp"
#include "verb/fields.hpp"
#include "verb/report.hpp"

namespace greenline::plan {
namespace {

using verb::Cell;

template <class T>
Cell cell_or(const std::optional<T>& x, const char* why) {
  return x ? verb::make_cell(*x) : Cell(verb::Absent{why});
}

constexpr const char* kOneSize = "runs of one model size alone";

void present_error(verb::Report& r, const CalibrateResult& x) {
  r.value("mape", x.error, {.label = "mean error", .headline = true, .as_percent = true});
  if (x.held_out_error)
    r.value("leave_one_size_out", *x.held_out_error,
            {.label = "mean error on a size that was left out",
             .why = "each size is predicted with constants that were fitted to the others",
             .headline = true,
             .as_percent = true});
  else
    r.absent("leave_one_size_out", {}, x.interrupted ? "the fit was interrupted" : kOneSize,
             {.label = "mean error on a size that was left out"});
  r.value("naive_mape", x.naive_error,
          {.label = "mean error of the naive baseline",
           .why = fmt::format("FLOP / (devices x peak x {:.3f}), the best that one share can do",
                              x.naive_share),
           .as_percent = true});
  r.value("naive_share", x.naive_share, {.label = "its share of the peak", .as_percent = true});
  r.text("system", x.system, {.label = "system"});
  r.text("generation", x.generation, {.label = "constants of"});
  r.value("runs", static_cast<std::int64_t>(x.rows.size()), {.label = "measured runs"});
  r.value("evaluations", x.evaluations, {.label = "evaluations of all runs"});
}

void present_constants(verb::Report& r, const CalibrateResult& x) {
  std::vector<std::string> ids, units;
  std::vector<double> catalogue, fitted;
  std::vector<Cell> low, high;
  std::vector<bool> at_bound;
  for (const CalibratedConstant& c : x.constants) {
    ids.push_back(c.id);
    units.push_back(c.unit);
    catalogue.push_back(c.catalogue);
    fitted.push_back(c.fitted);
    low.push_back(cell_or(c.low, kOneSize));
    high.push_back(cell_or(c.high, kOneSize));
    at_bound.push_back(c.at_bound);
  }
  r.table("constants", "Constants: low and high over the fits that leave one size out")
      .column("id", ids)
      .column("unit", units)
      .column("catalogue", catalogue)
      .column("fitted", fitted)
      .column("low", low)
      .column("high", high)
      .column("at_bound", at_bound, "at its bound");
}

void present_sizes(verb::Report& r, const CalibrateResult& x) {
  std::vector<std::string> sizes, chosen;
  std::vector<std::int64_t> rows;
  std::vector<double> errors, naive, over_best;
  std::vector<Cell> held_out, order;
  for (const CalibratedSize& s : x.sizes) {
    sizes.push_back(s.size);
    rows.push_back(s.rows);
    errors.push_back(s.error);
    held_out.push_back(cell_or(s.held_out_error, kOneSize));
    naive.push_back(s.naive_error);
    order.push_back(cell_or(s.spearman, "too few different values to have an order"));
    chosen.push_back(s.chosen);
    over_best.push_back(s.chosen_over_best);
  }
  r.table("sizes", "By model size: what the fit would choose, and what that costs")
      .column("size", sizes)
      .column("rows", rows)
      .column("mape", errors, "mean error", true)
      .column("leave_one_size_out", held_out, "left out", true)
      .column("naive_mape", naive, "naive", true)
      .column("spearman", order, "rank correlation")
      .column("chosen", chosen)
      .column("chosen_over_best", over_best, "chosen / best, measured");
}

void present_rows(verb::Report& r, const CalibrateResult& x) {
  std::vector<std::string> names, sizes;
  std::vector<base::Time> measured, ours, naive;
  std::vector<double> errors;
  for (const CalibratedRun& row : x.rows) {
    names.push_back(row.name);
    sizes.push_back(row.size);
    measured.push_back(row.measured);
    ours.push_back(row.ours);
    naive.push_back(row.naive);
    errors.push_back(row.error());
  }
  r.table("rows", "Measured runs and ours")
      .column("name", names)
      .column("size", sizes)
      .column("measured", measured)
      .column("ours", ours)
      .column("naive", naive)
      .column("error", errors, "", true)
      .hidden();
  r.chart({.key = "measured_and_ours",
           .title = "Measured and modelled time of an iteration",
           .kind = verb::ChartKind::scatter,
           .x = "rows.measured",
           .y = {"rows.ours"},
           .labels = {"ours"},
           .x_label = "measured",
           .y_label = "ours",
           .name = "rows.name"});
}

}  // namespace

void describe(verb::Fields& f, CalibrateRequest& r) {
  f(r.measured, "measured", "CSV of measured iterations, one a row; may be given several times")
      .required()
      .placeholder("FILE");
  f(r.system, "system", "node of the catalogue, or a system file, that they ran on")
      .placeholder("NODE|FILE.toml");
}

void present(verb::Report& r, const CalibrateResult& x) {
  r.title(fmt::format("Constants of {} from {} measured runs", x.generation, x.rows.size()));
  present_error(r, x);
  present_sizes(r, x);
  present_constants(r, x);
  present_rows(r, x);
  r.attachment(".toml", [&] { return system_file_text(x); });
  for (const CalibratedConstant& c : x.constants)
    if (c.at_bound)
      r.notice(fmt::format("{} is at the bound of the fit: the runs do not determine it", c.id));
  if (x.sizes.size() < 2)
    r.notice(
        "the runs are of one model size alone: nothing says how far the constants carry to "
        "another");
  if (x.interrupted) r.notice("interrupted: the constants are the best so far");
  r.not_included(
      "software that is not in the file: the runs are taken as Megatron-DeepSpeed's, GPT models "
      "with 1F1B and full recomputation");
}

}  // namespace greenline::plan
