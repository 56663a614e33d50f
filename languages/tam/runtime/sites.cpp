// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/runtime/sites.hpp"

#include <algorithm>

namespace ramjet::tam {

std::int64_t encode_site(const tam_block* block) {
  return reinterpret_cast<const char*>(block) - reinterpret_cast<const char*>(here.blocks.front());
}
const tam_block* block_of(std::int64_t carried) {
  const auto* begin = reinterpret_cast<const char*>(here.blocks.front());
  const auto* b = reinterpret_cast<const tam_block*>(begin + carried);
  if (std::find(here.blocks.begin(), here.blocks.end(), b) == here.blocks.end())
    stop("a message calls a code block that the program has not named");
  return b;
}
const char* decode_site(std::int32_t carried) {
  if (carried == 0) return "a shared object";
  return reinterpret_cast<const char*>(here.blocks.front()) + carried;
}

}  // namespace ramjet::tam
