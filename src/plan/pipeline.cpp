#include "plan/pipeline.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

using base::Time;

// Position k of a stage's forward (or backward) order names a chunk and a micro-batch: groups of p
// micro-batches pass through chunk 0, then chunk 1, and so on; backward passes go through the
// chunks the other way.
struct Piece {
  std::int64_t chunk, micro_batch;
};

class Builder {
 public:
  Builder(const std::vector<StageWork>& work, std::int64_t micro_batches, std::int64_t chunks)
      : work_(work),
        p_(static_cast<std::int64_t>(work.size())),
        m_(micro_batches),
        v_(chunks),
        forward_(static_cast<std::size_t>(p_ * m_ * v_)),
        backward_(forward_.size()) {}

  model::Timeline build() {
    for (std::int64_t i = 0; i < p_; ++i) stage(i);
    for (std::int64_t i = 0; i < p_; ++i) connect(i);
    return std::move(timeline_);
  }

 private:
  std::size_t at(std::int64_t stage, Piece x) const {
    return static_cast<std::size_t>((stage * v_ + x.chunk) * m_ + x.micro_batch);
  }
  Piece forward_piece(std::int64_t k) const {
    if (v_ == 1) return {0, k};
    return {k % (p_ * v_) / p_, k / (p_ * v_) * p_ + k % p_};
  }
  Piece backward_piece(std::int64_t k) const {
    Piece x = forward_piece(k);
    x.chunk = v_ - 1 - x.chunk;
    return x;
  }

  void stage(std::int64_t i) {
    const std::int64_t total = m_ * v_;
    const std::int64_t warm = v_ == 1 ? p_ - i - 1 : 2 * (p_ - i - 1) + (v_ - 1) * p_;
    const std::int64_t ahead = std::min(total, warm);
    const StageWork& w = work_[static_cast<std::size_t>(i)];
    const auto share = static_cast<double>(v_);
    auto forward = [&](std::int64_t k) {
      forward_[at(i, forward_piece(k))] =
          timeline_.add(static_cast<int>(i), kForward, w.forward / share);
    };
    auto backward = [&](std::int64_t k) {
      backward_[at(i, backward_piece(k))] =
          timeline_.add(static_cast<int>(i), kBackward, w.backward / share);
    };
    for (std::int64_t k = 0; k < ahead; ++k) forward(k);
    for (std::int64_t k = ahead; k < total; ++k) {
      forward(k);
      backward(k - ahead);
    }
    for (std::int64_t k = total - ahead; k < total; ++k) backward(k);
  }

  void connect(std::int64_t i) {
    for (std::int64_t c = 0; c < v_; ++c) {
      for (std::int64_t b = 0; b < m_; ++b) {
        const Piece x{c, b};
        if (i > 0)
          timeline_.depend(forward_[at(i, x)], forward_[at(i - 1, x)]);
        else if (c > 0)
          timeline_.depend(forward_[at(i, x)], forward_[at(p_ - 1, {c - 1, b})]);
        if (i < p_ - 1)
          timeline_.depend(backward_[at(i, x)], backward_[at(i + 1, x)]);
        else if (c < v_ - 1)
          timeline_.depend(backward_[at(i, x)], backward_[at(0, {c + 1, b})]);
        else
          timeline_.depend(backward_[at(i, x)], forward_[at(i, x)]);
      }
    }
  }

  const std::vector<StageWork>& work_;
  std::int64_t p_, m_, v_;
  std::vector<int> forward_, backward_;  // (num_stages, num_chunks, num_micro_batches) task ids
  model::Timeline timeline_;
};

}  // namespace

model::Timeline pipeline_schedule(const std::vector<StageWork>& stages, std::int64_t micro_batches,
                                  std::int64_t chunks) {
  GL_CHECK_GE(micro_batches, std::int64_t{1});
  GL_CHECK_GE(chunks, std::int64_t{1});
  if (chunks > 1)
    GL_CHECK_EQ(micro_batches % static_cast<std::int64_t>(stages.size()), std::int64_t{0});
  return Builder(stages, micro_batches, chunks).build();
}

}  // namespace greenline::plan
