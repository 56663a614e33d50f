// SPDX-License-Identifier: Apache-2.0
// A ring of ranks that hand a picture's rows on: long messages put the bytes where they belong, in
// the target's segment, before the handler there runs.
//
//   ramjet run -n 4 long_message
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr std::size_t kRowBytes = 256 * 1024;
int rows_here = 0;

// The row lies in our segment and stays there.
void on_row(ramjet::request_token token, int round, ramjet::deposit row) {
  const char expected = char('a' + (token.rank() + round) % 26);
  if (row.size() == kRowBytes && row.as<char>()[0] == expected &&
      row.as<char>()[kRowBytes - 1] == expected)
    ++rows_here;
}

}  // namespace

int main(int argc, char** argv) {
  // Address space for the segment; pages are used only where something is put.
  ramjet::options wanted;
  wanted.segment_bytes = 64 << 20;
  ramjet::init(argc, argv, wanted);
  constexpr int kRounds = 8;

  // Memory that others may write: of our segment. Where it lies is told to everyone.
  std::span<char> rows = ramjet::segment_array<char>(kRounds * kRowBytes);
  std::vector<char*> where(std::size_t(ramjet::size()));
  ramjet::gather(rows.data(), where.data());
  ramjet::broadcast(std::span(where));

  const int to = (ramjet::rank() + 1) % ramjet::size();
  std::vector<char> row(kRowBytes);
  for (int round = 0; round < kRounds; ++round) {
    std::memset(row.data(), 'a' + (ramjet::rank() + round) % 26, row.size());
    ramjet::request_long<on_row>(to, where[std::size_t(to)] + std::size_t(round) * kRowBytes,
                                 row.data(), row.size(), round);
  }
  ramjet::wait_until([] { return rows_here == kRounds; });
  std::printf("rank %d has %d rows of %zu bytes in its segment at %p\n", ramjet::rank(), rows_here,
              kRowBytes, static_cast<void*>(rows.data()));

  ramjet::barrier();  // nobody writes here any more
  ramjet::segment_free(rows.data());
  ramjet::finalize();
}
