// SPDX-License-Identifier: Apache-2.0
#include "spreading.hpp"

#include <cstring>
#include <deque>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "failure.hpp"

namespace kmer {
namespace {

constexpr unsigned kUndoneMax = 4;  // batches of one reader that wait at one rank

// A batch as it is sent: lengths of the runs, and behind them their codes.
struct given {
  int reader;
  std::uint32_t runs;
  std::vector<char> bytes;
};

// What the handlers of this rank work on. Handlers are plain functions, so this stands in the file.
std::deque<given> waiting;  // here
std::vector<unsigned> undone;  // by rank: batches that we gave it
unsigned ended = 0;  // streams

void on_runs(ramjet::request_token from, std::uint32_t runs, ramjet::payload p) {
  const auto* bytes = reinterpret_cast<const char*>(p.data());
  waiting.push_back({from.rank(), runs, {bytes, bytes + p.size()}});
}
void on_done(int by) { --undone[static_cast<std::size_t>(by)]; }
void on_stream_end() { ++ended; }

void send(int to, const run_batch& batch) {
  static std::vector<char> bytes;
  const std::size_t lengths = batch.lengths.size_bytes();
  bytes.resize(lengths + batch.codes.size());
  std::memcpy(bytes.data(), batch.lengths.data(), lengths);
  std::memcpy(bytes.data() + lengths, batch.codes.data(), batch.codes.size());
  require(ramjet::request_medium<on_runs>(to, bytes.data(), bytes.size(),
                                          static_cast<std::uint32_t>(batch.lengths.size())));
}

}  // namespace

bool give_away(const run_batch& batch) {
  const int ranks = ramjet::size();
  if (batch.lengths.size_bytes() + batch.codes.size() > ramjet::medium_bytes_max) return false;
  undone.resize(static_cast<std::size_t>(ranks));
  for (int i = 1; i < ranks; ++i) {
    const int to = (ramjet::rank() + i) % ranks;
    unsigned& there = undone[static_cast<std::size_t>(to)];
    if (there >= kUndoneMax) continue;
    ++there;
    send(to, batch);
    return true;
  }
  return false;
}

void do_given_work(const run_collector::sink& s) {
  while (!waiting.empty()) {
    given work = std::move(waiting.front());
    waiting.pop_front();
    std::vector<std::uint32_t> lengths(work.runs);
    const std::size_t before = lengths.size() * sizeof lengths[0];
    const std::size_t letters = work.bytes.size() - before;
    std::memcpy(lengths.data(), work.bytes.data(), before);
    work.bytes.resize(work.bytes.size() + run_collector::kSlack);
    const auto* codes = reinterpret_cast<const std::uint8_t*>(work.bytes.data() + before);
    s({{codes, letters}, lengths});
    require(ramjet::request<on_done>(work.reader, ramjet::rank()));
  }
}

void report_stream_end() {
  for (int to = 0; to < ramjet::size(); ++to) require(ramjet::request<on_stream_end>(to));
}

void help_until_streams_end(unsigned streams, const run_collector::sink& s) {
  while (ended < streams || !waiting.empty()) {
    require(ramjet::wait_until([streams] { return ended >= streams || !waiting.empty(); },
                               "streams that others read"));
    do_given_work(s);
  }
}

}  // namespace kmer
