// SPDX-License-Identifier: Apache-2.0
// Messages between ranks: words to inlets, fetches and stores, calls of code blocks.
#include "languages/tam/runtime/remote.hpp"

#include <algorithm>

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/elements.hpp"
#include "languages/tam/runtime/frames.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/placement.hpp"
#include "languages/tam/runtime/schedule.hpp"
#include "languages/tam/runtime/sites.hpp"
#include "languages/tam/runtime/termination.hpp"
#include "languages/tam/runtime/waiting.hpp"
#include "ramjet/am.hpp"
#include "ramjet/job.hpp"

namespace ramjet::tam {
namespace {

int next_rank = 0;

tam_frame* new_frame(const tam_block* block) {
  tam_frame* f = tam_take_frame(block, block->frame_bytes);
  if (block->prepare != nullptr) block->prepare(f);
  return f;
}

template <auto F, class... A>
void send_to(int rank, caller by, const A&... a) {
  if (rank >= here.ranks) stop("a message for rank %d of %d", rank, here.ranks);
  ++messages.sent;
  const status s = by == caller::thread ? request<F>(rank, a...) : chain<F>(rank, a...);
  if (s != status::ok) stop("rank %d has died", rank);
}

void on_words0(tam_name to) {
  ++messages.handled;
  deliver(to, {});
}
void on_words1(tam_name to, tam_word w0) {
  ++messages.handled;
  checked_frame(to);
  deliver_word(to, w0);
}
void on_words4(tam_name to, unsigned count, tam_word w0, tam_word w1, tam_word w2, tam_word w3) {
  ++messages.handled;
  const tam_word words[] = {w0, w1, w2, w3};
  deliver(to, {words, std::min(count, 4u)});
}

void on_fill(tam_array a, tam_word index, tam_word word, std::int32_t site) {
  ++messages.handled;
  if (is_shared(a))
    fill_shared(a, index, word, decode_site(site), caller::handler);
  else
    fill(a, index, word, decode_site(site), caller::handler);
}
void on_fetch_shared(tam_array a, tam_word index, tam_name reply, std::int32_t site) {
  ++messages.handled;
  fetch_shared(a, index, reply, decode_site(site), caller::handler);
}
void on_fetch_for(tam_array a, tam_word index, tam_name reply, bool takes, std::int32_t site) {
  ++messages.handled;
  if (is_shared(a))
    fetch_shared(a, index, reply, decode_site(site), caller::handler);
  else
    fetch(a, index, reply, takes, decode_site(site), caller::handler);
}
void on_fill_shared(tam_array a, tam_word index, tam_word word, std::int32_t site) {
  ++messages.handled;
  fill_shared(a, index, word, decode_site(site), caller::handler);
}
void on_length(tam_array a, tam_name reply, std::int32_t site) {
  ++messages.handled;
  const tam_word length = checked_array(a & ~kSharedBit, decode_site(site))->length;
  send(reply, {&length, 1}, caller::handler);
}

void on_spawn(std::int64_t block, unsigned count, tam_word w0, tam_word w1, tam_word w2,
              tam_word w3) {
  ++messages.handled;
  const tam_word words[] = {w0, w1, w2, w3};
  spawn_here(block_of(block), {words, std::min(count, 4u)});
}
void on_spawn_in_turn(std::int64_t block, unsigned count, tam_word w0, tam_word w1, tam_word w2,
                      tam_word w3) {
  ++messages.handled;
  begin_in_turn({block_of(block), std::min(count, 4u), {w0, w1, w2, w3}});
}
void on_falloc(std::int64_t block, tam_name reply) {
  ++messages.handled;
  const tam_word name = tam_name_of(new_frame(block_of(block)), 0);
  send(reply, {&name, 1}, caller::handler);
}

}  // namespace

void open_remote() {
  here.ranks = initialized() ? size() : 1;
  tam_here.own = initialized() ? static_cast<tam_name>(rank()) << 48 : 0;
  next_rank = tam_rank_of(tam_here.own);
  open_remote_fetch();
}

void spawn_here(const tam_block* block, std::span<const tam_word> words) {
  deliver_own(tam_name_of(new_frame(block), 0), words);
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

void fill_far(tam_array a, tam_word index, tam_word word, const char* site) {
  send_waiting_fetches_to(tam_rank_of(a));  // a put may need a take before it
  send_to<on_fill>(tam_rank_of(a), caller::thread, a, index, word, encode_site(site));
}
void fetch_shared_at(int rank, tam_array a, tam_word index, tam_name reply, const char* site,
                     caller by) {
  tam_here.awaits = 1;
  send_to<on_fetch_shared>(rank, by, a, index, reply, encode_site(site));
}
void fetch_for(tam_array a, tam_word index, tam_name reply, bool takes, const char* site) {
  send_to<on_fetch_for>(tam_rank_of(a), caller::thread, a, index, reply, takes, encode_site(site));
}
void fill_shared_at(int rank, tam_array a, tam_word index, tam_word word, const char* site,
                    caller by) {
  send_to<on_fill_shared>(rank, by, a, index, word, encode_site(site));
}
void length_far(tam_array a, tam_name reply, const char* site) {
  send_to<on_length>(tam_rank_of(a), caller::thread, a, reply, encode_site(site));
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
  if (rank == TAM_LEAST_LOADED)
    spawn_anywhere({block, count, {w0, w1, w2, w3}});
  else if (rank == tam_rank_of(tam_here.own))
    spawn_here(block, {words, count});
  else
    send_to<on_spawn>(rank, caller::thread, encode_site(block), count, w0, w1, w2, w3);
}

void tam_spawn_in_turn(tam_lcv, int rank, const tam_block* block, unsigned count, tam_word w0,
                       tam_word w1, tam_word w2, tam_word w3) {
  if (rank == tam_rank_of(tam_here.own))
    begin_in_turn({block, count, {w0, w1, w2, w3}});
  else
    send_to<on_spawn_in_turn>(rank, caller::thread, encode_site(block), count, w0, w1, w2, w3);
}

void tam_falloc_at(tam_lcv, int rank, const tam_block* block, tam_name reply) {
  if (rank == tam_rank_of(tam_here.own)) {
    const tam_word name = tam_name_of(new_frame(block), 0);
    send(reply, {&name, 1}, caller::thread);
  } else {
    send_to<on_falloc>(rank, caller::thread, encode_site(block), reply);
  }
}

int tam_next_rank(void) { return next_rank = next_rank + 1 < here.ranks ? next_rank + 1 : 0; }

int tam_rank_of_key(tam_word key) {
  constexpr tam_word kGolden = 0x9e3779b97f4a7c15;  // Fibonacci hashing: the upper bits are mixed
  return static_cast<int>((key * kGolden >> 32) * static_cast<tam_word>(here.ranks) >> 32);
}
