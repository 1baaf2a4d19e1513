// The sweep with 512-bit vectors: sixteen designs at once. Compiled with -mavx512f and its
// neighbours.
#include "grid/sweep_lanes.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>

namespace greenline::grid {
namespace {

struct Avx512 {
  using V = __m512;
  static constexpr std::size_t kWidth = 16;
  static V load(const float* p) { return _mm512_loadu_ps(p); }
  static void store(float* p, V a) { _mm512_storeu_ps(p, a); }
  static V all(float a) { return _mm512_set1_ps(a); }
  static V add(V a, V b) { return _mm512_add_ps(a, b); }
  static V sub(V a, V b) { return _mm512_sub_ps(a, b); }
  static V mul(V a, V b) { return _mm512_mul_ps(a, b); }
  static V div(V a, V b) { return _mm512_div_ps(a, b); }
  static V min(V a, V b) { return _mm512_min_ps(a, b); }
  static V max(V a, V b) { return _mm512_max_ps(a, b); }
  static void add_to(double* p, V a) {
    const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(a));
    const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1));
    _mm512_storeu_pd(p, _mm512_add_pd(_mm512_loadu_pd(p), low));
    _mm512_storeu_pd(p + 8, _mm512_add_pd(_mm512_loadu_pd(p + 8), high));
  }
};

}  // namespace

void sweep_avx512(const SweepHours& hours, SweepBlock& block, float* scratch) {
  SweepLanes<Avx512>::run(hours, block, scratch);
}

}  // namespace greenline::grid
#else
namespace greenline::grid {

void sweep_avx512(const SweepHours& hours, SweepBlock& block, float* scratch) {
  sweep_scalar(hours, block, scratch);
}

}  // namespace greenline::grid
#endif
