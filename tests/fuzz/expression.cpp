// Any text is an expression or a UserError; one that was read gives the same names and value each
// time.
#include "verb/expression.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "io/json.hpp"
#include "require.hpp"

using namespace greenline;

namespace {

const io::Value& result() {
  static const io::Value kResult = io::parse_json(R"({"energy_kwh": 2, "s": "text", "none": [],
    "t": 4, "hours": [{"energy_kwh": 1, "g_per_kwh": 300}, {"energy_kwh": 3, "g_per_kwh": null}]})",
                                                  "result");
  return kResult;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto names = verb::names_in(text);
    const verb::ExpressionValue first = verb::evaluate(text, verb::lookup_in(result()));
    const verb::ExpressionValue second = verb::evaluate(text, verb::lookup_in(result()));
    require(verb::names_in(text) == names);
    require(first.values == second.values && first.text == second.text);
    require(first.is_column || first.text || first.values.size() == 1);
  } catch (const base::UserError& error) {
    require(!error.code().empty() && !error.message().empty());
  }
  return 0;
}
