#include "plan/validation.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::plan {
namespace {

TEST(ValidationTest, EveryGatedRowHolds) {
  const base::SelftestRequest request;
  int gated = 0;
  for (const base::CheckRow& row : selftest(request, base::no_progress())) {
    if (!row.gated) continue;
    ++gated;
    EXPECT_TRUE(row.pass()) << row.table << ": " << row.name << " expected " << row.expected
                            << ", got " << row.got;
  }
  // 12 + 16 memory, 16 parameter counts, 8 utilisations, 8 times, 6 means of tables and one order,
  // the device-hours of LLaMA, 39 results of MAD-Max, 4 pipelines.
  EXPECT_EQ(gated, 110);
}

TEST(ValidationTest, MissingFileIsAnnounced) {
  const base::SelftestRequest request;
  selftest(request, base::no_progress());
  const auto notices = request.settings.journal->notices();
  EXPECT_TRUE(std::any_of(notices.begin(), notices.end(), [](const std::string& n) {
    return n.find("--oracle") != std::string::npos;
  }));
}

TEST(ValidationTest, UnknownKindNamesTheNearest) {
  base::SelftestRequest request;
  request.kind = "memry";
  EXPECT_THROW(selftest(request, base::no_progress()), base::UserError);
}

}  // namespace
}  // namespace greenline::plan
