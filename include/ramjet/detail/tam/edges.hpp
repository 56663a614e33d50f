// SPDX-License-Identifier: Apache-2.0
// What the graph of a code block is written with (tam.hpp), and how the compiler reads it: members
// get indices, inlets before threads as they are listed, and node_graph the edges between them.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "ramjet/detail/tam/graph.hpp"

namespace ramjet::tam::detail {

template <auto... Members>
struct members {};
template <auto Member>
struct constant {};
template <auto A, auto B>
inline constexpr bool same = std::is_same_v<constant<A>, constant<B>>;

struct no_end {};
struct plain_end {};

// An outcome of a switch: what it forks, whose messages it expects, and what it enables again.
template <class Leads, class Again>
struct outcome {};

template <auto Inlet, bool Counted, class Posts = members<>, class Again = members<>>
struct inlet_node {
  template <auto... Threads>
  using posts = inlet_node<Inlet, Counted, members<Threads...>, Again>;
  template <auto Thread>
  using again = inlet_node<Inlet, Counted, Posts, members<Thread>>;
  static_assert(!Counted || std::is_same_v<Again, members<>>,
                "messages counted at run time enable no thread again");
};

template <auto Thread, class Forks = members<>, class Expects = members<>,
          class Outcomes = members<>, auto End = no_end{}>
struct thread_node {
  template <auto... Threads>
  using forks = thread_node<Thread, members<Threads...>, Expects, Outcomes, End>;
  template <auto... Inlets>
  using expects = thread_node<Thread, Forks, members<Inlets...>, Outcomes, End>;
  template <auto... Each>
  using switches = thread_node<Thread, Forks, Expects, members<Each...>, End>;
  using ends = thread_node<Thread, Forks, Expects, Outcomes, plain_end{}>;
  template <auto Parent>
  using returns = thread_node<Thread, Forks, Expects, Outcomes, Parent>;
};

template <class Node>
struct node_of;
template <auto Inlet, bool Counted, class Posts, class Again>
struct node_of<inlet_node<Inlet, Counted, Posts, Again>> {
  static constexpr auto member = Inlet;
  static constexpr bool is_inlet = true, is_counted = Counted, ends = false;
  using forks = Posts;
  using again = Again;
  using expects = members<>;
  using outcomes = members<>;
};
template <auto Thread, class Forks, class Expects, class Outcomes, auto End>
struct node_of<thread_node<Thread, Forks, Expects, Outcomes, End>> {
  static constexpr auto member = Thread;
  static constexpr auto end = End;
  static constexpr bool is_inlet = false, is_counted = false, ends = !same<End, no_end{}>;
  using forks = Forks;
  using again = members<>;
  using expects = Expects;
  using outcomes = Outcomes;
};

template <auto Each>
struct outcome_of {
  using leads = members<Each>;
  using again = members<>;
};
template <class Leads, class Again, outcome<Leads, Again> Each>
struct outcome_of<Each> {
  using leads = Leads;
  using again = Again;
};

template <auto... Members>
constexpr std::size_t count_of(members<Members...>) {
  return sizeof...(Members);
}

// A graph, its nodes, and what is counted in it.
template <class... Nodes>
struct reading {
  static constexpr std::size_t kNodes = sizeof...(Nodes);

  template <auto Member>
  static constexpr std::size_t find() {
    std::size_t at = 0;
    static_cast<void>(((same<node_of<Nodes>::member, Member> || (++at, false)) || ...));
    return at;
  }
  template <auto Member>
  static constexpr std::size_t index() {
    static_assert(find<Member>() < kNodes,
                  "an edge leads to an inlet or thread that the graph does not list");
    return find<Member>();
  }

  template <std::size_t N, auto... To>
  static constexpr void lead([[maybe_unused]] node_graph<N>& g, [[maybe_unused]] std::size_t from,
                             [[maybe_unused]] int at, [[maybe_unused]] bool again, members<To...>) {
    (g.add({from, index<To>(), at, again}), ...);
  }
  template <std::size_t N, auto... Each>
  static constexpr void lead_outcomes(node_graph<N>& g, std::size_t from, members<Each...>) {
    int at = 0;
    ((lead(g, from, at, false, typename outcome_of<Each>::leads{}),
      lead(g, from, at, true, typename outcome_of<Each>::again{}), ++at),
     ...);
    g.outcomes[from] = at;
  }
  template <class Node>
  static constexpr void read(node_graph<kNodes>& g, std::size_t at) {
    using node = node_of<Node>;
    g.is_inlet[at] = node::is_inlet;
    g.is_counted[at] = node::is_counted;
    g.ends[at] = node::ends;
    if (find<node::member>() != at) g.is_twice[find<node::member>()] = true;
    lead(g, at, kAlways, false, typename node::forks{});
    lead(g, at, kAlways, true, typename node::again{});
    lead(g, at, kAlways, false, typename node::expects{});
    lead_outcomes(g, at, typename node::outcomes{});
  }
  static constexpr node_graph<kNodes> read_all() {
    node_graph<kNodes> g;
    std::size_t at = 0;
    (read<Nodes>(g, at++), ...);
    return g;
  }

  static constexpr node_graph<kNodes> graph = read_all();
  static constexpr counted_graph<kNodes> counted = count_entries(graph);
};

// Its instantiation names the member, and the message says what is wrong with it.
template <auto Member, flaw Flaw>
struct checked {
  static_assert(Flaw != flaw::listed_twice, "the graph lists this inlet or thread twice");
  static_assert(Flaw != flaw::posts_nothing, "this inlet posts nothing");
  static_assert(Flaw != flaw::never_enabled, "this thread is never enabled");
  static_assert(Flaw != flaw::counts_disagree,
                "the outcomes of the switches disagree on how often this thread is enabled");
  static_assert(Flaw != flaw::counted_and_not,
                "a thread that counted messages enable is enabled by these alone");
  static_assert(Flaw != flaw::loops_without_again,
                "this inlet or thread stands in a loop, or behind one, that has no tam::again");
  static_assert(Flaw != flaw::never_ends,
                "with some outcomes of the switches no thread ends the activation");
  static_assert(Flaw != flaw::runs_beside_the_end,
                "this inlet or thread can run after the one that ends the activation");
  static constexpr bool fine = Flaw == flaw::none;
};

// The name of a member or type in what the compiler calls its constant<> or itself.
template <std::size_t Size>
struct name_text {
  char text[Size + 1] = {};
  constexpr explicit name_text(std::string_view from) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = from[i];
  }
};
template <class Type>
constexpr std::string_view pretty() {
  const std::string_view all = __PRETTY_FUNCTION__;
  const std::size_t begin = all.find("Type = ") + 7;
  return all.substr(begin, all.find_first_of(";]", begin) - begin);
}
// What follows the last "::", without the brackets of a member's pointer.
template <class Type>
constexpr std::string_view last_name() {
  std::string_view name = pretty<Type>();
  if (const std::size_t at = name.rfind("::"); at != name.npos) name.remove_prefix(at + 2);
  return name.substr(0, name.find_first_of(">)("));
}
template <class Type>
inline constexpr name_text<last_name<Type>().size()> name_of_type{last_name<Type>()};

}  // namespace ramjet::tam::detail
