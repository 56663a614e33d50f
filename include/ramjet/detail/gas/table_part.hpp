// SPDX-License-Identifier: Apache-2.0
// What a hash_table is at the owner of a key: this rank's part, its number, and the handlers that
// run functions on its values. Owned by the main thread, which polls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "ramjet/detail/base/conversion.hpp"
#include "ramjet/detail/base/owned.hpp"
#include "ramjet/detail/gas/address_space.hpp"
#include "ramjet/detail/gas/flat_table.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// The tables of this process by their numbers, which are the same in every rank and never used
// again; behind the last, room. src/gas/hash_table.cpp.
struct table_entry {
  void* part = nullptr;        // null once the table is given back
  const void* kind = nullptr;  // one address for each type of table
};
extern owned_array<table_entry> hash_tables;

// Collective: enters this rank's part under the next number, and compares what the ranks make.
// peer_failed if a rank died; the part stays entered, as messages to it may be under way.
status enter_table(const table_entry& made, const char* kind_name, std::uint32_t& number);
// Collective: returns when no message to the table is under way.
status retire_table(std::uint32_t number);

template <class Key, class Value, class Hash>
struct table_part {
  flat_table<Key, Value, Hash> elements;
  bool busy = false;  // a function or a walk holds references into `elements`

  static inline const char kKind = 0;

  static std::uint64_t hash_of(const Key& key) { return mix_hash(Hash{}(key)); }
  // By the upper bits; the part goes by the lower ones.
  static int owner_of_hash(std::uint64_t hash) { return int((hash >> 32) * space.ranks >> 32); }
  static int owner_of(const Key& key) { return owner_of_hash(hash_of(key)); }
  // What a message names: a part, and the hash of a key that belongs there.
  static table_part& named(std::uint32_t number, std::uint64_t hash) {
    RAMJET_CHECK(number < hash_tables.size() && hash_tables[number].part != nullptr &&
                     hash_tables[number].kind == &kKind,
                 "a message names a hash_table that is not there, or is of another type");
    RAMJET_CHECK(std::uint64_t(owner_of_hash(hash)) == space.rank(),
                 "hash_table: a key's hash differs between processes: it may depend on addresses "
                 "or on padding");
    return *static_cast<table_part*>(hash_tables[number].part);
  }

  // For as long as there are references into the part.
  class in_use {
   public:
    explicit in_use(table_part& p) : part_(p) {
      RAMJET_CHECK(!p.busy,
                   "hash_table: a message to a table is handled while for_my_elements goes over "
                   "it");
      p.busy = true;
    }
    ~in_use() { part_.busy = false; }
    in_use(const in_use&) = delete;
    in_use& operator=(const in_use&) = delete;

   private:
    table_part& part_;
  };

  // --- Handlers ---------------------------------------------------------------------------------

  template <auto F, class... A>
  struct updates {
    static void run(library_number number, Key key, A... args) {
      const std::uint64_t hash = hash_of(key);
      table_part& p = named(number.value, hash);
      const in_use mine(p);
      F(p.elements.at(key, hash), args...);
    }
  };
  template <auto F, class... A>
  static updates<F, A...> updates_with(void (*)(Value&, A...));

  template <auto F, class R, class... A>
  struct questions {
    static R answer(library_number number, Key key, A... args) {
      const std::uint64_t hash = hash_of(key);
      table_part& p = named(number.value, hash);
      const in_use mine(p);
      return F(p.elements.find(key, hash), args...);
    }
  };
  template <auto F, class R, class V, class... A>
    requires std::is_same_v<std::remove_const_t<V>, Value>
  static questions<F, R, A...> questions_with(R (*)(V*, A...));

  static void erase(library_number number, Key key) {
    const std::uint64_t hash = hash_of(key);
    table_part& p = named(number.value, hash);
    const in_use mine(p);
    p.elements.erase(key, hash);
  }
  static void set_to(Value& value, Value given) { value = given; }
  static std::optional<Value> copy_of(const Value* value) {
    return value != nullptr ? std::optional<Value>(*value) : std::nullopt;
  }
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
