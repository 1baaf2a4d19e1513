// What a run read and assumed on its way: the part of provenance that only the library can know.
// Thread-safe. Equal records are kept once, and every list comes back sorted: the order in which
// threads get here decides nothing that a reader sees.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/communicator.hpp"
#include "base/instruction_set.hpp"

namespace greenline::base {

struct InputRecord {
  std::string path, sha256;
  auto operator<=>(const InputRecord&) const = default;
};
struct FactRecord {
  std::string id, value, unit, source;
  std::string origin;    // origin: "built-in", "user FILE:LINE", "user --set"
  std::string evidence;  // "measured", …, "assumed"
  auto operator<=>(const FactRecord&) const = default;
};
struct AssumedRecord {
  std::string key, value, why;  // "--stamp", "start", "the file gives no hint"
  auto operator<=>(const AssumedRecord&) const = default;
};

class Journal {
 public:
  void input(InputRecord record);
  void fact(FactRecord record);
  void assumed(AssumedRecord record);
  void notice(std::string text);

  std::vector<InputRecord> inputs() const;         // by path
  std::vector<FactRecord> facts() const;           // by id
  std::vector<AssumedRecord> assumptions() const;  // by key
  std::vector<std::string> notices() const;

 private:
  mutable std::mutex mutex_;
  std::set<InputRecord> inputs_;
  std::set<FactRecord> facts_;
  std::set<AssumedRecord> assumed_;
  std::set<std::string> notices_;
};

// What every request carries: the seed of all draws, where facts come from, where the run is
// recorded. The shells fill it; a library user may leave it as it is.
struct Settings {
  std::uint64_t seed = 20230325;                 // printed with every result
  std::vector<std::string> overlay_directories;  // searched after the built-in facts, later wins
  std::vector<std::string> overrides;            // "KEY=VALUE" of catalogue facts
  std::shared_ptr<Journal> journal = std::make_shared<Journal>();
  std::shared_ptr<Communicator> communicator = alone();       // processes that share the work
  InstructionSet instruction_set = widest_instruction_set();  // what kernels may use, at most
};

}  // namespace greenline::base
