#include "io/tar.hpp"

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::io {
namespace {

std::string member(const std::string& name, const std::string& content, char type = '0') {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  char size[12];
  std::snprintf(size, sizeof size, "%011o", static_cast<unsigned>(content.size()));
  put(0, name);
  put(124, size);
  header[156] = type;
  put(257, std::string("ustar\0", 6) + "00");
  put(148, std::string(8, ' '));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  char text[8];
  std::snprintf(text, sizeof text, "%06o", sum);
  put(148, std::string(text) + std::string("\0 ", 2));
  std::string padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return header + padded;
}
const std::string kEnd(1024, '\0');

std::string code_of(const std::string& bytes) {
  try {
    read_tar(bytes, "x.tar");
  } catch (const base::DataError& error) {
    return error.code();
  }
  return "";
}

TEST(TarTest, FilesInOrderWithoutFoldersAndLinks) {
  const std::string bytes = member("job", "", '5') + member("job/rank0.json", "abc") +
                            member("link", "", '2') + member("job/rank1.json", "") + kEnd;
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
  const auto gnu = read_tar(member("././@LongLink", name + '\0', 'L') + member("n", "1"), "x");
  ASSERT_EQ(gnu.size(), 1U);
  EXPECT_EQ(gnu[0].name, name);
  const auto pax = read_tar(
      member("pax", std::to_string(record.size() + 3) + record, 'x') + member("n", "1"), "x");
  ASSERT_EQ(pax.size(), 1U);
  EXPECT_EQ(pax[0].name, name);
}

TEST(TarTest, DamageIsSaid) {
  const std::string whole = member("a", std::string(2000, 'x')) + kEnd;
  EXPECT_EQ(code_of(whole), "");
  EXPECT_EQ(code_of(whole.substr(0, 1500)), "bad-tar");
  std::string wrong = member("a", "x") + member("b", "y");
  wrong[1024] = 'c';  // the name of b, against its sum
  EXPECT_EQ(code_of(wrong), "bad-tar");
  EXPECT_FALSE(is_tar("{\"traceEvents\":[]}"));
  EXPECT_FALSE(is_tar(std::string(512, '\0')));
}

}  // namespace
}  // namespace greenline::io
