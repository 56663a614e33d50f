// SPDX-License-Identifier: Apache-2.0
// Two programs are equal if they are so part by part. Of names, types, strings and constants it
// counts what they are, and not at which index they stand.
#include <algorithm>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {
namespace {

class comparison {
 public:
  comparison(const program& a, const program& b) : a_(a), b_(b) {}

  bool run() const {
    return all(a_.blocks, b_.blocks) && all(a_.slots, b_.slots) && all(a_.inlets, b_.inlets) &&
           all(a_.threads, b_.threads) && all(a_.parameters, b_.parameters) &&
           a_.posts == b_.posts && all(a_.instructions, b_.instructions) &&
           all(a_.arguments, b_.arguments) && a_.main == b_.main &&
           all(a_.temporaries, b_.temporaries) && all(a_.positions, b_.positions);
  }

 private:
  template <class T>
  bool all(const std::vector<T>& a, const std::vector<T>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const T& x, const T& y) { return same(x, y); });
  }

  bool name(index x, index y) const {
    return x == kNone || y == kNone ? x == y : a_.names[x] == b_.names[y];
  }
  bool type(index x, index y) const { return spelling(a_, x) == spelling(b_, y); }

  bool same(const position& x, const position& y) const {
    if (x.file == 0 || y.file == 0) return x.file == y.file;
    return x.line == y.line && a_.files[x.file] == b_.files[y.file];
  }
  bool same(const operand& x, const operand& y) const {
    if (x.is_none() || y.is_none() || x.where() != y.where()) return x == y;
    if (x.where() == space::string) return a_.strings[x.at()] == b_.strings[y.at()];
    if (x.where() != space::constant) return x == y;
    return a_.constants[x.at()] == b_.constants[y.at()] &&
           type(a_.constant_types[x.at()], b_.constant_types[y.at()]);
  }
  bool same(const instruction& x, const instruction& y) const {
    return x.op == y.op && x.place == y.place && x.argument_count == y.argument_count &&
           (x.argument_count == 0 || x.first_argument == y.first_argument) && same(x.to, y.to) &&
           same(x.a, y.a) && same(x.b, y.b) && x.target == y.target && x.other == y.other;
  }
  bool same(const temporary& x, const temporary& y) const {
    return name(x.name, y.name) && type(x.type, y.type);
  }
  bool same(const parameter& x, const parameter& y) const {
    return same(x.to, y.to) && type(x.type, y.type);
  }
  bool same(const slot& x, const slot& y) const {
    return name(x.name, y.name) && type(x.type, y.type) && same(x.where, y.where);
  }
  static bool same(const range& x, const range& y) {
    return x.count == y.count && (x.count == 0 || x.first == y.first);
  }
  static bool same(const body& x, const body& y) {
    return same(x.instructions, y.instructions) && same(x.temporaries, y.temporaries);
  }
  bool same(const inlet& x, const inlet& y) const {
    return name(x.name, y.name) && x.block == y.block && same(x.parameters, y.parameters) &&
           x.counter == y.counter && same(x.posts, y.posts) && same(x.code, y.code) &&
           same(x.where, y.where);
  }
  bool same(const thread& x, const thread& y) const {
    return name(x.name, y.name) && x.block == y.block && x.entry_count == y.entry_count &&
           x.when_room == y.when_room && x.after_calls == y.after_calls && same(x.code, y.code) &&
           same(x.where, y.where);
  }
  bool same(const code_block& x, const code_block& y) const {
    return name(x.name, y.name) && same(x.slots, y.slots) && same(x.inlets, y.inlets) &&
           same(x.threads, y.threads) && x.entry == y.entry && x.exit == y.exit &&
           same(x.where, y.where);
  }

  const program& a_;
  const program& b_;
};

}  // namespace

bool equal(const program& a, const program& b) { return comparison(a, b).run(); }

}  // namespace tl0
