#include "io/tar.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace greenline::io {
namespace {

// POSIX.1-2017, pax, "ustar Interchange Format".
constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameAt = 0, kNameSize = 100, kSizeAt = 124, kSizeSize = 12;
constexpr std::size_t kSumAt = 148, kSumSize = 8, kTypeAt = 156, kMagicAt = 257;
constexpr std::size_t kPrefixAt = 345, kPrefixSize = 155;

std::string_view field(std::string_view header, std::size_t at, std::size_t size) {
  const std::string_view whole = header.substr(at, size);
  return whole.substr(0, whole.find('\0'));
}

std::optional<std::uint64_t> octal(std::string_view text) {
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == ' ' && digits == 0) continue;
    if (c < '0' || c > '7') break;
    value = 8 * value + static_cast<std::uint64_t>(c - '0');
    ++digits;
  }
  if (digits == 0) return std::nullopt;
  return value;
}

// Sizes beyond 8 GiB are binary, marked by the top bit.
std::optional<std::uint64_t> size_of(std::string_view header) {
  const std::string_view text = header.substr(kSizeAt, kSizeSize);
  if ((static_cast<unsigned char>(text[0]) & 0x80U) == 0) return octal(text);
  std::uint64_t value = 0;
  for (const char c : text.substr(4)) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

bool has_sum(std::string_view header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i)
    sum += i >= kSumAt && i < kSumAt + kSumSize ? static_cast<unsigned char>(' ')
                                                : static_cast<unsigned char>(header[i]);
  return octal(header.substr(kSumAt, kSumSize)) == sum;
}

bool is_zero(std::string_view block) { return block.find_first_not_of('\0') == std::string::npos; }

// "path" of the records "LENGTH KEY=VALUE\n".
std::string pax_path(std::string_view records) {
  std::string path;
  while (!records.empty()) {
    std::size_t length = 0, i = 0;
    for (; i < records.size() && records[i] >= '0' && records[i] <= '9' && i < 10; ++i)
      length = 10 * length + static_cast<std::size_t>(records[i] - '0');
    if (length <= i + 1 || length > records.size()) break;
    const std::string_view record = records.substr(i + 1, length - i - 2);
    constexpr std::string_view kKey = "path=";
    if (record.starts_with(kKey)) path = record.substr(kKey.size());
    records.remove_prefix(length);
  }
  return path;
}

}  // namespace

bool is_tar(std::string_view bytes) {
  return bytes.size() >= kBlock && bytes.substr(kMagicAt, 5) == "ustar" &&
         has_sum(bytes.substr(0, kBlock));
}

std::vector<TarMember> read_tar(std::string_view bytes, const std::string& name, CutArchive cut) {
  constexpr std::size_t kMostMembers = 100'000;
  const auto refuse = [&](std::size_t at, const std::string& what) {
    return base::DataError("bad-tar", fmt::format("{} at byte {} of the archive", what, at),
                           "fetch or make the archive again", {name, 0, 0});
  };
  std::vector<TarMember> members;
  std::string long_name;
  for (std::size_t at = 0; at + kBlock <= bytes.size();) {
    const std::string_view header = bytes.substr(at, kBlock);
    if (is_zero(header)) break;
    if (!has_sum(header)) throw refuse(at, "no header of a member");
    const auto size = size_of(header);
    const bool is_cut = size && *size > bytes.size() - at - kBlock;
    const char type = header[kTypeAt];
    const bool is_file = type == '0' || type == '\0' || type == '7';
    if (!size || (is_cut && cut == CutArchive::refused))
      throw refuse(at, "a member that is longer than the archive");
    if (is_cut && !is_file) break;
    const std::string_view content = bytes.substr(at + kBlock, *size);
    if (type == 'L') {
      long_name = content.substr(0, content.find('\0'));
    } else if (type == 'x') {
      if (std::string path = pax_path(content); !path.empty()) long_name = std::move(path);
    } else {
      std::string its_name(field(header, kNameAt, kNameSize));
      const std::string_view prefix = field(header, kPrefixAt, kPrefixSize);
      const bool is_posix = header.substr(kMagicAt, 6) == std::string_view("ustar\0", 6);
      if (is_posix && !prefix.empty()) its_name = std::string(prefix) + "/" + its_name;
      if (!long_name.empty()) its_name = std::exchange(long_name, "");
      if (is_file) members.push_back({its_name, content, is_cut});
      if (members.size() > kMostMembers) throw refuse(at, "more than 100 000 members");
    }
    if (is_cut) break;
    const std::size_t padded = (*size + kBlock - 1) / kBlock * kBlock;
    if (padded > bytes.size() - at - kBlock) break;
    at += kBlock + padded;
  }
  return members;
}

}  // namespace greenline::io
