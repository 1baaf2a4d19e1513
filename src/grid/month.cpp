#include "grid/month.hpp"

#include <fmt/format.h>

#include "base/calendar.hpp"

namespace greenline::grid {

std::string month_name(base::Instant t) {
  const base::CivilTime c = base::civil_utc(t);
  return fmt::format("{:04}-{:02}", c.year, c.month);
}

}  // namespace greenline::grid
