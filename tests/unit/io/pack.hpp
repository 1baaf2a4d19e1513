// Archives and zstd frames for tests: the product only reads them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include <zstd.h>

namespace greenline::testing {

// One frame with a checksum, of blocks of `block_bytes`.
inline std::string zstd(std::string_view text, std::size_t block_bytes = std::size_t{1} << 17) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(2 * ZSTD_compressBound(text.size()) + 64 * (text.size() / block_bytes + 1), '\0');
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  for (std::size_t at = 0; at < text.size(); at += block_bytes) {
    const std::string_view block = text.substr(at, block_bytes);
    ZSTD_inBuffer from{block.data(), block.size(), 0};
    ZSTD_compressStream2(context, &to, &from, ZSTD_e_flush);
  }
  ZSTD_inBuffer none{nullptr, 0, 0};
  ZSTD_compressStream2(context, &to, &none, ZSTD_e_end);
  ZSTD_freeCCtx(context);
  out.resize(to.pos);
  return out;
}

// Header and content of one member, filled up to whole blocks of 512 bytes.
inline std::string tar_member(const std::string& name, const std::string& content,
                              char type = '0') {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  char size[12];
  std::snprintf(size, sizeof size, "%011o", static_cast<unsigned>(content.size()));
  put(0, name);
  put(124, size);
  header[156] = type;
  put(257, std::string("ustar\0", 6) + "00");
  put(148, std::string(8, ' '));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  char text[8];
  std::snprintf(text, sizeof text, "%06o", sum);
  put(148, std::string(text) + std::string("\0 ", 2));
  std::string padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return header + padded;
}

inline const std::string kTarEnd(1024, '\0');

}  // namespace greenline::testing
