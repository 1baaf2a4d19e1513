// Numbers of traces from their text, never through a double: at today's date in microseconds the
// step of a double is 0.25 us.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace greenline::io {

// Microseconds in decimal ("1712867402367683", "-0.5", "4458677009853.4225", "1.6e15") as
// nanoseconds. Beyond three decimals it rounds to the nearest, halves upwards. Nothing when the
// text is not a JSON number or lies beyond ± kMaxTraceTime.
std::optional<std::int64_t> nanoseconds(std::string_view microseconds);

// A JSON number that is an integer of 64 bits: "12", "12.0", "1e3". Nothing otherwise.
std::optional<std::int64_t> integer(std::string_view text);

}  // namespace greenline::io
