#include "io/compress.hpp"

#include <cstddef>

#include <gtest/gtest.h>

#include "unit/io/expect_error.hpp"
#include "unit/io/pack.hpp"

namespace greenline::io {
namespace {

using base::DataError;
using testing::contains;
using testing::error_of;

constexpr std::size_t kEnough = std::size_t{1} << 24;

std::string inflated(std::string_view bytes, std::size_t max_bytes = kEnough) {
  return gunzip(bytes, "t.gz", max_bytes);
}
std::string gzip_error(std::string_view code, std::string_view bytes,
                       std::size_t max_bytes = kEnough) {
  return error_of<DataError>(code, [&] { inflated(bytes, max_bytes); });
}

// Text with repeats and without, so that blocks have literals, matches and a code of their own.
std::string sample_text(std::size_t num_lines) {
  std::string text;
  unsigned state = 1;
  for (std::size_t i = 0; i < num_lines; ++i) {
    state = state * 1664525U + 1013904223U;
    text += "2021-01-01T00:00Z," + std::to_string(state >> 12) + "\n";
  }
  return text;
}

// One stored block (RFC 1951 §3.2.4), as compressors write for incompressible data.
std::string stored_member() {
  using namespace std::string_literals;
  return "\x1f\x8b\x08\0\0\0\0\0\0\xff"s + "\x01\x03\0\xfc\xff"s + "abc"s +
         "\xc2\x41\x24\x35\x03\0\0\0"s;
}

TEST(Gzip, RoundTripAtEveryLevel) {
  const std::string text = sample_text(2000);
  for (int level = 1; level <= 12; ++level) EXPECT_EQ(inflated(gzip(text, level)), text) << level;
  EXPECT_EQ(inflated(gzip("")), "");
  EXPECT_EQ(inflated(stored_member()), "abc");
}

TEST(Gzip, MembersAreJoined) {
  EXPECT_EQ(inflated(gzip("one ") + gzip("") + gzip("two")), "one two");
}

TEST(Gzip, IsKnownByItsFirstBytes) {
  EXPECT_TRUE(is_gzip(gzip("x")));
  EXPECT_TRUE(is_gzip("\x1f"));
  EXPECT_FALSE(is_gzip(""));
  EXPECT_FALSE(is_gzip("\x1fx"));
  EXPECT_FALSE(is_gzip("time,WND"));
}

TEST(Gzip, EveryCutIsSeenAsACut) {
  for (const std::string& whole : {gzip(sample_text(300)), gzip(sample_text(300), 1), gzip("ab"),
                                   gzip(std::string(100'000, 'x')), stored_member()})
    for (std::size_t size = 1; size < whole.size(); ++size) {
      const std::string what =
          gzip_error("truncated-gzip", std::string_view(whole).substr(0, size));
      ASSERT_TRUE(contains(what, "t.gz: ")) << "cut after " << size << " of " << whole.size();
    }
}

TEST(Gzip, CutsInLaterMembersAreSeenToo) {
  const std::string first = gzip("first"), both = first + gzip("second");
  EXPECT_EQ(inflated(std::string_view(both).substr(0, first.size())), "first");  // cannot be seen
  for (std::size_t size = first.size() + 1; size < both.size(); ++size)
    gzip_error("truncated-gzip", std::string_view(both).substr(0, size));
}

// Every text is a beginning of the whole one, and the longer the more of the bytes there are.
TEST(Gzip, WhatPrecedesACutIsKept) {
  const std::string text = sample_text(300), first = "first ";
  for (const int level : {1, 6, 12}) {
    const std::string whole = gzip(first) + gzip(text, level), all = first + text;
    std::size_t longest = 0;
    for (std::size_t size = gzip(first).size() + 1; size < whole.size(); ++size) {
      const Inflated found = gunzip_to_cut(std::string_view(whole).substr(0, size), "t", kEnough);
      ASSERT_TRUE(found.is_cut) << size;
      ASSERT_TRUE(all.starts_with(found.bytes)) << size;
      ASSERT_GE(found.bytes.size(), longest) << size;
      longest = found.bytes.size();
    }
    EXPECT_EQ(longest, all.size()) << "only the checksum is missing";
    const Inflated sound = gunzip_to_cut(whole, "t", kEnough);
    EXPECT_FALSE(sound.is_cut);
    EXPECT_EQ(sound.bytes, all);
  }
  const std::string stored = stored_member();
  EXPECT_EQ(gunzip_to_cut(std::string_view(stored).substr(0, 17), "t", kEnough).bytes, "ab");
}

TEST(Gzip, ACutBeforeAnythingIsRefusedAndSoIsDamage) {
  const std::string whole = gzip(sample_text(300));
  const auto code = [](const std::string& bytes, std::size_t most = kEnough) {
    try {
      gunzip_to_cut(bytes, "t", most);
    } catch (const DataError& error) {
      return error.code();
    }
    return std::string();
  };
  EXPECT_EQ(code(whole.substr(0, 1)), "truncated-gzip");
  EXPECT_EQ(code(whole.substr(0, 12)), "truncated-gzip");
  EXPECT_EQ(code(whole.substr(0, whole.size() - 1), 1000), "too-large");
  std::string wrong = whole;
  wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
  EXPECT_EQ(code(wrong), "bad-gzip");
  wrong = whole.substr(0, whole.size() - 1);
  wrong[10] = '\x07';  // block type 3 does not exist
  EXPECT_EQ(code(wrong), "bad-gzip");
  EXPECT_EQ(code(whole + "tail"), "bad-gzip");
}

// A damaged stream that runs past its end is not taken for one that was cut.
TEST(Gzip, NoFlippedBitLooksLikeACut) {
  const std::string text = sample_text(60), whole = gzip(text);
  for (std::size_t i = 10; i < whole.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      try {
        const Inflated found = gunzip_to_cut(bytes, "t", kEnough);
        ASSERT_FALSE(found.is_cut) << "byte " << i << ", bit " << bit;
        ASSERT_EQ(found.bytes, text) << "byte " << i << ", bit " << bit;
      } catch (const DataError&) {
      }
    }
}

TEST(Zstd, WholeBlocksBeforeACutAreKept) {
  const std::string text = sample_text(300), whole = testing::zstd(text, 500);
  ASSERT_EQ(unzstd(whole, "t", kEnough), text);
  std::size_t longest = 0;
  for (std::size_t size = 1000; size < whole.size(); ++size) {
    const Inflated found = unzstd_to_cut(std::string_view(whole).substr(0, size), "t", kEnough);
    ASSERT_TRUE(found.is_cut) << size;
    ASSERT_TRUE(text.starts_with(found.bytes)) << size;
    ASSERT_GE(found.bytes.size(), longest) << size;
    longest = found.bytes.size();
  }
  EXPECT_EQ(longest, text.size()) << "only the checksum is missing";
  EXPECT_FALSE(unzstd_to_cut(whole, "t", kEnough).is_cut);
  std::string wrong = whole;
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  error_of<DataError>("bad-zstd", [&] { unzstd_to_cut(wrong, "t", kEnough); });
  error_of<DataError>("truncated-zstd", [&] { unzstd_to_cut(whole.substr(0, 8), "t", kEnough); });
}

TEST(Gzip, DamageIsNotTakenForACut) {
  const std::string whole = gzip(sample_text(300));
  std::string bytes = whole;
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
  EXPECT_TRUE(contains(gzip_error("bad-gzip", bytes), "wrong checksum or length"));
  bytes = whole;
  bytes[bytes.size() - 1] = static_cast<char>(bytes[bytes.size() - 1] ^ 1);
  EXPECT_TRUE(contains(gzip_error("bad-gzip", bytes), "wrong checksum or length"));
  bytes = whole;
  bytes[2] = 7;  // the method
  EXPECT_TRUE(contains(gzip_error("bad-gzip", bytes), "header"));
  bytes = whole;
  bytes[3] = '\x80';  // a reserved flag
  EXPECT_TRUE(contains(gzip_error("bad-gzip", bytes), "header"));
  bytes = whole;
  bytes[10] = '\x07';  // block type 3 does not exist
  EXPECT_TRUE(contains(gzip_error("bad-gzip", bytes), "damaged gzip data before byte 11"));
}

// Up to seven bits between the last block and the checksum mean nothing; any other must not go
// unseen.
TEST(Gzip, NoFlippedBitChangesTheText) {
  const std::string text = sample_text(20), whole = gzip(text);
  constexpr std::size_t kHeaderBytes = 10;  // of which the time and the system mean nothing to us
  int num_unseen = 0;
  for (std::size_t i = kHeaderBytes; i < whole.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      try {
        ASSERT_EQ(inflated(bytes), text) << "byte " << i << ", bit " << bit;
        ++num_unseen;
      } catch (const DataError&) {
      }
    }
  EXPECT_LE(num_unseen, 7);
}

TEST(Gzip, HeaderFieldsAreSkipped) {
  using namespace std::string_literals;
  const std::string body = gzip("x").substr(10);
  const std::string header =
      "\x1f\x8b\x08\x1c\0\0\0\0\0\xff"s + "\x02\0"s + "EE"s + "name\0"s + "note\0"s;
  EXPECT_EQ(inflated(header + body), "x");
  for (std::size_t size = 1; size < header.size(); ++size)
    gzip_error("truncated-gzip", std::string_view(header).substr(0, size));
}

TEST(Gzip, BytesAfterTheEndAreRefused) {
  EXPECT_TRUE(contains(gzip_error("bad-gzip", gzip("x") + "tail"), "4 bytes after the end"));
  gzip_error("bad-gzip", gzip("x") + std::string(3, '\0'));
}

TEST(Gzip, OutputIsBounded) {
  const std::string bomb = gzip(std::string(1'000'000, 'x'));
  EXPECT_EQ(inflated(bomb, 1'000'000).size(), 1'000'000U);
  gzip_error("too-large", bomb, 999'999);
  gzip_error("too-large", bomb, 0);
}

TEST(Gzip, ClaimedSizeIsNotTrusted) {
  std::string bytes = gzip("x");
  for (std::size_t i = 1; i <= 4; ++i) bytes[bytes.size() - i] = '\xff';  // claims 4 GiB
  gzip_error("bad-gzip", bytes, std::size_t{1} << 40);
}

}  // namespace
}  // namespace greenline::io
