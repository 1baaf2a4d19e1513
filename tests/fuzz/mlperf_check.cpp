// Whatever the files of a session hold, the check gives verdicts: at least one for each rule, and
// never an exception. The first byte says which files the rest is; the others are whole.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "mlperf/check_rules.hpp"
#include "require.hpp"

using namespace greenline;
using namespace greenline::mlperf;

namespace {

constexpr const char* kSession = R"({"version": "1.0", "timezone": 0, "modules": {}, "sources": {},
"messages": [{"cmd": "mlcommons/power client v3", "reply": "mlcommons/power server v3"}],
"uuid": {"client": "a", "server": "b"}, "session_name": "s", "results": {"run_1/spl.txt": "0"},
"phases": {"ranging": [[1, 1], [2, 2], [9, 9], [9, 9]], "testing": [[11, 1], [12, 2], [19, 9], [20, 9]]},
"ptd_messages": [{"cmd": "Identify", "reply": "YokogawaWT310E,1,version=1.9.2-x"},
{"cmd": "RR", "reply": "Ranges,0,10.0,1,150.0"}, {"cmd": "SR,A,1", "reply": "Range A changed"},
{"cmd": "SR,A,1", "reply": "Range A changed"}, {"cmd": "SR,V,1", "reply": "Range V changed"},
{"cmd": "SR,V,1", "reply": "Range V changed"}], "ptd_config": {"device_type": 77, "channel": [1, 2]}})";
constexpr const char* kDetail =
    ":::MLLOG {\"key\": \"power_begin\", \"value\": \"01-01-1970 00:00:13.000\"}\n"
    ":::MLLOG {\"key\": \"power_end\", \"value\": \"01-01-1970 00:00:18.000\"}\n";
constexpr const char* kSpl =
    "Time,01-01-1970 00:00:14.000,Watts,8.1,Volts,120.5,Amps,0.1,PF,0.3,Mark,s_testing\n"
    "Time,01-01-1970 00:00:15.000,Watts,8.1,Volts,120.5,Amps,0.1,PF,0.3,Mark,s_testing\n";
constexpr const char* kPtd =
    "01-01-1970 00:00:00.000: Uncertainty checking for YokogawaWT310E is activated\n"
    "01-01-1970 00:00:01.000: Go with mark 's_ranging'\n"
    "01-01-1970 00:00:10.000: Completed test\n";

template <class Parse>
auto part(const char* file, std::string_view text, Parse parse) {
  Part<decltype(parse(text))> p;
  p.file = file;
  try {
    p.value = parse(text);
  } catch (const base::DataError& e) {
    p.failure = e;
  }
  return p;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const unsigned which = all.empty() ? 0 : static_cast<unsigned char>(all[0]);
  const std::string_view fuzzed = all.substr(all.empty() ? 0 : 1);
  const auto text = [&](unsigned i, const char* whole) {
    return which % 7 == i ? fuzzed : std::string_view(whole);
  };
  const auto session = [](std::string_view t) { return parse_session_file(t, "session.json"); };
  const auto loadgen = [](std::string_view t) { return parse_loadgen(t, "detail.txt"); };
  const auto spl = [](std::string_view t) { return parse_spl(t, "spl.txt"); };
  const auto ptd = [](std::string_view t) { return parse_ptd_log(t); };
  InferenceEvidence x;
  x.folder = "/nowhere";
  x.round = which >= 128 ? CheckRound::v1_1 : CheckRound::current;
  x.compat = which % 2 == 0 ? Compatibility::none : Compatibility::mlcommons;
  x.facts = {{{{"client.py", "0"}}}, "a list", {"1.9.2"}};
  x.client = part("power/client.json", text(0, kSession), session);
  x.server = part("power/server.json", text(1, kSession), session);
  x.ranging_log = part("ranging/mlperf_log_detail.txt", text(2, kDetail), loadgen);
  x.testing_log = part("run_1/mlperf_log_detail.txt", text(3, kDetail), loadgen);
  x.ranging_spl = part("ranging/spl.txt", text(4, kSpl), spl);
  x.testing_spl = part("run_1/spl.txt", text(5, kSpl), spl);
  x.ptd_log = part("power/ptd_logs.txt", text(6, kPtd), ptd);
  x.hashes = {{"run_1/spl.txt", "0"}};
  const std::vector<Verdict> verdicts = judge_inference(x);
  std::size_t num_rules = 0;
  for (const auto& rule : inference_rules())
    if (!x.is_compat() || rule.is_upstream) ++num_rules;
  require(verdicts.size() >= num_rules);
  for (const Verdict& v : verdicts) require(!v.rule.empty());
  return 0;
}
