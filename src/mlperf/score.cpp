#include "mlperf/score.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

namespace greenline::mlperf {
namespace {

struct ScenarioName {
  Scenario scenario;
  const char* name;
};
constexpr std::array<ScenarioName, 5> kScenarios = {{{Scenario::offline, "Offline"},
                                                     {Scenario::server, "Server"},
                                                     {Scenario::interactive, "Interactive"},
                                                     {Scenario::single_stream, "SingleStream"},
                                                     {Scenario::multi_stream, "MultiStream"}}};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

}  // namespace

std::span<const base::EnumName> enum_names(Kind) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Kind::automatic), "auto", "by what the folders hold"},
      {static_cast<int>(Kind::inference), "inference", "spl.txt beside mlperf_log_detail.txt"},
      {static_cast<int>(Kind::training), "training", "result_*.txt beside power/"},
      {static_cast<int>(Kind::tiny), "tiny", "trace1-energy.bin"}};
  return kNames;
}

std::span<const base::EnumName> enum_names(Scenario) {
  static constexpr base::EnumName kNames[] = {
      {static_cast<int>(Scenario::automatic), "auto", "that of the directory"},
      {static_cast<int>(Scenario::offline), "offline", ""},
      {static_cast<int>(Scenario::server), "server", ""},
      {static_cast<int>(Scenario::interactive), "interactive", ""},
      {static_cast<int>(Scenario::single_stream), "singlestream", ""},
      {static_cast<int>(Scenario::multi_stream), "multistream", ""}};
  return kNames;
}

const char* scenario_name(Scenario scenario) {
  for (const ScenarioName& s : kScenarios)
    if (s.scenario == scenario) return s.name;
  return "";
}

std::optional<Scenario> scenario_named(std::string_view name) {
  for (const ScenarioName& s : kScenarios)
    if (same_letters(s.name, name)) return s.scenario;
  return std::nullopt;
}

std::string Round::text() const { return is_known() ? fmt::format("v{}.{}", major, minor) : ""; }

Round round_of(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Round round;
  const char* const end = text.data() + text.size();
  const auto [dot, bad_major] = std::from_chars(text.data(), end, round.major);
  if (bad_major != std::errc() || dot == end || *dot != '.' || round.major < 0) return {};
  const auto [rest, bad_minor] = std::from_chars(dot + 1, end, round.minor);
  if (bad_minor != std::errc() || round.minor < 0 || rest != end) return {};
  return round;
}

double Score::native_difference() const {
  return energy > base::Energy{} ? native.energy / energy - 1 : 0;
}

PathNames names_of_path(const std::string& folder) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(folder))
    if (!part.empty() && part != ".") parts.push_back(part.string());
  PathNames names;
  for (const std::string& part : parts) {
    const std::size_t v = part.rfind("_v");
    if (v != std::string::npos && round_of(part.substr(v + 1)).is_known())
      names.round = round_of(part.substr(v + 1));
  }
  const auto results = std::find(parts.rbegin(), parts.rend(), "results");
  const auto at = static_cast<std::size_t>(parts.rend() - results);  // behind "results"
  if (results == parts.rend()) return names;
  if (at >= 2) names.submitter = parts[at - 2];
  if (at < parts.size()) names.system = parts[at];
  if (at + 1 < parts.size()) names.benchmark = parts[at + 1];
  return names;
}

void compare_native(Score& score) {
  constexpr double kWorthSaying = 0.005, kWhole = 0.999;
  if (score.native_coverage < kWhole)
    score.notices.push_back(
        fmt::format("power samples cover {:.1f} % of the window; the native energy is of that part",
                    100 * score.native_coverage));
  if (std::fabs(score.native_difference()) > kWorthSaying)
    score.notices.push_back(fmt::format(
        "the integral of the samples is {:.2f} % {} than mean power times duration, which is "
        "what the metric is made of",
        100 * std::fabs(score.native_difference()),
        score.native_difference() < 0 ? "less" : "more"));
}

}  // namespace greenline::mlperf
