// SPDX-License-Identifier: Apache-2.0
// The dataflow graph: what the kernel language's functions become on the way to code blocks. Nodes
// compute values from values, or ask for what takes time: calls, fetches. What was left to the
// interpreter is spelt out here: tuples, lists, arrays with bounds and closures are structures of
// elements that are written once, and a loop is a function that begins with a round.
//
// A value that has constructors is the structure that holds its fields, with the constructor's
// number in the four lowest bits; without fields it is the number alone. An array is the structure
// that holds its bounds and then its elements; an M-structure's bounds and elements are apart. A
// closure holds what it is called by (with an argument, with a structure that the argument comes
// to), and what it was given.
#ifndef IDC_GRAPH_GRAPH_HPP
#define IDC_GRAPH_GRAPH_HPP

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "languages/id/core/core.hpp"
#include "languages/id/graph/facts.hpp"
#include "languages/id/infer/types.hpp"
#include "languages/support/bit_set.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace idc::graph {

enum class kind : std::uint8_t { word, integer, real, boolean, structure, m_structure };

enum class operation : std::uint8_t {
#define IDC_NODE(name, kinds, result, is_pure) name,
#include "languages/id/graph/nodes.def"
#undef IDC_NODE
};

struct about_operation {
  std::string_view name;
  std::string_view operands;  // a letter each: i r b w s m, '.': any; the last for all further ones
  char result;
  bool is_pure;  // without an effect: not made if nothing uses the value
};
inline constexpr about_operation kAbout[] = {
#define IDC_NODE(name, kinds, result, is_pure) {#name, kinds, (result), is_pure},
#include "languages/id/graph/nodes.def"
#undef IDC_NODE
};
inline constexpr const about_operation& about(operation op) {
  return kAbout[static_cast<std::size_t>(op)];
}
constexpr kind kind_of(char letter) {
  switch (letter) {
    case 'i':
      return kind::integer;
    case 'r':
    case 'f':
      return kind::real;
    case 'b':
      return kind::boolean;
    case 's':
      return kind::structure;
    case 'm':
      return kind::m_structure;
    default:
      return kind::word;
  }
}

using value = std::uint32_t;
constexpr value kNoValue = ~value{0};
using value_list = std::vector<value>;

struct function;
struct region;

struct node {
  operation op = operation::move;
  tl0::opcode code = tl0::opcode::move;  // compute
  bool is_tail : 1 = false;  // call, apply: its result is that of the function
  bool is_shared : 1 = false;  // call: on an idle rank
  bool is_walk : 1 = false;  // call: the next round of a loop whose rounds make shared calls
  bool is_spread : 1 = false;  // call: on the ranks in turn,
  bool is_placed : 1 = false;  // or where the last operand says
  value to = kNoValue;
  std::uint32_t number = 0;  // in the function
  position where;
  value_list operands;
  region* in = nullptr;
  union {
    function* callee = nullptr;  // call, code
    region* yes;  // choice
  };
  union {
    std::int64_t immediate = 0;
    region* no;  // choice
  };
  // A choice that has a value: what gives it in one of the regions; this: in the next one.
  node* merge = nullptr;
};

struct region {
  std::vector<node*> nodes;
  region* around = nullptr;  // null: the function's body
  node* of = nullptr;  // the choice
  int depth = 0;
  std::uint32_t number = 0;  // in the function
};

struct value_info {
  enum class made : std::uint8_t { nothing, parameter, constant, by_node, by_choice };
  value_info(made by_what, kind k, node* of, std::string_view name)
      : by(by_what),
        is(k),
        name_bytes(static_cast<std::uint32_t>(name.size())),
        name_at(name.data()),
        from(of) {}
  explicit value_info(std::int64_t constant) : by(made::constant), bits(constant) {}
  std::string_view name() const {
    return name_bytes == 0 ? std::string_view() : std::string_view(name_at, name_bytes);
  }

  made by;
  kind is = kind::word;
  std::uint32_t name_bytes = 0;
  union {
    const char* name_at;
    std::int64_t bits;  // constant: it has no name
  };
  node* from = nullptr;  // by_node; by_choice: the choice, whose `merge` is the first of them
};

struct function {
  std::string name;
  position where;
  std::uint32_t number = 0;
  bool is_code = false;  // a closure calls it: it takes and gives words
  bool has_calls = false;
  bool in_round = false;  // of a loop whose rounds are spread over the ranks
  const core::function* rounds_of = nullptr;  // a loop that begins with a round: this one
  bool in_turn = false;  // the loop's next round waits for all of this one
  // An element that is filled when the activation ends, and lets another round begin.
  value permits = kNoValue, permit = kNoValue;
  kind result = kind::word;
  value_list parameters;
  // How many elements the first parameter has, if that is a structure that holds what others take
  // as parameters; else 0.
  std::uint32_t packed = 0;
  value globals = kNoValue;  // the structure of all definitions without parameters, if it is needed
  // Parameters that whatever the function does waits for, and packed elements, which count behind
  // them; [1]: if its result is not wanted.
  frontend::bit_set strict[2];
  std::vector<function*> callers;  // one for each call
  std::vector<value_info> values;
  std::deque<node> nodes;
  std::deque<region> regions;
  region* body = nullptr;
  // Nodes, each behind what it waits for; by cut_cycles.
  std::vector<node*> order;
};

struct program {
  std::vector<std::reference_wrapper<function>> functions;
  std::shared_ptr<void> memory;  // of these
  std::vector<std::string> texts;  // in their order, so that their numbers compare as they do
  function* main = nullptr;  // prints, and gives nothing that is used
  std::vector<type*> main_parameters;
};

// What cannot be compiled: a place and a sentence.
struct unsupported {
  position where;
  std::string text;
};

program build(const core::program& of, type_store& types, loop_limit limit = {});

// From all functions together: which parameters are strict, what kinds of values they take. Neither
// looks at what the other one finds.
void find_kinds_and_strict(program& p);
// Conditions of choices that are words of any kind, or numbers, become bool. Strictness is the same
// before and after.
void make_conditions(function& f);

// Values that wait for themselves go by a structure, so that it is told when the program runs; and
// the order of the nodes.
void cut_cycles(function& f);
// The same again, when it is known what calls wait for.
void order_calls(function& f);

inline bool wants_result(const node& call) { return call.is_tail || call.to != kNoValue; }
// Which of the packed elements the node asks for; `packed`: none.
std::size_t packed_element(const function& f, const node& n);
// What the caller stores in the structure that it gives to a packed function, in order.
value_list packed_by(const node& call);

// Whether the node waits for all operands.
inline bool waits_for_all(const node& n) {
  return n.op != operation::call && n.op != operation::apply;
}
// Whether it waits for the operand. A call waits for those that are strict.
inline bool waits_for(const node& n, std::size_t operand) {
  if (n.op == operation::apply) return operand == 0;
  if (n.op != operation::call) return true;
  return n.callee->strict[wants_result(n) ? 0 : 1].contains(operand);
}

std::string print(const program& p);

}  // namespace idc::graph

#endif
