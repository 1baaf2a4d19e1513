#include "trace/device_links.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trace/event_kind.hpp"

namespace greenline::trace {
namespace {

enum class CallKind : std::uint8_t {
  other,
  wait_device,
  wait_stream,
  wait_event,
  stream_wait,
  copy
};

CallKind call_kind(std::string_view name) {
  const auto has = [name](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  };
  if (has("DeviceSynchronize") || has("CtxSynchronize")) return CallKind::wait_device;
  if (has("StreamSynchronize")) return CallKind::wait_stream;
  if (has("EventSynchronize")) return CallKind::wait_event;
  if (has("StreamWaitEvent")) return CallKind::stream_wait;
  if (has("Memcpy")) return CallKind::copy;
  return CallKind::other;
}

struct Launched {
  std::int64_t time;  // start of the call
  std::int32_t work;
};

class Linker {
 public:
  Linker(const io::TraceColumns& trace, const DeviceWork& work, GraphCounts& counts)
      : t_(trace), work_(work), counts_(counts), lanes_(trace.lanes.size()) {}

  DeviceLinks run() {
    find_calls();
    find_launches();
    find_queues();
    find_syncs();
    for (const std::uint32_t call : calls_) link(call);
    if (!counts_.has_synchronisations) infer_events();
    return std::move(links_);
  }

 private:
  struct Sync {
    const io::TraceSync* row;
    std::int64_t stream;
  };

  CallKind kind_of_call(std::uint32_t call) const {
    return call_kinds_[static_cast<std::size_t>(t_.name[call])];
  }

  void find_calls() {
    const std::vector<EventKind> kinds = kinds_of(t_);
    for (const std::string& name : t_.names) call_kinds_.push_back(call_kind(name));
    for (std::size_t i = 0; i < t_.size(); ++i)
      if (kinds[static_cast<std::size_t>(t_.category[i])] == EventKind::runtime &&
          t_.phase[i] == 'X')
        calls_.push_back(static_cast<std::uint32_t>(i));
    std::stable_sort(calls_.begin(), calls_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::pair(t_.start_ns[a], -t_.duration_ns[a]) <
             std::pair(t_.start_ns[b], -t_.duration_ns[b]);
    });
  }

  void find_launches() {
    for (const std::uint32_t call : calls_)
      if (const auto code = t_.correlation.code(call); code != 0) call_of_.try_emplace(code, call);
    std::unordered_map<std::uint32_t, std::int64_t> num_launched;
    for (const DeviceEvent& e : work_.events) {
      const auto code = t_.correlation.code(e.event);
      const auto found = code == 0 ? call_of_.end() : call_of_.find(code);
      std::uint32_t call = found == call_of_.end() ? kNoEvent : found->second;
      if (call != kNoEvent && t_.start_ns[call] > e.start_ns) {
        ++counts_.against_order;
        call = kNoEvent;
      }
      links_.call.push_back(call);
      if (call != kNoEvent) ++num_launched[call];
    }
    for (std::size_t i = 0; i < work_.events.size(); ++i) {
      const std::uint32_t call = links_.call[i];
      if (call == kNoEvent) continue;
      ++counts_.launches;
      if (num_launched[call] > 1) ++counts_.graph_launches;
      const auto its = static_cast<std::int32_t>(i);
      lanes_[static_cast<std::size_t>(t_.lane[work_.events[i].event])].push_back(
          {t_.start_ns[call], its});
      launched_by_[t_.lane[call]].push_back({t_.start_ns[call], its});
      work_of_.try_emplace(call, its);
    }
    const auto by_time = [](std::vector<Launched>& list) {
      std::stable_sort(list.begin(), list.end(),
                       [](const Launched& a, const Launched& b) { return a.time < b.time; });
    };
    for (auto& list : lanes_) by_time(list);
    for (auto& [lane, list] : launched_by_) by_time(list);
  }

  // Streams are queues; work that starts before the end of what precedes it goes beside it.
  void find_queues() {
    std::vector<std::int64_t> end;
    queues_of_lane_.resize(t_.lanes.size());
    for (const DeviceEvent& e : work_.events) {
      auto& queues = queues_of_lane_[static_cast<std::size_t>(t_.lane[e.event])];
      auto free = std::find_if(queues.begin(), queues.end(), [&](std::int32_t q) {
        return end[static_cast<std::size_t>(q)] <= e.start_ns;
      });
      if (free == queues.end()) {
        queues.push_back(static_cast<std::int32_t>(end.size()));
        free = queues.end() - 1;
        end.push_back(0);
        links_.lane_of_queue.push_back(t_.lane[e.event]);
      }
      links_.queue.push_back(*free);
      end[static_cast<std::size_t>(*free)] = e.end_ns;
    }
  }

