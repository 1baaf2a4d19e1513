// The sweep with 256-bit vectors: eight designs at once. Compiled with -mavx2.
#include "grid/sweep_lanes.hpp"

#if defined(__AVX2__)
#include <immintrin.h>

namespace greenline::grid {
namespace {

struct Avx2 {
  using V = __m256;
  static constexpr std::size_t kWidth = 8;
  static V load(const float* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, V a) { _mm256_storeu_ps(p, a); }
  static V all(float a) { return _mm256_set1_ps(a); }
  static V add(V a, V b) { return _mm256_add_ps(a, b); }
  static V sub(V a, V b) { return _mm256_sub_ps(a, b); }
  static V mul(V a, V b) { return _mm256_mul_ps(a, b); }
  static V div(V a, V b) { return _mm256_div_ps(a, b); }
  static V min(V a, V b) { return _mm256_min_ps(a, b); }
  static V max(V a, V b) { return _mm256_max_ps(a, b); }
  static void add_to(double* p, V a) {
    const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(a));
    const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1));
    _mm256_storeu_pd(p, _mm256_add_pd(_mm256_loadu_pd(p), low));
    _mm256_storeu_pd(p + 4, _mm256_add_pd(_mm256_loadu_pd(p + 4), high));
  }
};

}  // namespace

void sweep_avx2(const SweepHours& hours, SweepBlock& block, float* scratch) {
  SweepLanes<Avx2>::run(hours, block, scratch);
}

}  // namespace greenline::grid
#else
namespace greenline::grid {

void sweep_avx2(const SweepHours& hours, SweepBlock& block, float* scratch) {
  sweep_scalar(hours, block, scratch);
}

}  // namespace greenline::grid
#endif
