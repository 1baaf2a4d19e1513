#include "io/trace_piece.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "io/json_structure.hpp"
#include "io/text_pool.hpp"
#include "io/trace_event.hpp"
#include "io/trace_number.hpp"

namespace greenline::io {
namespace {

constexpr std::int64_t kMaxDuration = std::int64_t{1} << 50;  // ns: 13 days

bool is_text(std::string_view token) { return !token.empty() && token.front() == '"'; }
bool is_number(std::string_view token) {
  return !token.empty() && (token[0] == '-' || (token[0] >= '0' && token[0] <= '9'));
}
std::string_view within_quotes(std::string_view token) {
  return is_text(token) ? token.substr(1, token.size() - 2) : token;
}

}  // namespace

class PieceReader::Walk {
 public:
  const TracePiece* read(std::string_view events);

 private:
  // The walk: `at_` is the place of the next bracket, comma, colon or value.
  char here() const { return text_[*at_]; }
  bool take(char c) { return here() == c && ++at_ < end_; }
  std::string_view token() const;  // of the value here, which is a text, number or word
  std::string_view take_token() {
    const std::string_view t = token();
    ++at_;
    return t;
  }
  bool skip();                    // the value here
  std::string_view take_array();  // as it is in the file; empty: it has no end
  template <class Member>
  bool object(Member member);

  bool event();
  bool member(std::string_view key);
  bool argument(std::string_view key);
  bool keep(const TraceArgument& argument);
  bool keep_triple(std::int64_t* out);
  bool text(std::string_view& out);
  std::optional<std::int64_t> number(std::string_view token);
  int array_index(std::string_view raw);

  void commit();
  void commit_metadata();
  void commit_flow(std::int64_t time);
  void commit_event(std::int64_t time, std::int64_t duration);
  void commit_details(std::uint32_t index);
  int lane();
  int category();
  std::optional<std::int64_t> time(std::string_view token);

  TraceColumns& t() { return piece_.read.trace; }
  TraceDirt& dirt() { return piece_.read.dirt; }
  void clear();

  JsonStructure structure_;
  std::string_view text_;
  const std::uint32_t* at_ = nullptr;
  const std::uint32_t* end_ = nullptr;  // at the size of the text

  TracePiece piece_;
  TextPool names_, categories_, lanes_, launches_, arrays_;
  std::vector<int> array_names_;  // by index in arrays_, whose texts have blanks
  std::string scratch_, last_category_text_, last_pid_, last_tid_;
  int last_category_ = -1, last_lane_ = -1;
  TraceEvent e_;
  TraceDetails d_;
  std::vector<std::string> unescaped_;  // what views of e_ refer to
};

void PieceReader::Walk::clear() {
  t().clear();
  piece_.metadata.clear();
  piece_.read.dirt = {};
  piece_.read.num_metadata = 0;
  piece_.read.whole_microseconds = true;
  for (TextPool* pool : {&names_, &categories_, &lanes_, &launches_, &arrays_}) pool->clear();
  array_names_.clear();
  last_category_ = last_lane_ = -1;
}

const TracePiece* PieceReader::Walk::read(std::string_view events) {
  clear();
  if (!structure_.read(events)) return nullptr;
  text_ = events;
  at_ = structure_.places().data();
  end_ = at_ + structure_.places().size() - 1;
  while (true) {
    if (at_ >= end_) return nullptr;
    const bool is_event = here() == '{';
    if (is_event ? !event() : !skip()) return nullptr;
    if (!is_event) ++dirt().broken_events;
    if (at_ == end_) break;
    if (here() != ',') return nullptr;
    ++at_;
  }
  t().names = names_.texts();
  t().categories = categories_.texts();
  return &piece_;
}

std::string_view PieceReader::Walk::token() const {
  std::size_t end = at_[1];
  while (end > *at_ && static_cast<unsigned char>(text_[end - 1]) <= ' ') --end;
  return text_.substr(*at_, end - *at_);
}

bool PieceReader::Walk::skip() {
  std::size_t depth = 0;
  do {
    if (at_ >= end_) return false;
    const char c = here();
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return false;
      --depth;
    } else if (depth == 0 && (c == ',' || c == ':')) {
      return false;
    }
    ++at_;
  } while (depth > 0);
  return true;
}

std::string_view PieceReader::Walk::take_array() {
  const std::size_t begin = *at_;
  if (!skip()) return {};
  return text_.substr(begin, at_[-1] + 1 - begin);
}

// member(key) for each member, with the walk at its value; it leaves the walk behind it.
template <class Member>
bool PieceReader::Walk::object(Member member) {
  if (++at_ >= end_) return false;
  if (here() == '}') return ++at_, true;
  while (end_ - at_ >= 4) {  // a key, a colon, a value, and what follows
    if (here() != '"') return false;
    const std::string_view key = within_quotes(take_token());
    if (!take(':')) return false;
    const char c = here();
    if (c == ',' || c == ':' || c == '}' || c == ']' || !member(key)) return false;
    if (at_ >= end_) return false;
    if (here() == '}') return ++at_, true;
    if (here() != ',') return false;
    ++at_;
  }
  return false;
}

