#include "io/chrome_trace.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/json.hpp"

namespace greenline::io {
namespace {

constexpr std::size_t kPiece = 64 * 1024;  // bytes handed to the sink at once, about

std::string quoted_json(const std::string& text) { return write_json(Value(text), 0); }

std::vector<std::string> quoted_json(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
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
  for (const std::size_t size :
       {t.lane.size(), t.name.size(), t.category.size(), t.duration_ns.size()})
    GL_CHECK_EQ(size, n);
  for (std::size_t i = 0; i < n; ++i) {
    check_index(t.lane[i], t.lanes.size(), "lane");
    check_index(t.name[i], t.names.size(), "name");
    check_index(t.category[i], t.categories.size(), "category");
    GL_CHECK_GE(t.duration_ns[i], 0);
    GL_CHECK_LE(t.start_ns[i], std::numeric_limits<std::int64_t>::max() - t.duration_ns[i]);
  }
  for (const TraceColumns::Arrow& arrow : t.arrows) GL_CHECK_LT(std::max(arrow.from, arrow.to), n);
}

class Writer {
 public:
  Writer(const TraceColumns& trace, const TextSink& sink) : t_(trace), sink_(sink) {
    for (const TraceLane& lane : t_.lanes)
      pids_.emplace(lane.process, static_cast<int>(pids_.size()) + 1);
  }

  void write() {
    text_ += "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    name_lanes();
    const std::vector<std::string> names = quoted_json(t_.names),
                                   categories = quoted_json(t_.categories);
    for (std::size_t i = 0; i < t_.size(); ++i)
      line(R"({{"ph":"X","name":{},"cat":{},{},"ts":{},"dur":{}}})", names[at(t_.name[i])],
           categories[at(t_.category[i])], place(i), microseconds(t_.start_ns[i]),
           microseconds(t_.duration_ns[i]));
    for (std::size_t k = 0; k < t_.arrows.size(); ++k) flow(k);
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

  int pid(std::size_t lane) const { return pids_.at(t_.lanes[lane].process); }
  // Viewers take a thread that has the number of its process for the main one: none has.
  std::size_t tid(std::size_t lane) const { return pids_.size() + 1 + lane; }
  std::string place(std::size_t event) const {
    const std::size_t lane = at(t_.lane[event]);
    return fmt::format(R"("pid":{},"tid":{})", pid(lane), tid(lane));
  }

  void name_lanes() {
    std::vector<bool> named(pids_.size() + 1, false);
    for (std::size_t i = 0; i < t_.lanes.size(); ++i) {
      const auto name = [&](const char* what, const std::string& argument) {
        line(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})", what, pid(i), tid(i),
             argument);
      };
      if (!named[at(pid(i))]) {
        named[at(pid(i))] = true;
        name("process_name", "\"name\":" + quoted_json(t_.lanes[i].process));
        name("process_sort_index", fmt::format("\"sort_index\":{}", pid(i)));
      }
      name("thread_name", "\"name\":" + quoted_json(t_.lanes[i].thread));
      name("thread_sort_index", fmt::format("\"sort_index\":{}", i));
    }
  }

  // A flow binds to the event that encloses its instant: the end itself belongs to what follows.
  void flow(std::size_t k) {
    const auto [from, to] = t_.arrows[k];
    const std::int64_t inside = std::max<std::int64_t>(0, t_.duration_ns[from] - 1);
    line(R"({{"ph":"s","id":{},"name":"before","cat":"dependency",{},"ts":{}}})", k + 1,
         place(from), microseconds(t_.start_ns[from] + inside));
    line(R"({{"ph":"f","bp":"e","id":{},"name":"before","cat":"dependency",{},"ts":{}}})", k + 1,
         place(to), microseconds(t_.start_ns[to]));
  }

  const TraceColumns& t_;
  const TextSink& sink_;
  std::map<std::string, int> pids_;  // from 1, in order of first use
  std::string text_;
  bool first_ = true;
};

}  // namespace

std::size_t TraceColumns::add(int its_lane, int its_name, int its_category, std::int64_t start,
                              std::int64_t duration) {
  lane.push_back(its_lane);
  name.push_back(its_name);
  category.push_back(its_category);
  start_ns.push_back(start);
  duration_ns.push_back(duration);
  return size() - 1;
}

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
