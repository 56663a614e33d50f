// SPDX-License-Identifier: Apache-2.0
// A hash table over all ranks: a key's hash names the rank that owns it, and functions go to the
// values as Active Messages. (von Eicken et al. 1992, section 2.2: the handler integrates what
// arrives into the computation; Culler et al. 1993, section 3: atomic functions at the owner.)
//
//   void add(int& count, int by) { count += by; }
//   auto table = ramjet::hash_table<word, int>::all_make();
//   table.update<add>(key, 1);       // one way; a new key's value is int()
//   ramjet::quiesce();               // all updates of all ranks are done
//   table.for_my_elements([](const word& key, int& count) { ... });
//
// Each rank keeps its own part, in its own memory, which grows as needed. Only its owner touches
// it, in handlers, so a function on a value is atomic, also with regard to the owner's computation
// between polls. What one rank does to one key is done in the order of its calls.
//
// Keys have operator==, and a Hash that gives the same value in every process: do not hash
// addresses or padding. Keys and values are trivially copyable and aligned to 16 bytes at most.
// Functions are named as handlers are, run as handlers, and may chain.
//
// Threads: the main thread of every rank. Deaths: what goes to a dead rank returns peer_failed, or
// a future that ends with it; its keys are lost. The process ends if there is no memory for a part
// to grow. Cost: a short message for each call whose key, value and arguments have 48 bytes at
// most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>  // and std::hash
#include <type_traits>
#include <utility>

#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/detail/gas/table_part.hpp"
#include "ramjet/job.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

template <class Key, class Value, class Hash = std::hash<Key>>
class hash_table {
  static_assert(std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value>,
                "the keys and values of a hash_table are trivially copyable");

 public:
  // A handle: copied freely. A default-constructed one is null.
  hash_table() noexcept = default;

  // Collective, and a barrier, not in a handler: an empty table, with room for `expected` elements
  // in each rank before it has to grow. Null if a rank died. Ends the process if memory runs out.
  static hash_table all_make(std::size_t expected = 0) {
    hash_table made;
    made.part_ = new part{detail::flat_table<Key, Value, Hash>(expected)};
    const status s =
        detail::enter_table({made.part_, &part::kKind}, __PRETTY_FUNCTION__, made.number_.value);
    return s == status::ok ? made : hash_table();
  }
  // Collective: waits until no message is under way, as quiesce does, and gives the memory back;
  // if a rank is dead, the memory is kept until the process ends.
  void all_free() {
    check_made();
    if (detail::retire_table(number_.value) == status::ok) delete part_;
    part_ = nullptr;
  }
  explicit operator bool() const noexcept { return part_ != nullptr; }

  // A key and a value are converted as arguments of handlers are (handler.hpp).
  template <class K = Key>
  int owner_of(const K& key) const {
    return part::owner_of(detail::fit_argument<1, Key>(key));
  }

  // --- At the owner of the key ------------------------------------------------------------------

  // F(value, args...), where F is a function void(Value&, ...): one way, complete everywhere after
  // quiesce(). A new key's value is value-initialised. Polls while the way is full; not in a
  // handler. chain_update: never waits, as chain, so inside handlers too.
  template <auto F, class K = Key, class... A>
  status update(const K& key, const A&... args) const {
    using updates = decltype(part::template updates_with<F>(F));
    check_made();
    const Key& k = detail::fit_argument<1, Key>(key);
    return request<&updates::run>(part::owner_of(k), number_, k, args...);
  }
  template <auto F, class K = Key, class... A>
  status chain_update(const K& key, const A&... args) const {
    using updates = decltype(part::template updates_with<F>(F));
    check_made();
    const Key& k = detail::fit_argument<1, Key>(key);
    return chain<&updates::run>(part::owner_of(k), number_, k, args...);
  }
  template <class K = Key, class V = Value>
  status assign(const K& key, const V& value) const {
    return update<&part::set_to>(key, detail::fit_argument<2, Value>(value));
  }
  // Nothing happens where there is no such key.
  template <class K = Key>
  status erase(const K& key) const {
    check_made();
    const Key& k = detail::fit_argument<1, Key>(key);
    return request<&part::erase>(part::owner_of(k), number_, k);
  }

  // F(value, args...) -> R, where `value` points to the key's value, or is null if there is no such
  // key, and R is of at most 64 bytes. Not in a handler. Cost: a round trip.
  template <auto F, class K = Key, class... A>
  [[nodiscard]] auto ask(const K& key, const A&... args) const {
    using questions = decltype(part::template questions_with<F>(F));
    check_made();
    const Key& k = detail::fit_argument<1, Key>(key);
    return call<&questions::answer>(part::owner_of(k), number_, k, args...);
  }
  // The value of the key, if there is one: of at most 56 bytes. A larger one is fetched in parts.
  template <class K = Key>
  [[nodiscard]] future<std::optional<Value>> find(const K& key) const {
    static_assert(sizeof(std::optional<Value>) <= 64,
                  "find brings values of at most 56 bytes: ask for parts of a larger one");
    return ask<&part::copy_of>(key);
  }

  // --- My part ----------------------------------------------------------------------------------

  // The value of a key that this rank owns, or null; valid until the next poll.
  template <class K = Key>
  Value* find_mine(const K& key) const {
    check_made();
    const Key& k = detail::fit_argument<1, Key>(key);
    return part_->elements.find(k, part::hash_of(k));
  }
  std::size_t my_size() const {
    check_made();
    return part_->elements.size();
  }
  // Collective: of what was handled before, so quiesce() comes first.
  status all_size(std::size_t& elements) const {
    elements = my_size();
    return all_reduce(elements, [](std::size_t a, std::size_t b) { return a + b; });
  }
  // Calls body(const Key&, Value&) for every element of this rank, in no order. The body may change
  // values. It may send, as long as no message to this table is under way.
  template <class Body>
  void for_my_elements(Body&& body) const {
    check_made();
    const typename part::in_use mine(*part_);
    part_->elements.for_each(body);
  }

 private:
  using part = detail::table_part<Key, Value, Hash>;

  void check_made() const { RAMJET_CHECK(part_ != nullptr, "this hash_table is null"); }

  part* part_ = nullptr;
  detail::library_number number_ = {};
};

}  // namespace ramjet

#pragma GCC visibility pop
