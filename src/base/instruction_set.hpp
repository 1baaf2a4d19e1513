// Which vector instructions the kernels of this library may use. Each kernel comes in several
// versions, one file each with its own compiler flags, and picks one while it runs.
#pragma once

#include <span>
#include <string_view>

#include "base/enum_name.hpp"

namespace greenline::base {

enum class InstructionSet { scalar, avx2, avx512, amx };  // each includes those before it
std::span<const EnumName> enum_names(InstructionSet);

// The widest that the processor and the operating system both support.
InstructionSet widest_instruction_set();

// By name, as GREENLINE_ISA gives it; "" is the widest. UserError "unknown-instruction-set",
// UnsupportedError "no-instruction-set" when this machine lacks it.
InstructionSet instruction_set_of(std::string_view name);

}  // namespace greenline::base
