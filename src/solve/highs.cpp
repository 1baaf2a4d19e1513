// HiGHS, where this build found it.
#include "solve/solver.hpp"

#ifndef GREENLINE_HIGHS

namespace greenline::solve {
const Solver* highs() { return nullptr; }
}  // namespace greenline::solve

#else
#include <algorithm>
#include <limits>
#include <utility>

#include <Highs.h>
#include <fmt/format.h>

namespace greenline::solve {
namespace {

constexpr std::pair<Place, HighsBasisStatus> kPlaces[] = {
    {Place::basic, HighsBasisStatus::kBasic},
    {Place::at_lower, HighsBasisStatus::kLower},
    {Place::at_upper, HighsBasisStatus::kUpper},
    {Place::free, HighsBasisStatus::kZero},
};
HighsBasisStatus status(Place p) {
  for (const auto& [place, status] : kPlaces)
    if (place == p) return status;
  return HighsBasisStatus::kNonbasic;
}
Place place(HighsBasisStatus s) {
  for (const auto& [place, status] : kPlaces)
    if (status == s) return place;
  return Place::free;
}

HighsLp model_of(const LinearProgram& lp, const ColumnMatrix& matrix) {
  HighsLp out;
  out.num_col_ = lp.num_columns();
  out.num_row_ = lp.num_rows();
  out.col_cost_ = lp.cost;
  out.col_lower_ = lp.lower;
  out.col_upper_ = lp.upper;
  out.row_lower_ = lp.row_lower;
  out.row_upper_ = lp.row_upper;
  out.a_matrix_.format_ = MatrixFormat::kColwise;
  out.a_matrix_.num_col_ = lp.num_columns();
  out.a_matrix_.num_row_ = lp.num_rows();
  out.a_matrix_.start_.assign(matrix.begin.begin(), matrix.begin.end());
  out.a_matrix_.index_.assign(matrix.row.begin(), matrix.row.end());
  out.a_matrix_.value_ = matrix.value;
  return out;
}

Status status_of(HighsModelStatus s) {
  switch (s) {
    case HighsModelStatus::kOptimal:
      return Status::optimal;
    case HighsModelStatus::kInfeasible:
    case HighsModelStatus::kUnboundedOrInfeasible:  // which of both is proved later
      return Status::infeasible;
    case HighsModelStatus::kUnbounded:
      return Status::unbounded;
    case HighsModelStatus::kIterationLimit:
      return Status::iteration_limit;
    case HighsModelStatus::kInterrupt:
      return Status::interrupted;
    default:
      return Status::not_converged;
  }
}

class Hs : public Solver {
 public:
  std::string name() const override {
    return fmt::format("HiGHS {}.{}.{}", HIGHS_VERSION_MAJOR, HIGHS_VERSION_MINOR,
                       HIGHS_VERSION_PATCH);
  }

  Solution run(const LinearProgram& lp, const ColumnMatrix& matrix, const Options& options,
               base::Progress& progress) const override {
    Highs highs;
    highs.setOptionValue("output_flag", false);
    highs.setOptionValue("solver", "simplex");
    highs.setOptionValue("threads", 1);
    if (options.max_iterations > 0)
      highs.setOptionValue("simplex_iteration_limit",
                           static_cast<HighsInt>(std::min<std::int64_t>(
                               options.max_iterations, std::numeric_limits<HighsInt>::max())));
    if (options.method == Method::primal) highs.setOptionValue("simplex_strategy", 4);
    if (options.careful) highs.setOptionValue("dual_simplex_cost_perturbation_multiplier", 0.0);
    if (!options.presolve || options.careful || options.start != nullptr)
      highs.setOptionValue("presolve", "off");
    highs.setCallback([&progress](int, const std::string&, const HighsCallbackOutput*,
                                  HighsCallbackInput* in, void*) {
      if (progress.cancelled()) in->user_interrupt = true;
    });
    highs.startCallback(kCallbackSimplexInterrupt);
    highs.passModel(model_of(lp, matrix));
    if (options.start != nullptr) {
      HighsBasis basis;
      basis.valid = true;
      for (const Place p : options.start->columns) basis.col_status.push_back(status(p));
      for (const Place p : options.start->rows) basis.row_status.push_back(status(p));
      highs.setBasis(basis);
    }
    highs.run();
    Solution out;
    out.status = status_of(highs.getModelStatus());
    out.iterations = std::max<std::int64_t>(0, highs.getInfo().simplex_iteration_count);
    if (out.status != Status::optimal) return out;
    for (const HighsBasisStatus s : highs.getBasis().col_status)
      out.basis.columns.push_back(place(s));
    for (const HighsBasisStatus s : highs.getBasis().row_status) out.basis.rows.push_back(place(s));
    out.primal = highs.getSolution().col_value;
    out.dual = highs.getSolution().row_dual;
    return out;
  }
};

}  // namespace

const Solver* highs() {
  static const Hs solver;
  return &solver;
}

}  // namespace greenline::solve
#endif
