#include "trace/critical_path.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "trace/breakdown.hpp"
#include "trace/steps.hpp"

namespace greenline::trace {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Window {
  Span span{-io::kMaxTraceTime, io::kMaxTraceTime};
  std::string name = "the whole trace";
};

Window step_window(const io::TraceColumns& t, std::int64_t number) {
  const std::vector<Step> steps = steps_of(t);
  for (const Step& step : steps)
    if (step.number == number) return {step.window, fmt::format("ProfilerStep#{}", number)};
  throw base::UserError(
      "unknown-step", fmt::format("--step {}: the trace has no such step", number),
      steps.empty()
          ? "it has none at all: --annotation names another range"
          : fmt::format("it has steps {} to {}", steps.front().number, steps.back().number));
}

Window annotation_window(const io::TraceColumns& t, const std::string& name,
                         std::int64_t instance) {
  const std::vector<EventKind> kinds = kinds_of(t);
  std::vector<Span> found;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (kinds[at(t.category[i])] == EventKind::annotation && t.names[at(t.name[i])] == name)
      found.emplace_back(t.start_ns[i], t.end_ns(i));
  std::sort(found.begin(), found.end());
  if (instance >= 0 && instance < static_cast<std::int64_t>(found.size()))
    return {found[static_cast<std::size_t>(instance)], fmt::format("{}, {}", name, instance)};
  throw base::UserError(
      "unknown-annotation",
      fmt::format("--annotation '{}' --instance {}: the trace has {} of this name", name, instance,
                  found.size()),
      "names of ranges are those of record_function; --instance counts from 0");
}

Window window_of(const CriticalPathRequest& r, const io::TraceColumns& t) {
  if (r.step) return step_window(t, *r.step);
  if (!r.annotation.empty()) return annotation_window(t, r.annotation, r.instance);
  return {};
}

int target_of(const CriticalPathRequest& r, const io::TraceColumns& t, const Graph& g,
              const Window& window) {
  int target = -1;
  for (std::size_t i = 1; i < g.tasks.size(); ++i) {
    const Task& task = g.tasks[i];
    if (r.to) {
      if (is_device(task.kind) && t.correlation.at(task.event) == *r.to)
        target = static_cast<int>(i);
    } else if (task.start_ns >= window.span.first && task.start_ns < window.span.second &&
               task.kind != TaskKind::host_gap &&
               (target < 0 || task.end_ns > g.tasks[at(target)].end_ns)) {
      target = static_cast<int>(i);
    }
  }
  if (target >= 0) return target;
  if (r.to)
    throw base::UserError("unknown-correlation",
                          fmt::format("--to {}: no GPU event has this correlation", *r.to),
                          "it is in the arguments of kernels and of the calls that launch them");
  throw base::UserError("unknown-step", "nothing begins within " + window.name,
                        "choose another step or range");
}

std::vector<PathSegment> segments_of(const io::TraceColumns& t, const Graph& g,
                                     const std::vector<PathPart>& path) {
  const std::int64_t start = g.tasks[at(path.front().task)].start_ns;
  std::vector<PathSegment> segments;
  for (const PathPart& part : path) {
    const Task& task = g.tasks[at(part.task)];
    PathSegment s{.kind = task.kind,
                  .processor = g.processors[at(task.processor)],
                  .start = task.start_ns - start,
                  .length = part.own_ns,
                  .by = part.by,
                  .lag = part.lag_ns,
                  .is_inferred = part.is_inferred};
    if (task.event != kNoEvent) {
      s.name = t.names[at(t.name[task.event])];
      s.correlation = t.correlation.at(task.event).value_or(-1);
    }
    segments.push_back(std::move(s));
  }
  return segments;
}

// The path as a lane of its own, and an arrow where it goes from one lane to another.
std::shared_ptr<const io::TraceColumns> overlay_of(const io::TraceColumns& t, const Graph& g,
                                                   const std::vector<PathPart>& path) {
  auto out = std::make_shared<io::TraceColumns>(t);
  const int lane = static_cast<int>(out->lanes.size());
  out->lanes.push_back({"critical path", "what it is", "\"critical path\"", "\"path\""});
  out->lanes.back().process_order = -1;
  const auto text = [](std::vector<std::string>& texts, std::string name) {
    const auto found = std::find(texts.begin(), texts.end(), name);
    if (found != texts.end()) return static_cast<int>(found - texts.begin());
    texts.push_back(std::move(name));
    return static_cast<int>(texts.size()) - 1;
  };
  const int category = text(out->categories, "critical_path");
  std::map<std::string, int> names;
  const auto name_id = [&](const std::string& name) {
    const auto [at, is_new] = names.try_emplace(name, 0);
    if (is_new) at->second = text(out->names, name);
    return at->second;
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Task& task = g.tasks[at(path[i].task)];
    if (path[i].lag_ns > 0)
      out->add(lane, name_id(fmt::format("wait: {}", kind_name(path[i].by))), category,
               task.start_ns - path[i].lag_ns, path[i].lag_ns);
    if (path[i].own_ns > 0)
      out->add(lane, task.event == kNoEvent ? name_id(kind_name(task.kind)) : t.name[task.event],
               category, task.start_ns, path[i].own_ns);
    if (i == 0) continue;
    const Task& before = g.tasks[at(path[i - 1].task)];
    if (before.event == kNoEvent || task.event == kNoEvent || before.event == task.event ||
        t.lane[before.event] == t.lane[task.event])
      continue;
    const bool from_start = path[i - 1].own_ns == 0 && before.length() > 0;
    const auto id = static_cast<std::int64_t>(i);
    const int name = name_id("critical_path");
    out->flows.push_back({id, from_start ? before.start_ns : before.end_ns, t.lane[before.event],
                          name, category, 's', false});
    out->flows.push_back({id, task.start_ns, t.lane[task.event], name, category, 'f', true});
  }
  return out;
}

}  // namespace

CriticalPathResult critical_path_of(const CriticalPathRequest& request,
                                    const RankIdentity& identity, const io::TraceColumns& trace) {
  CriticalPathResult x;
  x.identity = identity;
  const DeviceWork work = device_work(trace, request.orphans);
  require_work(identity, work);
  const Graph g = execution_graph(trace, work);
  x.counts = g.counts;
  const Window window = window_of(request, trace);
  x.window = window.name;
  const auto path = critical_path(g, target_of(request, trace, g, window), window.span.first);
  x.segments = segments_of(trace, g, path);
  x.times = path_times(g, path);
  x.overlay = overlay_of(trace, g, path);
  return x;
}

CriticalPathResult find_critical_path(const CriticalPathRequest& request,
                                      base::Progress& progress) {
  auto found = load_job<CriticalPathResult>(
      request.files, request.settings,
      [&](const RankIdentity& identity, const TraceHeader&, const io::TraceRead& read) {
        return critical_path_of(request, identity, read.trace);
      },
      progress);
  if (found.size() > 1)
    throw base::DataError("several-traces",
                          fmt::format("{} traces: expected the one of one rank", found.size()),
                          "give one file; `greenline trace stragglers` says who waits for whom");
  return std::move(found.front());
}

}  // namespace greenline::trace
