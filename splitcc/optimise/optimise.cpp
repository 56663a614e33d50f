// SPDX-License-Identifier: Apache-2.0
#include "splitcc/optimise/optimise.hpp"

namespace splitcc {

void optimise(node&, type_table&, const token_list&, diagnostics&, const optimise_options&) {}

}  // namespace splitcc
