// SPDX-License-Identifier: Apache-2.0
// File-scope spread arrays: blocks of the symmetric heap that all ranks take alike before the
// program begins (splitc_start.h). The heap is fresh then, so the arrays are zero.
#include <map>
#include <string>

#include "c/checks.hpp"
#include "languages/splitc/runtime/refusal.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/splitc_start.h"

namespace {

struct shape {
  std::uint64_t blocks, block_bytes;
  bool operator==(const shape&) const = default;
};

void refuse(const char* name, shape wanted, const char* why) {
  const std::string array = "the spread array " + std::string(name) + " of " +
                            std::to_string(wanted.blocks) + " blocks of " +
                            std::to_string(wanted.block_bytes) + " bytes: ";
  ramjet::splitc::refuse_program((array + why).c_str());
}

}  // namespace

void splitc_place_spread_array(uint64_t* where, uint64_t blocks, uint64_t block_bytes,
                               const char* name) {
  static std::map<const uint64_t*, shape> placed;
  const shape wanted{blocks, block_bytes};
  const auto [known, is_new] = placed.emplace(where, wanted);
  if (!is_new) {
    if (known->second != wanted) refuse(name, wanted, "another file declares another size for it");
    return;
  }
  auto* const checked = ramjet::checks::now();
  const std::uint64_t taken = checked == nullptr ? blocks : checked->padded(blocks, block_bytes);
  const ramjet::spread_ptr<void> memory = ramjet::all_spread_malloc(taken, block_bytes);
  if (memory == nullptr)
    refuse(name, wanted,
           "there is no room for it in the segments; ask for larger ones (RAMJET_SEGMENT_BYTES)");
  *where = memory.bits();
  if (checked != nullptr)
    checked->spread_taken(*where, blocks, block_bytes, true, __builtin_return_address(0));
}
