// SPDX-License-Identifier: Apache-2.0
// The traps of a unit (traps.hpp): what is common, and stores that nobody waits for.
#include "languages/splitc/compiler/semantics/traps.hpp"

namespace splitcc {
namespace {

bool stands_in_system_header(token_index at, const token_list& tokens) {
  return at < tokens.tokens.size() && tokens.files[tokens.tokens[at].file].is_system;
}

// What a unit stores, and what it waits with.
struct stores_seen {
  const token_list& tokens;
  token_index store = kNoToken;       // the first one
  token_index store_sync = kNoToken;  // the first store_sync()
  bool waits = false;
  bool is_whole_program = false;  // it has a main function, and calls no other unit's functions

  void look_at(const node& n);
  void look_at_call(const node& call);
};

void stores_seen::look_at_call(const node& call) {
  const entity* f = callee(call);
  if (!f || f->kind == entity_kind::builtin) return;
  if (!f->is_library) {
    const bool elsewhere = f->kind == entity_kind::function && !f->is_defined &&
                           f->link == linkage::external && !stands_in_system_header(f->at, tokens);
    if (elsewhere) is_whole_program = false;
    return;
  }
  if (is_of_library(f, "bulk_store") && store == kNoToken) store = call.at;
  if (is_of_library(f, "store_sync") && store_sync == kNoToken) store_sync = call.at;
  waits |= is_of_library(f, "store_sync") || is_of_library(f, "all_store_sync");
}

void stores_seen::look_at(const node& n) {
  if (n.kind == node_kind::call) look_at_call(n);
  if (n.kind == node_kind::assignment && n.op == punctuator::store && store == kNoToken)
    store = n.at;
  each_part(n, [this](const node& part) { look_at(part); });
}

bool defines_main(const node& unit) {
  for (const node* item : unit.children) {
    if (item->kind != node_kind::function_definition || item->declared->declarators.empty())
      continue;
    const entity* f = item->declared->declarators[0].declared;
    if (f && (f->name->text == "splitc_main" || f->name->text == "main")) return true;
  }
  return false;
}

}  // namespace

void warn_of_forgotten_stores(const node& unit, const token_list& tokens, diagnostics& report) {
  if (!defines_main(unit)) return;
  stores_seen seen{tokens};
  seen.is_whole_program = true;
  seen.look_at(unit);
  if (!seen.is_whole_program) return;
  if (seen.store != kNoToken && !seen.waits)
    report.warning(seen.store, "store-credit",
                   "nothing waits for this store: the program calls neither 'all_store_sync' nor "
                   "'store_sync'");
  if (seen.store == kNoToken && seen.store_sync != kNoToken)
    report.warning(seen.store_sync, "store-sync",
                   "'store_sync' waits for bytes that are stored, and the program stores none");
}

void warn_of_traps(const node& unit, const token_list& tokens, diagnostics& report) {
  for (const node* item : unit.children) {
    if (!item || item->kind != node_kind::function_definition || !item->translate) continue;
    if (stands_in_system_header(item->first, tokens)) continue;
    warn_of_early_reads(*item, tokens, report);
    warn_of_lonely_collectives(*item, report);
    warn_of_sent_pointers(*item, report);
  }
  warn_of_forgotten_stores(unit, tokens, report);
}

}  // namespace splitcc
