// Members of a tar archive (ustar, with the long names of GNU and pax).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greenline::io {

struct TarMember {
  std::string name;
  std::string_view bytes;  // of the archive
  bool is_cut = false;     // the archive ends within it
};

enum class CutArchive { refused, kept };

// True when the bytes begin with a tar header.
bool is_tar(std::string_view bytes);

// Regular files, in the order of the archive; folders, links and devices are passed over. `name`
// stands for the archive. DataError "bad-tar" for a header that is none, a size that the archive
// does not have, or more than 100 000 members. With CutArchive::kept a regular file that the
// archive ends within has the bytes that are there.
std::vector<TarMember> read_tar(std::string_view bytes, const std::string& name,
                                CutArchive cut = CutArchive::refused);

}  // namespace greenline::io
