#include "app/register.hpp"

#include "app/diff.hpp"
#include "app/doctor.hpp"
#include "app/explain.hpp"
#include "app/selftest.hpp"
#include "app/stored_report.hpp"
#include "catalog/verbs.hpp"
#include "footprint/verbs.hpp"
#include "grid/verbs.hpp"
#include "mlperf/verbs.hpp"
#include "plan/verbs.hpp"
#include "study/verbs.hpp"
#include "trace/verbs.hpp"

namespace greenline::app {

void register_all(verb::Registry& registry) {
  study::register_verbs(registry);
  plan::register_verbs(registry);
  grid::register_verbs(registry);
  mlperf::register_verbs(registry);
  trace::register_verbs(registry);
  footprint::register_verbs(registry);
  catalog::register_verbs(registry);
  register_report(registry);
  register_explain(registry);
  register_diff(registry);
  register_selftest(registry);
  register_doctor(registry);
}

}  // namespace greenline::app
