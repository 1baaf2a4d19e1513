// The slow search: every legal configuration priced in full, kept in one list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/quantity.hpp"
#include "plan/iteration.hpp"
#include "plan/memory.hpp"
#include "plan/search_rounds.hpp"

namespace greenline::plan::reference {

struct PlainFindings {
  std::int64_t legal = 0, fit = 0;
  // leaders: the first of each score, with the number of the others.
  std::vector<Candidate> leaders, front, cells;
};

// All configurations of the space in the order in which a search numbers them.
inline std::vector<Candidate> numbered(const SearchTask& task) {
  std::vector<std::pair<const Problem*, Layout>> pieces;
  for (const Problem& p : task.problems)
    for (const Layout& layout : layouts(p, task.space).possible) pieces.push_back({&p, layout});
  std::stable_sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) {
    return a.second.context_parallel < b.second.context_parallel;
  });
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::uint64_t number = std::uint64_t{i} << 32;
    const auto& [problem, layout] = pieces[i];
    for_each_configuration(*problem, layout, task.space, [&](const Configuration& c) {
      Candidate candidate;
      candidate.configuration = c;
      candidate.devices = problem->devices;
      candidate.number = number++;
      all.push_back(candidate);
      return true;
    });
  }
  return all;
}

inline PlainFindings explore(const SearchTask& task, const Meter& meter) {
  PlainFindings out;
  std::map<std::int64_t, const Problem*> problems;
  for (const Problem& p : task.problems) problems[p.devices] = &p;
  std::vector<Candidate> kept;
  for (Candidate c : numbered(task)) {
    ++out.legal;
    const Problem& p = *problems[c.devices];
    const Memory memory = fullest_stage(p, c.configuration);
    if (!memory.fits()) continue;
    ++out.fit;
    c.memory = memory.total().in(base::units::B);
    c.score = meter.score(c.devices, iteration(p, c.configuration));
    c.value = value_of(c.score, task.objective);
    if (c.score.time <= task.limits.time && c.score.energy / c.score.time <= task.limits.power &&
        c.score.device_seconds <= task.limits.device_seconds)
      kept.push_back(c);
  }
  std::sort(kept.begin(), kept.end(), comes_before);
  for (const Candidate& c : kept) {
    if (!out.leaders.empty() && out.leaders.back().score == c.score)
      ++out.leaders.back().equals;
    else if (out.leaders.size() < task.num_leaders)
      out.leaders.push_back(c);
    else
      break;
  }
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Candidate> cells;
  for (const Candidate& c : kept) {
    const Strategy& s = c.configuration.strategy;
    cells.try_emplace({c.devices, s.tensor_parallel, s.pipeline_parallel}, c);
    bool is_beaten = false;
    for (const Candidate& other : kept) {
      const bool same = other.score == c.score;
      if (dominates(other.score, c.score) || (same && comes_before(other, c))) is_beaten = true;
    }
    if (!is_beaten) out.front.push_back(c);
  }
  for (const auto& [key, c] : cells) out.cells.push_back(c);
  std::sort(out.front.begin(), out.front.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.score.time, a.score.energy) < std::tie(b.score.time, b.score.energy);
  });
  return out;
}

}  // namespace greenline::plan::reference
