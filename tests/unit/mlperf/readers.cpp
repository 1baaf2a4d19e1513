#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/file.hpp"
#include "mlperf/loadgen.hpp"
#include "mlperf/log_text.hpp"
#include "mlperf/mllog.hpp"
#include "mlperf/ptd_log.hpp"
#include "mlperf/session_file.hpp"
#include "mlperf/spl.hpp"
#include "mlperf/tiny_trace.hpp"
#include "mlperf/training_log.hpp"
#include "shared_data.hpp"

namespace greenline::mlperf {
namespace {

constexpr const char* kRow =
    "Time,08-04-2021 11:39:20.088,Watts,8.152,Volts,120.5,Amps,0.17,PF,0.396,Mark,x_testing";

std::string code_of(const auto& body) {
  try {
    body();
  } catch (const base::Error& e) {
    return e.code();
  }
  return "";
}

TEST(LogText, MonthComesFirst) {
  EXPECT_EQ(month_first_ns("01-01-1970 00:00:00.000"), 0);
  EXPECT_EQ(month_first_ns("08-04-2021 11:39:42.365"), 1628077182365000000);
  EXPECT_EQ(month_first_ns("03-01-2000 00:00:00"), 951868800000000000);
  EXPECT_EQ(month_first_ns("02-29-2024 00:00:00.000000001"), 1709164800000000001);
}

TEST(LogText, TimesThatDoNotExistAreNone) {
  for (const char* text :
       {"", "13-11-2020 22:38:59.240", "02-29-2023 00:00:00", "00-10-2020 00:00:00",
        "11-31-2020 00:00:00", "11-13-2020 24:00:00", "11-13-2020 22:60:00", "2020-11-13 22:38:59",
        "11-13-2020T22:38:59", "11-13-2020 22:38:59.", "11-13-2020 22:38:59.1234567890",
        "11-13-2020 22:38:59.12x", "11-13-1969 22:38:59", "1x-13-2020 22:38:59"})
    EXPECT_FALSE(month_first_ns(text)) << text;
}

TEST(LogText, DecimalsAreThoseOfTheLibrary) {
  for (const char* text :
       {"0", "-0.5", "8.152000", ".8321", "120.", "123456789012345", "1234567890123456789",
        "0.1234567890123456789", "1e3", "-2.5e-3", "179769313486231570000000000000000000000"}) {
    EXPECT_EQ(decimal(text), std::strtod(text, nullptr)) << text;
    std::string_view rest = text;
    const std::string with_more = std::string(text) + ",Volts";
    rest = with_more;
    double value = 0;
    EXPECT_TRUE(take_decimal(rest, value));
    EXPECT_EQ(value, std::strtod(text, nullptr)) << text;
    EXPECT_EQ(rest, ",Volts");
  }
  for (const char* text : {"", "-", ".", "+1", "0x10", "1,5", "1 ", " 1", "1.2.3", "12V"})
    EXPECT_FALSE(decimal(text)) << text;
}

// The reader remembers the hour of the row before.
TEST(Spl, TimesAcrossHoursAndOddForms) {
  std::string text;
  const char* const times[] = {"12-31-2023 23:59:59.999", "01-01-2024 00:00:00.000",
                               "01-01-2024 00:59:59.001", "01-01-2024 00:59:59",
                               "01-01-2024 00:00:01.123456789"};
  for (const char* time : times) {
    std::string row = kRow;
    row.replace(row.find("08-04-2021 11:39:20.088"), 23, time);
    text += row + "\n";
  }
  const SplTrace t = parse_spl(text, "spl.txt");
  ASSERT_EQ(t.samples.size(), std::size(times));
  for (std::size_t i = 0; i < t.samples.size(); ++i)
    EXPECT_EQ(t.samples[i].time_ns, month_first_ns(times[i])) << times[i];
  for (const char* bad : {"01-01-2024 00:60:01.123", "01-01-2024 00:00:61.123",
                          "01-01-2024 00:00:0/.123", "01-01-2024 00:00:01.12x"}) {
    std::string row = kRow;
    row.replace(row.find("08-04-2021 11:39:20.088"), 23, bad);
    EXPECT_EQ(code_of([&] { parse_spl(text + row + "\n", "spl.txt"); }), "bad-spl") << bad;
  }
}

TEST(LogText, MillisecondsAreReadAsIntegers) {
  EXPECT_EQ(milliseconds_ns("1715898650602"), 1715898650602000000);
  EXPECT_EQ(milliseconds_ns("1715898650602.000001"), 1715898650602000001);
  for (const char* text : {"", "-1", "1e3", "12.", "12.1234567", "99999999999999", "null"})
    EXPECT_FALSE(milliseconds_ns(text)) << text;
}

TEST(Spl, OneChannel) {
  const SplTrace t = parse_spl(std::string(kRow) + "\r\n" + kRow + "\n", "spl.txt");
  ASSERT_EQ(t.samples.size(), 2u);
  EXPECT_EQ(t.samples[1].line, 2u);
  EXPECT_EQ(t.samples[0].watts, 8.152);
  EXPECT_EQ(t.samples[0].power_factor, 0.396);
  EXPECT_EQ(t.samples[0].num_channels, 0);
  EXPECT_EQ(t.marks, std::vector<std::string>{"x_testing"});
}

// The sums that the reference tests of the PTD client use (channels 1 and 2, and all three).
TEST(Spl, RowsOfSeveralChannelsCountTheirSum) {
  const SplTrace t = parse_spl(
      "Time,11-13-2020 22:38:59.240,Watts,272.93,Volts,-1.0,Amps,-1.0,PF,-1.0,Mark,notset,"
      "Ch1,Watts,91.06,Volts,120.95,Amps,.8321,PF,.9389,Ch2,Watts,91.2,Volts,121,Amps,.83,PF,.9\n",
      "spl.txt");
  ASSERT_EQ(t.samples.size(), 1u);
  EXPECT_EQ(t.samples[0].watts, 272.93);
  EXPECT_EQ(t.samples[0].num_channels, 2);
  EXPECT_EQ(t.marks.front(), "notset");
}

TEST(Spl, MessagesAndTheirContinuationsAreNoSamples) {
  const SplTrace t = parse_spl(std::string("Time,08-04-2021 11:39:20.088,NOTICE,ranges changed\n") +
                                   "Time,08-04-2021 11:39:21.088,ERROR,Bad volts reading nan\n" +
                                   "  from WT310\n\n" + kRow + "\n",
                               "spl.txt");
  EXPECT_EQ(t.samples.size(), 1u);
  EXPECT_EQ(t.num_messages, 2u);
  EXPECT_EQ(t.num_other_lines, 2u);
}

TEST(Spl, NotANumberIsReadAndInvalid) {
  std::string row = kRow;
  row.replace(row.find("8.152"), 5, "nan");
  const SplTrace t = parse_spl(row + "\n", "spl.txt");
  ASSERT_EQ(t.samples.size(), 1u);
  EXPECT_TRUE(std::isnan(t.samples[0].watts));
  EXPECT_FALSE(t.samples[0].is_valid());
}

TEST(Spl, AFileThatEndsInsideASampleSaysSo) {
  const std::string text = std::string(kRow) + "\n" + std::string(kRow).substr(0, 45);
  const SplTrace t = parse_spl(text, "spl.txt");
  EXPECT_EQ(t.samples.size(), 1u);
  EXPECT_TRUE(t.is_truncated);
  EXPECT_FALSE(parse_spl(kRow, "spl.txt").is_truncated) << "only the line end is missing";
  EXPECT_EQ(code_of([&] { parse_spl(text + "\n" + kRow + "\n", "spl.txt"); }), "bad-spl");
}

TEST(Spl, RefusalsNameThePlace) {
  struct Refusal {
    const char *from, *to, *message;
    std::size_t column;
  };
  for (const Refusal& r :
       {Refusal{"Watts", "Watts1", "expected \"Watts\" as field 3, got \"Watts1\"", 30},
        Refusal{"8.152", "1,008.152", "expected \"Volts\" as field 5, got \"008.152\"", 38},
        Refusal{"8.152", "", "expected a number of Watts as field 4, got \"\"", 36},
        Refusal{"120.5", "120V", "expected a number of Volts as field 6, got \"120V\"", 48},
        Refusal{"08-04", "14-08", "expected a time MM-DD-YYYY", 6}}) {
    std::string row = kRow;
    row.replace(row.find(r.from), std::string(r.from).size(), r.to);
    try {
      parse_spl(std::string(kRow) + "\n" + row + "\n", "spl.txt");
      FAIL() << row;
    } catch (const base::DataError& e) {
      EXPECT_EQ(e.code(), "bad-spl");
      EXPECT_NE(e.message().find(r.message), std::string::npos) << e.message();
      EXPECT_EQ(e.where().line, 2u);
      EXPECT_EQ(e.where().column, r.column) << row;
    }
  }
}

TEST(Mllog, ThePrefixAndTheOrderOfMembersDoNotMatter) {
  MllogRecord r;
  ASSERT_EQ(
      read_mllog(
          R"(0: [gpu] :::MLLOG {"time_ms": 12, "value": {"a": "}\"", "b": [1]}, "key": "k"})", r),
      MllogLine::record);
  EXPECT_EQ(r.key, "k");
  EXPECT_EQ(r.time_ms, "12");
  EXPECT_EQ(object_member(r.value, "b"), "[1]");
  EXPECT_EQ(value_text(*object_member(r.value, "a")), "}\"");
  for (const char* list : {"[1, 2, 3]", "[]", "[1, [2], \"]\"]", "[{\"a\": \"]\"}, 2]"}) {
    const std::string line = std::string(":::MLLOG {\"key\": \"k\", \"value\": ") + list + "}";
    ASSERT_EQ(read_mllog(line, r), MllogLine::record) << list;
    EXPECT_EQ(r.value, list);
  }
}

