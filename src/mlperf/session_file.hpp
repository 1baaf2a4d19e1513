// `power/client.json` and `power/server.json` of a session: what client and server of the
// measurement said to each other and did.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace greenline::mlperf {

// Times are Unix seconds as the file has them; the programs write them as doubles, good to 0.3 µs.
struct SessionMessage {
  std::string command, reply;
  double command_time_s = 0, reply_time_s = 0;
  std::size_t line = 0;
};

// Before start, after start, before stop, after stop.
struct PhaseTime {
  double wall_s = 0, monotonic_s = 0;
};

struct PtdDevice {
  std::int64_t device_type = 0;        // 49: a WT310; 0: the dummy analyzer
  std::vector<std::int64_t> channels;  // empty: none given
  std::string interface_flag, device_port;
  std::vector<std::string> command;
};

struct SessionFile {
  std::string name;                                             // of the file
  std::string version, session_name, client_uuid, server_uuid;  // "" where absent
  std::optional<std::int64_t> timezone_s;                       // west of UTC
  std::map<std::string, std::string> sources;                   // file to SHA-1
  std::map<std::string, std::string> results;                   // file to SHA-1
  std::vector<SessionMessage> messages;
  std::map<std::string, std::vector<PhaseTime>> phases;  // "ranging", "testing"
  std::vector<SessionMessage> ptd_messages;              // of the server, without times
  std::vector<PtdDevice> devices;  // ptd_config: one object up to v1.x, a list of them later
  bool is_debug = false;
  // Of members and theirs: "phases", "phases.testing", "sources.lib/server.py".
  std::map<std::string, std::uint32_t> lines;

  bool has(const std::string& member) const { return lines.find(member) != lines.end(); }
  std::uint32_t line(const std::string& member) const {  // 0 where there is none
    const auto found = lines.find(member);
    return found == lines.end() ? 0 : found->second;
  }
};

// Members that are absent stay empty. DataError "bad-json", and "wrong-type" with the place of a
// member that is something else.
SessionFile parse_session_file(std::string_view json, const std::string& name);

}  // namespace greenline::mlperf
