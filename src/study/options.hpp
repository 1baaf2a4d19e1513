#pragma once

#include <string>
#include <vector>

#include "study/study.hpp"

namespace greenline::study {

// What a planner asks first: another grid, half a year later, wind and solar on site, half the
// devices.
std::vector<Option> standard_options(const StudyRequest& request, const Scenario& base,
                                     const catalog::Catalog& facts);

// "1.6 MW wind, 1.6 MW solar": what an option sets, for people; names hold no computed size, so
// that two studies can be compared row by row.
std::string change_text(const Option& option);

// The study with one option applied. A new device count frees the strategy and batch for the
// planner.
StudyRequest with_option(const StudyRequest& request, const Option& option);

}  // namespace greenline::study
