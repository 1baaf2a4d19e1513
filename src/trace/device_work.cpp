#include "trace/device_work.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "model/operator_class.hpp"

namespace greenline::trace {
namespace {

constexpr std::int64_t kAbsurd = 1'000'000'000;  // ns beyond the next start in a queue

constexpr base::EnumName kOrphans[] = {
    {static_cast<int>(Orphans::drop), "drop", "work whose launch is not in the trace is left out"},
    {static_cast<int>(Orphans::keep), "keep", "it counts like other work"},
};

std::unordered_set<io::TraceIds::Code> launches_of(const io::TraceColumns& t,
                                                   const std::vector<EventKind>& kinds) {
  std::unordered_set<io::TraceIds::Code> launches;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (kinds[static_cast<std::size_t>(t.category[i])] == EventKind::runtime &&
        t.correlation.code(i) != 0)
      launches.insert(t.correlation.code(i));
  return launches;
}

std::vector<bool> communication_names(const io::TraceColumns& t) {
  std::vector<bool> is(t.names.size());
  for (std::size_t i = 0; i < t.names.size(); ++i)
    is[i] = model::kernel_class(t.names[i]) == model::OperatorClass::communication;
  return is;
}

// Streams are queues: what runs seconds into the next event of its own has a wrong end.
void drop_absurd(const io::TraceColumns& t, DeviceWork& work) {
  std::vector<std::int64_t> next(work.events.size(), io::kMaxTraceTime);
  std::unordered_map<int, std::int64_t> next_of_lane;
  for (std::size_t i = work.events.size(); i-- > 0;) {
    const auto [at, is_first] =
        next_of_lane.try_emplace(t.lane[work.events[i].event], io::kMaxTraceTime);
    next[i] = at->second;
    at->second = work.events[i].start_ns;
  }
  std::vector<DeviceEvent> kept;
  for (std::size_t i = 0; i < work.events.size(); ++i) {
    const DeviceEvent& e = work.events[i];
    if (e.end_ns >= kAbsurd && next[i] < e.end_ns - kAbsurd) {
      ++work.counts.absurd_durations;
      continue;
    }
    if (next[i] < e.end_ns) ++work.counts.same_stream_overlaps;
    kept.push_back(e);
  }
  work.events = std::move(kept);
}

}  // namespace

std::span<const base::EnumName> enum_names(Orphans) { return kOrphans; }

std::int64_t DeviceWork::end_ns() const {
  std::int64_t end = events.front().end_ns;
  for (const DeviceEvent& e : events) end = std::max(end, e.end_ns);
  return end;
}

DeviceWork device_work(const io::TraceColumns& t, Orphans orphans) {
  const std::vector<EventKind> kinds = kinds_of(t);
  const auto launches = launches_of(t, kinds);
  const std::vector<bool> is_communication = communication_names(t);
  DeviceWork work;
  work.counts.no_launches = launches.empty();
  std::unordered_map<io::TraceIds::Code, std::int64_t> of_launch;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const EventKind kind = kinds[static_cast<std::size_t>(t.category[i])];
    if (!is_device_work(kind) || t.phase[i] != 'X') continue;
    ++work.counts.all;
    if (t.start_ns[i] == 0 && t.duration_ns[i] == 0) {
      ++work.counts.unstamped;
      continue;
    }
    const io::TraceIds::Code launch = t.correlation.code(i);
    if (launch == 0) ++work.counts.without_correlation;
    if (launch != 0 && !launches.empty() && launches.find(launch) == launches.end()) {
      ++work.counts.orphans;
      if (orphans == Orphans::drop) continue;
    } else if (launch != 0) {
      ++of_launch[launch];
    }
    if (t.duration_ns[i] == 0) ++work.counts.zero_durations;
    work.events.push_back(
        {t.start_ns[i], t.end_ns(i), static_cast<std::uint32_t>(i), kind,
         kind == EventKind::kernel && is_communication[static_cast<std::size_t>(t.name[i])]});
  }
  for (const auto& [launch, number] : of_launch)
    if (number > 1) work.counts.of_graphs += number;
  // The lane and name too, so that equal times of two files in another order stay in one order.
  std::sort(work.events.begin(), work.events.end(),
            [&t](const DeviceEvent& a, const DeviceEvent& b) {
              const auto key = [&t](const DeviceEvent& e) {
                return std::tie(e.start_ns, e.end_ns,
                                t.lanes[static_cast<std::size_t>(t.lane[e.event])].tid);
              };
              // Of equal ones on a stream the one that was launched first.
              const auto last_key = [&t](const DeviceEvent& e) {
                return std::pair<std::int64_t, const std::string&>(
                    t.correlation.at(e.event).value_or(-1),
                    t.names[static_cast<std::size_t>(t.name[e.event])]);
              };
              if (key(a) != key(b)) return key(a) < key(b);
              return last_key(a) < last_key(b);
            });
  drop_absurd(t, work);
  return work;
}

}  // namespace greenline::trace
