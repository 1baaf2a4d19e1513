// Progress on a terminal's standard error: silent for the first second, then one line with rate and
// time left.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include "base/progress.hpp"

namespace greenline::cli {

class ProgressBar final : public base::Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // `shown`: standard error is a terminal and --quiet is off. `now` is replaced by tests.
  ProgressBar(std::ostream& err, bool shown, std::function<Clock::time_point()> now = Clock::now);
  ~ProgressBar() override;

  void stage(std::string_view name, std::uint64_t total) override;
  void advance(std::uint64_t units) override;
  bool cancelled() override;

  // Takes the line away, so that results start on a clean one.
  void clear();

 private:
  void draw(Clock::time_point at);

  std::ostream& err_;
  const bool shown_;
  const std::function<Clock::time_point()> now_;
  const Clock::time_point start_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<Clock::rep> next_draw_;  // ticks of the clock; one thread draws, the others go on
  std::mutex mutex_;
  std::string name_;
  std::uint64_t total_ = 0;
  Clock::time_point stage_start_;
  bool on_screen_ = false;
};

// "pricing [====    ] 20/100, 10/s, 8 s left"; no time left when the total is unknown.
std::string progress_text(std::string_view name, std::uint64_t done, std::uint64_t total,
                          double seconds);

}  // namespace greenline::cli
