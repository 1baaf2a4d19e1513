#include "cli/progress_bar.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "cli/interrupt.hpp"

namespace greenline::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kSilence = 1s;
constexpr auto kInterval = 100ms;
constexpr std::size_t kBarWidth = 24;

}  // namespace

std::string progress_text(std::string_view name, std::uint64_t done, std::uint64_t total,
                          double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string text(name);
  if (total > 0) {
    const std::uint64_t capped = std::min(done, total);
    const auto filled = static_cast<std::size_t>(static_cast<double>(capped) /
                                                 static_cast<double>(total) * kBarWidth);
    text += fmt::format(" [{}{}] {}/{}", std::string(filled, '='),
                        std::string(kBarWidth - filled, ' '), capped, total);
  } else {
    text += fmt::format(" {}", done);
  }
  if (rate <= 0) return text;
  text += fmt::format(", {}/s", base::format_quantity(rate, 2));
  if (total > done) {
    const double left = static_cast<double>(total - done) / rate;
    text += ", " + base::format_quantity(left * base::units::s, 2) + " left";
  }
  return text;
}

ProgressBar::ProgressBar(std::ostream& err, bool shown, std::function<Clock::time_point()> now)
    : err_(err),
      shown_(shown),
      now_(std::move(now)),
      start_(now_()),
      next_draw_((start_ + kSilence).time_since_epoch().count()),
      stage_start_(start_) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::stage(std::string_view name, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  name_ = name;
  total_ = total;
  stage_start_ = now_();
  done_ = 0;
}

void ProgressBar::advance(std::uint64_t units) {
  done_ += units;
  if (!shown_) return;
  const Clock::time_point at = now_();
  Clock::rep due = next_draw_;
  if (at.time_since_epoch().count() < due) return;
  if (next_draw_.compare_exchange_strong(due, (at + kInterval).time_since_epoch().count()))
    draw(at);
}

bool ProgressBar::cancelled() { return interrupted(); }

void ProgressBar::draw(Clock::time_point at) {
  const std::lock_guard lock(mutex_);
  const double seconds = std::chrono::duration<double>(at - stage_start_).count();
  err_ << "\r\x1b[K" << progress_text(name_, done_, total_, seconds) << std::flush;
  on_screen_ = true;
}

void ProgressBar::clear() {
  const std::lock_guard lock(mutex_);
  if (on_screen_) err_ << "\r\x1b[K" << std::flush;
  on_screen_ = false;
}

}  // namespace greenline::cli
