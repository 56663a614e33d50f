// SPDX-License-Identifier: Apache-2.0
// Completes structures, unions and enumerations whose members have been read.
#ifndef SPLITCC_SEMANTICS_RECORDS_HPP
#define SPLITCC_SEMANTICS_RECORDS_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "languages/splitc/compiler/semantics/nodes.hpp"

namespace splitcc {

class record_rules : private node_maker {
 public:
  using node_maker::node_maker;

  // Lays out, checks for twins, binds nothing.
  void complete_record(type* record_type, std::vector<member> members, bool packed,
                       std::uint32_t alignment_asked, bool layout_is_known, token_index at);
  void complete_enumeration(type* t, std::span<entity* const> enumerators, bool packed);

 private:
  void report_twins(const record& r);
};

}  // namespace splitcc

#endif
