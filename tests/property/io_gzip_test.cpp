#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "io/compress.hpp"

namespace greenline::io {
namespace {

constexpr std::size_t kEnough = std::size_t{1} << 24;

// Repeats of random pieces, so that there is something to compress.
std::string any_bytes() {
  std::string bytes;
  for (const auto& piece : *rc::gen::arbitrary<std::vector<std::string>>()) {
    const int times = *rc::gen::inRange(1, 50);
    for (int i = 0; i < times; ++i) bytes += piece;
  }
  return bytes;
}

RC_GTEST_PROP(GzipProperty, WhatIsDeflatedIsInflated, ()) {
  const std::string bytes = any_bytes();
  RC_ASSERT(gunzip(gzip(bytes, *rc::gen::inRange(1, 13)), "t", kEnough) == bytes);
}

RC_GTEST_PROP(GzipProperty, AnyCutIsSeenAsACut, ()) {
  const std::string whole = gzip(any_bytes(), *rc::gen::inRange(1, 13));
  const auto size = *rc::gen::inRange<std::size_t>(1, whole.size());
  try {
    gunzip(whole.substr(0, size), "t", kEnough);
    RC_FAIL("a cut file was read");
  } catch (const base::DataError& error) {
    RC_ASSERT(error.code() == "truncated-gzip");
  }
}

RC_GTEST_PROP(GzipProperty, WhatPrecedesACutIsABeginning, ()) {
  const std::string bytes = any_bytes(), whole = gzip(bytes, *rc::gen::inRange(1, 13));
  const auto size = *rc::gen::inRange<std::size_t>(1, whole.size());
  try {
    const Inflated found = gunzip_to_cut(whole.substr(0, size), "t", kEnough);
    RC_ASSERT(found.is_cut);
    RC_ASSERT(!found.bytes.empty() && bytes.starts_with(found.bytes));
  } catch (const base::DataError& error) {
    // Nothing but zeros before the cut may look like the length of a whole file.
    RC_ASSERT(error.code() == "truncated-gzip" || error.code() == "bad-gzip");
  }
}

}  // namespace
}  // namespace greenline::io