TEST(Mllog, LinesThatAreCutOffAreMalformed) {
  MllogRecord r;
  const std::string line =
      R"(:::MLLOG {"key": "power_end", "value": "08-04-2021", "time_ms": 1.5})";
  EXPECT_EQ(read_mllog(line, r), MllogLine::record);
  for (std::size_t size = std::string(":::MLLOG ").size(); size < line.size(); ++size)
    EXPECT_EQ(read_mllog(line.substr(0, size), r), MllogLine::malformed) << size;
  EXPECT_EQ(read_mllog("no record", r), MllogLine::other);
}

TEST(Loadgen, TheFirstOfAKeyCounts) {
  const LoadgenLog log = parse_loadgen(
      ":::MLLOG {\"key\": \"result_query_count\", \"value\": 7}\n"
      "noise\n"
      "x :::MLLOG {\"key\": \"result_query_count\", \"value\": 8}\n"
      ":::MLLOG {\"key\": \"power_begin\", \"value\": \"08-04-2021 11:39:42.365\"}\n"
      ":::MLLOG {\"key\": \"cut",
      "detail");
  EXPECT_EQ(log.number("result_query_count"), 7);
  EXPECT_EQ(log.find("result_query_count")->line, 1u);
  EXPECT_EQ(log.time_ns("power_begin"), 1628077182365000000);
  EXPECT_EQ(log.num_malformed, 1u);
  EXPECT_EQ(log.first_malformed, 5u);
  EXPECT_FALSE(log.number("absent"));
  EXPECT_EQ(code_of([&] { log.time_ns("power_end"); }), "missing-key");
  EXPECT_EQ(code_of([&] { log.number("power_begin"); }), "bad-mllog");
}

