// SPDX-License-Identifier: Apache-2.0
// The threaded abstract machine in C++ (tam.h is it in C). A code block is a struct: its members
// are the slots of a frame, its inlets and threads are member functions, and `graph` says who
// enables whom. Entry counts are counted by the compiler, over all outcomes of the switches; a
// graph in which they disagree does not compile. Bodies do no scheduling:
//
//   struct fib {
//     tam::name parent;
//     tam::word n, left, right;
//
//     void arguments(tam::name to, tam::word of) { parent = to, n = of; }        // an inlet
//     bool start() { return n >= 2; }                                            // threads
//     void split(tam::quantum& q) {
//       q.call<&fib::arguments>(q.name<&fib::left>(this), n - 1);
//       q.call<&fib::arguments>(q.name<&fib::right>(this), n - 2);
//     }
//     tam::word leaf() { return n; }
//     tam::word sum() { return left + right; }
//
//     using graph = tam::graph<
//         tam::inlet<&fib::arguments>::posts<&fib::start>,
//         tam::inlet<&fib::left>::posts<&fib::sum>,         // a slot: it is set, with no body
//         tam::inlet<&fib::right>::posts<&fib::sum>,
//         tam::thread<&fib::start>::switches<&fib::split, &fib::leaf>,     // if true, if false
//         tam::thread<&fib::split>::expects<&fib::left, &fib::right>,
//         tam::thread<&fib::leaf>::returns<&fib::parent>,  // sends its result there, and ends
//         tam::thread<&fib::sum>::returns<&fib::parent>>;
//   };
//
// Here `sum` is synchronising: split's outcome enables it twice, the other never. Frames are made
// with the values that the struct's members are initialised with. For reports, a block may say
// where it stands: `static constexpr const char* site = TAM_HERE;`. All belongs to the main thread.
// The scheduler is chosen as in C, by TAM_SCHEDULER, and so is TAM_JUMPS. Cost: that of C written
// by hand (tests/tam has fib in both).
#pragma once

#include <ramjet/tam.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "ramjet/detail/tam/block.hpp"

namespace ramjet::tam {

// --- The graph

// tam::inlet<&B::m>: m is a member function of up to four words (integers, doubles, bools, enums),
// or a slot, which the inlet's word is put into. After it stand the threads that a message posts,
//     ::posts<&B::t, ...>     or     ::again<&B::t>   for the next round of a loop.
// An inlet that no thread expects gets one message in an activation's life.
template <auto Inlet>
using inlet = detail::inlet_node<Inlet, false>;
// An inlet that gets as many messages as expect<>() says; what it posts, no other edge enables.
template <auto Inlet>
using counted_inlet = detail::inlet_node<Inlet, true>;
// tam::thread<&B::t>: t is a member function of no argument, or of a tam::quantum&. After it stand
//     ::forks<&B::u, ...>       whom it enables at its end;
//     ::expects<&B::i, ...>     inlets that get a message each because of what it does;
//     ::switches<...>           what it enables by what its body returns: a bool (true: the first),
//                               an enum or unsigned (the number of the outcome). An outcome is a
//                               thread, tam::all<...>, tam::again<...> or tam::stop;
//     ::ends                    frees the frame;  ::returns<&B::slot>  frees it, and sends what the
//                               body returns to the inlet whose name is in the slot.
template <auto Thread>
using thread = detail::thread_node<Thread>;
// Outcomes: these threads are enabled, and these inlets get a message; this thread begins another
// round, for which all counts are as at first; nothing.
template <auto... Members>
inline constexpr detail::outcome<detail::members<Members...>, detail::members<>> all{};
template <auto Thread>
inline constexpr detail::outcome<detail::members<>, detail::members<Thread>> again{};
inline constexpr detail::outcome<detail::members<>, detail::members<>> stop{};

template <class... Nodes>
struct graph {
  using reading = detail::reading<Nodes...>;
};

// How often the thread has to be enabled in order to run, counted by the compiler.
template <auto Thread>
inline constexpr unsigned entry_count = detail::count_of_thread<Thread>();

// --- What threads do

// What a thread does on behalf of its frame, while it runs; one made by others is for what is
// outside all threads: the start of a program. `site` is TAM_HERE, for reports.
class quantum {
 public:
  quantum() = default;

