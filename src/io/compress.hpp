// Compressed bytes, by magic number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace greenline::io {

// True for 1f 8b, and for a lone 1f: a gzip file cut after its first byte.
bool is_gzip(std::string_view bytes);

// Inflates one or more gzip members; checks CRC-32 and length. Output is limited to `max_bytes`.
// `name` stands for the file. DataError "too-large"; "truncated-gzip": the bytes end before a
// member does (a cut exactly between two members cannot be seen); "bad-gzip": not deflate data,
// wrong checksum, or bytes after the last member that do not begin another one.
std::string gunzip(std::string_view bytes, const std::string& name, std::size_t max_bytes);

// What came out, and whether the compressed bytes ended too early. What precedes a cut has passed
// no checksum of gzip: that stands at the end.
struct Inflated {
  std::string bytes;
  bool is_cut = false;
};

// As gunzip, but what a member holds before a cut is kept. Damage is refused as there; so is a cut
// before anything came out.
Inflated gunzip_to_cut(std::string_view bytes, const std::string& name, std::size_t max_bytes);

// True for 28 b5 2f fd.
bool is_zstd(std::string_view bytes);

// Decompresses one or more zstd frames, with the checksums that they have. Output is limited to
// `max_bytes`. DataError "too-large", "truncated-zstd", "bad-zstd".
std::string unzstd(std::string_view bytes, const std::string& name, std::size_t max_bytes);

// As unzstd, but the whole blocks before a cut are kept, as in gunzip_to_cut.
Inflated unzstd_to_cut(std::string_view bytes, const std::string& name, std::size_t max_bytes);

// One member. level: 1 (fast) to 12 (small).
std::string gzip(std::string_view bytes, int level = 6);

}  // namespace greenline::io
