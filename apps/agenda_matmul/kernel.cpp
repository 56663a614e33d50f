// SPDX-License-Identifier: Apache-2.0
#include "kernel.hpp"

#include <algorithm>

#if AGENDA_MATMUL_BLAS
#include <cblas.h>
#endif

namespace agenda_matmul {
namespace {

#if AGENDA_MATMUL_BLAS
void by_blas(std::size_t rows, std::size_t n, const double* a, const double* b, double* c) {
  // A processor is one rank's, so the library may have no threads of its own.
  static const bool alone = (openblas_set_num_threads(1), true);
  static_cast<void>(alone);
  const auto m = static_cast<blasint>(rows), size = static_cast<blasint>(n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, size, size, 1.0, a, size, b, size, 0.0,
              c, size);
}
#else
void by_blas(std::size_t, std::size_t, const double*, const double*, double*) {}
#endif

// A number of B that was loaded is used for this many rows of A.
constexpr std::size_t kRowsTogether = 4;

// Rows kRowsTogether at a time, or one.
template <std::size_t Rows>
void add_rows(std::size_t n, const double* a, const double* b, double* __restrict c) {
  for (std::size_t j = 0; j < n; ++j) {
    double factors[Rows];
    for (std::size_t i = 0; i < Rows; ++i) factors[i] = a[i * n + j];
    const double* const row_of_b = b + j * n;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < Rows; ++i) c[i * n + k] += factors[i] * row_of_b[k];
  }
}

void by_loops(std::size_t rows, std::size_t n, const double* a, const double* b, double* c) {
  std::fill(c, c + rows * n, 0.0);
  std::size_t i = 0;
  for (; i + kRowsTogether <= rows; i += kRowsTogether)
    add_rows<kRowsTogether>(n, a + i * n, b, c + i * n);
  for (; i < rows; ++i) add_rows<1>(n, a + i * n, b, c + i * n);
}

}  // namespace

const char* name_of(kernel k) { return k == kernel::blas ? "blas" : "plain"; }
bool is_built_in(kernel k) { return k == kernel::plain || AGENDA_MATMUL_BLAS != 0; }
kernel default_kernel() { return is_built_in(kernel::blas) ? kernel::blas : kernel::plain; }

void multiply_rows(kernel k, std::size_t rows, std::size_t n, const double* a, const double* b,
                   double* c) {
  k == kernel::blas ? by_blas(rows, n, a, b, c) : by_loops(rows, n, a, b, c);
}

}  // namespace agenda_matmul
