#include "base/instruction_set.hpp"

#include <gtest/gtest.h>

#include "unit/io/expect_error.hpp"

namespace greenline::base {
namespace {

TEST(InstructionSet, IsNamedByTheUser) {
  EXPECT_EQ(instruction_set_of("scalar"), InstructionSet::scalar);
  EXPECT_EQ(instruction_set_of(""), widest_instruction_set());
  EXPECT_EQ(instruction_set_of(enum_name(widest_instruction_set())), widest_instruction_set());
}

TEST(InstructionSet, RefusesWhatTheMachineLacks) {
  EXPECT_TRUE(testing::contains(
      testing::error_of<UserError>("unknown-instruction-set", [] { instruction_set_of("avx-2"); }),
      "avx2"));
  if (widest_instruction_set() < InstructionSet::amx)
    testing::error_of<UnsupportedError>("no-instruction-set", [] { instruction_set_of("amx"); });
}

}  // namespace
}  // namespace greenline::base
