// SPDX-License-Identifier: Apache-2.0
// Conversion as if by assignment: assignments, initializers, arguments and returned values.
#ifndef SPLITCC_SEMANTICS_ASSIGNABLE_HPP
#define SPLITCC_SEMANTICS_ASSIGNABLE_HPP

#include <string>
#include <string_view>

#include "languages/splitc/compiler/semantics/operand_rules.hpp"

namespace splitcc {

class assignment_rules : public operand_rules {
 public:
  using operand_rules::operand_rules;

 protected:
  node* convert_for(node* e, qualified_type to, const assigned_as& use);
  void check_pointees(const node* e, const type* from, const type* to, const assigned_as& use);
  void report_mismatch(mismatch m, const node* e, const type* from, const type* to,
                       const assigned_as& use, std::string_view qualifiers = {});

 private:
  node* assign_pointer(node* e, const type* from, const type* to, const assigned_as& use);
  void check_processor_kept(const node* e, const type* from, const assigned_as& use);
  std::string words_for(mismatch m, const type* from, const type* to, const assigned_as& use,
                        std::string_view qualifiers = {}) const;
};

}  // namespace splitcc

#endif
