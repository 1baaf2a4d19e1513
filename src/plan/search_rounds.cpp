#include "plan/search_rounds.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "plan/evaluator.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;

// Splits in a round: many for a few threads or ranks, few enough that most of them know of a good
// configuration when they begin.
constexpr std::size_t kRound = 16;

struct Piece {
  std::size_t problem = 0;
  Layout layout;
};

struct CellKey {
  std::int64_t devices = 0, tensor = 0, pipeline = 0;
  auto operator<=>(const CellKey&) const = default;
};
CellKey cell_of(const Candidate& c) {
  return {c.devices, c.configuration.strategy.tensor_parallel,
          c.configuration.strategy.pipeline_parallel};
}

// What all have agreed on.
struct Agreed {
  Leaders leaders;
  ParetoFront front;
  std::map<CellKey, Candidate> cells;

  void add(const Candidate& c, bool leaders_only) {
    leaders.add(c);
    if (leaders_only) return;
    front.add(c);
    const auto [at, is_new] = cells.try_emplace(cell_of(c), c);
    if (!is_new && comes_before(c, at->second)) at->second = c;
  }
};

// What a piece of work gives back. Plain bytes, so that ranks can send it.
struct Tally {
  SearchCounts counts;
  Shortage shortest;
  bool has_shortest = false, interrupted = false;
};
struct Answer {
  Tally tally;
  std::vector<Candidate> found;
};
static_assert(std::is_trivially_copyable_v<Tally> && std::is_trivially_copyable_v<Candidate>);

bool is_shorter(const Shortage& a, const Shortage& b) {
  return std::tie(a.missing, a.candidate.number) < std::tie(b.missing, b.candidate.number);
}

// One split, from what was agreed.
class PieceSearch {
 public:
  PieceSearch(const SearchTask& task, const Meter& meter, Evaluator& evaluate, const Agreed& agreed,
              const Piece& piece, std::uint64_t first_number)
      : task_(task),
        meter_(meter),
        evaluate_(evaluate),
        devices_(evaluate.problem().devices),
        leaders_(agreed.leaders),
        front_(agreed.front),
        first_(first_number),
        number_(first_number) {
    const Layout& s = piece.layout;
    const auto cell = agreed.cells.find({devices_, s.tensor_parallel, s.pipeline_parallel});
    if (cell != agreed.cells.end()) cell_ = cell->second;
  }

  void consider(const Configuration& c) {
    const std::uint64_t number = number_++;
    const Memory memory = evaluate_.memory(c);
    if (!memory.fits()) {
      ++tally_.counts.does_not_fit;
      keep_shortage(c, memory, number);
      return;
    }
    const Score least = meter_.least(devices_, evaluate_.bound(c));
    if (!may_matter(least)) return;
    Candidate candidate{c,
                        devices_,
                        meter_.score(devices_, evaluate_.iteration(c)),
                        0,
                        memory.total().in(units::B),
                        number};
    ++tally_.counts.evaluated;
    const Excess excess = excess_of(candidate.score, task_.limits);
    if (excess.ratio > 1 && !task_.nearest) {
      ++tally_.counts.past_limit[static_cast<std::size_t>(excess.limit)];
      return;
    }
    candidate.value = task_.nearest ? excess.ratio : value_of(candidate.score, task_.objective);
    keep(candidate);
  }

  // What this piece has found and nothing that it knows of is better than.
  Answer answer(bool interrupted) {
    Answer a{tally_, {}};
    a.tally.interrupted = interrupted;
    std::map<std::uint64_t, const Candidate*> found;
    const auto add = [&](const Candidate& c) {
      if (c.number >= first_ && c.number < number_) found.emplace(c.number, &c);
    };
    for (const Candidate& c : leaders_.all()) add(c);
    for (const Candidate& c : front_.all()) add(c);
    if (cell_) add(*cell_);
    for (const auto& [number, candidate] : found) a.found.push_back(*candidate);
    return a;
  }

