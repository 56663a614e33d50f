// SPDX-License-Identifier: Apache-2.0
// How inlets and threads of a code block in C++ run: their bodies, and after them what the graph
// says. (tam.hpp, which includes this behind class quantum.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "ramjet/detail/tam/block.hpp"
#include "ramjet/tam.hpp"

namespace ramjet::tam::detail {

struct access {
  TAM_INLINE quantum begin(tam_frame* head, tam_lcv lcv) { return quantum(head, lcv); }
  TAM_INLINE tam_lcv top(const quantum& q) { return q.lcv_; }
};

// --- Threads

template <class B, std::size_t Node, class... Nodes>
struct nth;
template <class B, std::size_t Node, class First, class... Nodes>
struct nth<B, Node, First, Nodes...> : nth<B, Node - 1, Nodes...> {};
template <class B, class First, class... Nodes>
struct nth<B, 0, First, Nodes...> {
  using type = node_of<First>;
};
template <class B, std::size_t Node, class Reading>
struct nth_of;
template <class B, std::size_t Node, class... Nodes>
struct nth_of<B, Node, reading<Nodes...>> : nth<B, Node, Nodes...> {};
// What the graph says of an inlet or thread.
template <auto Member>
using node_for =
    typename nth_of<block_of<Member>, reading_of<block_of<Member>>::template index<Member>(),
                    reading_of<block_of<Member>>>::type;

// Counts down where the thread is synchronising; whether it is enabled now.
template <auto Thread, class B>
TAM_INLINE bool enables(frame<B>* f) {
  constexpr std::size_t node = reading_of<B>::template index<Thread>();
  if constexpr (is_synchronising<B>(node)) {
    std::uint32_t& count = f->counts[count_place<B>(node)];
    if (--count != 0) return false;
    if constexpr (reading_of<B>::counted.loops[node] && !is_counted<B>(node))
      count = reading_of<B>::counted.entry_count[node];
  }
  return true;
}

template <class B, auto Thread>
TAM_INLINE tam_lcv run_body(tam_frame* head, tam_lcv lcv);
template <class B, auto Thread>
tam_lcv run(tam_frame* head, tam_lcv lcv) {
  return run_body<B, Thread>(head, lcv);
}
// A function of its own, so that a thread that does not go on with it saves no registers.
template <class B, auto Thread>
[[gnu::noinline]] tam_lcv run_slow(tam_frame* head, tam_lcv lcv) {
  return run_body<B, Thread>(head, lcv);
}
// Goes on with the thread: without TAM_JUMPS by the vector, as loops would let the stack grow.
template <auto Thread, class B>
TAM_INLINE tam_lcv jump(frame<B>* f, tam_lcv lcv) {
  if constexpr (node_for<Thread>::ends)
    return run_body<B, Thread>(&f->head, lcv);
  else if constexpr (TAM_JUMPS)
    return run_slow<B, Thread>(&f->head, lcv);
  else
    return tam_push(lcv, &run<B, Thread>);
}

// Enables them in turn, and goes on with the last one.
template <class B>
TAM_INLINE tam_lcv fork(frame<B>*, tam_lcv lcv, members<>) {
  return lcv;
}
template <class B, auto First, auto... Rest>
TAM_INLINE tam_lcv fork(frame<B>* f, tam_lcv lcv, members<First, Rest...>) {
  if constexpr (node_for<First>::is_inlet) {
    return fork(f, lcv, members<Rest...>{});  // its message comes by itself
  } else if constexpr (sizeof...(Rest) == 0) {
    return enables<First>(f) ? jump<First>(f, lcv) : lcv;
  } else {
    if (enables<First>(f)) lcv = tam_push(lcv, &run<B, First>);
    return fork(f, lcv, members<Rest...>{});
  }
}

// Where a thread has made calls whose results all enable the same thread, and enables nothing else:
// goes on with that one if they have come. (TAM_STOP_FOR)
template <class Posts>
inline constexpr bool is_one = false;
template <auto Thread>
inline constexpr bool is_one<members<Thread>> = true;
template <class Leads>
inline constexpr bool awaits_one = false;
template <auto First, auto... Rest>
inline constexpr bool awaits_one<members<First, Rest...>> =
    node_for<First>::is_inlet && (node_for<Rest>::is_inlet && ...) &&
    is_one<typename node_for<First>::forks> &&
    (std::is_same_v<typename node_for<Rest>::forks, typename node_for<First>::forks> && ...);
template <class B, auto Thread>
TAM_INLINE tam_lcv go_on_with(frame<B>* f, tam_lcv bottom, tam_lcv lcv, members<Thread>) {
  return tam_take_forked(bottom, lcv, &run<B, Thread>) ? jump<Thread>(f, lcv - 1) : lcv;
}
template <class B, auto First, auto... Rest>
TAM_INLINE tam_lcv stop_for(frame<B>* f, tam_lcv bottom, tam_lcv lcv, members<First, Rest...>) {
  return go_on_with(f, bottom, lcv, typename node_for<First>::forks{});
}

template <class B>
TAM_INLINE tam_lcv fork_all(frame<B>*, tam_lcv lcv, members<>) {
  return lcv;
}
template <class B, auto First, auto... Rest>
TAM_INLINE tam_lcv fork_all(frame<B>* f, tam_lcv lcv, members<First, Rest...>) {
  if (enables<First>(f)) lcv = tam_push(lcv, &run<B, First>);
  return fork_all(f, lcv, members<Rest...>{});
}

template <class B, class Leads>
TAM_INLINE tam_lcv follow(frame<B>* f, tam_lcv lcv, outcome<Leads, members<>>) {
  return fork(f, lcv, Leads{});
}
template <class B, auto Again>
TAM_INLINE tam_lcv follow(frame<B>* f, tam_lcv lcv, outcome<members<>, members<Again>>) {
  return jump<Again>(f, lcv);
}
template <auto Each>
using outcome_type = outcome<typename outcome_of<Each>::leads, typename outcome_of<Each>::again>;
template <class B, auto First, auto... Rest>
TAM_INLINE tam_lcv follow_one(frame<B>* f, tam_lcv lcv, std::size_t which,
                              members<First, Rest...>) {
  if constexpr (sizeof...(Rest) > 0)
    if (which != 0) return follow_one(f, lcv, which - 1, members<Rest...>{});
  return follow(f, lcv, outcome_type<First>{});
}

template <auto Thread, class B>
TAM_INLINE decltype(auto) call_body(B& block, quantum& q) {
  if constexpr (std::is_invocable_v<decltype(Thread), B&, quantum&>)
    return (block.*Thread)(q);
  else
    return (block.*Thread)();
}

template <class B, auto Thread>
TAM_INLINE tam_lcv run_body(tam_frame* head, tam_lcv lcv) {
  using node = node_for<Thread>;
  auto* f = reinterpret_cast<frame<B>*>(head);
  quantum q = access::begin(head, lcv);
  using result = decltype(call_body<Thread>(f->block, q));
  if constexpr (node::ends) {
    static_assert(count_of(typename node::outcomes{}) + count_of(typename node::forks{}) == 0,
                  "a thread that ends the activation enables none");
    if constexpr (same<node::end, plain_end{}>) {
      static_assert(std::is_void_v<result>, "what this thread returns goes nowhere");
      call_body<Thread>(f->block, q);
      return tam_end_frame(head, sizeof *f);
    } else {
      static_assert(!std::is_void_v<result>, "a thread with ::returns returns a word");
      const word w = to_word(call_body<Thread>(f->block, q));
      return tam_end_frame_send1(head, sizeof *f, f->block.*node::end, w);
    }
  } else if constexpr (count_of(typename node::outcomes{}) != 0) {
    static_assert(!std::is_same_v<result, bool> || count_of(typename node::outcomes{}) == 2,
                  "a switch by a bool has two outcomes");
    static_assert(std::is_enum_v<result> || std::is_unsigned_v<result>,
                  "a switch's thread returns a bool, an enum, or an unsigned integer");
    const auto said = call_body<Thread>(f->block, q);
    const auto which =
        std::is_same_v<result, bool> ? std::size_t{!said} : static_cast<std::size_t>(said);
    lcv = fork_all(f, access::top(q), typename node::forks{});
    return follow_one(f, lcv, which, typename node::outcomes{});
  } else {
    static_assert(std::is_void_v<result>, "only a thread with ::switches or ::returns returns");
    call_body<Thread>(f->block, q);
    if constexpr (awaits_one<typename node::forks>)
      return stop_for(f, lcv, access::top(q), typename node::forks{});
    else
      return fork(f, access::top(q), typename node::forks{});
  }
}

// --- Inlets

template <auto Inlet, class B, class... Words, std::size_t... I>
TAM_INLINE void take_words(B& block, parameters<Words...>, std::index_sequence<I...>,
                           [[maybe_unused]] const word (&w)[4]) {
  if constexpr (std::is_member_object_pointer_v<decltype(Inlet)>)
    ((block.*Inlet = from_word<Words>(w[I])), ...);
  else
    (block.*Inlet)(from_word<Words>(w[I])...);
}

// The last post; whether the thread runs at once is the scheduler's.
template <auto Thread, class B>
TAM_INLINE tam_lcv post_last(frame<B>* f, tam_lcv lcv, int way) {
  if (way == TAM_BY_JUMP) return jump<Thread>(f, lcv);
  return tam_post_last(&f->head, f->rcv, posted_max<B>(), lcv, way, &run<B, Thread>);
}
template <class B, auto First, auto... Rest>
TAM_INLINE tam_lcv post(frame<B>* f, tam_lcv lcv, int way, members<First, Rest...>) {
  static_assert(!node_for<First>::is_inlet, "an inlet posts threads");
  if constexpr (sizeof...(Rest) == 0) {
    return enables<First>(f) ? post_last<First>(f, lcv, way) : lcv;
  } else {
    if (enables<First>(f))
      lcv = tam_post(&f->head, f->rcv, posted_max<B>(), lcv, way, &run<B, First>);
    return post(f, lcv, way, members<Rest...>{});
  }
}

template <class B, auto Thread>
TAM_INLINE tam_lcv post_again(frame<B>* f, tam_lcv lcv, int way, members<Thread>) {
  return post_last<Thread>(f, lcv, way);
}

template <auto Inlet>
TAM_INLINE tam_lcv arrive(frame<block_of<Inlet>>* f, tam_lcv lcv, int way, word w0, word w1,
                          word w2, word w3) {
  using node = node_for<Inlet>;
  constexpr unsigned count = count_of(parameters_of_inlet<Inlet>{});
  const word w[4] = {w0, w1, w2, w3};
  take_words<Inlet>(f->block, parameters_of_inlet<Inlet>{}, std::make_index_sequence<count>{}, w);
  if constexpr (count_of(typename node::forks{}) != 0)
    return post(f, lcv, way, typename node::forks{});
  else
    return post_again(f, lcv, way, typename node::again{});
}

// For callers that do not know the code block.
template <auto Inlet>
tam_lcv enter(tam_frame* head, tam_lcv lcv, word w0, word w1, word w2, word w3) {
  auto* f = reinterpret_cast<frame<block_of<Inlet>>*>(head);
  return arrive<Inlet>(f, lcv, TAM_ENTRY_WAY, w0, w1, w2, w3);
}

// Each word as the inlet's parameter, then in 64 bits.
template <auto Inlet, class... Parameters, class... Words>
TAM_INLINE tam_lcv arrive_words(frame<block_of<Inlet>>* f, tam_lcv lcv, int way,
                                parameters<Parameters...>, Words... words) {
  static_assert(sizeof...(Parameters) == sizeof...(Words),
                "an inlet gets as many words as it takes");
  const word w[4] = {to_word(static_cast<Parameters>(words))...};
  return arrive<Inlet>(f, lcv, way, w[0], w[1], w[2], w[3]);
}
template <auto Inlet, class... Parameters, class... Words>
TAM_INLINE void pass_words(block_of<Inlet>* block, tam_lcv lcv, parameters<Parameters...>,
                           Words... words) {
  static_assert(sizeof...(Parameters) == sizeof...(Words),
                "an inlet gets as many words as it takes");
  const word w[4] = {to_word(static_cast<Parameters>(words))...};
  auto* f = frame_of(block);
  if constexpr (TAM_SCHEDULER == TAM_AM || TAM_SCHEDULER == TAM_HYBRID) {
    constexpr int way = TAM_SCHEDULER == TAM_HYBRID ? TAM_BY_CALL : TAM_BY_RCV;
    static_cast<void>(arrive<Inlet>(f, lcv, way, w[0], w[1], w[2], w[3]));
  } else {
    tam_enqueue(&enter<Inlet>, &f->head, sizeof...(Words), w[0], w[1], w[2], w[3]);
  }
}
template <auto Inlet, class... Words>
TAM_INLINE void pass(block_of<Inlet>* block, tam_lcv lcv, Words... words) {
  pass_words<Inlet>(block, lcv, parameters_of_inlet<Inlet>{}, words...);
}

template <auto Inlet, class... Words>
TAM_INLINE bool call_for(tam_frame*, tam_lcv&, std::uintptr_t, Words...) {
  return false;
}
template <auto Inlet, auto Reply, class... Words>
TAM_INLINE bool call_for([[maybe_unused]] tam_frame* running, [[maybe_unused]] tam_lcv& lcv,
                         [[maybe_unused]] std::uintptr_t end, inlet_name<Reply> reply,
                         Words... words) {
  if constexpr (TAM_SCHEDULER == TAM_HYBRID && count_of(parameters_of_inlet<Reply>{}) == 1) {
    using B = block_of<Inlet>;
    auto* f = frame_of(reply.block);
    if (&f->head != running || reinterpret_cast<std::uintptr_t>(lcv) >= end) [[unlikely]]
      return false;
    const name to = reply;
    const tam_lcv result = tam_result_for(to);
    tam_frame* called = tam_take_spare(lcv, &block_type<B>::value.block);
    prepare_frame<B>(called);
    const tam_lcv after =
        arrive_words<Inlet>(reinterpret_cast<frame<B>*>(called), lcv, TAM_BY_CALL_FOR,
                            parameters_of_inlet<Inlet>{}, to, words...);
    if (after == result || tam_after_call(lcv, after, result) != 0) [[likely]]
      lcv = arrive<Reply>(f, lcv, TAM_BY_LCV, tam_here.result, 0, 0, 0);
    return true;
  } else {
    return false;
  }
}

template <class B, auto... Threads>
TAM_INLINE void set_each(frame<B>* f, std::uint32_t count, members<Threads...>) {
  ((f->counts[count_place<B>(reading_of<B>::template index<Threads>())] = count), ...);
}
template <auto Inlet>
TAM_INLINE void expect(frame<block_of<Inlet>>* f, std::uint32_t messages) {
  static_assert(node_for<Inlet>::is_counted, "the graph has this inlet as a tam::counted_inlet");
  set_each(f, messages, typename node_for<Inlet>::forks{});
}

// --- The code block

template <class B, class Reading>
struct tables;
template <class B, class... Nodes>
struct tables<B, reading<Nodes...>> {
  using all = reading<Nodes...>;
  static constexpr bool fine =
      (checked<node_of<Nodes>::member,
               all::counted.flaws[all::template find<node_of<Nodes>::member>()]>::fine &&
       ...);
  static constexpr unsigned kInlets = inlets_before<B>(all::kNodes);
  static constexpr unsigned kThreads = all::kNodes - kInlets;
  static_assert(kInlets > 0 && kThreads > 0, "a code block has inlets and threads");

