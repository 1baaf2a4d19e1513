#include "io/tar.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "unit/io/pack.hpp"

namespace greenline::io {
namespace {

using testing::kTarEnd;
using testing::tar_member;

std::string code_of(const std::string& bytes) {
  try {
    read_tar(bytes, "x.tar");
  } catch (const base::DataError& error) {
    return error.code();
  }
  return "";
}

TEST(TarTest, FilesInOrderWithoutFoldersAndLinks) {
  const std::string bytes = tar_member("job", "", '5') + tar_member("job/rank0.json", "abc") +
                            tar_member("link", "", '2') + tar_member("job/rank1.json", "") +
                            kTarEnd;
  ASSERT_TRUE(is_tar(bytes));
  const auto members = read_tar(bytes, "x.tar");
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].name, "job/rank0.json");
  EXPECT_EQ(members[0].bytes, "abc");
  EXPECT_EQ(members[1].bytes, "");
}

TEST(TarTest, LongNamesOfGnuAndPax) {
  const std::string name(300, 'n');
  const std::string record = " path=" + name + "\n";
  const auto gnu =
      read_tar(tar_member("././@LongLink", name + '\0', 'L') + tar_member("n", "1"), "x");
  ASSERT_EQ(gnu.size(), 1U);
  EXPECT_EQ(gnu[0].name, name);
  const auto pax = read_tar(
      tar_member("pax", std::to_string(record.size() + 3) + record, 'x') + tar_member("n", "1"),
      "x");
  ASSERT_EQ(pax.size(), 1U);
  EXPECT_EQ(pax[0].name, name);
}

TEST(TarTest, DamageIsSaid) {
  const std::string whole = tar_member("a", std::string(2000, 'x')) + kTarEnd;
  EXPECT_EQ(code_of(whole), "");
  EXPECT_EQ(code_of(whole.substr(0, 1500)), "bad-tar");
  const auto kept = read_tar(std::string_view(whole).substr(0, 1500), "x.tar", CutArchive::kept);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_TRUE(kept[0].is_cut);
  EXPECT_EQ(kept[0].bytes.size(), 1500U - 512U);
  std::string wrong = tar_member("a", "x") + tar_member("b", "y");
  wrong[1024] = 'c';  // the name of b, against its sum
  EXPECT_EQ(code_of(wrong), "bad-tar");
  EXPECT_FALSE(is_tar("{\"traceEvents\":[]}"));
  EXPECT_FALSE(is_tar(std::string(512, '\0')));
}

}  // namespace
}  // namespace greenline::io
