#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "plan/iteration.hpp"
#include "plan/pipeline.hpp"

namespace greenline::plan {
namespace {

using base::Time;

struct Case {
  std::int64_t stages, micro_batches, chunks;
};

Case any_case() {
  Case c{};
  c.stages = *rc::gen::inRange<std::int64_t>(2, 9);
  c.chunks = *rc::gen::inRange<std::int64_t>(1, 5);
  c.micro_batches = c.stages * *rc::gen::inRange<std::int64_t>(1, 6);
  return c;
}

RC_GTEST_PROP(PlanPipeline, ClosedFormEqualsTheSchedule, ()) {
  const Case c = any_case();
  const StageWork work{Time::from_base(*rc::gen::inRange(1, 100)),
                       Time::from_base(*rc::gen::inRange(1, 200))};
  const std::vector<StageWork> stages(static_cast<std::size_t>(c.stages), work);
  const std::vector<Time> times(stages.size(), work.forward + work.backward);
  const double scheduled =
      pipeline_schedule(stages, c.micro_batches, c.chunks).run().makespan.base_value();
  const double closed = pipeline_time(times, c.micro_batches, c.chunks).base_value();
  RC_ASSERT(std::abs(scheduled - closed) <=
            0.01 * scheduled);  // equal stages: the two are the same formula
}

RC_GTEST_PROP(PlanPipeline, ASlowEndStageIsBoundedByTheClosedForm, ()) {
  const Case c = any_case();
  const StageWork work{Time::from_base(10), Time::from_base(20)};
  std::vector<StageWork> stages(static_cast<std::size_t>(c.stages), work);
  const double factor = 1 + 0.01 * *rc::gen::inRange(0, 50);
  stages.back() = {factor * work.forward, factor * work.backward};
  std::vector<Time> times;
  for (const StageWork& s : stages) times.push_back(s.forward + s.backward);
  const double scheduled =
      pipeline_schedule(stages, c.micro_batches, 1).run().makespan.base_value();
  const double closed = pipeline_time(times, c.micro_batches, 1).base_value();
  RC_ASSERT(std::abs(scheduled - closed) <= 0.01 * scheduled);
}

RC_GTEST_PROP(PlanPipeline, EveryStageDoesAllItsWork, ()) {
  const Case c = any_case();
  const std::vector<StageWork> stages(static_cast<std::size_t>(c.stages),
                                      {Time::from_base(1), Time::from_base(2)});
  const model::Timeline t = pipeline_schedule(stages, c.micro_batches, c.chunks);
  RC_ASSERT(t.num_tasks() == 2 * c.stages * c.micro_batches * c.chunks);
  for (const Time busy : t.run().busy)
    RC_ASSERT(std::abs(busy.base_value() - 3.0 * static_cast<double>(c.micro_batches)) <=
              1e-9 * static_cast<double>(c.micro_batches));
}

RC_GTEST_PROP(PlanPipeline, MoreChunksNeverLengthenThePipeline, ()) {
  const Case c = any_case();
  const std::vector<Time> times(static_cast<std::size_t>(c.stages), Time::from_base(3));
  RC_ASSERT(pipeline_time(times, c.micro_batches, c.chunks + 1) <=
            pipeline_time(times, c.micro_batches, c.chunks));
}

}  // namespace
}  // namespace greenline::plan
