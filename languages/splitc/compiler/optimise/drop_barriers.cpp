// SPDX-License-Identifier: Apache-2.0
// -fdrop-barriers: barrier() right behind all_store_sync() does nothing that the latter has not
// done: no processor leaves all_store_sync() before all have come to it.
#include "languages/splitc/compiler/optimise/passes.hpp"

namespace splitcc {

void drop_barriers(node& function, const pass& p) {
  walk(&function, [&](node* n) {
    if (n->kind != node_kind::compound) return true;
    node* before = nullptr;
    for (node*& item : n->children) {
      if (!item || item->kind == node_kind::empty) continue;
      if (before && is_library_call(before, "all_store_sync") && is_library_call(item, "barrier")) {
        p.tell(item, "barrier() behind all_store_sync()");
        item = p.made(";", {}, {});
      } else {
        before = item;
      }
    }
    return true;
  });
}

}  // namespace splitcc
