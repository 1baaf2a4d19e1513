#include "mlperf/tiny_trace.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/blanks.hpp"
#include "io/json.hpp"
#include "mlperf/log_text.hpp"

namespace greenline::mlperf {
namespace {

// "…key[<name>]-val[<value>]"
std::optional<std::string_view> configured(std::string_view line, std::string_view name) {
  const std::string key = fmt::format("key[{}]-val[", name);
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + key.size());
  const std::size_t end = line.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  return line.substr(0, end);
}

// The first word after `name` in a line that has it.
std::optional<std::string_view> word_after(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  line = io::without_blanks(line.substr(at + name.size()));
  return line.substr(0, line.find(' '));
}

float float_at(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(bytes[at + i])};
  };
  return std::bit_cast<float>(byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
}

}  // namespace

EnergyTrace parse_energy_trace(std::string_view bytes, std::string name) {
  constexpr unsigned char kFirstByte = 0xF1;
  constexpr std::size_t kHeader = 5, kSample = 4;
  const auto refuse = [&](std::string message) {
    return base::DataError("bad-trace", std::move(message),
                           "expected byte F1, a float32 sample rate, then float32 samples",
                           {name, 0, 0});
  };
  if (bytes.size() < kHeader || static_cast<unsigned char>(bytes[0]) != kFirstByte)
    throw refuse("this is no energy trace");
  if ((bytes.size() - kHeader) % kSample != 0)
    throw refuse(fmt::format("the trace is cut off: {} bytes are no whole number of samples",
                             bytes.size() - kHeader));
  EnergyTrace trace;
  trace.sample_rate_hz = static_cast<double>(float_at(bytes, 1));
  if (!(trace.sample_rate_hz > 0) || !std::isfinite(trace.sample_rate_hz))
    throw refuse(fmt::format("the sample rate is {} Hz", trace.sample_rate_hz));
  trace.microjoules.resize((bytes.size() - kHeader) / kSample);
  for (std::size_t i = 0; i < trace.microjoules.size(); ++i) {
    trace.microjoules[i] = float_at(bytes, kHeader + i * kSample);
    if (!std::isfinite(trace.microjoules[i]))
      throw refuse(fmt::format("the energy of sample {} is not finite", i));
  }
  trace.name = std::move(name);
  return trace;
}

std::vector<double> parse_timestamps(std::string_view json, const std::string& name) {
  const io::Value value = io::parse_json(json, name);
  const auto refuse = [](const io::Value& at, const std::string& message) {
    return base::DataError("bad-timestamps", message,
                           "expected an array of seconds that ascend: window k lies between "
                           "numbers k-1 and k",
                           at.where());
  };
  if (!value.is_array() || value.as_array().size() < 3)
    throw refuse(value, "these are no time stamps of windows");
  std::vector<double> seconds;
  for (const io::Value& item : value.as_array()) {
    if (!item.is_number() || !(item.as_double() >= 0))
      throw refuse(item, "a time stamp is no number from 0 on");
    if (!seconds.empty() && !(item.as_double() > seconds.back()))
      throw refuse(item,
                   fmt::format("{} s does not lie behind {} s", item.as_double(), seconds.back()));
    seconds.push_back(item.as_double());
  }
  return seconds;
}

TinyLog parse_tiny_log(std::string_view text) {
  TinyLog log;
  LogLines lines(text);
  while (lines.next()) {
    if (!log.inferences)
      if (const auto n = configured(lines.line(), "iterInfer")) log.inferences = integer(*n);
    if (log.model.empty())
      if (const auto model = configured(lines.line(), "model")) log.model = *model;
  }
  return log;
}

TinyResults parse_tiny_results(std::string_view text) {
  TinyResults results;
  std::optional<std::int64_t> window;
  LogLines lines(text);
  while (lines.next()) {
    if (const auto number = word_after(lines.line(), "Energy data for window ")) {
      window = integer(*number);
    } else if (const auto median = word_after(lines.line(), "Median energy cost is ")) {
      results.median_microjoules_per_inference = decimal(*median);
    } else if (const auto energy = word_after(lines.line(), " Energy       :"); energy && window) {
      if (const auto microjoules = decimal(*energy))
        results.window_microjoules.emplace(*window, *microjoules);
    }
  }
  return results;
}

std::vector<TinyWindow> window_energies(const EnergyTrace& trace,
                                        const std::vector<double>& timestamps) {
  std::vector<TinyWindow> windows;
  for (std::size_t k = 1; k < timestamps.size(); ++k)
    windows.push_back({static_cast<std::int64_t>(k), timestamps[k - 1], timestamps[k], 0, 0});
  const double period = 1 / trace.sample_rate_hz;
  double time = 0;
  std::size_t next = 0;
  for (const float microjoules : trace.microjoules) {
    while (next < windows.size() && time >= windows[next].end_s) ++next;
    if (next == windows.size()) break;
    if (time >= windows[next].begin_s) {
      windows[next].microjoules += static_cast<double>(microjoules);
      ++windows[next].num_samples;
    }
    time += period;
  }
  return windows;
}

}  // namespace greenline::mlperf
