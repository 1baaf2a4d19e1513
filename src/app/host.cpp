#include "app/host.hpp"

#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace greenline::app {
namespace {

#if defined(__x86_64__)
// XCR0 says which register states the operating system saves; without that an extension must not be
// used.
unsigned extended_states() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned kOsxsave = 1U << 27;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & kOsxsave) == 0) return 0;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// Intel SDM volume 2A, CPUID leaf 7: bits of EBX and EDX; volume 1, 13.3: bits of XCR0.
std::string detect() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return "scalar";
  constexpr unsigned kYmm = 0x6, kZmm = 0xE6, kTiles = 0x60000;
  constexpr unsigned kAvx2 = 1U << 5;
  constexpr unsigned kAvx512 = (1U << 16) | (1U << 17) | (1U << 30) | (1U << 31);  // F, DQ, BW, VL
  constexpr unsigned kAmx = (1U << 24) | (1U << 22);                               // tile, bf16
  const unsigned states = extended_states();
  const bool avx512 = (states & kZmm) == kZmm && (ebx & kAvx512) == kAvx512;
  if (avx512 && (states & kTiles) == kTiles && (edx & kAmx) == kAmx) return "amx";
  if (avx512) return "avx512";
  if ((states & kYmm) == kYmm && (ebx & kAvx2) != 0) return "avx2";
  return "scalar";
}
#else
std::string detect() { return "scalar"; }
#endif

}  // namespace

std::string version() { return GREENLINE_VERSION; }

std::string compiler() { return GREENLINE_COMPILER; }

std::string architecture() { return GREENLINE_ARCHITECTURE; }

std::string instruction_set() {
  static const std::string found = detect();
  return found;
}

std::vector<std::string> libraries() {
  std::vector<std::string> libraries;
  std::string_view rest = GREENLINE_LIBRARIES;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    libraries.emplace_back(one);
    rest.remove_prefix(one.size() < rest.size() ? one.size() + 1 : one.size());
  }
  return libraries;
}

}  // namespace greenline::app
