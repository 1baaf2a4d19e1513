// Rows of a self-test: our number beside somebody else's, with the tolerance that is promised.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/journal.hpp"
#include "base/progress.hpp"

namespace greenline::base {

struct CheckRow {
  std::string table;  // "Korthikanti table 3: memory"
  std::string name;   // "175b sequence parallel, selective: activations"
  double expected = 0, got = 0;
  std::string unit;      // for people: "GiB", "s"
  double tolerance = 0;  // on |got - expected|, absolute or as a share of |expected|
  bool relative = true;
  bool gated = true;   // false: shown and counted in the error figures, never failing
  std::string source;  // citation key
  std::string note;
  double floor = 0;  // added to what `tolerance` allows: the digits that the source prints
  std::optional<double> naive = {};  // what a naive baseline says where we say `got`
  std::string component = {};        // part of a whole, where the table compares parts: "backward"

  double relative_error() const {
    return expected != 0 ? (got - expected) / expected : got - expected;
  }
  bool pass() const;  // within the tolerance, promised or not; NaN is not
};

struct SelftestRequest {
  Settings settings;
  std::vector<std::string> oracles;  // files or folders; empty: the built-in rows
  std::string root;          // folder of the reference inputs (GREENLINE_SHARED), "" when unset
  std::string kind, system;  // as the room documents
};

// A room's self-test. Rows whose inputs are missing are not returned; the function says so in the
// journal.
using Selftest = std::function<std::vector<CheckRow>(const SelftestRequest&, Progress&)>;

}  // namespace greenline::base
