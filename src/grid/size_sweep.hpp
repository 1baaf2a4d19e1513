// Sizes by trying many designs: what a battery that takes surplus only needs, and what the release
// of Carbon Explorer does.
#pragma once

#include "grid/size.hpp"
#include "grid/sweep.hpp"

namespace greenline::grid {

// What the designs of a sweep embody a year.
YearlyEmbodied yearly_embodied(const SizeOptions& options);

// Ranges of a sweep: the limits that are given; else four times the capacity whose mean output is
// the mean load, a day of the mean load, and the extra servers allowed when work can move.
DesignGrid sweep_ranges(const SiteHours& site, const SizeRules& rules, const SizeOptions& options);

struct SweepPlan {
  bool found = false, stopped = false;
  Design design;
  double highest_coverage = 0;  // of all designs, also those that break a limit
  std::vector<FrontPoint> front;
  std::vector<std::string> edges;  // ranges that end at the best design
  std::size_t num_designs = 0;
};

// Least operational and embodied carbon within the limits of `options`; `rounds` further sweeps
// narrow the ranges about the best.
SweepPlan sweep_plan(const SiteHours& site, const DesignGrid& ranges, const SizeOptions& options,
                     double flexible_share, int rounds, base::Progress& progress);

// Coverage of wind × solar up to twice the sizes of `design`, beside its battery and servers.
std::vector<SurfacePoint> coverage_surface(const SiteHours& site, const DesignGrid& ranges,
                                           const SizeOptions& options, double flexible_share,
                                           const Design& design);

// Marks of each kind the point that is farthest from the line between the ends of its front, both
// axes scaled to 1. Points by rising embodied carbon.
void mark_knees(std::vector<FrontPoint>& front);

// The four strategies of the release by its own rules.
std::vector<PublishedChoice> published_choices(const SiteHours& site, DesignGrid ranges,
                                               const SizeRules& rules, base::Progress& progress);

}  // namespace greenline::grid
