#include "io/deflate_walk.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace greenline::io {
namespace {

// Thrown within this file only, to leave the walk from any depth.
struct Ended {};
struct Wrong {};

class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  unsigned bit() {
    if (num_held_ == 0) {
      held_ = byte();
      num_held_ = 8;
    }
    const unsigned b = held_ & 1;
    held_ >>= 1;
    --num_held_;
    return b;
  }
  unsigned bits(unsigned n) {
    unsigned value = 0;
    for (unsigned i = 0; i < n; ++i) value |= bit() << i;
    return value;
  }
  unsigned byte() {
    if (offset_ >= bytes_.size()) throw Ended{};
    return static_cast<unsigned char>(bytes_[offset_++]);
  }
  unsigned two_bytes() {
    const unsigned low = byte();
    return low | byte() << 8;
  }
  // The next n bytes, or those that are left.
  std::string_view up_to(std::size_t n) {
    const std::string_view taken = bytes_.substr(offset_, n);
    offset_ += taken.size();
    return taken;
  }
  void skip(std::size_t n) {
    if (up_to(n).size() < n) throw Ended{};
  }
  void skip_text() {  // to the zero byte that ends it
    while (byte() != 0) {
    }
  }
  void to_byte_boundary() { num_held_ = 0; }
  std::size_t offset() const { return offset_; }

 private:
  std::string_view bytes_;
  std::size_t offset_ = 0;
  unsigned held_ = 0, num_held_ = 0;
};

constexpr unsigned kMaxCodeBits = 15;

