// SPDX-License-Identifier: Apache-2.0
// A ring of ranks that hand a picture's rows on: long messages put the bytes where they belong, in
// the target's segment, before the handler there runs. Then each fetches a row back.
//
//   ramjet run -n 4 long_message
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr std::size_t kRowBytes = 256 * 1024;
constexpr int kRounds = 8;

std::span<char> rows;  // of our segment, for the rank before us to write
int rows_here = 0;
bool row_is_back = false;

char content_of(int rank, int round) { return char('a' + (rank + round) % 26); }

bool is_row(std::span<const char> row, char content) {
  return row.size() == kRowBytes &&
         std::all_of(row.begin(), row.end(), [=](char c) { return c == content; });
}

// The row lies in our segment and stays there.
void on_row(ramjet::request_token token, int round, ramjet::deposit row) {
  if (is_row(row.as<char>(), content_of(token.rank(), round))) ++rows_here;
}

// What is fetched goes straight to where the asker wants it, in the asker's segment.
void on_fetched(ramjet::reply_token, int round, ramjet::deposit row) {
  row_is_back = is_row(row.as<char>(), content_of(ramjet::rank(), round));
}
void on_fetch(ramjet::request_token token, int round, ramjet::segment_ptr<char> to) {
  const char* row = rows.data() + std::size_t(round) * kRowBytes;
  ramjet::reply_long<on_fetched>(std::move(token), to, row, kRowBytes, round);
}

}  // namespace

int main(int argc, char** argv) {
  // Address space for the segment; pages are used only where something is put.
  ramjet::options wanted;
  wanted.segment_bytes = 64 << 20;
  ramjet::init(argc, argv, wanted);

  // Memory that others may write: of our segment. Where it lies is told to everyone.
  rows = ramjet::segment_array<char>(kRounds * kRowBytes);
  std::vector<char*> where(static_cast<std::size_t>(ramjet::size()));
  ramjet::gather(rows.data(), where.data());
  ramjet::broadcast(std::span(where));

  // An address says whose it is.
  const int to = (ramjet::rank() + 1) % ramjet::size();
  bool well = true;
  for (int r = 0; r < ramjet::size(); ++r)
    well &= ramjet::segment_owner(where[std::size_t(r)]) == r;
  well &= ramjet::segment_owner(&well) == -1;

  std::vector<char> row(kRowBytes);
  for (int round = 0; round < kRounds; ++round) {
    std::memset(row.data(), content_of(ramjet::rank(), round), row.size());
    ramjet::request_long<on_row>(to, where[std::size_t(to)] + std::size_t(round) * kRowBytes,
                                 row.data(), row.size(), round);
  }
  ramjet::wait_until([] { return rows_here == kRounds; });

  std::span<char> back = ramjet::segment_array<char>(kRowBytes);
  ramjet::request<on_fetch>(to, kRounds - 1, back.data());
  ramjet::wait_until([] { return row_is_back; });
  std::printf("rank %d has %d rows of %zu bytes, from byte %td of its segment on, and one back\n",
              ramjet::rank(), rows_here, kRowBytes,
              reinterpret_cast<std::byte*>(rows.data()) - ramjet::segment_begin(ramjet::rank()));

  ramjet::barrier();  // nobody writes here any more
  ramjet::segment_free(back.data());
  ramjet::segment_free(rows.data());
  ramjet::finalize();
  return well ? 0 : 1;
}
