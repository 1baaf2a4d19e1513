#include "io/chrome_trace.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/json.hpp"
#include "io/trace_arguments.hpp"

namespace greenline::io {
namespace {

constexpr std::size_t kPiece = 64 * 1024;  // bytes handed to the sink at once, about

std::string quoted_json(const std::string& text) { return write_json(Value(text), 0); }

std::vector<std::string> quoted_json(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.push_back(quoted_json(text));
  return out;
}

// Microseconds with ns digits; never through a double, whose step at today's date is 0.25 us.
std::string microseconds(std::int64_t ns) {
  const bool negative = ns < 0;
  const std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  return fmt::format("{}{}.{:03}", negative ? "-" : "", magnitude / 1000, magnitude % 1000);
}

void check_index(int index, std::size_t size, const char* column) {
  if (index < 0 || static_cast<std::size_t>(index) >= size)
    throw base::InternalError(
        fmt::format("trace column {} holds {}, of {} {}s", column, index, size, column));
}

void check(const TraceColumns& t) {
  const std::size_t n = t.size();
  for (const std::size_t size : {t.lane.size(), t.name.size(), t.category.size(), t.phase.size(),
                                 t.duration_ns.size(), t.correlation.size(), t.external_id.size()})
    GL_CHECK_EQ(size, n);
  for (std::size_t i = 0; i < n; ++i) {
    check_index(t.lane[i], t.lanes.size(), "lane");
    check_index(t.name[i], t.names.size(), "name");
    check_index(t.category[i], t.categories.size(), "category");
    GL_CHECK_GE(t.duration_ns[i], 0);
    GL_CHECK_LE(t.start_ns[i], std::numeric_limits<std::int64_t>::max() - t.duration_ns[i]);
  }
  for (const TraceFlow& flow : t.flows) {
    check_index(flow.lane, t.lanes.size(), "lane");
    check_index(flow.name, t.names.size(), "name");
    check_index(flow.category, t.categories.size(), "category");
  }
}

class Writer {
 public:
  Writer(const TraceColumns& trace, const TextSink& sink) : t_(trace), sink_(sink) {
    for (const TraceLane& lane : t_.lanes)
      if (lane.pid.empty()) numbers_.emplace(lane.process, static_cast<int>(numbers_.size()) + 1);
    for (std::size_t i = 0; i < t_.lanes.size(); ++i)
      places_.push_back(fmt::format(R"("pid":{},"tid":{})", pid(i), tid(i)));
  }

  void write() {
    text_ += "{";
    for (const auto& [key, value] : t_.members) text_ += fmt::format("\"{}\":{},\n", key, value);
    text_ += "\"traceEvents\":[\n";
    names_ = quoted_json(t_.names);
    categories_ = quoted_json(t_.categories);
    name_lanes();
    TraceArguments arguments(t_, names_);
    for (std::size_t i = 0; i < t_.size(); ++i) event(i, arguments.next());
    for (const TraceFlow& flow : t_.flows)
      line(R"({{"ph":"{}",{}"id":{},"name":{},"cat":{},{},"ts":{}}})", flow.phase,
           flow.binds_enclosing ? R"("bp":"e",)" : "", flow.id, names_[at(flow.name)],
           categories_[at(flow.category)], places_[at(flow.lane)], microseconds(flow.time_ns));
    text_ += "\n]}\n";
    sink_(text_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (!first_) text_ += ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    if (text_.size() < kPiece) return;
    sink_(text_);
    text_.clear();
  }

  void event(std::size_t i, const std::string& arguments) {
    const std::string duration =
        t_.phase[i] == 'X' ? ",\"dur\":" + microseconds(t_.duration_ns[i]) : "";
    line(R"({{"ph":"{}","name":{},"cat":{},{},"ts":{}{}{}}})", t_.phase[i], names_[at(t_.name[i])],
         categories_[at(t_.category[i])], places_[at(t_.lane[i])], microseconds(t_.start_ns[i]),
         duration, arguments);
  }

  std::string pid(std::size_t lane) const {
    const TraceLane& l = t_.lanes[lane];
    return l.pid.empty() ? std::to_string(numbers_.at(l.process)) : l.pid;
  }
  // Viewers take a thread that has the number of its process for the main one: none has.
  std::string tid(std::size_t lane) const {
    const TraceLane& l = t_.lanes[lane];
    return l.tid.empty() ? std::to_string(numbers_.size() + 1 + lane) : l.tid;
  }

  void name_lanes() {
    std::map<std::string, bool> named;
    for (std::size_t i = 0; i < t_.lanes.size(); ++i) {
      const TraceLane& l = t_.lanes[i];
      const bool by_hand = l.pid.empty();
      const auto name = [&](const char* what, const std::string& argument) {
        line(R"({{"ph":"M","name":"{}",{},"args":{{{}}}}})", what, places_[i], argument);
      };
      const auto order = [](std::int64_t n) { return fmt::format("\"sort_index\":{}", n); };
      if (!std::exchange(named[pid(i)], true)) {
        if (by_hand || !l.process.empty())
          name("process_name", "\"name\":" + quoted_json(l.process));
        if (!l.labels.empty()) name("process_labels", "\"labels\":" + quoted_json(l.labels));
        if (l.process_order) name("process_sort_index", order(*l.process_order));
        if (by_hand && !l.process_order) name("process_sort_index", order(std::stoll(pid(i))));
      }
      if (by_hand || !l.thread.empty()) name("thread_name", "\"name\":" + quoted_json(l.thread));
      if (l.thread_order) name("thread_sort_index", order(*l.thread_order));
      if (by_hand && !l.thread_order)
        name("thread_sort_index", order(static_cast<std::int64_t>(i)));
    }
  }

  const TraceColumns& t_;
  const TextSink& sink_;
  std::map<std::string, int> numbers_;  // of processes made by hand: from 1, in order of first use
  std::vector<std::string> places_;     // (num_lanes) pid and tid
  std::vector<std::string> names_, categories_;  // quoted
  std::string text_;
  bool first_ = true;
};

}  // namespace

void write_chrome_trace(const TraceColumns& trace, const TextSink& sink) {
  check(trace);
  Writer(trace, sink).write();
}

std::string chrome_trace(const TraceColumns& trace) {
  std::string text;
  write_chrome_trace(trace, [&text](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace greenline::io
