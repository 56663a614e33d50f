// SPDX-License-Identifier: Apache-2.0
// Repeated declarations of a name: checks that they agree, and merges them.
#ifndef SPLITCC_SEMANTICS_REDECLARATIONS_HPP
#define SPLITCC_SEMANTICS_REDECLARATIONS_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "languages/splitc/compiler/semantics/nodes.hpp"

namespace splitcc {

struct declaration_request {
  identifier* name;
  qualified_type type;
  token_index at;
  storage where;  // as written
  bool has_storage_class;  // written at all
  bool is_inline;
  std::string assembler_name;  // asm("..."), if any
  bool is_weak;
  std::uint32_t alignment_asked = 0;
  bool is_definition = false;  // of a function: its body follows
  bool is_thread = false;  // __thread, with or without static or extern in `where`
};

class redeclaration_rules : private node_maker {
 public:
  using node_maker::node_maker;

  // Reports what differs.
  bool agrees(const entity& earlier, const declaration_request& wanted, entity_kind kind,
              linkage link);
  void merge(entity& earlier, const declaration_request& wanted);
  // `char *malloc();` in a program whose headers declare malloc, as old programs have it: the
  // header's declaration stands, and this one says nothing.
  bool is_superfluous(const entity& e, qualified_type declared, token_index at) const;
  void keep_header(const entity& header, const declaration_request& wanted);
  bool asks_for_symbol(const declaration_request& wanted) const;
  static bool is_for_inlining_alone(const entity& function) {
    return function.is_inline && !function.has_symbol && function.link == linkage::external;
  }
  void note_earlier(const entity& earlier, std::string_view word = "declaration");
  void report_redefinition(const entity& e);

 private:
  bool kinds_agree(const entity& earlier, const declaration_request& wanted, entity_kind kind);
  bool linkages_agree(const entity& earlier, const declaration_request& wanted, linkage link);
  bool types_agree(const entity& earlier, const declaration_request& wanted);
};

}  // namespace splitcc

#endif
