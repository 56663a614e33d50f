// SPDX-License-Identifier: Apache-2.0
// -fpipeline-reads: a counted loop that reads other processors' memory, each read waiting for its
// value, issues the gets of up to 64 rounds first, waits for all of them once, and runs the rounds
// on what has come. Only reads whose address no round computes, in rounds that write nothing that a
// pointer may name - what is read may be one's own - and call nothing. Where all processors share
// memory, the loop stays as it is.
#include <algorithm>

#include "languages/splitc/compiler/optimise/passes.hpp"
#include "languages/splitc/compiler/optimise/reads.hpp"

namespace splitcc {
namespace {

struct pipelined {
  node* lvalue;  // what is read
  entity* buffer;  // an array of kRounds of its type
};

class pipeline {
 public:
  pipeline(counted_loop& loop, const unnamed_memory& unnamed, const pass& p)
      : loop_(loop), unnamed_(unnamed), pass_(p) {}

  node* turn() {
    const effects& b = loop_.body;
    if (b.calls || b.writes_global || b.writes_through_pointers || !unnamed_.has_all(b.written) ||
        b.breaks || b.leaves || !b.reads_global || !can_be_copied(loop_))
      return nullptr;
    round_ = pass_.variable({pass_.types.basic(type_kind::int_), 0});
    original_ = pass_.copy(loop_.loop);
    const bool taken = take_reads(
        loop_.statement(),
        [this](node*& slot, node* lvalue, qualified_type t) { return take(slot, lvalue, t); });
    if (!taken || reads_.empty()) {
      loop_.loop->children = original_->children;
      return nullptr;
    }
    pass_.tell(loop_.loop->at, "the reads of this loop are pipelined gets");
    return put_together();
  }

 private:
  static constexpr int kRounds = 64;
  static constexpr std::size_t kReadsMax = 4;

  // Others than those that are done in every round would be done twice.
  bool take(node*& slot, node* lvalue, qualified_type t) {
    if (reads_.size() == kReadsMax || !is_fetched_by_get(lvalue, t) || loop_.body.continues ||
        !is_address_ahead(lvalue))
      return false;
    const type* array = pass_.types.array_of({t.of, 0}, bound_kind::constant, kRounds, nullptr);
    entity* buffer = pass_.variable({array, 0});
    reads_.push_back({pass_.copy(lvalue), buffer});
    slot = element(buffer, {t.of, 0});
    return true;
  }

  // buffer[round]
  node* element(entity* buffer, qualified_type t) const {
    node* n = pass_.types.memory().make<node>();
    n->kind = node_kind::index;
    n->translate = true;
    n->type = t;
    n->is_lvalue = true;
    const qualified_type pointer = {pass_.types.pointer_to(t), 0};
    node* array = pass_.made(text_of(buffer), {}, {}, pointer);
    n->children = pass_.types.memory().list<node*>({array, pass_.use(round_)});
    return n;
  }

  // Its address can be known before the rounds run: what it is computed from no round writes.
  bool is_address_ahead(const node* lvalue) const {
    const effects a = effects_of(lvalue);
    return changes_nothing(a) && !reads_below(lvalue) &&
           std::ranges::none_of(a.read, [this](const entity* e) {
             return e != loop_.index && loop_.body.written.contains(e);
           });
  }

  node* put_together() const {
    const std::string i = text_of(loop_.index), r = text_of(round_);
    const std::string n = r + "_n", i0 = r + "_i", rounds = std::to_string(kRounds);
    const std::string index_type = loop_.index->type->kind == type_kind::int_ ? "int " : "long ";
    std::vector<node*> children = {original_, loop_.initial(), loop_.condition(), loop_.advance(),
                                   loop_.statement()};
    std::vector<entity*> buffers;
    std::string declares, gets;
    for (const pipelined& p : reads_) {
      declares += "@" + std::to_string(buffers.size()) + "; ";
      buffers.push_back(p.buffer);
      gets += "%" + std::to_string(children.size()) + "; ";
      children.push_back(pass_.followed_get(element(p.buffer, {p.lvalue->type.of, 0}), p.lvalue));
    }
    return pass_.made("if (splitc_all_near()) { %0 } else { int " + r + ", " + n + "; " + declares +
                          "%1" + (loop_.declares_index ? " " : "; ") + "while (%2) { const " +
                          index_type + i0 + " = " + i + "; for (" + r + " = 0; " + r + " < " +
                          rounds + " && (%2); ++" + r + ", %3) { " + gets + "} " + n + " = " + r +
                          "; splitc_sync_or_end(); " + i + " = " + i0 + "; for (" + r + " = 0; " +
                          r + " < " + n + "; ++" + r + ", %3) %4 } }",
                      children, buffers);
  }

  counted_loop& loop_;
  const unnamed_memory& unnamed_;
  const pass& pass_;
  entity* round_ = nullptr;
  node* original_ = nullptr;
  std::vector<pipelined> reads_;
};

}  // namespace

void pipeline_reads(node& function, const pass& p) {
  node* body = &function;
  const unnamed_memory unnamed(function);
  turn_loops(body, p, [&](counted_loop& l) { return pipeline(l, unnamed, p).turn(); });
}

}  // namespace splitcc
