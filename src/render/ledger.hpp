// The ledger: past results in one SQLite file, for comparison. Each append is one transaction, so a
// killed run leaves the file as it was before or after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/value.hpp"

namespace greenline::render {

struct LedgerHeadline {
  std::string path, label, text;  // "duration_s", "duration", "54.2 days"
};
struct LedgerRow {
  std::int64_t id = 0;
  std::string started, verb, title;
  std::vector<LedgerHeadline> headline;
};

// All throw UserError "not-a-ledger" when the file is something else, "cannot-open-ledger" when the
// file system refuses, DataError "damaged-ledger" when its content contradicts itself.

// Adds a result and returns its id; creates the file when there is none.
std::int64_t append_to_ledger(const std::string& path, const io::Value& document);

// All results, oldest first. UserError "no-such-file".
std::vector<LedgerRow> list_ledger(const std::string& path);

// One result as it was added. UserError "unknown-result" names the ids there are.
io::Value get_from_ledger(const std::string& path, std::int64_t id);

}  // namespace greenline::render