  void find_syncs() {
    counts_.has_synchronisations = !t_.syncs.empty();
    std::unordered_map<std::uint32_t, std::int64_t> stream_of;
    std::unordered_map<int, std::int64_t> stream_of_lane;
    for (const io::TraceWork& w : t_.work) stream_of[w.event] = w.stream;
    for (const DeviceEvent& e : work_.events)
      if (const auto at = stream_of.find(e.event); at != stream_of.end())
        stream_of_lane.emplace(t_.lane[e.event], at->second);
    for (const auto& [lane, stream] : stream_of_lane) lanes_of_stream_[stream].push_back(lane);
    for (auto& [stream, lanes] : lanes_of_stream_) std::sort(lanes.begin(), lanes.end());
    for (const io::TraceSync& row : t_.syncs) {
      const auto at = stream_of.find(row.event);
      if (const auto code = t_.correlation.code(row.event); code != 0)
        syncs_.try_emplace(code, Sync{&row, at == stream_of.end() ? io::kNoStream : at->second});
    }
  }

  const Sync* sync_of(std::uint32_t call) const {
    const auto at = syncs_.find(t_.correlation.code(call));
    return at == syncs_.end() ? nullptr : &at->second;
  }
  const std::vector<int>* lanes_of(std::int64_t stream) const {
    const auto at = lanes_of_stream_.find(stream);
    return at == lanes_of_stream_.end() ? nullptr : &at->second;
  }
  static std::int32_t last_before(const std::vector<Launched>& list, std::int64_t time) {
    const auto at = std::partition_point(list.begin(), list.end(),
                                         [time](const Launched& l) { return l.time < time; });
    return at == list.begin() ? -1 : (at - 1)->work;
  }

  void link(std::uint32_t call) {
    switch (kind_of_call(call)) {
      case CallKind::wait_device: {
        std::vector<int> all;
        for (std::size_t i = 0; i < queues_of_lane_.size(); ++i)
          if (!queues_of_lane_[i].empty()) all.push_back(static_cast<int>(i));
        wait_for_lanes(call, all, false);
        break;
      }
      case CallKind::wait_stream:
        link_stream_wait(call);
        break;
      case CallKind::wait_event:
        link_event_wait(call);
        break;
      case CallKind::stream_wait:
        link_streams(call);
        break;
      case CallKind::copy:
        link_copy(call);
        break;
      case CallKind::other:
        break;
    }
  }

  void link_stream_wait(std::uint32_t call) {
    if (const Sync* sync = sync_of(call)) {
      if (const auto* lanes = lanes_of(sync->stream)) wait_for_lanes(call, *lanes, false);
      return;
    }
    // The stream that the thread used last.
    const auto by = launched_by_.find(t_.lane[call]);
    const std::int32_t last =
        by == launched_by_.end() ? -1 : last_before(by->second, t_.start_ns[call]);
    if (last < 0) {
      ++counts_.without_wait;
      return;
    }
    wait_for_lanes(call, {t_.lane[work_.events[static_cast<std::size_t>(last)].event]}, true);
  }

  void wait_for_lanes(std::uint32_t call, const std::vector<int>& lanes, bool is_inferred) {
    const std::int64_t begin = t_.start_ns[call];
    std::int64_t until = begin;
    bool any = false;
    for (const int lane : lanes)
      for (const std::int32_t queue : queues_of_lane_[static_cast<std::size_t>(lane)]) {
        const std::int32_t newest = newest_of(lane, queue, begin);
        if (newest >= 0) {
          const std::int64_t end = work_.events[static_cast<std::size_t>(newest)].end_ns;
          if (end > t_.end_ns(call)) {
            ++counts_.against_order;
            continue;
          }
          until = std::max(until, end);
        }
        any = true;
        links_.queue_waits.push_back({call, queue, newest});
      }
    if (!any) return;
    links_.blocked[call] = until;
    count_wait(until > begin, is_inferred);
  }
  void count_wait(bool waited, bool is_inferred) {
    if (!waited) {
      ++counts_.without_wait;
      return;
    }
    ++counts_.synchronisations;
    if (is_inferred) ++counts_.inferred_synchronisations;
  }
  std::int32_t newest_of(int lane, std::int32_t queue, std::int64_t before) const {
    const auto& list = lanes_[static_cast<std::size_t>(lane)];
    auto at = std::partition_point(list.begin(), list.end(),
                                   [before](const Launched& l) { return l.time < before; });
    constexpr int kMostSteps = 64;  // queues beside the first hold little
    for (int n = 0; at != list.begin() && n < kMostSteps; ++n) {
      --at;
      if (links_.queue[static_cast<std::size_t>(at->work)] == queue) return at->work;
    }
    return -1;
  }

  // What was recorded: the last work on the stream that was launched before the record.
  std::int32_t recorded(const Sync& sync) {
    const io::TraceSync& row = *sync.row;
    const auto code = row.record_correlation < 0 ? 0 : t_.correlation.find(row.record_correlation);
    const auto record = code == 0 ? call_of_.end() : call_of_.find(code);
    const auto* lanes = lanes_of(row.wait_on_stream);
    if (record == call_of_.end() || lanes == nullptr) {
      ++counts_.outside_window;
      return -1;
    }
    return latest(*lanes, t_.start_ns[record->second]);
  }
  std::int32_t latest(const std::vector<int>& lanes, std::int64_t before) const {
    std::int32_t latest = -1;
    for (const int lane : lanes) {
      const std::int32_t its = last_before(lanes_[static_cast<std::size_t>(lane)], before);
      if (its >= 0 && (latest < 0 || work_.events[static_cast<std::size_t>(its)].end_ns >
                                         work_.events[static_cast<std::size_t>(latest)].end_ns))
        latest = its;
    }
    return latest;
  }

