#include "base/instruction_set.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace greenline::base {
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
InstructionSet detect() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return InstructionSet::scalar;
  constexpr unsigned kYmm = 0x6, kZmm = 0xE6, kTiles = 0x60000;
  constexpr unsigned kAvx2 = 1U << 5;
  constexpr unsigned kAvx512 = (1U << 16) | (1U << 17) | (1U << 30) | (1U << 31);  // F, DQ, BW, VL
  constexpr unsigned kAmx = (1U << 24) | (1U << 22);                               // tile, bf16
  const unsigned states = extended_states();
  const bool avx512 = (states & kZmm) == kZmm && (ebx & kAvx512) == kAvx512;
  if (avx512 && (states & kTiles) == kTiles && (edx & kAmx) == kAmx) return InstructionSet::amx;
  if (avx512) return InstructionSet::avx512;
  if ((states & kYmm) == kYmm && (ebx & kAvx2) != 0) return InstructionSet::avx2;
  return InstructionSet::scalar;
}
#else
InstructionSet detect() { return InstructionSet::scalar; }
#endif

}  // namespace

std::span<const EnumName> enum_names(InstructionSet) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(InstructionSet::scalar), "scalar", "no vector extension"},
      {static_cast<int>(InstructionSet::avx2), "avx2", "256-bit vectors"},
      {static_cast<int>(InstructionSet::avx512), "avx512", "512-bit vectors: F, DQ, BW, VL"},
      {static_cast<int>(InstructionSet::amx), "amx", "and tiles of bf16"}};
  return kNames;
}

InstructionSet widest_instruction_set() {
  static const InstructionSet found = detect();
  return found;
}

InstructionSet instruction_set_of(std::string_view name) {
  if (name.empty()) return widest_instruction_set();
  std::vector<std::string> known;
  for (const EnumName& n : enum_names(InstructionSet{})) {
    known.emplace_back(n.name);
    if (name != n.name) continue;
    const auto wanted = static_cast<InstructionSet>(n.value);
    if (wanted <= widest_instruction_set()) return wanted;
    throw UnsupportedError("no-instruction-set",
                           "GREENLINE_ISA is " + known.back() + ", and this machine has " +
                               enum_name(widest_instruction_set()) + " at most",
                           "unset GREENLINE_ISA, or set it to scalar");
  }
  throw unknown_name("instruction-set", name, known,
                     "GREENLINE_ISA is scalar, avx2, avx512 or amx");
}

}  // namespace greenline::base
