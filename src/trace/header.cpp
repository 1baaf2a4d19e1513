#include "trace/header.hpp"

#include "base/error.hpp"
#include "io/json.hpp"
#include "io/trace_number.hpp"

namespace greenline::trace {
namespace {

std::optional<std::int64_t> int_of(const io::Value& object, const char* key) {
  const io::Value* v = object.is_object() ? object.find(key) : nullptr;
  if (v == nullptr || !v->is_int()) return std::nullopt;
  return v->as_int();
}

std::string text_of(const io::Value& object, const char* key) {
  const io::Value* v = object.is_object() ? object.find(key) : nullptr;
  return v != nullptr && v->is_text() ? v->as_text() : "";
}

void read_job(const io::Value& job, TraceHeader& h) {
  h.rank = int_of(job, "rank");
  if (h.rank && *h.rank < 0) h.rank.reset();
  h.world_size = int_of(job, "world_size");
  if (h.world_size && *h.world_size < 1) h.world_size.reset();
  h.backend = text_of(job, "backend");
  h.num_groups = int_of(job, "pg_count").value_or(0);
}

void read_devices(const io::Value& devices, TraceHeader& h) {
  if (!devices.is_array()) return;
  for (const io::Value& device : devices.as_array()) {
    const auto id = int_of(device, "id");
    if (!id) continue;
    h.devices.push_back({*id, text_of(device, "name"), int_of(device, "numSms").value_or(0)});
  }
}

}  // namespace

TraceHeader header_of(const io::TraceColumns& trace) {
  TraceHeader h;
  for (const auto& [key, text] : trace.members) {
    if (key == "baseTimeNanoseconds") h.base_time_ns = io::integer(text).value_or(0);
    if (key != "distributedInfo" && key != "deviceProperties") continue;
    try {
      const io::Value value = io::parse_json(text, key);
      if (key == "distributedInfo") read_job(value, h);
      if (key == "deviceProperties") read_devices(value, h);
    } catch (const base::DataError&) {
      continue;
    }
  }
  return h;
}

std::optional<std::int64_t> rank_in_name(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
  for (const char* word : {"rank", "worker"}) {
    std::size_t at = name.find(word);
    if (at == std::string::npos) continue;
    at += std::string_view(word).size();
    if (at < name.size() && (name[at] == '-' || name[at] == '_')) ++at;
    std::size_t end = at;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    if (end > at) return io::integer(std::string_view(name).substr(at, end - at));
  }
  return std::nullopt;
}

}  // namespace greenline::trace
