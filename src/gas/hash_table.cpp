// SPDX-License-Identifier: Apache-2.0
// The numbers of hash tables. A number that a message brings is an index into the list of the rank
// that gets it; the ranks compare what they enter, so it means the same table everywhere.
#include <algorithm>
#include <utility>

#include "ramjet/collectives.hpp"
#include "ramjet/detail/gas/table_part.hpp"

namespace ramjet::detail {

owned_array<table_entry> hash_tables;

namespace {

std::uint32_t entered = 0;  // of hash_tables

// What the ranks compare.
struct proposal {
  std::uint64_t number, kind;
  bool same = true;
};

proposal agreed(proposal a, const proposal& b) {
  a.same &= b.same && a.number == b.number && a.kind == b.kind;
  return a;
}

// FNV-1a.
std::uint64_t hash_text(const char* text) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (; *text != '\0'; ++text) h = (h ^ std::uint8_t(*text)) * 0x100000001b3;
  return h;
}

}  // namespace

status enter_table(const table_entry& made, const char* kind_name, std::uint32_t& number) {
  if (entered == hash_tables.size()) {
    owned_array<table_entry> larger(entered == 0 ? 16 : std::size_t{2} * entered);
    std::copy(hash_tables.begin(), hash_tables.end(), larger.begin());
    hash_tables = std::move(larger);
  }
  number = entered++;
  hash_tables[number] = made;  // before the others know it
  proposal p{number, hash_text(kind_name)};
  const status s = all_reduce(p, agreed);
  RAMJET_CHECK(s != status::ok || p.same,
               "hash_table: the ranks make different tables, or in another order");
  return s;
}

status retire_table(std::uint32_t number) {
  const status s = quiesce();
  if (s == status::ok) hash_tables[number] = {};
  return s;
}

}  // namespace ramjet::detail
