// Why a compressed file does not inflate, and what it holds before its end. The inflater says only
// "bad data", whether the bytes ran out or were wrong; for the user these are two different things
// (download again, or a damaged disk).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace greenline::io {

enum class GzipFlaw {
  truncated,   // the bytes end before the member does
  bad_header,  // not a gzip header: method, reserved flags
  bad_data,    // no deflate stream (RFC 1951) starts like this
  bad_trailer  // a complete stream whose checksum or length is wrong
};

struct GzipDiagnosis {
  GzipFlaw flaw;
  std::size_t offset;       // bytes read when it was found
  std::size_t trailer = 0;  // where checksum and length begin; 0: the stream has no end
};

// `member`: one gzip member (RFC 1952) that failed to inflate, from its first byte to the end of
// the file. Walks the code of the deflate stream without producing output: O(bytes) time, O(1)
// memory. With `out` what the stream says up to the flaw is appended to it.
GzipDiagnosis diagnose_gzip(std::string_view member, std::string* out = nullptr);

}  // namespace greenline::io
