// SPDX-License-Identifier: Apache-2.0
// What `ramjet top` shows, as rows of text: sorted, filtered, with units. Pure functions of two
// samples.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "launch/monitor/sample.hpp"

namespace tools::top {

namespace monitor = ramjet::monitor;

// Two samples of one job, and what they say together.
struct look {
  monitor::job_sample before, now;
  std::vector<monitor::rates> rates;  // of each rank
  std::map<monitor::pair_key, monitor::pair_rates> pairs;

  look(monitor::job_sample earlier, monitor::job_sample later);
};

enum class column : unsigned {
  rank,
  node,
  pid,
  state,
  wait,
  target,
  waited,
  sent,
  handled,
  bytes,
  far,
  queued,
  chained,
  full,
  threads,
  cpu,
  memory
};
inline constexpr unsigned kColumns = 17;
const char* title_of(column c);
// The column of that title, ignoring case; false if there is none.
bool find_column(const std::string& title, column& found);
std::string titles();  // "rank, node, ..."

struct order {
  column by = column::rank;
  bool reversed = false;  // numbers of traffic begin with the largest, unless reversed
};

// The ranks that the filter lets through, in order. The filter: ranks, as "0-7,12"; else a text
// that stands in the state, or in the name of the wait; empty: all.
std::vector<unsigned> chosen_ranks(const look& l, const order& o, const std::string& filter);

// Whether the filter has what lists of ranks have, and is none, as "3-1" or "2-".
bool is_wrong_list(const std::string& filter);

// A line for the job: how many ranks do what, and its traffic.
std::string summary(const look& l);
// Titles and rows, alike in width.
std::string title_row(const look& l, const order& o);
std::string rank_row(const look& l, unsigned rank);

// Everything of one rank, in lines.
std::vector<std::string> details(const look& l, unsigned rank);

// Who sends how much to whom: senders down, receivers across; ranks share a cell where there is
// room for fewer. In messages a second, or bytes.
std::vector<std::string> matrix(const look& l, bool in_bytes, std::size_t columns,
                                std::size_t rows);

std::string count_text(double number);  // "950", "1.2k", "34M"
std::string bytes_text(double bytes);   // "950", "1.2K", "34M": binary units

}  // namespace tools::top
