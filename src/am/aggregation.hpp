// SPDX-License-Identifier: Apache-2.0
// The blocks of one engine. A table takes 32 bytes a port, and exists for handlers that this engine
// has sent to; a block's storage for those ports that were too busy to take items one by one.
#pragma once

#include <memory>
#include <vector>

#include "ramjet/detail/am/item_block.hpp"

namespace ramjet::detail {

class block_tables {
 public:
  struct entry {
    unsigned handler;
    unsigned port;
    friend bool operator==(const entry&, const entry&) = default;
  };

  block_tables(unsigned handlers, unsigned ports);
  ~block_tables();
  block_tables(const block_tables&) = delete;
  block_tables& operator=(const block_tables&) = delete;

  // By handler; those without a table of their own share one whose blocks take nothing.
  item_block** by_handler() noexcept { return by_handler_.data(); }
  item_block& find_or_make(unsigned handler, unsigned port);

  // The blocks that hold items. A walk from the last to the first may send each.
  std::vector<entry> holding;
  void stop_holding(entry of);

 private:
  std::unique_ptr<item_block[]> none_;
  unsigned ports_;
  std::vector<std::unique_ptr<item_block[]>> tables_;
  std::vector<item_block*> by_handler_;
};

}  // namespace ramjet::detail
