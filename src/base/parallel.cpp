#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "base/error.hpp"

namespace greenline::base {
namespace {

int num_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

struct Workers {
  int num_threads;
  // Also lifts the library's own limit where more threads than cores are asked for.
  tbb::global_control limit;
  tbb::task_arena arena;

  explicit Workers(int n)
      : num_threads(n),
        limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n)),
        arena(n) {}
};

// Never destroyed: worker threads may outlive static objects.
std::shared_ptr<Workers>& workers_slot() {
  static auto* slot = new std::shared_ptr<Workers>(std::make_shared<Workers>(num_cores()));
  return *slot;
}

std::mutex& workers_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::shared_ptr<Workers> workers() {
  const std::lock_guard lock(workers_mutex());
  return workers_slot();
}

// The failure of the lowest index. Indices above the lowest known failure need not run; those below
// it always do, so the answer does not depend on timing.
class FirstFailure {
 public:
  bool is_moot(std::size_t i) const { return i > lowest_.load(std::memory_order_relaxed); }

  void record(std::size_t i) {
    const std::lock_guard lock(mutex_);
    if (i >= lowest_.load(std::memory_order_relaxed)) return;
    lowest_.store(i, std::memory_order_relaxed);
    error_ = std::current_exception();
  }

  void rethrow_if_any() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<std::size_t> lowest_{static_cast<std::size_t>(-1)};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void set_num_threads(int n) {
  constexpr int kMostThreads = 1024;  // a slip of the keyboard must not exhaust the machine
  GL_USER_CHECK(
      n >= 0 && n <= kMostThreads, "bad-threads",
      fmt::format("the number of threads is 0 (all cores) to {}, got {}", kMostThreads, n));
  const std::lock_guard lock(workers_mutex());
  workers_slot() = std::make_shared<Workers>(n == 0 ? num_cores() : n);
}

int num_threads() { return workers()->num_threads; }

void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body, std::size_t grain) {
  GL_CHECK_GT(grain, std::size_t{0});
  const std::shared_ptr<Workers> crew = workers();
  if (crew->num_threads == 1 || n <= grain) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  FirstFailure failure;
  crew->arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain), [&](const auto& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        if (failure.is_moot(i)) return;
        try {
          body(i);
        } catch (...) {
          failure.record(i);
          return;
        }
      }
    });
  });
  failure.rethrow_if_any();
}

}  // namespace greenline::base