  // The tam::name of the frame's inlet; `block` is `this` in its threads.
  template <auto Inlet>
  static detail::inlet_name<Inlet> name(const detail::block_of<Inlet>* block) {
    return {block};
  }
  // A new activation on this rank, and a message to one of its inlets.
  template <auto Inlet, class... Words>
  detail::block_of<Inlet>* call(Words... words) {
    auto* block = falloc<detail::block_of<Inlet>>();
    pass<Inlet>(block, words...);
    return block;
  }
  // The same, for a result that comes to an inlet of the frame that runs: in place, if it can
  // (tam_call.h).
  template <auto Inlet, auto Reply, class... Words>
  void call(detail::inlet_name<Reply> to, Words... words) {
    if (!detail::call_for<Inlet>(frame_, lcv_, tam_here.calls_end, to, words...))
      pass<Inlet>(falloc<detail::block_of<Inlet>>(), to, words...);
  }
  template <class B>
  static B* falloc() {
    return detail::new_frame<B>();
  }
  // A message to an activation on this rank that is not the one that runs.
  template <auto Inlet, class... Words>
  void pass(detail::block_of<Inlet>* block, Words... words) {
    detail::pass<Inlet>(block, lcv_, words...);
  }
  // A new activation on any rank, whose first inlet gets the words.
  template <class B, class... Words>
  void spawn(int rank, Words... words) {
    static_assert(sizeof...(Words) <= 4, "a message has at most four words");
    const word w[4] = {detail::to_word(words)...};
    tam_spawn(lcv_, rank, &detail::block_type<B>::value.block, sizeof...(Words), w[0], w[1], w[2],
              w[3]);
  }
  // A message to an inlet of any frame, on any rank.
  template <class... Words>
  void send(tam::name to, Words... words) {
    static_assert(sizeof...(Words) <= 4, "a message has at most four words");
    const word w[4] = {detail::to_word(words)...};
    tam_send(lcv_, to, sizeof...(Words), w[0], w[1], w[2], w[3]);
  }
  // `messages` messages, at least one, will come to the counted inlet. Call it before the first of
  // them can come.
  template <auto Inlet>
  static void expect(detail::block_of<Inlet>* block, std::uint32_t messages) {
    detail::expect<Inlet>(detail::frame_of(block), messages);
  }

  // The same on whichever rank has nothing else to do; the block's first inlet gets the words.
  template <auto Inlet, class... Words>
  void share(Words... words) {
    using B = detail::block_of<Inlet>;
    static_assert(detail::inlet_number<B, Inlet>() == 0, "the first inlet is the one to share by");
    if (detail::call_for<Inlet>(frame_, lcv_, tam_here.share_end, words...)) return;
    if (tam_here.pool_room == 0)
      pass<Inlet>(falloc<B>(), words...);
    else
      spawn<B>(TAM_LEAST_LOADED, words...);
  }
  // A new array, spread over all ranks in blocks of `block` elements (tam_ialloc_spread); its name
  // comes to the inlet.
  template <auto Inlet>
  void ialloc_spread(detail::block_of<Inlet>* self, word length, word block, const char* site) {
    tam_ialloc_spread(lcv_, length, block, name<Inlet>(self), site);
  }

  // Fetches an element, or takes it; it comes to the inlet of the frame that runs.
  template <auto Inlet>
  void ifetch(detail::block_of<Inlet>* self, tam_array array, word index, const char* site) {
    word value;
    if (tam_ipresent(array, index, &value))
      arrive<Inlet>(self, value);
    else
      tam_ifetch_slow(lcv_, array, index, name<Inlet>(self), site);
  }
  template <auto Inlet>
  void mtake(detail::block_of<Inlet>* self, tam_array array, word index, const char* site) {
    word value;
    if (tam_mpresent(array, index, &value))
      arrive<Inlet>(self, value);
    else
      tam_mtake_slow(lcv_, array, index, name<Inlet>(self), site);
  }
  template <class T>
  void istore(tam_array array, word index, T value, const char* site) {
    tam_istore(lcv_, array, index, detail::to_word(value), site);
  }
  template <class T>
  void mput(tam_array array, word index, T value, const char* site) {
    tam_mput(lcv_, array, index, detail::to_word(value), site);
  }

 private:
  friend struct detail::access;
  quantum(tam_frame* frame, tam_lcv lcv) : frame_(frame), lcv_(lcv) {}
  template <auto Inlet>
  void arrive(detail::block_of<Inlet>* self, word value) {
    lcv_ = detail::arrive<Inlet>(detail::frame_of(self), lcv_, TAM_BY_LCV, value);
  }

  tam_frame* frame_ = nullptr;
  tam_lcv lcv_ = nullptr;
};

}  // namespace ramjet::tam

#include "ramjet/detail/tam/run.hpp"

namespace ramjet::tam {

// A whole program of these code blocks, as tam_main in C: calls start(argc, argv) on rank 0, which
// makes the first activations, runs until nothing is left to run, and calls finish, which may be
// null, on rank 0. Returns 0; 1 on all ranks if no result has come (tam_root), which a report on
// stderr explains.
template <class... Blocks>
int program(int argc, char** argv, void (*start)(int argc, char** argv), void (*finish)()) {
  const tam_block* const blocks[] = {&detail::block_type<Blocks>::value.block...};
  return tam_main(argc, argv, blocks, sizeof...(Blocks), start, finish);
}

}  // namespace ramjet::tam
