// Any bytes inflate or are a DataError, within bounds of memory. What inflates, inflates again
// after deflating.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "io/compress.hpp"
#include "io/deflate_walk.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 22;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  require(io::diagnose_gzip(bytes).offset <=
          size);  // survives any bytes, not only those that fail to inflate
  try {
    const io::Inflated found = io::gunzip_to_cut(bytes, "fuzz", kMaxBytes);
    require(found.bytes.size() <= kMaxBytes);
    require(found.is_cut || found.bytes == io::gunzip(bytes, "fuzz", kMaxBytes));
  } catch (const base::DataError& error) {
    require(error.code() == "truncated-gzip" || error.code() == "bad-gzip" ||
            error.code() == "too-large");
  }
  try {
    const std::string text = io::gunzip(bytes, "fuzz", kMaxBytes);
    require(text.size() <= kMaxBytes);
    require(io::gunzip(io::gzip(text), "again", kMaxBytes) == text);
  } catch (const base::DataError& error) {
    require(error.code() == "truncated-gzip" || error.code() == "bad-gzip" ||
            error.code() == "too-large");
  }
  return 0;
}
