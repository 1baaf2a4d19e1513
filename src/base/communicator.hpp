// Processes that share one piece of work and end with the same answer. Without a launcher there is
// one.
//
//   std::vector<std::string> parts = communicator.all_gather(mine);  // by rank, the same
//   everywhere
//
// Every rank calls the same collectives in the same order. A result must not depend on how many
// ranks there are: split what is independent, gather, and combine in an order of the work, not of
// the ranks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace greenline::base {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  // Bytes of every rank, by rank, at every rank. Where another rank has failed meanwhile, its error
  // is thrown here ("rank 1: ..."), so that nobody waits for it.
  virtual std::vector<std::string> all_gather(std::string_view mine) { return {std::string(mine)}; }
};

// The process alone: rank 0 of 1.
std::shared_ptr<Communicator> alone();

}  // namespace greenline::base
