#include "io/trace_columns.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace greenline::io {
namespace {

template <class T>
std::size_t bytes(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

int find(const std::vector<std::string>& texts, const std::string& text) {
  const auto at = std::find(texts.begin(), texts.end(), text);
  return at == texts.end() ? -1 : static_cast<int>(at - texts.begin());
}

// The index of a text, which is added when the table does not have it.
int have(std::vector<std::string>& texts, const std::string& text) {
  const int known = find(texts, text);
  if (known >= 0) return known;
  texts.push_back(text);
  return static_cast<int>(texts.size()) - 1;
}

}  // namespace

TraceIds::Code TraceIds::encode_wide(std::int64_t id) {
  const auto [at, is_new] = wide_codes_.try_emplace(id, kWide | static_cast<Code>(wide_.size()));
  if (is_new) wide_.push_back(id);
  return at->second;
}

std::optional<std::int64_t> TraceIds::decode(Code code) const {
  if (code == 0) return std::nullopt;
  if (code < kWide) return std::int64_t{code} - 1;
  return wide_[code & ~kWide];
}

TraceIds::Code TraceIds::find(std::int64_t id) const {
  if (id >= 0 && id < std::int64_t{kWide} - 1) return static_cast<Code>(id + 1);
  const auto at = wide_codes_.find(id);
  return at == wide_codes_.end() ? 0 : at->second;
}

void TraceIds::append(const TraceIds& other) {
  if (other.wide_.empty()) {
    codes_.insert(codes_.end(), other.codes_.begin(), other.codes_.end());
    return;
  }
  for (std::size_t i = 0; i < other.size(); ++i) push_back(other.at(i));
}

std::size_t TraceIds::num_bytes() const {
  constexpr std::size_t kNode = 40;  // of a hash map, about
  return bytes(codes_) + bytes(wide_) + wide_codes_.size() * kNode;
}

std::size_t TraceColumns::add(int its_lane, int its_name, int its_category, std::int64_t start,
                              std::int64_t duration, char its_phase) {
  lane.push_back(its_lane);
  name.push_back(its_name);
  category.push_back(its_category);
  phase.push_back(its_phase);
  start_ns.push_back(start);
  duration_ns.push_back(duration);
  correlation.push_back(std::nullopt);
  external_id.push_back(std::nullopt);
  return size() - 1;
}

// A flow binds to the event that encloses its instant: the end itself belongs to what follows.
void TraceColumns::connect(std::size_t from, std::size_t to) {
  GL_CHECK_LT(std::max(from, to), size());
  std::int64_t id = 1;
  for (const TraceFlow& flow : flows) id = std::max(id, flow.id + 1);
  const int its_name = have(names, "before"), its_category = have(categories, "dependency");
  const std::int64_t inside = std::max<std::int64_t>(0, duration_ns[from] - 1);
  flows.push_back({id, start_ns[from] + inside, lane[from], its_name, its_category, 's', false});
  flows.push_back({id, start_ns[to], lane[to], its_name, its_category, 'f', true});
}

void TraceColumns::clear() {
  const auto all = [](auto&... columns) { (columns.clear(), ...); };
  all(members, lanes, names, categories, lane, name, category, phase, start_ns, duration_ns,
      correlation, external_id, work, launches, operators, python, collectives, syncs, flows);
}

int TraceColumns::find_name(const std::string& text) const { return find(names, text); }
int TraceColumns::find_category(const std::string& text) const { return find(categories, text); }

std::size_t TraceColumns::event_bytes() const {
  return bytes(lane) + bytes(name) + bytes(category) + bytes(phase) + bytes(start_ns) +
         bytes(duration_ns) + correlation.num_bytes() + external_id.num_bytes() + bytes(work) +
         bytes(launches) + bytes(operators) + bytes(python) + bytes(collectives) + bytes(syncs) +
         bytes(flows);
}

std::size_t TraceColumns::text_bytes() const {
  std::size_t sum = 0;
  for (const auto* texts : {&names, &categories}) {
    sum += bytes(*texts);
    for (const std::string& text : *texts) sum += text.capacity();
  }
  return sum;
}

}  // namespace greenline::io
