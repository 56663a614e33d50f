// SPDX-License-Identifier: Apache-2.0
// Messages between ranks, and how the ranks learn that nothing is left to run: a token goes round
// among ranks that have nothing to run, and adds up what each has sent and handled. Two rounds that
// find the same sums, as many sent as handled, show that nothing ran and nothing was in flight
// between them. (Mattern 1987, Algorithms for Distributed Termination Detection, section 6.)
#include "tam/remote.hpp"

#include <algorithm>

#include "ramjet/am.hpp"
#include "ramjet/job.hpp"
#include "tam/machine.hpp"
#include "tam/schedule.hpp"

namespace ramjet::tam {
namespace {

struct sums {
  std::uint64_t sent = 0, handled = 0;
  friend bool operator==(const sums&, const sums&) = default;
};
// Rank 0's token is here at first. All of it is touched by the main thread alone.
struct termination {
  sums own;  // since open_remote
  sums token;
  bool token_is_here = false, ended = false;
  sums round_before;  // of rank 0
};
termination state;
int next_rank = 0;

// Places in the program's image, which lies elsewhere in each rank: as distances.
std::int64_t carried(const void* place) {
  return static_cast<const char*>(place) - reinterpret_cast<const char*>(here.blocks.front());
}
const char* place_of(std::int64_t carried) {
  return reinterpret_cast<const char*>(here.blocks.front()) + carried;
}
const tam_block* block_of(std::int64_t carried) {
  const auto* b = reinterpret_cast<const tam_block*>(place_of(carried));
  if (std::find(here.blocks.begin(), here.blocks.end(), b) == here.blocks.end())
    stop("a message calls a code block that the program has not named");
  return b;
}

template <auto F, class... A>
void send_to(int rank, caller by, const A&... a) {
  if (rank >= here.ranks) stop("a message for rank %d of %d", rank, here.ranks);
  ++state.own.sent;
  const status s = by == caller::thread ? request<F>(rank, a...) : chain<F>(rank, a...);
  if (s != status::ok) stop("rank %d has died", rank);
}

void on_words0(tam_name to) {
  ++state.own.handled;
  deliver(to, {});
}
void on_words1(tam_name to, tam_word w0) {
  ++state.own.handled;
  deliver(to, {&w0, 1});
}
void on_words4(tam_name to, unsigned count, tam_word w0, tam_word w1, tam_word w2, tam_word w3) {
  ++state.own.handled;
  const tam_word words[] = {w0, w1, w2, w3};
  deliver(to, {words, std::min(count, 4u)});
}

void on_fetched(reply_token, tam_name to, tam_word w0) {
  ++state.own.handled;
  deliver(to, {&w0, 1});
}
void on_fetch(request_token t, tam_array a, tam_word index, tam_name reply_to, std::int64_t site,
              bool takes) {
  ++state.own.handled;
  tam_word word;
  if (present(a, index, takes, place_of(site), word)) {
    ++state.own.sent;
    reply<on_fetched>(std::move(t), reply_to, word);
  } else {
    fetch(a, index, reply_to, takes, place_of(site), caller::handler);
  }
}
void on_fill(tam_array a, tam_word index, tam_word word, std::int64_t site) {
  ++state.own.handled;
  fill(a, index, word, place_of(site), caller::handler);
}
void on_length(tam_array a, tam_name reply, std::int64_t site) {
  ++state.own.handled;
  send(reply, {&checked_array(a, place_of(site))->length, 1}, caller::handler);
}

tam_frame* new_frame(const tam_block* block) {
  tam_frame* f = tam_take_frame(block, block->frame_bytes);
  if (block->prepare != nullptr) block->prepare(f);
  return f;
}
void spawn_here(const tam_block* block, std::span<const tam_word> words) {
  deliver(tam_name_of(new_frame(block), 0), words);
}
void on_spawn(std::int64_t block, unsigned count, tam_word w0, tam_word w1, tam_word w2,
              tam_word w3) {
  ++state.own.handled;
  const tam_word words[] = {w0, w1, w2, w3};
  spawn_here(block_of(block), {words, std::min(count, 4u)});
}
void on_falloc(std::int64_t block, tam_name reply) {
  ++state.own.handled;
  const tam_word name = tam_name_of(new_frame(block_of(block)), 0);
  send(reply, {&name, 1}, caller::handler);
}

void on_token(sums so_far) {
  state.token = so_far;
  state.token_is_here = true;
}
void on_end() { state.ended = true; }

// Before other ranks can run: the token may come before this rank does.
void begin() {
  if (tam_here.own == 0) state.token_is_here = true;
  state.round_before = {~std::uint64_t{0}, 0};  // no round finds these
}

// What this rank does with the token once it has nothing to run.
void pass_token() {
  state.token_is_here = false;
  if (rank() != 0) {
    state.token.sent += state.own.sent;
    state.token.handled += state.own.handled;
    request<on_token>((rank() + 1) % here.ranks, state.token);
    return;
  }
  const sums found{state.token.sent + state.own.sent, state.token.handled + state.own.handled};
  if (found.sent == found.handled && found == state.round_before) {
    for (int r = 1; r < here.ranks; ++r) request<on_end>(r);
    state.ended = true;
  } else {
    state.round_before = found;
    request<on_token>(1, sums{});
  }
}

}  // namespace

void open_remote() {
  here.ranks = initialized() ? size() : 1;
  tam_here.own = initialized() ? static_cast<tam_name>(rank()) << 48 : 0;
  state = {};
  begin();
  next_rank = tam_rank_of(tam_here.own);
}

void send(tam_name to, std::span<const tam_word> words, caller by) {
  if (tam_is_own(to)) return deliver_own(to, words);
  const int rank = tam_rank_of(to);
  tam_word w[4] = {};
  std::copy(words.begin(), words.end(), w);
  switch (words.size()) {
    case 0:
      return send_to<on_words0>(rank, by, to);
    case 1:
      return send_to<on_words1>(rank, by, to, w[0]);
    default:
      return send_to<on_words4>(rank, by, to, static_cast<unsigned>(words.size()), w[0], w[1], w[2],
                                w[3]);
  }
}

void fetch_far(tam_array a, tam_word index, tam_name reply, bool takes, const char* site) {
  send_to<on_fetch>(tam_rank_of(a), caller::thread, a, index, reply, carried(site), takes);
}
void fill_far(tam_array a, tam_word index, tam_word word, const char* site) {
  send_to<on_fill>(tam_rank_of(a), caller::thread, a, index, word, carried(site));
}
void length_far(tam_array a, tam_name reply, const char* site) {
  send_to<on_length>(tam_rank_of(a), caller::thread, a, reply, carried(site));
}

void run_on_all_ranks() {
  constexpr unsigned kBetweenPolls = 16;
  while (!state.ended) {
    while (run_some(kBetweenPolls)) poll();
    const auto something = [] { return work_waits() || state.token_is_here || state.ended; };
    if (wait_until(something, "tam: nothing to run here") != status::ok) stop("a rank has died");
    if (!work_waits() && state.token_is_here) pass_token();
  }
  state.ended = false;
  begin();
}

}  // namespace ramjet::tam