bool PieceReader::Walk::event() {
  e_ = {};
  unescaped_.clear();
  const bool is_whole = object([this](std::string_view key) { return member(key); });
  if (is_whole) commit();
  if (d_.found != 0) d_ = {};
  return is_whole;
}

bool PieceReader::Walk::member(std::string_view key) {
  const char c = here();
  if (c == '{' || c == '[') {
    if (c == '{' && key == "args")
      return object([this](std::string_view argument_key) { return argument(argument_key); });
    return skip();
  }
  switch (key.size()) {
    case 2:
      if (key == "ph") {
        const std::string_view phase = within_quotes(take_token());
        e_.phase = phase.size() == 1 ? phase[0] : '\0';
        return true;
      }
      if (key == "ts") return e_.time = take_token(), true;
      if (key == "id") return e_.id = take_token(), true;
      if (key == "bp") return e_.binds_enclosing = within_quotes(take_token()) == "e", true;
      break;
    case 3:
      if (key == "cat" && c == '"') return text(e_.category);
      if (key == "pid") return e_.pid = take_token(), true;
      if (key == "tid") return e_.tid = take_token(), true;
      if (key == "dur") return e_.duration = take_token(), true;
      break;
    case 4:
      if (key == "name" && c == '"') return e_.has_name = true, text(e_.name);
      break;
    default:
      break;
  }
  ++at_;
  return true;
}

bool PieceReader::Walk::argument(std::string_view key) {
  if (key == "External id" || key == "external id") {
    e_.external_id = number(token());
  } else if (key == "correlation") {
    e_.correlation = number(token());
  } else if (const TraceArgument* known = find_trace_argument(key)) {
    d_.found |= known->kind;
    return keep(*known);
  } else if (e_.phase == 'M' || e_.phase == '\0') {
    if (key == "name" && here() == '"') return text(e_.shown_name);
    if (key == "labels" && here() == '"') return text(e_.labels);
    if (key == "sort_index") e_.order = token();
  }
  return skip();
}

// An argument of another type than expected is as if absent: vendors and versions differ.
bool PieceReader::Walk::keep(const TraceArgument& a) {
  const char c = here();
  if (a.text != nullptr && c == '"') {
    std::string_view view;
    if (!text(view)) return false;
    *a.text(d_) = names_.index(view);
    return true;
  }
  if (c == '[' && a.triple != nullptr) return keep_triple(a.triple(d_));
  if (c == '[' && a.array != nullptr) {
    const std::string_view raw = take_array();
    if (raw.empty()) return false;
    *a.array(d_) = array_index(raw);
    return true;
  }
  if (a.wide != nullptr || a.narrow != nullptr) {
    const auto n = number(token());
    if (n && a.wide != nullptr) *a.wide(d_) = *n;
    if (n && a.narrow != nullptr) {
      if (*n == static_cast<std::int32_t>(*n))
        *a.narrow(d_) = static_cast<std::int32_t>(*n);
      else
        ++dirt().bad_arguments;
    }
  }
  return skip();
}

bool PieceReader::Walk::keep_triple(std::int64_t* out) {
  const std::uint32_t* begin = at_;
  if (!skip()) return false;
  int n = 0;
  const std::uint32_t* behind = at_;
  for (at_ = begin + 1; at_ < behind - 1 && n < 3; ++at_) {
    if (!is_number(token())) continue;
    if (const auto value = number(token())) out[n] = *value;
    ++n;
  }
  at_ = behind;
  return true;
}

// A text without escapes is a view of the file.
bool PieceReader::Walk::text(std::string_view& out) {
  out = within_quotes(take_token());
  if (std::memchr(out.data(), '\\', out.size()) == nullptr) return true;
  const std::string_view plain = structure_.unescaped(out);
  if (plain.data() == nullptr) return false;
  constexpr std::size_t kMostTexts = 64;  // of one event; views refer to them, so none may move
  if (unescaped_.capacity() < kMostTexts) unescaped_.reserve(kMostTexts);
  if (unescaped_.size() == kMostTexts) return false;
  unescaped_.emplace_back(plain);
  out = unescaped_.back();
  return true;
}

// Nothing for a text or null, which some vendors write where others have a number.
std::optional<std::int64_t> PieceReader::Walk::number(std::string_view token) {
  if (!is_number(token)) return std::nullopt;
  const auto n = integer(token);
  if (!n) ++dirt().bad_arguments;
  return n;
}

// The name that is the array without blanks. The same arrays come again and again: the blanks of
// each are taken out once.
int PieceReader::Walk::array_index(std::string_view raw) {
  const auto at = static_cast<std::size_t>(arrays_.index(raw));
  if (at < array_names_.size()) return array_names_[at];
  scratch_.clear();
  bool quoted = false;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '"') quoted = !quoted;
    if (quoted && raw[i] == '\\' && i + 1 < raw.size()) scratch_ += raw[i++];
    if (quoted || static_cast<unsigned char>(raw[i]) > ' ') scratch_ += raw[i];
  }
  array_names_.push_back(names_.index(scratch_));
  return array_names_.back();
}

