// Any text is a strategy by layer class or a UserError; one that was read reads back, and completes
// to the devices or is refused.
#include "plan/class_strategy.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "require.hpp"

using namespace greenline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto strategy = plan::parse_class_strategy(text);
    const std::string canonical = plan::class_strategy_text(strategy);
    require(plan::class_strategy_text(plan::parse_class_strategy(canonical)) == canonical);
    for (const plan::ClassStrategy& s : strategy) {
      std::int64_t product = 1;
      for (const auto& level : plan::with_degrees(s, 128, 8).levels) product *= level.degree;
      require(product == 128);
    }
  } catch (const base::UserError& error) {
    require(error.code() == "bad-strategy" && !error.message().empty());
  }
  return 0;
}
