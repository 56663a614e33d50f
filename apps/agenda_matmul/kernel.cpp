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

// A row of B is used for all rows of A while it is in the first cache.
void by_loops(std::size_t rows, std::size_t n, const double* a, const double* b,
              double* __restrict c) {
  std::fill(c, c + rows * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double* const row_of_b = b + j * n;
    for (std::size_t i = 0; i < rows; ++i) {
      const double factor = a[i * n + j];
      double* const row_of_c = c + i * n;
#pragma GCC ivdep
      for (std::size_t k = 0; k < n; ++k) row_of_c[k] += factor * row_of_b[k];
    }
  }
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