 private:
  bool may_matter(const Score& least) {
    if (task_.nearest) {
      if (leaders_.may_enter(least_excess(least, task_.limits))) return true;
      ++tally_.counts.bounded;
      return false;
    }
    if (least_excess(least, task_.limits) > 1) {
      const Limit passed = least.time > task_.limits.time ? Limit::time : Limit::cost;
      ++tally_.counts.past_limit_at_least[static_cast<std::size_t>(passed)];
      return false;
    }
    const double value = value_of(least, task_.objective);
    if (leaders_.may_enter(value)) return true;
    const bool places = !task_.leaders_only;
    if (places && (!cell_ || value <= cell_->value || front_.may_enter(least))) return true;
    ++tally_.counts.bounded;
    return false;
  }

  void keep(const Candidate& c) {
    leaders_.add(c);
    if (task_.nearest || task_.leaders_only) return;
    front_.add(c);
    if (!cell_ || comes_before(c, *cell_)) cell_ = c;
  }

  void keep_shortage(const Configuration& c, const Memory& memory, std::uint64_t number) {
    const Shortage s{{c, devices_, {}, 0, memory.total().in(units::B), number},
                     (memory.total() - memory.usable()).in(units::B)};
    if (tally_.has_shortest && !is_shorter(s, tally_.shortest)) return;
    tally_.shortest = s;
    tally_.has_shortest = true;
  }

  const SearchTask& task_;
  const Meter& meter_;
  Evaluator& evaluate_;
  std::int64_t devices_;
  Leaders leaders_;
  ParetoFront front_;
  std::optional<Candidate> cell_;
  Tally tally_;
  std::uint64_t first_, number_;
};

// Evaluators remember what configurations have in common: each is lent to one piece at a time, and
// then to another.
class Evaluators {
 public:
  explicit Evaluators(const std::vector<Problem>& problems)
      : problems_(problems), idle_(problems.size()) {}
  std::unique_ptr<Evaluator> take(std::size_t problem) {
    const std::lock_guard lock(mutex_);
    auto& idle = idle_[problem];
    if (idle.empty()) return std::make_unique<Evaluator>(problems_[problem]);
    std::unique_ptr<Evaluator> evaluator = std::move(idle.back());
    idle.pop_back();
    return evaluator;
  }
  void give_back(std::size_t problem, std::unique_ptr<Evaluator> evaluator) {
    const std::lock_guard lock(mutex_);
    idle_[problem].push_back(std::move(evaluator));
  }

