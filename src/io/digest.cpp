#include "io/digest.hpp"

#include <array>

#include <openssl/evp.h>

#include "base/error.hpp"

namespace greenline::io {
namespace {

std::string digest(std::string_view bytes, const EVP_MD* method, const char* name) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> value;
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), value.data(), &size, method, nullptr) != 1)
    throw base::InternalError(std::string(name) + " is not available in this OpenSSL");
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{2} * size);
  for (unsigned int i = 0; i < size; ++i) {
    text += kHex[value[i] >> 4];
    text += kHex[value[i] & 15];
  }
  return text;
}

}  // namespace

std::string sha1(std::string_view bytes) { return digest(bytes, EVP_sha1(), "SHA-1"); }
std::string sha256(std::string_view bytes) { return digest(bytes, EVP_sha256(), "SHA-256"); }

}  // namespace greenline::io
