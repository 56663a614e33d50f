// SPDX-License-Identifier: Apache-2.0
// What is compiled for more registers than the rest of the program (wide_registers.cpp).
#pragma once

#include <array>

inline constexpr int kWideVectors = 24;  // more than there are registers that all processors have
using wide_numbers = std::array<double, 8 * kWideVectors>;
using wide_bytes = std::array<unsigned char, 2 * 64>;

// Whether this processor has them; asked before the others are called.
bool has_wide_registers();
// Yields with vectors in registers: a sum of products with the factor.
double sum_over_a_yield(const wide_numbers& numbers, double factor);
// Yields with masks in registers: in how many places one half has this byte, and not the other.
int count_over_a_yield(const wide_bytes& bytes, unsigned char byte);
