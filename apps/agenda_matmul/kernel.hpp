// SPDX-License-Identifier: Apache-2.0
// What computes rows of C: the library for linear algebra, where the program is built with one, or
// plain loops.
#pragma once

#include <cstddef>

namespace agenda_matmul {

enum class kernel { blas, plain };

const char* name_of(kernel k);
// Whether this program is built with the kernel.
bool is_built_in(kernel k);
// The fastest one that is.
kernel default_kernel();

// c = a b: `rows` rows of n numbers by n x n numbers, row after row. By one system thread.
void multiply_rows(kernel k, std::size_t rows, std::size_t n, const double* a, const double* b,
                   double* c);

}  // namespace agenda_matmul
