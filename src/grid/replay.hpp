// A schedule made elsewhere, held against every limit of a site.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grid/dispatch.hpp"

namespace greenline::grid {

// A limit that a schedule breaks: in which hour, by how much (MW, or MWh of a day or a state).
struct Violation {
  std::string limit;  // "charge", "discharge", "state", "out", "in", "day", "cyclic", …
  std::size_t hour = 0;
  double size = 0;
};

struct ReplayOptions {
  Battery battery;  // its capacity is that of the design
  double flexible_share = 0;
  double idle_share = 0;    // of extra servers without work
  bool whole_days = true;   // what leaves a local day enters the same day
  bool cyclic = true;       // the state ends where it began
  double tolerance = 1e-6;  // of the highest load, and of one hour of it
};

struct Replay {
  Dispatch dispatch;
  std::vector<Violation> violations;  // in the order of hours
  double largest = 0;                 // violation, also those within the tolerance
};

// A schedule made elsewhere (a linear program, a rolling horizon, by hand) through the recursion of
// the battery with every limit checked; grid and curtailed energy are what then follows. The
// battery may charge from any wind and solar, also while the load draws from the grid.
Replay replay(const SiteHours& site, const Design& design, const Schedule& schedule,
              const ReplayOptions& options);

}  // namespace greenline::grid
