// Ranks as threads of one process, for tests of what ranks share.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/communicator.hpp"

namespace greenline {

class ThreadRanks {
 public:
  // body(communicator) on `size` threads, each as one rank.
  static void run(int size, const std::function<void(std::shared_ptr<base::Communicator>)>& body) {
    Meeting meeting;
    meeting.parts.resize(static_cast<std::size_t>(size));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank)
      threads.emplace_back([&, rank] { body(std::make_shared<Rank>(meeting, rank, size)); });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  struct Meeting {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> parts;
    int arrived = 0, left = 0;
    bool is_open = true;  // for those who arrive
  };

  class Rank final : public base::Communicator {
   public:
    Rank(Meeting& meeting, int rank, int size) : meeting_(meeting), rank_(rank), size_(size) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    std::vector<std::string> all_gather(std::string_view mine) override {
      std::unique_lock lock(meeting_.mutex);
      meeting_.changed.wait(lock, [&] { return meeting_.is_open; });
      meeting_.parts[static_cast<std::size_t>(rank_)] = mine;
      if (++meeting_.arrived == size_) {
        meeting_.is_open = false;
        meeting_.changed.notify_all();
      }
      meeting_.changed.wait(lock, [&] { return !meeting_.is_open; });
      std::vector<std::string> all = meeting_.parts;
      if (++meeting_.left == size_) {
        meeting_.arrived = meeting_.left = 0;
        meeting_.is_open = true;
        meeting_.changed.notify_all();
      }
      return all;
    }

   private:
    Meeting& meeting_;
    int rank_, size_;
  };
};

}  // namespace greenline
