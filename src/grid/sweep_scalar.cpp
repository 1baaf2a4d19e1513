// The sweep without vector extensions: what the others have to equal, bit for bit.
#include "grid/sweep_lanes.hpp"

namespace greenline::grid {
namespace {

struct Scalar {
  using V = float;
  static constexpr std::size_t kWidth = 1;
  static V load(const float* p) { return *p; }
  static void store(float* p, V a) { *p = a; }
  static V all(float a) { return a; }
  static V add(V a, V b) { return a + b; }
  static V sub(V a, V b) { return a - b; }
  static V mul(V a, V b) { return a * b; }
  static V div(V a, V b) { return a / b; }
  static V min(V a, V b) { return a < b ? a : b; }  // as the vector instructions choose
  static V max(V a, V b) { return a > b ? a : b; }
  static void add_to(double* p, V a) { *p += static_cast<double>(a); }
};

}  // namespace

void sweep_scalar(const SweepHours& hours, SweepBlock& block, float* scratch) {
  SweepLanes<Scalar>::run(hours, block, scratch);
}

}  // namespace greenline::grid
