// SPDX-License-Identifier: Apache-2.0
// Code blocks and the texts of sites ("FILE:LINE") in messages. They lie in the program's image,
// which each rank maps at another address: they travel as distances from the first code block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "languages/tam/runtime/machine.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

std::int64_t encode_site(const tam_block* block);
const tam_block* block_of(std::int64_t carried);
inline std::int32_t encode_site(const char* site) {
  if (here.blocks.empty()) return 0;
  const std::ptrdiff_t distance = site - reinterpret_cast<const char*>(here.blocks.front());
  return distance == static_cast<std::int32_t>(distance) ? static_cast<std::int32_t>(distance) : 0;
}
const char* decode_site(std::int32_t carried);

}  // namespace ramjet::tam
