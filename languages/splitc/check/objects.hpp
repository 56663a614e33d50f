// SPDX-License-Identifier: Apache-2.0
// What the program was given of this processor's segment: blocks of malloc, and spread arrays, of
// which every processor knows all, since all make the same calls. Statics and stacks are not known
// here: what is in no object is let pass.
//
//   from            begin                 begin + bytes         end
//   +---------------+---------------------+---------------------+
//   | nobody's      | the object          | nobody's            |
//   +---------------+---------------------+---------------------+
//
// An object that was given back stays known until its memory is somebody else's.
// Threads: the main thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "languages/splitc/check/sites.hpp"

namespace ramjet::splitc::check {

enum class object_kind : std::uint8_t { block, spread, automatic, variable };

struct object {
  object_kind kind = object_kind::block;
  bool is_live = true;
  std::uint64_t from = 0, begin = 0, end = 0;  // window addresses
  std::uint64_t bytes = 0;  // of a block
  std::uint64_t blocks = 0, block_bytes = 0;  // of a spread array
  site taken = nullptr, given_back = nullptr;

  bool is_spread() const noexcept { return kind != object_kind::block; }
  // How many of its bytes that processor has, from `begin` on.
  std::uint64_t bytes_on(std::uint64_t processor) const noexcept;
  std::string described() const;  // "a block of 40 bytes"
};

class object_table {
 public:
  object& add(const object& o);  // forgets dead ones there
  // The one that covers the address, live or dead, its margins included.
  const object* find(std::uint64_t address) const noexcept;
  // Of a range's first byte, else of its last.
  const object* touched(std::uint64_t address, std::uint64_t bytes) const noexcept {
    const object* const o = find(address);
    return o != nullptr ? o : find(address + bytes - 1);
  }
  object* find_begin(std::uint64_t begin) noexcept;
  void forget(std::uint64_t from);
  const std::map<std::uint64_t, object>& all() const noexcept { return all_; }
  // An automatic array, and the bytes on the symmetric stack with it.
  void add_automatic(const object& o, std::uint64_t stack_bytes);
  // The stack has shrunk to that many bytes: the arrays beyond them end.
  void end_automatic(std::uint64_t stack_bytes, site at);
  // The latest automatic array; null: there is none.
  const object* last_automatic() const noexcept;

 private:
  std::map<std::uint64_t, object> all_;  // by `from`
  struct stack_entry {
    std::uint64_t from;
    std::uint64_t stack_bytes;  // up to the end of the array
  };
  std::vector<stack_entry> automatic_;  // live ones; stack_bytes ascend
  mutable const object* latest_ = nullptr;  // found
};

}  // namespace ramjet::splitc::check