std::optional<std::int64_t> PieceReader::Walk::time(std::string_view token) {
  if (is_text(token)) ++dirt().text_times;
  const auto ns = nanoseconds(within_quotes(token));
  if (ns && *ns % 1000 != 0) piece_.read.whole_microseconds = false;
  return ns;
}

int PieceReader::Walk::lane() {
  if (e_.pid.empty()) e_.pid = "null";
  if (e_.tid.empty()) e_.tid = "null";
  if (is_text(e_.pid) || is_text(e_.tid)) ++dirt().text_lanes;
  if (last_lane_ >= 0 && e_.tid == last_tid_ && e_.pid == last_pid_) return last_lane_;
  last_pid_ = e_.pid;
  last_tid_ = e_.tid;
  scratch_.assign(e_.pid).append(1, '\n').append(e_.tid);
  last_lane_ = lanes_.index(scratch_);
  if (static_cast<std::size_t>(last_lane_) == t().lanes.size())
    t().lanes.push_back({"", "", last_pid_, last_tid_, "", {}, {}});
  return last_lane_;
}

int PieceReader::Walk::category() {
  if (last_category_ >= 0 && e_.category == last_category_text_) return last_category_;
  last_category_text_ = e_.category;
  return last_category_ = categories_.index(e_.category);
}

void PieceReader::Walk::commit() {
  if (e_.phase == '\0') return void(++dirt().broken_events);
  if (e_.phase == 'M') return commit_metadata();
  const auto refuse = [&](std::string_view token, std::int64_t& missing) {
    ++(is_number(within_quotes(token)) ? dirt().out_of_range_times : missing);
  };
  const auto start = time(e_.time);
  if (!start) return refuse(e_.time, dirt().without_time);
  if (e_.phase == 's' || e_.phase == 't' || e_.phase == 'f') return commit_flow(*start);
  std::int64_t duration = 0;
  if (e_.phase == 'X') {
    const auto length = time(e_.duration);
    if (!length) return refuse(e_.duration, dirt().without_duration);
    if (*length < 0) return void(++dirt().negative_durations);
    duration = *length;
  }
  if (duration > kMaxDuration || *start > kMaxTraceTime - duration)
    return void(++dirt().out_of_range_times);
  commit_event(*start, duration);
}

void PieceReader::Walk::commit_metadata() {
  ++piece_.read.num_metadata;
  const bool of_text = e_.name == "process_name" || e_.name == "thread_name";
  const std::string_view shown = of_text                       ? e_.shown_name
                                 : e_.name == "process_labels" ? e_.labels
                                                               : within_quotes(e_.order);
  piece_.metadata.push_back(
      {std::string(e_.pid), std::string(e_.tid), std::string(e_.name), std::string(shown)});
}

void PieceReader::Walk::commit_flow(std::int64_t when) {
  const auto id = integer(within_quotes(e_.id));
  if (!id) return void(++dirt().bad_arguments);
  t().flows.push_back(
      {*id, when, lane(), names_.index(e_.name), category(), e_.phase, e_.binds_enclosing});
}

void PieceReader::Walk::commit_event(std::int64_t start, std::int64_t duration) {
  TraceColumns& c = t();
  if (!e_.has_name) ++dirt().unnamed_events;
  const auto index = static_cast<std::uint32_t>(c.size());
  c.lane.push_back(lane());
  c.name.push_back(names_.index(e_.name));
  c.category.push_back(category());
  c.phase.push_back(e_.phase);
  c.start_ns.push_back(start);
  c.duration_ns.push_back(duration);
  c.correlation.push_back(e_.correlation);
  c.external_id.push_back(e_.external_id);
  if (d_.found != 0) commit_details(index);
}

void PieceReader::Walk::commit_details(std::uint32_t index) {
  TraceColumns& c = t();
  // A call of the runtime may name the stream and shape of what it starts: the work itself has a
  // device, or a stream and a correlation.
  if (d_.work.device != -1 || (d_.work.stream != kNoStream && e_.correlation)) {
    if (!(d_.launch == TraceLaunch{})) {
      d_.work.launch =
          launches_.index({reinterpret_cast<const char*>(&d_.launch), sizeof d_.launch});
      if (static_cast<std::size_t>(d_.work.launch) == c.launches.size())
        c.launches.push_back(d_.launch);
    }
    d_.work.event = index;
    c.work.push_back(d_.work);
  }
  const auto keep = [&](TraceDetails::Kind kind, auto& row, auto& rows) {
    if ((d_.found & kind) == 0 || row == std::remove_cvref_t<decltype(row)>{}) return;
    row.event = index;
    rows.push_back(row);
  };
  keep(TraceDetails::kOperator, d_.op, c.operators);
  keep(TraceDetails::kPython, d_.python, c.python);
  keep(TraceDetails::kCollective, d_.collective, c.collectives);
  keep(TraceDetails::kSync, d_.sync, c.syncs);
}

PieceReader::PieceReader() : walk_(std::make_unique<Walk>()) {}
PieceReader::~PieceReader() = default;

const TracePiece* PieceReader::read(std::string_view events) { return walk_->read(events); }

}  // namespace greenline::io
