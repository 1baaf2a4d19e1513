#include "plan/search_rounds.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "plan/evaluator.hpp"
#include "plan/search_piece.hpp"

namespace greenline::plan {
namespace {

// Splits in a round: many for a few threads or ranks, few enough that most of them know of a good
// configuration when they begin.
constexpr std::size_t kRound = 16;

struct Piece {
  std::size_t problem = 0;
  Layout layout;                    // of a transformer
  RecommenderStrategy recommender;  // of a recommender
};

static_assert(std::is_trivially_copyable_v<Tally> && std::is_trivially_copyable_v<Candidate>);

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
    // Nobody stops a search that has looked at nothing yet: it would have nothing to say.
    for (std::size_t first = 0; first < pieces_.size() && !(is_cancelled_ && may_stop());
         first += kRound) {
      const std::size_t end = std::min(first + kRound, pieces_.size());
      for (const Answer& a : round(first, end)) agree(a);
      progress_.advance(end - first);
      findings_.interrupted =
          findings_.interrupted || (is_cancelled_ && may_stop() && end < pieces_.size());
    }
    findings_.leaders = agreed_.leaders.all();
    findings_.front = agreed_.front.all();
    for (const auto& [key, candidate] : agreed_.cells) findings_.cells.push_back(candidate);
    return std::move(findings_);
  }

 private:
  bool may_stop() const { return findings_.counts.all() > 0; }

  // Simple splits first: what they reach shows early what need not be looked at.
  void deal() {
    for (std::size_t i = 0; i < task_.problems.size(); ++i) {
      const Layouts all = layouts(task_.problems[i], task_.space);
      for (const Layout& layout : all.possible) pieces_.push_back({i, layout, {}});
      for (const auto& [word, impossible] : all.impossible)
        add_impossible(word, impossible.number, impossible.example);
    }
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      return a.layout.context_parallel < b.layout.context_parallel;
    });
    for (std::size_t i = 0; i < task_.recommenders.size(); ++i) deal_recommender(i);
    findings_.splits = static_cast<std::int64_t>(pieces_.size());
  }

  void deal_recommender(std::size_t i) {
    RecommenderProblem p = task_.recommenders[i];
    for (RecommenderStrategy s : dense_splits(p.devices))
      for (const LevelKind tables : kTableSplits) {
        s.tables = tables;
        p.strategy = class_strategy(s);
        const std::string why = why_impossible(p);
        if (why.empty())
          pieces_.push_back({i, {}, s});
        else
          add_impossible(why.substr(0, why.find(' ')), 1, why);
      }
  }

  void add_impossible(const std::string& word, std::int64_t splits, const std::string& example) {
    Impossible& same = findings_.impossible[word];
    same.number += splits;
    if (same.example.empty()) same.example = example;
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
      for (const auto* found : {&a.leaders, &a.places}) {
        put(bytes, found->size());
        for (const Candidate& c : *found) put(bytes, c);
      }
    }
    for (const std::string& part : ranks_.all_gather(bytes)) {
      std::string_view rest = part;
      while (!rest.empty()) {
        const auto i = take<std::size_t>(rest);
        GL_CHECK_LT(i - first, answers.size());
        Answer& a = answers[i - first];
        a.tally = take<Tally>(rest);
        for (auto* found : {&a.leaders, &a.places}) {
          found->resize(take<std::size_t>(rest));
          for (Candidate& c : *found) c = take<Candidate>(rest);
        }
      }
    }
  }

  Answer search(std::size_t i) {
    const Piece& piece = pieces_[i];
    Candidate first;
    first.number = std::uint64_t{i} << 32;
    first.configuration.strategy = piece.layout;
    first.recommender = piece.recommender;
    if (!task_.recommenders.empty()) return search_recommender(piece, first);
    first.devices = task_.problems[piece.problem].devices;
    PieceSearch search(task_, meter_, agreed_, first);
    std::unique_ptr<Evaluator> evaluator = evaluators_.take(piece.problem);
    const bool is_patient = !may_stop();
    bool is_cut = false;
    std::uint32_t count = 0;
    const auto consider = [&](const Configuration& c) {
      constexpr std::uint32_t kPatience = 256;
      if (++count % kPatience == 0 && !is_patient) is_cut = progress_.cancelled();
      if (!is_cut) search.consider(*evaluator, c);
      return !is_cut;
    };
    for_each_configuration(task_.problems[piece.problem], piece.layout, task_.space, consider,
                           [&](const std::string&) { search.refuse(); });
    evaluators_.give_back(piece.problem, std::move(evaluator));
    return search.answer(is_cut, is_cut || progress_.cancelled());
  }

  Answer search_recommender(const Piece& piece, Candidate first) {
    RecommenderProblem p = task_.recommenders[piece.problem];
    p.strategy = class_strategy(piece.recommender);
    first.devices = p.devices;
    PieceSearch search(task_, meter_, agreed_, first);
    search.consider(p);
    return search.answer(false, progress_.cancelled());
  }

  void agree(const Answer& a) {
    SearchCounts& sum = findings_.counts;
    const SearchCounts& n = a.tally.counts;
    sum.evaluated += n.evaluated;
    sum.illegal += n.illegal;
    sum.does_not_fit += n.does_not_fit;
    sum.bounded += n.bounded;
    for (std::size_t k = 0; k < kNumLimits; ++k) {
      sum.past_limit_at_least[k] += n.past_limit_at_least[k];
      sum.past_limit[k] += n.past_limit[k];
    }
    for (const Candidate& c : a.leaders) agreed_.leaders.add(c);
    for (const Candidate& c : a.places) agreed_.add_place(c);
    if (a.tally.has_shortest &&
        (!findings_.shortest || is_shorter(a.tally.shortest, *findings_.shortest)))
      findings_.shortest = a.tally.shortest;
    if (a.tally.has_nearest &&
        (!findings_.nearest || is_nearer(a.tally.nearest, *findings_.nearest)))
      findings_.nearest = a.tally.nearest;
    findings_.interrupted = findings_.interrupted || a.tally.is_cut;
    is_cancelled_ = is_cancelled_ || a.tally.is_cancelled;
  }

  const SearchTask& task_;
  const Meter& meter_;
  base::Communicator& ranks_;
  base::Progress& progress_;
  Evaluators evaluators_;
  std::vector<Piece> pieces_;
  Agreed agreed_;
  Findings findings_;
  bool is_cancelled_ = false;
};

}  // namespace

Findings explore(const SearchTask& task, const Meter& meter, base::Communicator& communicator,
                 base::Progress& progress) {
  return Explorer(task, meter, communicator, progress).run();
}

}  // namespace greenline::plan
