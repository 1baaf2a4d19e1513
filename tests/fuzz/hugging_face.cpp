// Any bytes are a shape whose counts are finite, or a DataError or UnsupportedError with a place.
#include "catalog/hugging_face.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "model/workload.hpp"
#include "require.hpp"

using namespace greenline;

namespace {

void require_counts(const catalog::ModelShape& shape) {
  const model::ParameterCounts count = model::count_parameters(shape);
  require(std::isfinite(count.total()) && count.total() > 0);
  require(count.active() > 0 && count.active() <= count.total());
  const model::Slice slice{.sequence_length = shape.sequence_length};
  for (const std::int64_t i : {std::int64_t{0}, shape.layers - 1}) {
    const base::Work work =
        total_flops(model::layer_operators(shape, slice, model::layer_kind(shape, i)).forward);
    require(std::isfinite(work.base_value()) && work > base::Work{});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    require_counts(catalog::parse_hugging_face(text, "config.json"));
  } catch (const base::DataError& error) {
    require(error.where().line > 0 && error.where().column > 0);
  } catch (const base::UnsupportedError& error) {
    require(error.where().line > 0 && error.where().column > 0);
  }
  return 0;
}
