// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX-512, or for SVE: vectors and masks are in registers that a switch saves only
// where its file is compiled so.
#include "wide_registers.hpp"

#include "ramjet/ult/thread.hpp"

namespace ult = ramjet::ult;

#if defined(__x86_64__)
#include <immintrin.h>

#include <bit>
#include <numeric>
#include <utility>

namespace {

template <std::size_t... I>
double sum_of(const double* numbers, double factor, std::index_sequence<I...>) {
  const __m512d by = _mm512_set1_pd(factor);
  const auto sum = [](auto... vectors) __attribute__((always_inline)) {
    ult::this_thread::yield();
    __m512d all = _mm512_setzero_pd();
    ((all = _mm512_add_pd(all, vectors)), ...);
    std::array<double, 8> parts{};
    _mm512_storeu_pd(parts.data(), all);
    return std::accumulate(parts.begin(), parts.end(), 0.0);
  };
  return sum(_mm512_mul_pd(_mm512_loadu_pd(numbers + 8 * I), by)...);
}

}  // namespace

double sum_over_a_yield(const wide_numbers& numbers, double factor) {
  return sum_of(numbers.data(), factor, std::make_index_sequence<kWideVectors>());
}

// The difference of two masks is one that gcc keeps in k0.
int count_over_a_yield(const wide_bytes& bytes, unsigned char byte) {
  const __m512i wanted = _mm512_set1_epi8(char(byte));
  const __m512i first = _mm512_loadu_si512(bytes.data());
  const __m512i second = _mm512_loadu_si512(bytes.data() + 64);
  const __mmask64 differ =
      _kxor_mask64(_mm512_cmpeq_epi8_mask(first, wanted), _mm512_cmpeq_epi8_mask(second, wanted));
  ult::this_thread::yield();
  const __m512i again = _mm512_loadu_si512(bytes.data());
  return std::popcount(std::uint64_t(_kand_mask64(differ, _mm512_cmpeq_epi8_mask(again, again))));
}

#else
#include <arm_sve.h>

double sum_over_a_yield(const wide_numbers& numbers, double factor) {
  const svbool_t all = svptrue_b64();
  const svfloat64_t first = svmul_n_f64_x(all, svld1_f64(all, numbers.data()), factor);
  ult::this_thread::yield();
  return svaddv_f64(all, first);
}

int count_over_a_yield(const wide_bytes& bytes, unsigned char byte) {
  const svbool_t all = svwhilelt_b8_u64(0, 64);
  const svbool_t first = svcmpeq_n_u8(all, svld1_u8(all, bytes.data()), byte);
  const svbool_t second = svcmpeq_n_u8(all, svld1_u8(all, bytes.data() + 64), byte);
  svbool_t differ = sveor_b_z(all, first, second);
  asm volatile("" : "+Upa"(differ));  // computed by now
  ult::this_thread::yield();
  return int(svcntp_b8(all, differ));
}
#endif