TEST(Loadgen, SummaryLines) {
  const SummaryLines s = parse_summary("====\nSamples per second: 12.5\nResult is : VALID\n");
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s[1], (std::pair<std::string, std::string>{"Result is", "VALID"}));
}

std::string record(const char* key, const char* value, int time_ms) {
  return "0: :::MLLOG {\"namespace\": \"\", \"time_ms\": " + std::to_string(time_ms) +
         ", \"key\": \"" + key + "\", \"value\": " + value +
         ", \"metadata\": {\"status\": \"success\"}}\n";
}

TEST(TrainingLog, PowerLogOutOfOrderIsSorted) {
  const PowerLog log = parse_power_log(
      record("power_measurement_start", "null", 1000) + record("power_reading", "30", 3000) +
          record("power_reading", "20", 2000) + record("power_reading", "NaN", 2500) +
          record("power_reading", "-1", 2600) + record("conversion_eff", "0.5", 1) +
          record("conversion_eff", "0.9", 2) + record("power_measurement_stop", "null", 3000),
      "node_0.txt");
  ASSERT_EQ(log.readings.size(), 2u);
  EXPECT_EQ(log.readings[0].watts, 20);
  EXPECT_EQ(log.lines, (std::vector<std::uint32_t>{3, 2}));
  EXPECT_EQ(log.num_invalid, 2u);
  EXPECT_EQ(log.conversion(), 0.5);
}

// A = 20 W · 1 s + 30 W · 1 s over 2 s of logging; scaled to a run of 4 s and halved.
TEST(TrainingLog, EnergyScalesTheMeanPowerToTheRun) {
  const std::string text = record("power_measurement_start", "null", 1000) +
                           record("power_reading", "20", 2000) +
                           record("power_reading", "30", 3000) + record("conversion_eff", "0.5", 1);
  const auto energy = [&](int stop_ms) {
    return run_energy(
        parse_power_log(text + record("power_measurement_stop", "null", stop_ms), "node_0.txt"),
        4.0 * base::units::s);
  };
  EXPECT_DOUBLE_EQ(energy(3000).energy.in(base::units::J), 50);
  EXPECT_FALSE(energy(3000).is_degenerate);
  EXPECT_DOUBLE_EQ(energy(1000).energy.in(base::units::J), 50);
  EXPECT_TRUE(energy(1000).is_degenerate);
}

TEST(TrainingLog, InterconnectIsAnEstimateTimesTheRun) {
  const PowerLog log = parse_power_log(
      record("interconnect_power_est", "16100", 1) + record("interconnect_power_est", "1", 2),
      "sw_0.txt");
  const LogEnergy e = run_energy(log, 2.0 * base::units::s);
  EXPECT_TRUE(e.is_interconnect);
  EXPECT_DOUBLE_EQ(e.energy.in(base::units::J), 32200);
}

