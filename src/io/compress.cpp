#include "io/compress.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include <fmt/format.h>
#include <libdeflate.h>
#include <zstd.h>

#include "base/error.hpp"
#include "io/deflate_walk.hpp"

namespace greenline::io {
namespace {

constexpr std::string_view kMagic = "\x1f\x8b";

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};
struct FreeCompressor {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

// The last four bytes claim the inflated size of the last member. A lie must not cost memory, so
// the claim counts only as far as a usual ratio makes it likely; the output grows by doubling
// beyond it.
std::size_t first_room(std::string_view bytes, std::size_t max_bytes) {
  constexpr std::size_t kUsualRatio = 32, kLeastRoom = 4096, kTrailerBytes = 4;
  std::size_t claimed = 0;
  for (std::size_t i = 1; i <= kTrailerBytes && i <= bytes.size(); ++i)
    claimed = claimed << 8 | static_cast<unsigned char>(bytes[bytes.size() - i]);
  const std::size_t likely = std::min(claimed, kUsualRatio * bytes.size());
  return std::min(std::max(likely, kLeastRoom), max_bytes);
}

[[noreturn]] void refuse_member(std::string_view member, std::size_t offset,
                                const std::string& name) {
  const base::Location where{name, 0, 0};
  const GzipDiagnosis found = diagnose_gzip(member);
  const std::size_t at = offset + found.offset;
  switch (found.flaw) {
    case GzipFlaw::truncated:
      throw base::DataError(
          "truncated-gzip",
          fmt::format("the gzip data ends too early: {} bytes, and more must follow", at),
          "fetch or copy the file again", where);
    case GzipFlaw::bad_header:
      throw base::DataError("bad-gzip", fmt::format("damaged gzip header before byte {}", at),
                            "fetch or copy the file again", where);
    case GzipFlaw::bad_data:
      throw base::DataError("bad-gzip", fmt::format("damaged gzip data before byte {}", at),
                            "fetch or copy the file again", where);
    case GzipFlaw::bad_trailer:
      break;
  }
  throw base::DataError("bad-gzip",
                        fmt::format("damaged gzip data: wrong checksum or length at byte {}", at),
                        "fetch or copy the file again", where);
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with(kMagic) || bytes == kMagic.substr(0, 1);
}

std::string gunzip(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> inflater(
      libdeflate_alloc_decompressor());
  if (inflater == nullptr) throw std::bad_alloc();

  std::string out(first_room(bytes, max_bytes), '\0');
  std::size_t used = 0, offset = 0;
  do {
    const std::string_view member = bytes.substr(offset);
    std::size_t consumed = 0, produced = 0;
    const libdeflate_result result =
        libdeflate_gzip_decompress_ex(inflater.get(), member.data(), member.size(),
                                      out.data() + used, out.size() - used, &consumed, &produced);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      if (out.size() >= max_bytes)
        throw base::DataError("too-large",
                              fmt::format("the inflated data is larger than {} bytes", max_bytes),
                              "", {name, 0, 0});
      out.resize(out.size() < max_bytes / 2 ? 2 * out.size() : max_bytes);
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS) {
      if (offset != 0 && !is_gzip(member))
        throw base::DataError("bad-gzip",
                              fmt::format("{} bytes after the end of the gzip data, at byte {}",
                                          member.size(), offset),
                              "", {name, 0, 0});
      refuse_member(member, offset, name);
    }
    used += produced;
    offset += consumed;
  } while (offset < bytes.size());
  out.resize(used);
  return out;
}

bool is_zstd(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

std::string unzstd(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  struct Free {
    void operator()(ZSTD_DStream* s) const { ZSTD_freeDStream(s); }
  };
  const std::unique_ptr<ZSTD_DStream, Free> stream(ZSTD_createDStream());
  if (stream == nullptr) throw std::bad_alloc();
  // The frame may claim its size; a lie must not cost memory.
  constexpr std::size_t kUsualRatio = 32, kLeastRoom = std::size_t{64} << 10;
  const unsigned long long claimed = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  const bool is_known = claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed != ZSTD_CONTENTSIZE_ERROR;
  std::size_t room = kUsualRatio * bytes.size();
  if (is_known && claimed < room) room = static_cast<std::size_t>(claimed);
  std::string out(std::min(std::max(room, kLeastRoom), max_bytes), '\0');
  ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
  std::size_t used = 0;
  while (true) {
    ZSTD_outBuffer to{out.data(), out.size(), used};
    const std::size_t rest = ZSTD_decompressStream(stream.get(), &to, &from);
    used = to.pos;
    if (ZSTD_isError(rest) != 0)
      throw base::DataError(
          "bad-zstd",
          fmt::format("damaged zstd data before byte {}: {}", from.pos, ZSTD_getErrorName(rest)),
          "fetch or copy the file again", {name, 0, 0});
    if (rest == 0 && from.pos == from.size) break;
    if (used == out.size()) {
      if (out.size() >= max_bytes)
        throw base::DataError("too-large",
                              fmt::format("the inflated data is larger than {} bytes", max_bytes),
                              "", {name, 0, 0});
      out.resize(out.size() < max_bytes / 2 ? 2 * out.size() : max_bytes);
    } else if (from.pos == from.size) {
      throw base::DataError("truncated-zstd", "the zstd data ends too early: more must follow",
                            "fetch or copy the file again", {name, 0, 0});
    }
  }
  out.resize(used);
  return out;
}

std::string gzip(std::string_view bytes, int level) {
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> deflater(
      libdeflate_alloc_compressor(level));
  GL_CHECK_EQ(deflater != nullptr, true);
  std::string out(libdeflate_gzip_compress_bound(deflater.get(), bytes.size()), '\0');
  const std::size_t size =
      libdeflate_gzip_compress(deflater.get(), bytes.data(), bytes.size(), out.data(), out.size());
  GL_CHECK_GT(size, std::size_t{0});
  out.resize(size);
  return out;
}

}  // namespace greenline::io