// Canonical Huffman code (RFC 1951 §3.2.2): codes of one length are consecutive, so the number of
// codes of each length and the symbols in order of (length, symbol) are all there is to it.
class HuffmanCode {
 public:
  // lengths: bits of each symbol's code, 0 for unused. An incomplete code is allowed only where it
  // has at most one symbol, as compressors write for a block without distances.
  explicit HuffmanCode(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths) ++num_codes_[length];
    num_codes_[0] = 0;
    std::uint32_t room = 1, used = 0;
    for (unsigned length = 1; length <= kMaxCodeBits; ++length) {
      room <<= 1;
      if (num_codes_[length] > room) throw Wrong{};
      room -= num_codes_[length];
      used += num_codes_[length];
    }
    if (room != 0 && used > 1) throw Wrong{};
    std::array<std::uint16_t, kMaxCodeBits + 2> next{};
    for (unsigned length = 1; length <= kMaxCodeBits; ++length)
      next[length + 1] = static_cast<std::uint16_t>(next[length] + num_codes_[length]);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] != 0)
        symbols_[next[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
  }

  unsigned read(Bits& in) const {
    std::uint32_t code = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= kMaxCodeBits; ++length) {
      code |= in.bit();
      const std::uint32_t count = num_codes_[length];
      if (code - first < count) return symbols_[index + (code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw Wrong{};
  }

 private:
  std::array<std::uint16_t, kMaxCodeBits + 1> num_codes_{};  // by length
  std::array<std::uint16_t, 288> symbols_{};
};

struct Codes {
  HuffmanCode literals, distances;
};

// RFC 1951 §3.2.6.
Codes fixed_codes() {
  std::array<std::uint8_t, 288> literals;
  for (std::size_t i = 0; i < literals.size(); ++i)
    literals[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  std::array<std::uint8_t, 32> distances;
  distances.fill(5);
  return {HuffmanCode(literals), HuffmanCode(distances)};
}

// RFC 1951 §3.2.7.
Codes dynamic_codes(Bits& in) {
  static constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
  const std::size_t num_literals = in.bits(5) + 257;
  const std::size_t num_distances = in.bits(5) + 1;
  const std::size_t num_code_lengths = in.bits(4) + 4;
  std::array<std::uint8_t, 19> code_lengths{};
  for (std::size_t i = 0; i < num_code_lengths; ++i)
    code_lengths[kOrder[i]] = static_cast<std::uint8_t>(in.bits(3));
  const HuffmanCode code(code_lengths);

  const std::size_t total = num_literals + num_distances;
  std::array<std::uint8_t, 288 + 32> lengths{};
  for (std::size_t i = 0; i < total;) {
    const unsigned symbol = code.read(in);
    if (symbol < 16) {
      lengths[i++] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    if (symbol == 16 && i == 0) throw Wrong{};
    const std::uint8_t repeated = symbol == 16 ? lengths[i - 1] : std::uint8_t{0};
    const std::size_t times = symbol == 16   ? 3 + in.bits(2)
                              : symbol == 17 ? 3 + in.bits(3)
                                             : 11 + in.bits(7);
    if (times > total - i) throw Wrong{};
    for (std::size_t k = 0; k < times; ++k) lengths[i++] = repeated;
  }
  const std::span<const std::uint8_t> all(lengths);
  return {HuffmanCode(all.first(num_literals)),
          HuffmanCode(all.subspan(num_literals, num_distances))};
}

// Extra bits and base of lengths (symbol - 257) and distances (RFC 1951 §3.2.5).
unsigned match_length(unsigned symbol, Bits& in) {
  if (symbol == 285) return 258;
  const unsigned i = symbol - 257;
  if (i < 8) return 3 + i;
  const unsigned extra = (i - 4) / 4;
  return 3 + ((4 + i % 4) << extra) + in.bits(extra);
}

unsigned match_distance(unsigned symbol, Bits& in) {
  if (symbol < 4) return 1 + symbol;
  const unsigned extra = symbol / 2 - 1;
  return 1 + ((2 + symbol % 2) << extra) + in.bits(extra);
}

class Walk {
 public:
  Walk(Bits& in, std::string* out) : in_(in), out_(out) {}

  void stream() {
    bool last = false;
    while (!last) {
      last = in_.bit() == 1;
      switch (in_.bits(2)) {
        case 0:
          stored_block();
          break;
        case 1:
          coded_block(fixed_codes());
          break;
        case 2:
          coded_block(dynamic_codes(in_));
          break;
        default:
          throw Wrong{};
      }
    }
    in_.to_byte_boundary();
  }

 private:
  void stored_block() {
    in_.to_byte_boundary();
    const unsigned size = in_.two_bytes();
    if ((size ^ in_.two_bytes()) != 0xffff) throw Wrong{};
    const std::string_view stored = in_.up_to(size);
    if (out_ != nullptr) *out_ += stored;
    if (stored.size() < size) throw Ended{};
    num_out_ += size;
  }

  void coded_block(const Codes& codes) {
    constexpr unsigned kEndOfBlock = 256;
    while (true) {
      const unsigned symbol = codes.literals.read(in_);
      if (symbol == kEndOfBlock) return;
      if (symbol < kEndOfBlock) {
        if (out_ != nullptr) *out_ += static_cast<char>(symbol);
        ++num_out_;
        continue;
      }
      if (symbol > 285) throw Wrong{};
      const unsigned length = match_length(symbol, in_);
      const unsigned distance_symbol = codes.distances.read(in_);
      if (distance_symbol > 29) throw Wrong{};
      const unsigned distance = match_distance(distance_symbol, in_);
      if (distance > num_out_) throw Wrong{};
      if (out_ != nullptr) repeat(length, distance);
      num_out_ += length;
    }
  }

  // A match may reach into what it writes itself.
  void repeat(unsigned length, unsigned distance) {
    for (unsigned i = 0; i < length; ++i) *out_ += (*out_)[out_->size() - distance];
  }

  Bits& in_;
  std::string* out_;
  std::uint64_t num_out_ = 0;  // bytes of this stream so far, whether written or not
};

// RFC 1952 §2.3.
void gzip_header(Bits& in) {
  enum : unsigned { kHeaderChecksum = 2, kExtra = 4, kName = 8, kComment = 16, kReserved = 0xe0 };
  if (in.byte() != 0x1f || in.byte() != 0x8b || in.byte() != 8) throw Wrong{};
  const unsigned flags = in.byte();
  if ((flags & kReserved) != 0) throw Wrong{};
  in.skip(6);  // time, extra flags, system
  if ((flags & kExtra) != 0) in.skip(in.two_bytes());
  if ((flags & kName) != 0) in.skip_text();
  if ((flags & kComment) != 0) in.skip_text();
  if ((flags & kHeaderChecksum) != 0) in.skip(2);
}

}  // namespace

GzipDiagnosis diagnose_gzip(std::string_view member, std::string* out) {
  constexpr std::size_t kTrailerBytes = 8;
  Bits in(member);
  GzipFlaw if_wrong = GzipFlaw::bad_header;
  std::size_t trailer = 0;
  try {
    gzip_header(in);
    if_wrong = GzipFlaw::bad_data;
    Walk(in, out).stream();
    trailer = in.offset();
    in.skip(kTrailerBytes);
  } catch (const Ended&) {
    return {GzipFlaw::truncated, in.offset(), trailer};
  } catch (const Wrong&) {
    return {if_wrong, in.offset(), trailer};
  }
  return {GzipFlaw::bad_trailer, in.offset(), trailer};
}

}  // namespace greenline::io
