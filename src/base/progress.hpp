// Progress of long work and the wish to stop it. The library calls, the shells show.
#pragma once

#include <cstdint>
#include <string_view>

namespace greenline::base {

class Progress {
 public:
  virtual ~Progress() = default;
  // A new stage of `total` units (0: unknown) replaces the one before.
  virtual void stage(std::string_view /*name*/, std::uint64_t /*total*/) {}
  virtual void advance(std::uint64_t /*units*/ = 1) {}
  // Asked between pieces of work; when true, return the best so far and mark the result
  // `interrupted`.
  virtual bool cancelled() { return false; }
};

Progress& no_progress();

}  // namespace greenline::base