  void wait_for_work(std::uint32_t call, std::int32_t before, bool is_inferred) {
    const std::int64_t end = work_.events[static_cast<std::size_t>(before)].end_ns;
    if (end > t_.end_ns(call)) {
      ++counts_.against_order;
      return;
    }
    links_.blocked[call] = end;
    links_.record_waits.push_back({call, before, is_inferred});
    count_wait(end > t_.start_ns[call], is_inferred);
  }

  void link_event_wait(std::uint32_t call) {
    const Sync* sync = sync_of(call);
    const std::int32_t before = sync == nullptr ? -1 : recorded(*sync);
    if (before < 0)
      ++counts_.without_wait;
    else
      wait_for_work(call, before, false);
  }

  // A copy that is over before its call returns has blocked the thread.
  void link_copy(std::uint32_t call) {
    const auto at = work_of_.find(call);
    if (at == work_of_.end()) return;
    const DeviceEvent& e = work_.events[static_cast<std::size_t>(at->second)];
    if (e.kind != EventKind::memory_copy || e.end_ns > t_.end_ns(call)) return;
    wait_for_work(call, at->second, true);
  }

  void link_streams(std::uint32_t call) {
    const Sync* sync = sync_of(call);
    if (sync == nullptr) return;
    const std::int32_t before = recorded(*sync);
    const auto* lanes = lanes_of(sync->stream);
    if (before < 0 || lanes == nullptr) return;
    std::int32_t after = -1;
    std::int64_t time = io::kMaxTraceTime;
    for (const int lane : *lanes) {
      const auto& list = lanes_[static_cast<std::size_t>(lane)];
      const auto next = std::partition_point(
          list.begin(), list.end(), [&](const Launched& l) { return l.time < t_.end_ns(call); });
      if (next != list.end() && next->time < time) after = next->work, time = next->time;
    }
    if (after >= 0) add_event(before, after, false);
  }

  void add_event(std::int32_t before, std::int32_t after, bool is_inferred) {
    const DeviceEvent& from = work_.events[static_cast<std::size_t>(before)];
    const DeviceEvent& to = work_.events[static_cast<std::size_t>(after)];
    if (t_.lane[from.event] == t_.lane[to.event]) return;
    if (from.end_ns > to.start_ns) {
      ++counts_.against_order;
      return;
    }
    links_.events.push_back({before, after, is_inferred});
    ++counts_.events;
    if (is_inferred) ++counts_.inferred_events;
  }

  // Without records of who waits: a collective waits for what its thread launched before, and what
  // the thread launches after it has told a stream to wait, waits for the collective before that.
  void infer_events() {
    for (auto& [lane, list] : launched_by_) {
      std::vector<std::int64_t> waits;
      for (const std::uint32_t call : calls_)
        if (t_.lane[call] == lane && kind_of_call(call) == CallKind::stream_wait)
          waits.push_back(t_.start_ns[call]);
      if (waits.empty()) continue;
      std::int32_t computation = -1, collective = -1;
      std::int64_t since = 0;
      std::size_t next = 0;
      for (const Launched& l : list) {
        const bool is_told = next < waits.size() && waits[next] < l.time;
        const bool is_after_collective = is_told && waits[next] >= since;
        while (next < waits.size() && waits[next] < l.time) ++next;
        if (work_.events[static_cast<std::size_t>(l.work)].is_communication) {
          if (computation >= 0 && is_told) add_event(computation, l.work, true);
          collective = l.work;
          since = l.time;
        } else {
          if (collective >= 0 && is_after_collective) {
            add_event(collective, l.work, true);
            collective = -1;
          }
          computation = l.work;
        }
      }
    }
  }

  const io::TraceColumns& t_;
  const DeviceWork& work_;
  GraphCounts& counts_;
  DeviceLinks links_;
  std::vector<CallKind> call_kinds_;  // (num_names)
  std::vector<std::uint32_t> calls_;  // by start
  std::unordered_map<io::TraceIds::Code, std::uint32_t> call_of_;
  std::unordered_map<std::uint32_t, std::int32_t> work_of_;     // first work of a call
  std::vector<std::vector<Launched>> lanes_;                    // (num_lanes) of a device
  std::unordered_map<int, std::vector<Launched>> launched_by_;  // lane of the host
  std::vector<std::vector<std::int32_t>> queues_of_lane_;
  std::unordered_map<std::int64_t, std::vector<int>> lanes_of_stream_;
  std::unordered_map<io::TraceIds::Code, Sync> syncs_;
};

}  // namespace

DeviceLinks device_links(const io::TraceColumns& trace, const DeviceWork& work,
                         GraphCounts& counts) {
  return Linker(trace, work, counts).run();
}

}  // namespace greenline::trace
