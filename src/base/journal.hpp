// What a run read and assumed on its way: the part of provenance that only the library can know.
// Thread-safe. A record equal to an earlier one is kept once; the lists stand in the order of first
// mention, which threads can change, so the shells sort them when they show them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace greenline::base {

struct InputRecord {
  std::string path, sha256;
  bool operator==(const InputRecord&) const = default;
};
struct FactRecord {
  std::string id, value, unit, source, origin;  // origin: "built-in", "overlay FILE:LINE", "--set"
  bool operator==(const FactRecord&) const = default;
};
struct AssumedRecord {
  std::string key, value, why;  // "--stamp", "start", "the file gives no hint"
  bool operator==(const AssumedRecord&) const = default;
};

class Journal {
 public:
  void input(InputRecord record);
  void fact(FactRecord record);
  void assumed(AssumedRecord record);
  void notice(std::string text);

  std::vector<InputRecord> inputs() const;
  std::vector<FactRecord> facts() const;
  std::vector<AssumedRecord> assumptions() const;
  std::vector<std::string> notices() const;

 private:
  mutable std::mutex mutex_;
  std::vector<InputRecord> inputs_;
  std::vector<FactRecord> facts_;
  std::vector<AssumedRecord> assumed_;
  std::vector<std::string> notices_;
};

// What every request carries: the seed of all draws, where facts come from, where the run is
// recorded. The shells fill it; a library user may leave it as it is.
struct Settings {
  std::uint64_t seed = 20230325;                 // printed with every result
  std::vector<std::string> overlay_directories;  // searched after the built-in facts, later wins
  std::vector<std::string> overrides;            // "KEY=VALUE" of catalogue facts
  std::shared_ptr<Journal> journal = std::make_shared<Journal>();
};

}  // namespace greenline::base
