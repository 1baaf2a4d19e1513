#include "mlperf/session_file.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/json.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {
namespace {

using io::Value;

// A member that is there and not null.
const Value* member(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

std::string text(const Value& object, std::string_view key) {
  const Value* value = member(object, key);
  return value ? value->as_text() : "";
}

// Numbers stand as text in some versions: "device_type": "49".
std::int64_t whole(const Value& value) {
  if (!value.is_text()) return value.as_int();
  const auto number = integer(value.as_text());
  if (!number)
    throw base::DataError("wrong-type",
                          "expected a whole number, got " + base::quoted(value.as_text()), "",
                          value.where());
  return *number;
}

std::map<std::string, std::string> texts(const Value& object, std::string_view key) {
  std::map<std::string, std::string> map;
  if (const Value* value = member(object, key))
    for (const auto& [name, item] : value->as_object()) map.emplace(name, item.as_text());
  return map;
}

std::vector<SessionMessage> messages(const Value& object, std::string_view key) {
  std::vector<SessionMessage> list;
  const Value* value = member(object, key);
  if (!value) return list;
  for (const Value& item : value->as_array()) {
    const auto time = [&](std::string_view name) {
      const Value* t = member(item, name);
      return t ? t->as_double() : 0;
    };
    list.push_back({text(item, "cmd"), text(item, "reply"), time("cmd_time"), time("reply_time"),
                    item.where().line});
  }
  return list;
}

std::vector<PhaseTime> phase(const Value& value) {
  std::vector<PhaseTime> times;
  for (const Value& item : value.as_array()) {
    const Value::Array& pair = item.as_array();
    if (pair.size() != 2)
      throw base::DataError("wrong-type",
                            fmt::format("expected [wall, monotonic], got {} items", pair.size()),
                            "", item.where());
    times.push_back({pair[0].as_double(), pair[1].as_double()});
  }
  return times;
}

PtdDevice device(const Value& value) {
  value.as_object();  // anything else is refused with its place
  PtdDevice d;
  if (const Value* type = member(value, "device_type")) d.device_type = whole(*type);
  d.interface_flag = text(value, "interface_flag");
  if (const Value* port = member(value, "device_port"))
    d.device_port = port->is_int() ? fmt::format("{}", port->as_int()) : port->as_text();
  if (const Value* command = member(value, "command"))
    for (const Value& word : command->as_array()) d.command.push_back(word.as_text());
  if (const Value* channel = member(value, "channel")) {
    if (channel->is_array())
      for (const Value& c : channel->as_array()) d.channels.push_back(whole(c));
    else
      d.channels.push_back(whole(*channel));
  }
  return d;
}

std::map<std::string, std::uint32_t> member_lines(const Value& root) {
  std::map<std::string, std::uint32_t> lines;
  const auto line = [](const Value& v) { return static_cast<std::uint32_t>(v.where().line); };
  for (const auto& [name, value] : root.as_object()) {
    if (value.is_null()) continue;
    lines.emplace(name, line(value));
    if (value.is_object())
      for (const auto& [inner, item] : value.as_object())
        lines.emplace(name + "." + inner, line(item));
  }
  return lines;
}

}  // namespace

SessionFile parse_session_file(std::string_view json, const std::string& name) {
  const Value root = io::parse_json(json, name);
  root.as_object();
  SessionFile file;
  file.name = name;
  file.lines = member_lines(root);
  file.version = text(root, "version");
  file.session_name = text(root, "session_name");
  if (const Value* uuid = member(root, "uuid")) {
    file.client_uuid = text(*uuid, "client");
    file.server_uuid = text(*uuid, "server");
  }
  if (const Value* zone = member(root, "timezone")) file.timezone_s = whole(*zone);
  file.sources = texts(root, "sources");
  file.results = texts(root, "results");
  file.messages = messages(root, "messages");
  file.ptd_messages = messages(root, "ptd_messages");
  if (const Value* phases = member(root, "phases"))
    for (const auto& [key, value] : phases->as_object()) file.phases.emplace(key, phase(value));
  if (const Value* config = member(root, "ptd_config")) {
    if (config->is_array())
      for (const Value& item : config->as_array()) file.devices.push_back(device(item));
    else
      file.devices.push_back(device(*config));
  }
  if (const Value* debug = member(root, "debug")) file.is_debug = debug->as_bool();
  return file;
}

}  // namespace greenline::mlperf
