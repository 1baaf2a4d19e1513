// Whole files in, whole files out. Compressed files are recognised by their first bytes, never by
// name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/journal.hpp"

namespace greenline::io {

inline constexpr std::size_t kMaxFileBytes = std::size_t{4}
                                             << 30;  // refused beyond: UserError "file-too-large"

// The bytes of a file or pipe; gzip and zstd are inflated. "-" reads standard input. Errors:
// UserError "no-such-file" (with the nearest names in the folder), "not-a-file" (folder, device),
// "cannot-read", "file-too-large"; DataError "empty-file" (0 bytes, stored or inflated),
// "nested-gzip" and those of `gunzip` and `unzstd`. Records path and SHA-256 (of the stored bytes)
// in the journal when given.
std::string read_file(const std::string& path, base::Journal* journal = nullptr);

// As read_file, but compressed data that end too early are inflated up to there, for readers that
// can say so. `cut` is the format that ends too early, "gzip" or "zstd"; "" for a whole file.
struct CutFile {
  std::string bytes, cut;
};
CutFile read_file_to_cut(const std::string& path, base::Journal* journal = nullptr);

// Writes to a temporary file beside the target, syncs, then renames: a killed run leaves the old
// file or the new one. Keeps the permissions of an old file, refuses one that may not be written
// to, follows links, writes straight into pipes and devices. UserError "cannot-write" with the
// reason of the system.
void write_file(const std::string& path, std::string_view bytes);

// True when the text names an existing regular file or pipe (or is "-").
bool is_file(const std::string& path);

}  // namespace greenline::io
