// SPDX-License-Identifier: Apache-2.0
// Fetches and takes of other ranks' elements. One travels in half a cache line, and its answer
// stands in the same place. While an owner has not answered what was sent to it before, up to three
// share a line, and so do their answers: what many fetches cost is the way of their lines between
// the caches. The main thread's.
#include <algorithm>
#include <utility>
#include <vector>

#include "languages/tam/runtime/elements.hpp"
#include "languages/tam/runtime/frames.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/sites.hpp"
#include "languages/tam/runtime/termination.hpp"
#include "ramjet/am.hpp"

namespace ramjet::tam {
namespace {

// element  {index, low bits:21 | address of the array / 16:43}; not 0
// reply    {takes:1 | index, high bits:15 | name of the inlet, whose rank is the sender's:48}
constexpr unsigned kIndexLowBits = 21, kIndexHighBits = 15, kAddressUnit = 16, kNameBits = 48;
constexpr tam_word low_bits(tam_word word, unsigned count) {
  return word & ((tam_word{1} << count) - 1);
}
struct packed_fetch {
  tam_word element, reply;
};

struct fetched {
  tam_name to;
  tam_word word;
};
void on_fetched(reply_token, fetched f) {
  ++messages.handled;
  checked_frame(f.to);
  deliver_word(f.to, f.word);
}

// Whether the answer can go at once; if not, it is deferred.
inline bool answers(int requester, const packed_fetch& f, const char* site, fetched& answer) {
  const tam_array a = tam_here.own | f.element >> kIndexLowBits << 4;
  const tam_word index = low_bits(f.element, kIndexLowBits) |
                         low_bits(f.reply >> kNameBits, kIndexHighBits) << kIndexLowBits;
  const bool takes = f.reply >> 63 != 0;
  answer.to = low_bits(f.reply, kNameBits) | static_cast<tam_name>(requester) << kNameBits;
  if (present(a, index, takes, site, answer.word)) return true;
  if (is_shared(tam_array_of(a)))
    fetch_shared(a | kSharedBit, index, answer.to, site, caller::handler);
  else
    fetch(a, index, answer.to, takes, site, caller::handler);
  return false;
}
void on_fetch(request_token t, packed_fetch f, std::int32_t site) {
  ++messages.handled;
  fetched answer;
  if (!answers(t.rank(), f, decode_site(site), answer)) return;
  ++messages.sent;
  reply<on_fetched>(std::move(t), answer);
}

// Those that share a line. Places lie close together in a program's image: they are told by their
// distances from the first.
constexpr unsigned kTogether = 3;
struct fetch_line {
  packed_fetch each[kTogether];  // element 0: none
  std::int32_t site;
  std::int16_t steps[kTogether - 1];
};
static_assert(sizeof(fetch_line) == 56, "what a record of one line holds");
struct fetched_line {
  fetched each[kTogether];
  tam_word count;
};
static_assert(sizeof(fetched_line) <= sizeof(fetch_line));

void on_fetched_line(reply_token, fetched_line line) {
  ++messages.handled;
  for (unsigned i = 0; i < std::min<tam_word>(line.count, kTogether); ++i) {
    checked_frame(line.each[i].to);
    deliver_word(line.each[i].to, line.each[i].word);
  }
}
void on_fetch_line(request_token t, fetch_line line) {
  ++messages.handled;
  fetched_line answer;
  answer.count = 0;
  for (unsigned i = 0; i < kTogether && line.each[i].element != 0; ++i) {
    const char* site = decode_site(i == 0 ? line.site : line.site + line.steps[i - 1]);
    answer.count += answers(t.rank(), line.each[i], site, answer.each[answer.count]);
  }
  if (answer.count == 0) return;
  ++messages.sent;
  reply<on_fetched_line>(std::move(t), answer);
}

// Of an index that packed_fetch has no room for.
void on_fetch_outside(tam_array a, tam_word index, std::int32_t site) {
  tam_word word;
  present(a, index, false, decode_site(site), word);
}

// For each rank: what waits here to share a line.
struct waiting_line {
  fetch_line line;
  unsigned count = 0;
  bool listed = false;  // in waiting_ranks: holds if count != 0
};
std::vector<waiting_line> lines;
std::vector<int> waiting_ranks;

template <auto F, class... A>
inline void post(int rank, const A&... a) {
  ++messages.sent;
  if (request<F>(rank, a...) != status::ok) stop("rank %d has died", rank);
}

void send_line(int rank, waiting_line& w) {
  const unsigned count = std::exchange(w.count, 0);
  if (count == 0) return;
  if (count == 1) return post<on_fetch>(rank, w.line.each[0], w.line.site);
  if (count < kTogether) w.line.each[count].element = 0;
  post<on_fetch_line>(rank, w.line);
}

void share_line(int rank, waiting_line& w, const packed_fetch& f, std::int32_t site) {
  const std::int64_t step = std::int64_t{site} - w.line.site;
  if (step != static_cast<std::int16_t>(step)) send_line(rank, w);
  if (w.count == 0)
    w.line.site = site;
  else
    w.line.steps[w.count - 1] = static_cast<std::int16_t>(step);
  w.line.each[w.count] = f;
  if (++w.count == kTogether) return send_line(rank, w);
  if (!std::exchange(w.listed, true)) waiting_ranks.push_back(rank);
}

}  // namespace

void open_remote_fetch() {
  lines.assign(static_cast<std::size_t>(here.ranks), {});
  waiting_ranks.clear();
}

void send_waiting_fetches() {
  for (const int rank : waiting_ranks) {
    waiting_line& w = lines[static_cast<std::size_t>(rank)];
    w.listed = false;
    send_line(rank, w);
  }
  waiting_ranks.clear();
}

void send_waiting_fetches_to(int rank) {
  if (static_cast<std::size_t>(rank) < lines.size())
    send_line(rank, lines[static_cast<std::size_t>(rank)]);
}

void fetch_far(tam_array a, tam_word index, tam_name reply, bool takes, const char* site) {
  if (!tam_is_own(reply)) [[unlikely]]
    return fetch_for(a, index, reply, takes, site);
  const int owner = tam_rank_of(a);
  const detail::peer* p = detail::current_engine->find(owner, 0);
  if (p == nullptr) stop("a message for rank %d of %d", owner, here.ranks);
  if (index >> (kIndexLowBits + kIndexHighBits) != 0) [[unlikely]]
    return post<on_fetch_outside>(owner, a, index, encode_site(site));
  const packed_fetch f{
      low_bits(a, kNameBits) / kAddressUnit << kIndexLowBits | low_bits(index, kIndexLowBits),
      low_bits(reply, kNameBits) | index >> kIndexLowBits << kNameBits | tam_word{takes} << 63};
  if (tam_is_near_array(a)) tam_here.awaits = 1;
  waiting_line& w = lines[static_cast<std::size_t>(owner)];
  if (p->answered == p->tail && w.count == 0)
    post<on_fetch>(owner, f, encode_site(site));
  else
    share_line(owner, w, f, encode_site(site));
}

}  // namespace ramjet::tam
