// SPDX-License-Identifier: Apache-2.0
// Types while they are inferred: terms with variables that are bound in place. A variable's level
// is the depth of definitions at which it may still change; kGeneric: it stands for any type.
#ifndef IDC_INFER_TYPES_HPP
#define IDC_INFER_TYPES_HPP

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "languages/id/tree/tree.hpp"
#include "languages/support/arena.hpp"

namespace idc {

enum class type_kind : std::uint8_t {
  variable,
  integer,
  real,
  boolean,
  string,
  unit,
  list,
  array,
  matrix,
  m_array,
  m_matrix,
  tuple,
  arrow,
  data,
};

// What a variable may become: all types, those of arithmetic (int, float), those that can be
// compared (int, float, bool, string).
enum class type_class : std::uint8_t { any, compared, number };

constexpr std::uint32_t kGeneric = ~std::uint32_t{0};

struct type {
  type_kind is = type_kind::variable;
  type_class in = type_class::any;
  std::uint32_t level = 0;
  type* bound = nullptr;  // what it has become: a variable, or a type that is the same as another
  const datatype* of = nullptr;
  std::span<type*> parts;
  type* copy = nullptr;  // while a scheme is copied
  std::uint32_t walked = 0;  // the number of the last walk that was here
};

type* resolved(type* t);  // what it has become

class type_store {
 public:
  explicit type_store(frontend::arena& memory);

  type* plain(type_kind is) { return plain_[static_cast<std::size_t>(is)]; }
  type* of(type_kind is, std::span<type* const> parts, const datatype* data = nullptr);
  type* of(type_kind is, std::initializer_list<type*> parts) {
    return of(is, std::span<type* const>(parts.begin(), parts.size()));
  }
  type* arrow(type* from, type* to) { return of(type_kind::arrow, {from, to}); }
  type* fresh(type_class in = type_class::any);
  type* generic(type_class in = type_class::any);

  // False: they cannot be the same; `is_infinite` if one of them would have to contain itself.
  bool unify(type* a, type* b);
  bool is_infinite = false;
  type* instance(type* t);
  // What unify and instance gave is of no use: types are compared and copied to this depth, so that
  // none overflows the stack.
  static constexpr int kDepthMax = 10000;
  bool is_too_deep = false;
  // Variables of deeper levels than now become generic, but those that are of a class.
  void generalise(type* t) { leave_level(t, true); }
  // Variables of deeper levels than now become those of now: nothing that is made later makes them
  // generic.
  void keep(type* t) { leave_level(t, false); }
  // Numbers of which nothing says what they are become int.
  void settle();

  std::uint32_t level = 0;

 private:
  bool bind(type* variable, type* to);
  bool admits(type* variable, type* to);  // lowers levels; false: it holds the variable
  type* copied(type* t);
  void leave_level(type* t, bool generalises);
  // Calls `visit` with each part of the type, once, however many ways lead there.
  template <class Visit>
  void walk(type* t, Visit visit);

  frontend::arena& memory_;
  std::vector<type*> plain_;
  std::vector<type*> of_class_;
  std::vector<type*> copies_;  // types whose copy is set
  std::vector<type*> to_visit_;  // during a walk
  std::uint32_t walks_ = 0;
  int depth_ = 0;  // of what is compared or copied now
  bool begin_parts() {
    is_too_deep |= depth_ == kDepthMax;
    depth_ += !is_too_deep;
    return !is_too_deep;
  }
};

// In the notation of the language; variables are numbered as they appear. What parts share is
// written for each of them, so that a type of some lines could have millions of words: behind
// kWordsMax of them stands "...", and they are not the whole type.
class type_words {
 public:
  static constexpr int kWordsMax = 4000;
  std::string operator()(type* t);
  bool is_whole() const { return words_ <= kWordsMax; }

 private:
  void write(std::string& to, type* t, bool simple);
  void write_parts(std::string& to, const type& t);
  std::unordered_map<const type*, std::size_t> numbers_;
  int words_ = 0;
};

}  // namespace idc

#endif