TEST(TrainingLog, RefusesWhatIsMissing) {
  EXPECT_EQ(code_of([] { parse_run_log(record("run_start", "null", 1), "r"); }), "missing-key");
  EXPECT_EQ(code_of([] {
              parse_run_log(record("run_start", "null", 5) + record("run_stop", "null", 5), "r");
            }),
            "bad-mllog");
  EXPECT_EQ(code_of([] { parse_power_log(record("power_reading", "\"1,5\"", 5), "n"); }),
            "bad-mllog");
  const PowerLog empty = parse_power_log(record("power_measurement_start", "null", 5), "n");
  EXPECT_EQ(code_of([&] { run_energy(empty, 1.0 * base::units::s); }), "no-readings");
}

std::string trace_bytes(std::size_t num_samples) {
  std::string bytes("\xF1\x00\x00\x7A\x44", 5);                                       // 1000 Hz
  for (std::size_t i = 0; i < num_samples; ++i) bytes.append("\x00\x00\x80\x3F", 4);  // 1 µJ
  return bytes;
}

TEST(TinyTrace, WindowsCountTheSamplesThatBeginInThem) {
  const EnergyTrace trace = parse_energy_trace(trace_bytes(100), "t");
  EXPECT_EQ(trace.sample_rate_hz, 1000);
  const auto windows = window_energies(trace, {0.0105, 0.0205, 0.0305, 5});
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_EQ(windows[0].num_samples, 10u);
  EXPECT_EQ(windows[1].microjoules, 10);
  EXPECT_EQ(windows[2].num_samples, 69u);
}

TEST(TinyTrace, RefusesOtherBytes) {
  std::string nan = trace_bytes(1) + std::string("\x00\x00\xC0\x7F", 4);
  std::string rate("\xF1\x00\x00\x00\x00", 5);
  for (const std::string& bytes :
       {std::string(), std::string("\xF1"), "x" + trace_bytes(2), trace_bytes(2) + "x", nan, rate})
    EXPECT_EQ(code_of([&] { parse_energy_trace(bytes, "t"); }), "bad-trace");
  for (const char* json : {"{}", "[1, 2]", "[1, 2, \"3\"]", "[1, 3, 2]", "[-1, 2, 3]"})
    EXPECT_EQ(code_of([&] { parse_timestamps(json, "t"); }), "bad-timestamps") << json;
}

TEST(SessionFile, OneDeviceOrAListOfThem) {
  const char* const kOne =
      R"({"ptd_config": {"device_type": 8, "channel": null, "device_port": "1"}, "timezone": 0})";
  const char* const kTwo =
      R"({"ptd_config": [{"device_type": "77", "channel": [1, 2]}, {"device_type": 49, "channel": 1}]})";
  EXPECT_EQ(parse_session_file(kOne, "s").devices.size(), 1u);
  EXPECT_TRUE(parse_session_file(kOne, "s").devices[0].channels.empty());
  const SessionFile two = parse_session_file(kTwo, "s");
  ASSERT_EQ(two.devices.size(), 2u);
  EXPECT_EQ(two.devices[0].device_type, 77);
  EXPECT_EQ(two.devices[0].channels, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(code_of([] { parse_session_file(R"({"ptd_config": [3]})", "s"); }), "wrong-type");
  EXPECT_EQ(code_of([] { parse_session_file(R"({"phases": {"testing": [[1]]}})", "s"); }),
            "wrong-type");
}

TEST(SessionFile, RealSession) {
  GL_SHARED_OR_SKIP(shared);
  const std::string power = shared +
                            "/data/power/inference_v1.1/closed/NVIDIA/results/AGX_Xavier_TRT_MaxQ/"
                            "resnet50/SingleStream/performance/power/";
  const SessionFile server = parse_session_file(io::read_file(power + "server.json"), "server");
  EXPECT_EQ(server.phases.at("testing").size(), 4u);
  EXPECT_EQ(server.devices.size(), 1u);
  EXPECT_GT(server.ptd_messages.size(), 5u);
  EXPECT_EQ(server.client_uuid.size(), 36u);
  const auto log = parse_ptd_log(io::read_file(power + "ptd_logs.txt"));
  EXPECT_GT(log.size(), 20u);
  EXPECT_TRUE(log.back().time_ns);
}

TEST(PtdLog, LinesWithAndWithoutTime) {
  const auto log = parse_ptd_log("banner\n\n08-12-2021 16:58:58.372: Go with mark 'x': yes\n");
  ASSERT_EQ(log.size(), 2u);
  EXPECT_FALSE(log[0].time_ns);
  EXPECT_EQ(log[1].text, "Go with mark 'x': yes");
  EXPECT_EQ(log[1].line, 3u);
}

}  // namespace
}  // namespace greenline::mlperf
