// Any bytes either parse as a quantity or are refused as a user error; what parses survives a round
// trip through the unit of files.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "require.hpp"

using namespace greenline::base;

namespace {

// Nothing when the text is refused, which must be as a user error of this one code.
template <class Parse>
std::optional<AnyQuantity> parsed(std::string_view text, Parse parse) {
  try {
    return parse(text);
  } catch (const UserError& error) {
    require(error.code() == "bad-quantity");
    return std::nullopt;
  }
}

void check_round_trip(AnyQuantity q) {
  require(std::isfinite(q.value));
  const FileUnit unit = file_unit(q.dimension);
  const double number = q.value / unit.factor;
  if (!std::isfinite(number) || (number == 0) != (q.value == 0))
    return;  // left the range of a double
  const AnyQuantity again = parse_quantity(shortest(number) + " " + unit.symbol);
  require(again.dimension == q.dimension);
  // One rounding of the division, one of the product, and one of each factor of a composed unit.
  require(std::abs(again.value - q.value) <= 1e-13 * std::abs(q.value));
  require(unit_of_key(file_key("x", q.dimension)).dimension == q.dimension);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto q = parsed(text, [](std::string_view t) { return parse_quantity(t); })) {
    check_round_trip(*q);
    require(!format_quantity(*q).empty());
  }
  if (const auto unit = parsed(text, parse_unit)) require(std::isfinite(unit->value));
  require(unit_of_key(text).value > 0);
  return 0;
}