 private:
  const std::vector<Problem>& problems_;
  std::mutex mutex_;
  std::vector<std::vector<std::unique_ptr<Evaluator>>> idle_;
};

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}
template <class T>
T take(std::string_view& bytes) {
  GL_CHECK_GE(bytes.size(), sizeof(T));
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

class Explorer {
 public:
  Explorer(const SearchTask& task, const Meter& meter, base::Communicator& ranks,
           base::Progress& progress)
      : task_(task),
        meter_(meter),
        ranks_(ranks),
        progress_(progress),
        evaluators_(task.problems),
        agreed_{Leaders(task.num_leaders), {}, {}} {}

  Findings run() {
    deal();
    progress_.stage("strategies", pieces_.size());
    for (std::size_t first = 0; first < pieces_.size() && !findings_.interrupted; first += kRound) {
      const std::size_t end = std::min(first + kRound, pieces_.size());
      for (const Answer& a : round(first, end)) agree(a);
      progress_.advance(end - first);
      is_first_round_ = false;
    }
    findings_.leaders = agreed_.leaders.all();
    findings_.front = agreed_.front.all();
    for (const auto& [key, candidate] : agreed_.cells) findings_.cells.push_back(candidate);
    return std::move(findings_);
  }

 private:
  // Simple splits first: what they reach shows early what need not be looked at.
  void deal() {
    for (std::size_t i = 0; i < task_.problems.size(); ++i) {
      Layouts all = layouts(task_.problems[i], task_.space);
      for (const Layout& layout : all.possible) pieces_.push_back({i, layout});
      for (auto& [word, impossible] : all.impossible) {
        Impossible& same = findings_.impossible[word];
        same.splits += impossible.splits;
        if (same.example.empty()) same.example = std::move(impossible.example);
      }
    }
    findings_.splits = static_cast<std::int64_t>(pieces_.size());
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      return a.layout.context_parallel < b.layout.context_parallel;
    });
  }

  // The pieces [first, end), each on the rank whose turn it is; all answers in the order of the
  // pieces, at every rank.
  std::vector<Answer> round(std::size_t first, std::size_t end) {
    const auto size = static_cast<std::size_t>(ranks_.size());
    const auto rank = static_cast<std::size_t>(ranks_.rank());
    std::vector<std::size_t> mine;
    for (std::size_t i = first; i < end; ++i)
      if (i % size == rank) mine.push_back(i);
    std::vector<Answer> answers(end - first);
    base::parallel_for(mine.size(),
                       [&](std::size_t k) { answers[mine[k] - first] = search(mine[k]); });
    if (size > 1) exchange(first, mine, answers);
    return answers;
  }

  void exchange(std::size_t first, const std::vector<std::size_t>& mine,
                std::vector<Answer>& answers) {
    std::string bytes;
    for (const std::size_t i : mine) {
      const Answer& a = answers[i - first];
      put(bytes, i);
      put(bytes, a.tally);
      put(bytes, a.found.size());
      for (const Candidate& c : a.found) put(bytes, c);
    }
    for (const std::string& part : ranks_.all_gather(bytes)) {
      std::string_view rest = part;
      while (!rest.empty()) {
        const auto i = take<std::size_t>(rest);
        GL_CHECK_LT(i - first, answers.size());
        Answer& a = answers[i - first];
        a.tally = take<Tally>(rest);
        a.found.resize(take<std::size_t>(rest));
        for (Candidate& c : a.found) c = take<Candidate>(rest);
      }
    }
  }

  Answer search(std::size_t i) {
    const Piece& piece = pieces_[i];
    std::unique_ptr<Evaluator> evaluator = evaluators_.take(piece.problem);
    PieceSearch search(task_, meter_, *evaluator, agreed_, piece, std::uint64_t{i} << 32);
    bool interrupted = false;
    std::uint32_t count = 0;
    for_each_configuration(task_.problems[piece.problem], piece.layout, task_.space,
                           [&](const Configuration& c) {
                             constexpr std::uint32_t kPatience = 256;
                             // Something is found before anyone may stop it.
                             if (++count % kPatience == 0 && !is_first_round_)
                               interrupted = progress_.cancelled();
                             if (!interrupted) search.consider(c);
                             return !interrupted;
                           });
    evaluators_.give_back(piece.problem, std::move(evaluator));
    return search.answer(interrupted || progress_.cancelled());
  }

  void agree(const Answer& a) {
    SearchCounts& sum = findings_.counts;
    const SearchCounts& n = a.tally.counts;
    sum.evaluated += n.evaluated;
    sum.does_not_fit += n.does_not_fit;
    sum.bounded += n.bounded;
    for (std::size_t k = 0; k < kNumLimits; ++k) {
      sum.past_limit_at_least[k] += n.past_limit_at_least[k];
      sum.past_limit[k] += n.past_limit[k];
    }
    for (const Candidate& c : a.found) agreed_.add(c, task_.leaders_only || task_.nearest);
    if (a.tally.has_shortest &&
        (!findings_.shortest || is_shorter(a.tally.shortest, *findings_.shortest)))
      findings_.shortest = a.tally.shortest;
    findings_.interrupted = findings_.interrupted || a.tally.interrupted;
  }

  const SearchTask& task_;
  const Meter& meter_;
  base::Communicator& ranks_;
  base::Progress& progress_;
  Evaluators evaluators_;
  std::vector<Piece> pieces_;
  Agreed agreed_;
  Findings findings_;
  bool is_first_round_ = true;
};

}  // namespace

Findings explore(const SearchTask& task, const Meter& meter, base::Communicator& communicator,
                 base::Progress& progress) {
  return Explorer(task, meter, communicator, progress).run();
}

}  // namespace greenline::plan
