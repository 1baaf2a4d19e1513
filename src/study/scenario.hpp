#pragma once

#include "study/study.hpp"

namespace greenline::study {

// From the plan to carbon, for one set of inputs.
Scenario evaluate(const StudyRequest& request, const catalog::Catalog& facts,
                  base::Progress& progress);

// Hour by hour, nominal. The sums equal the scenario's nominal energy and location-based carbon.
Hours hours_of(const Scenario& scenario);

}  // namespace greenline::study
