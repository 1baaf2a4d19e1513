#include "plan/madmax_schedule.hpp"

#include <array>

namespace greenline::plan {
namespace {

using base::Time;

constexpr int kNone = -1;

// Tasks by number, never by name: what waits for layer 1 can't be taken to wait for layer 11.
class TwoStreams {
 public:
  explicit TwoStreams(MadmaxTasks& tasks) : tasks_(tasks) {}

  int compute(MadmaxTag tag, Time time, MadmaxBlock block, std::initializer_list<int> after) {
    return add(0, tag, time, block, after);
  }
  int communicate(MadmaxTag tag, Time time, MadmaxBlock block, std::initializer_list<int> after) {
    return add(1, tag, time, block, after);
  }
  // What is added next, on either stream, starts after all that is there.
  void join() { joined_ = last_; }

 private:
  int add(int stream, MadmaxTag tag, Time time, MadmaxBlock block,
          std::initializer_list<int> after) {
    const int task = tasks_.timeline.add(stream, static_cast<int>(tag), time);
    tasks_.blocks.push_back(block);
    for (const int before : after)
      if (before != kNone) tasks_.timeline.depend(task, before);
    // The stream's own tail is waited for anyway.
    if (int& other = joined_[static_cast<std::size_t>(1 - stream)]; other != kNone) {
      tasks_.timeline.depend(task, other);
      other = kNone;
    }
    last_[static_cast<std::size_t>(stream)] = task;
    return task;
  }

  MadmaxTasks& tasks_;
  std::array<int, 2> last_ = {kNone, kNone};    // newest task by stream
  std::array<int, 2> joined_ = {kNone, kNone};  // still to be waited for by the other stream
};

class Iteration {
 public:
  explicit Iteration(const MadmaxTimes& times)
      : times_(times), streams_(tasks_), computed_(times.layers.size(), kNone) {}

  MadmaxTasks run() && {
    forward();
    if (times_.trains) backward();
    return std::move(tasks_);
  }

 private:
  static constexpr MadmaxBlock kEmbedding{"embedding", 0, false};
  static constexpr MadmaxBlock kEmbeddingBackward{"embedding", 0, true};

  int num_layers() const { return static_cast<int>(times_.layers.size()); }
  const MadmaxLayerTimes& layer(int i) const { return times_.layers[static_cast<std::size_t>(i)]; }
  bool reads_embedding(int i) const {
    return static_cast<std::size_t>(i) == times_.first_after_embedding;
  }
  // The task that computed layer i in this pass.
  int computed(int i) const {
    return i < 0 || i >= num_layers() ? kNone : computed_[static_cast<std::size_t>(i)];
  }
  MadmaxBlock block(int i, bool backward) const {
    MadmaxBlock b = layer(i).block;
    b.backward = backward;
    return b;
  }

  // Weights of layer i; at most one layer ahead of the one that computes.
  int gather(int i, bool backward, int after) {
    if (!layer(i).gather) return kNone;
    return streams_.communicate(MadmaxTag::all_gather, *layer(i).gather, block(i, backward),
                                {after});
  }

  void forward() {
    const int looked_up = streams_.compute(MadmaxTag::embedding, times_.lookup, kEmbedding, {});
    const int exchanged =
        times_.exchange
            ? streams_.communicate(MadmaxTag::all_to_all, *times_.exchange, kEmbedding, {looked_up})
            : kNone;
    int reduced = kNone;
    for (int i = 0; i < num_layers(); ++i) {
      const MadmaxLayerTimes& t = layer(i);
      const int gathered = gather(i, false, computed(i - 2));
      const int task =
          streams_.compute(MadmaxTag::gemm, t.forward, block(i, false),
                           {gathered, reduced, reads_embedding(i) ? exchanged : kNone});
      computed_[static_cast<std::size_t>(i)] = task;
      reduced = t.reduce_activation
                    ? streams_.communicate(MadmaxTag::all_reduce, *t.reduce_activation,
                                           block(i, false), {task})
                    : kNone;
    }
  }

  void backward() {
    streams_.join();
    computed_.assign(computed_.size(), kNone);
    int reduced = kNone, exchanged = kNone;
    int ahead = times_.prefetch ? gather(num_layers() - 1, true, kNone) : kNone;
    for (int i = num_layers() - 1; i >= 0; --i) {
      const int gathered = times_.prefetch ? ahead : gather(i, true, computed(i + 2));
      const int task =
          streams_.compute(MadmaxTag::gemm, layer(i).backward, block(i, true), {gathered, reduced});
      computed_[static_cast<std::size_t>(i)] = task;
      if (times_.prefetch && i > 0) ahead = gather(i - 1, true, kNone);
      reduced = collectives(i, task);
      if (reads_embedding(i) && times_.exchange)
        exchanged = streams_.communicate(MadmaxTag::all_to_all, *times_.exchange,
                                         kEmbeddingBackward, {task});
    }
    embedding_backward(exchanged);
  }

  // Returns the one that the layer below waits for.
  int collectives(int i, int after) {
    int awaited = kNone;
    for (const MadmaxCollective& c : layer(i).after_backward) {
      const int task = streams_.communicate(c.tag, c.time, block(i, true), {after});
      if (c.is_awaited) awaited = task;
    }
    return awaited;
  }

  void embedding_backward(int exchanged) {
    if (times_.embedding_closes_backward) streams_.join();
    const int task =
        streams_.compute(MadmaxTag::embedding, times_.lookup, kEmbeddingBackward, {exchanged});
    if (times_.reduce_lookup)
      streams_.communicate(MadmaxTag::all_reduce, *times_.reduce_lookup, kEmbeddingBackward,
                           {task});
  }

  const MadmaxTimes& times_;
  MadmaxTasks tasks_;
  TwoStreams streams_;
  std::vector<int> computed_;  // (num_layers) task of this pass
};

}  // namespace

MadmaxTasks madmax_tasks(const MadmaxTimes& times) { return Iteration(times).run(); }

}  // namespace greenline::plan
