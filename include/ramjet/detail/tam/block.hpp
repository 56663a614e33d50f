// SPDX-License-Identifier: Apache-2.0
// The frame of a code block in C++, and the arrival of a message in it: the same steps as tam.h's
// macros, with threads and entry counts taken from the graph. (tam.hpp)
//
//   tam_frame | the remote continuation vector | entry counts | the block's struct, the slots
#pragma once

#include <ramjet/tam.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "ramjet/detail/tam/edges.hpp"

namespace ramjet::tam {

using word = tam_word;
using name = tam_name;

namespace detail {

template <class T>
struct owner;
template <class B, class T>
struct owner<T B::*> {
  using type = B;
};
// The code block that an inlet or thread is of.
template <auto Member>
using block_of = typename owner<decltype(Member)>::type;
template <class B>
using reading_of = typename B::graph::reading;

template <auto Thread>
constexpr unsigned count_of_thread() {
  using reading = reading_of<block_of<Thread>>;
  return reading::counted.entry_count[reading::template index<Thread>()];
}

// The number of the inlets before a node: an inlet's own number.
template <class B>
constexpr unsigned inlets_before(std::size_t node) {
  unsigned number = 0;
  for (std::size_t i = 0; i < node; ++i) number += reading_of<B>::graph.is_inlet[i];
  return number;
}
template <class B, auto Inlet>
constexpr unsigned inlet_number() {
  return inlets_before<B>(reading_of<B>::template index<Inlet>());
}
// Whether messages that are counted at run time enable it.
template <class B>
constexpr bool is_counted(std::size_t thread) {
  const auto& g = reading_of<B>::graph;
  for (std::size_t i = 0; i < g.edge_count; ++i)
    if (g.edges[i].to == thread && g.is_counted[g.edges[i].from]) return true;
  return false;
}
template <class B>
constexpr bool is_synchronising(std::size_t node) {
  return !reading_of<B>::graph.is_inlet[node] &&
         (is_counted<B>(node) || reading_of<B>::counted.entry_count[node] > 1);
}
// The place of its entry count among those of the frame.
template <class B>
constexpr std::size_t count_place(std::size_t node) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < node; ++i) place += is_synchronising<B>(i);
  return place;
}
// Where the block says that it stands: `static constexpr const char* site = TAM_HERE;`.
template <class B>
constexpr const char* site_of() {
  if constexpr (requires { B::site; })
    return B::site;
  else
    return "its graph";
}
// What inlets can post at once: each thread waits once; and one more place.
template <class B>
constexpr std::size_t posted_max() {
  const auto& g = reading_of<B>::graph;
  std::size_t count = 1;
  for (std::size_t node = 0; node < reading_of<B>::kNodes; ++node) {
    bool posted = false;
    for (std::size_t i = 0; i < g.edge_count; ++i)
      posted |= g.edges[i].to == node && g.is_inlet[g.edges[i].from];
    count += posted;
  }
  return count;
}

template <class B>
struct frame {
  tam_frame head;
  tam_entry rcv[posted_max<B>()];
  std::uint32_t counts[count_place<B>(reading_of<B>::kNodes) + 1];
  B block;
};
// What offsetof says, of slots of any access, too.
template <class B>
inline constexpr std::size_t kCountsOffset =
    sizeof(tam_frame) + posted_max<B>() * sizeof(tam_entry);
template <class B>
inline constexpr std::size_t kBlockOffset =
    (kCountsOffset<B> + sizeof(frame<B>::counts) + alignof(B) - 1) / alignof(B) * alignof(B);
template <class B>
TAM_INLINE frame<B>* frame_of(const B* block) {
  const char* bytes = reinterpret_cast<const char*>(block) - kBlockOffset<B>;
  return reinterpret_cast<frame<B>*>(const_cast<char*>(bytes));
}

// An inlet of that frame; becomes its name where a name is asked for.
template <auto Inlet>
struct inlet_name {
  const block_of<Inlet>* block;
  operator name() const {
    return tam_name_of(&frame_of(block)->head, inlet_number<block_of<Inlet>, Inlet>());
  }
};

template <class B, std::size_t... Node>
TAM_INLINE void set_counts(frame<B>* f, std::index_sequence<Node...>) {
  ((is_synchronising<B>(Node)
        ? void(f->counts[count_place<B>(Node)] = reading_of<B>::counted.entry_count[Node])
        : void()),
   ...);
}
template <class B>
TAM_INLINE void prepare_frame(tam_frame* head) {
  static_assert(std::is_trivially_destructible_v<B>, "frames are freed without destructors");
  static_assert(alignof(B) <= TAM_FRAME_UNIT, "frames are aligned to 64 bytes");
  auto* f = reinterpret_cast<frame<B>*>(head);
  set_counts(f, std::make_index_sequence<reading_of<B>::kNodes>{});
  ::new (static_cast<void*>(&f->block)) B;
}

// --- Words

template <class T>
TAM_INLINE word to_word(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word),
                "what is sent fits into a word of 64 bits");
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<word>(value);
  } else {
    word w = 0;
    std::memcpy(&w, &value, sizeof value);
    return w;
  }
}
template <auto Inlet>
TAM_INLINE word to_word(inlet_name<Inlet> to) {
  return to;
}
template <class T>
TAM_INLINE T from_word(word w) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word),
                "what an inlet takes fits into a word of 64 bits");
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<T>(w);
  } else {
    T value;
    std::memcpy(static_cast<void*>(&value), &w, sizeof value);
    return value;
  }
}

template <class... Words>
struct parameters {};
template <class T>
struct parameters_of {};
template <class B, class T>
struct parameters_of<T B::*> {
  using type = parameters<T>;
};
template <class B, class... Words>
struct parameters_of<void (B::*)(Words...)> {
  using type = parameters<std::remove_cvref_t<Words>...>;
};
template <auto Inlet>
using parameters_of_inlet = typename parameters_of<decltype(Inlet)>::type;
template <class... Words>
constexpr unsigned count_of(parameters<Words...>) {
  static_assert(sizeof...(Words) <= 4, "an inlet takes at most four words");
  return sizeof...(Words);
}

// --- In run.hpp

template <class B>
struct block_type;
template <class B>
TAM_INLINE B* new_frame();
template <class B, auto Thread>
tam_lcv run(tam_frame* head, tam_lcv lcv);
struct access;
// The message comes, in the way that tam_post is told.
template <auto Inlet>
TAM_INLINE tam_lcv arrive(frame<block_of<Inlet>>* f, tam_lcv lcv, int way, word w0, word w1 = 0,
                          word w2 = 0, word w3 = 0);
template <auto Inlet, class... Words>
TAM_INLINE void pass(block_of<Inlet>* block, tam_lcv lcv, Words... words);
// TAM_CALL in a thread of `running`, whose top of the vector lies below `end`; false: nothing has
// been done.
template <auto Inlet, class... Words>
TAM_INLINE bool call_for(tam_frame* running, tam_lcv& lcv, std::uintptr_t end, Words... words);
template <auto Inlet, auto Reply, class... Words>
TAM_INLINE bool call_for(tam_frame* running, tam_lcv& lcv, std::uintptr_t end,
                         inlet_name<Reply> reply, Words... words);
template <auto Inlet>
TAM_INLINE void expect(frame<block_of<Inlet>>* f, std::uint32_t messages);

}  // namespace detail
}  // namespace ramjet::tam
