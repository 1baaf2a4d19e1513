#include "io/compress.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

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

// The last four bytes as a number, lowest byte first.
std::uint32_t last_four(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 1; i <= 4 && i <= bytes.size(); ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[bytes.size() - i]);
  return value;
}

// The last four bytes claim the inflated size of the last member. A lie must not cost memory, so
// the claim counts only as far as a usual ratio makes it likely; the output grows by doubling
// beyond it.
std::size_t first_room(std::string_view bytes, std::size_t max_bytes) {
  constexpr std::size_t kUsualRatio = 32, kLeastRoom = 4096;
  const std::size_t claimed = last_four(bytes);
  const std::size_t likely = std::min(claimed, kUsualRatio * bytes.size());
  return std::min(std::max(likely, kLeastRoom), max_bytes);
}

enum class Cut { refused, kept };

[[noreturn]] void refuse_size(std::size_t max_bytes, const std::string& name) {
  throw base::DataError("too-large",
                        fmt::format("the inflated data is larger than {} bytes", max_bytes), "",
                        {name, 0, 0});
}

[[noreturn]] void refuse_member(const GzipDiagnosis& found, std::size_t offset,
                                const std::string& name) {
  const base::Location where{name, 0, 0};
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

// What a member that seems cut is really: a damaged stream may run past its end, and then the
// trailer is there. So is a beginning of it where only the trailer is cut.
GzipFlaw flaw_of_cut(const GzipDiagnosis& found, std::string_view member, std::string_view out) {
  if (found.trailer != 0) {
    std::string trailer;
    for (const std::uint32_t value :
         {libdeflate_crc32(0, out.data(), out.size()), static_cast<std::uint32_t>(out.size())})
      for (unsigned shift = 0; shift < 32; shift += 8)
        trailer += static_cast<char>(value >> shift & 0xff);
    return trailer.starts_with(member.substr(found.trailer)) ? GzipFlaw::truncated
                                                             : GzipFlaw::bad_trailer;
  }
  // The trailer, read as codes, makes less than 2^14 bytes. Of a real cut, 1 in 2^17 looks so.
  constexpr std::uint32_t kNear = 1U << 14;
  const auto size = static_cast<std::uint32_t>(out.size());
  const std::uint32_t claimed = last_four(member);
  return std::min(claimed - size, size - claimed) < kNear ? GzipFlaw::bad_data
                                                          : GzipFlaw::truncated;
}

Inflated inflate_gzip(std::string_view bytes, const std::string& name, std::size_t max_bytes,
                      Cut cut) {
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
      if (out.size() >= max_bytes) refuse_size(max_bytes, name);
      out.resize(out.size() < max_bytes / 2 ? 2 * out.size() : max_bytes);
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS) {
      if (offset != 0 && !is_gzip(member))
        throw base::DataError("bad-gzip",
                              fmt::format("{} bytes after the end of the gzip data, at byte {}",
                                          member.size(), offset),
                              "", {name, 0, 0});
      // The inflater does not say how far it came: the slow walk does, within the room that it had.
      out.resize(used);
      GzipDiagnosis found = diagnose_gzip(member, cut == Cut::kept ? &out : nullptr);
      if (cut == Cut::kept && found.flaw == GzipFlaw::truncated && out.size() > used)
        found.flaw = flaw_of_cut(found, member, std::string_view(out).substr(used));
      if (cut == Cut::refused || found.flaw != GzipFlaw::truncated || out.empty())
        refuse_member(found, offset, name);
      if (out.size() > max_bytes) refuse_size(max_bytes, name);
      return {std::move(out), true};
    }
    used += produced;
    offset += consumed;
  } while (offset < bytes.size());
  out.resize(used);
  return {std::move(out), false};
}

Inflated inflate_zstd(std::string_view bytes, const std::string& name, std::size_t max_bytes,
                      Cut cut) {
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
      if (out.size() >= max_bytes) refuse_size(max_bytes, name);
      out.resize(out.size() < max_bytes / 2 ? 2 * out.size() : max_bytes);
    } else if (from.pos == from.size) {
      if (cut == Cut::kept && used > 0) {
        out.resize(used);
        return {std::move(out), true};
      }
      throw base::DataError("truncated-zstd", "the zstd data ends too early: more must follow",
                            "fetch or copy the file again", {name, 0, 0});
    }
  }
  out.resize(used);
  return {std::move(out), false};
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with(kMagic) || bytes == kMagic.substr(0, 1);
}

std::string gunzip(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  return inflate_gzip(bytes, name, max_bytes, Cut::refused).bytes;
}

Inflated gunzip_to_cut(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  return inflate_gzip(bytes, name, max_bytes, Cut::kept);
}

bool is_zstd(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

std::string unzstd(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  return inflate_zstd(bytes, name, max_bytes, Cut::refused).bytes;
}

Inflated unzstd_to_cut(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  return inflate_zstd(bytes, name, max_bytes, Cut::kept);
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