using namespace ramjet::tam;

void tam_send_far(tam_name to, unsigned count, tam_word w0, tam_word w1, tam_word w2, tam_word w3) {
  const tam_word words[] = {w0, w1, w2, w3};
  send(to, {words, count}, caller::thread);
}

void tam_spawn(tam_lcv, int rank, const tam_block* block, unsigned count, tam_word w0, tam_word w1,
               tam_word w2, tam_word w3) {
  const tam_word words[] = {w0, w1, w2, w3};
  if (rank == tam_rank_of(tam_here.own))
    spawn_here(block, {words, count});
  else
    send_to<on_spawn>(rank, caller::thread, carried(block), count, w0, w1, w2, w3);
}

void tam_falloc_at(tam_lcv, int rank, const tam_block* block, tam_name reply) {
  if (rank == tam_rank_of(tam_here.own)) {
    const tam_word name = tam_name_of(new_frame(block), 0);
    send(reply, {&name, 1}, caller::thread);
  } else {
    send_to<on_falloc>(rank, caller::thread, carried(block), reply);
  }
}

int tam_next_rank(void) { return next_rank = next_rank + 1 < here.ranks ? next_rank + 1 : 0; }

int tam_rank_of_key(tam_word key) {
  constexpr tam_word kGolden = 0x9e3779b97f4a7c15;  // Fibonacci hashing: the upper bits are mixed
  return static_cast<int>((key * kGolden >> 32) * static_cast<tam_word>(here.ranks) >> 32);
}