  struct type {
    tam_block block;
    tam_inlet entries[kInlets];
  };
  template <class Node>
  static constexpr void describe(auto& inlets, auto& threads, std::size_t at, const char* site) {
    const char* text = name_of_type<constant<Node::member>>.text;
    const std::size_t inlet = inlets_before<B>(at);
    if constexpr (Node::is_inlet)
      inlets[inlet] = {text, site};
    else
      threads[at - inlet] = {
          text, site,
          is_synchronising<B>(at) ? std::uint32_t(kCountsOffset<B> + 4 * count_place<B>(at)) : 0};
  }
  struct texts {
    tam_inlet_info inlets[kInlets] = {};
    tam_thread_info threads[kThreads] = {};
  };
  static constexpr texts describe_all() {
    texts t;
    std::size_t at = 0;
    (describe<node_of<Nodes>>(t.inlets, t.threads, at++, site_of<B>()), ...);
    return t;
  }
  template <class Node>
  static constexpr void enter_at(type& t, std::size_t& at) {
    if constexpr (Node::is_inlet) t.entries[at++] = &enter<Node::member>;
  }
  static constexpr texts kTexts = describe_all();
  static constexpr type describe_block() {
    static_assert(fine);
    type t{{name_of_type<B>.text, site_of<B>(), TAM_SCHEDULER, sizeof(frame<B>), kInlets, kThreads,
            kTexts.inlets, kTexts.threads, &prepare_frame<B>, nullptr, nullptr},
           {}};
    std::size_t at = 0;
    (enter_at<node_of<Nodes>>(t, at), ...);
    return t;
  }
};
template <class B>
struct block_type {
  static constexpr typename tables<B, reading_of<B>>::type value =
      tables<B, reading_of<B>>::describe_block();
};

template <class B>
TAM_INLINE B* new_frame() {
  tam_frame* head = tam_take_frame(&block_type<B>::value.block, sizeof(frame<B>));
  prepare_frame<B>(head);
  return &reinterpret_cast<frame<B>*>(head)->block;
}

}  // namespace ramjet::tam::detail
