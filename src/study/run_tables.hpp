// Tables and charts of `study run`.
#pragma once

#include "study/study.hpp"

namespace greenline::study {

void present_composition(verb::Report& r, const Scenario& s);
void present_anchors(verb::Report& r, const StudyResult& x);
void present_power_anchors(verb::Report& r, const StudyResult& x);
void present_options(verb::Report& r, const StudyResult& x);
void present_hours(verb::Report& r, const StudyResult& x);
void present_limits(verb::Report& r, const StudyResult& x);

}  // namespace greenline::study
