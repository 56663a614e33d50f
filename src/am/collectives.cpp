// SPDX-License-Identifier: Apache-2.0
// Barrier, broadcast, reduction, gather and quiesce, over Active Messages like everything else.
// Ranks on one node that outnumber its processors meet at a shared counter instead.
#include "ramjet/collectives.hpp"

#include <algorithm>
#include <cstring>

#include "am/engine_parts.hpp"
#include "am/runtime.hpp"
#include "channel/bell.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"

namespace ramjet {

namespace {

using detail::collective_state;
using detail::engine;
using detail::waiting;

engine& self() {
  engine& e = *detail::current_engine;
  RAMJET_CHECK(e.ranks() != 0, "a collective outside a job: ramjet::init comes first");
  RAMJET_CHECK(!e.in_handler(), "a handler may not enter a collective");
  return e;
}
collective_state& collective_of(engine& e) { return e.parts().collectives; }

// Names the collective that the program called, for as long as it lasts: what it is made of is no
// news to somebody who asks why the job hangs. A wait for room inside it ends with any death.
class in_collective {
 public:
  in_collective(engine& e, const char* name) : state_(collective_of(e)), outer_(state_.name) {
    if (outer_ == nullptr) state_.name = name;
  }
  in_collective(const in_collective&) = delete;
  in_collective& operator=(const in_collective&) = delete;
  ~in_collective() { state_.name = outer_; }

 private:
  collective_state& state_;
  const char* outer_;
};

waiting wait_in_collective(engine& e, int target) {
  return {.name = collective_of(e).name, .target = target, .messages_only = true};
}

address same_endpoint(engine& e, int rank) { return {rank, e.endpoint()}; }

// --- Barrier ------------------------------------------------------------------------------------

void on_notify(std::uint32_t round) {
  collective_state& c = collective_of(*detail::current_engine);
  RAMJET_CHECK(round < collective_state::kRoundsMax, "a barrier message of no known round");
  ++c.notified[round];
  ++c.own_handled;
}

// Round k: tell rank + 2^k, hear from rank - 2^k.
status dissemination_barrier(engine& e) {
  collective_state& c = collective_of(e);
  ++c.barriers;
  const int n = e.ranks();
  for (unsigned k = 0; (1 << k) < n; ++k) {
    ++c.own_sent;
    const int to = (e.rank() + (1 << k)) % n;
    if (status s = request<on_notify>(same_endpoint(e, to), k); s != status::ok) return s;
    waiting w = wait_in_collective(e, (e.rank() - (1 << k) + n) % n);
    if (status s = e.wait(w, [&] { return c.notified[k] >= c.barriers; }); s != status::ok)
      return s;
  }
  return status::ok;
}

// The last to arrive lets everyone go. Ranks sleep, so the cost is one turn of the processors.
status counter_barrier(engine& e) {
  const job::membership& m = job::self();
  auto& line = reinterpret_cast<job::barrier_line*>(m.at(m.layout.barriers_offset))[e.endpoint()];
  const std::uint32_t generation = line.generation.load(std::memory_order_relaxed);
  if (line.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == m.ranks) {  // pairs: am.arrived
    line.arrived.store(0, std::memory_order_relaxed);
    line.generation.store(generation + 1, std::memory_order_release);  // pairs: job.barrier
    std::atomic_thread_fence(std::memory_order_seq_cst);  // before the look at who sleeps
    for (int r = 0; r < e.ranks(); ++r) channel::wake(*e.find(r, e.endpoint())->out_lane.receiver);
    return status::ok;
  }
  waiting w = wait_in_collective(e, -1);
  return e.wait(w, [&] {
    return line.generation.load(std::memory_order_acquire) != generation;  // pairs: job.barrier
  });
}

// --- Pieces: bytes from one rank to another, within one collective ------------------------------

void on_piece(request_token t, std::uint64_t sequence, std::uint64_t bytes_total, payload p) {
  collective_state& c = collective_of(*detail::current_engine);
  ++c.own_handled;
  const int from = t.rank();
  auto it = std::find_if(c.inbox.begin(), c.inbox.end(), [&](const collective_state::piece& i) {
    return i.sequence == sequence && i.from == from && i.bytes.size() < i.bytes_total;
  });
  if (it == c.inbox.end()) it = c.inbox.insert(it, {sequence, from, bytes_total, {}});
  RAMJET_CHECK(it->bytes_total == bytes_total && bytes_total - it->bytes.size() >= p.count,
               "ranks disagree about a collective's length");
  it->bytes.insert(it->bytes.end(), p.bytes, p.bytes + p.count);
}

status send_piece(engine& e, int to, const void* data, std::size_t bytes) {
  collective_state& c = collective_of(e);
  const auto* from = static_cast<const std::byte*>(data);
  for (std::size_t at = 0; at == 0 || at < bytes; at += medium_bytes_max) {
    ++c.own_sent;
    const status s = request_medium<on_piece>(
        same_endpoint(e, to), from + at, std::min(bytes - at, medium_bytes_max), c.sequence, bytes);
    if (s != status::ok) return s;
  }
  return status::ok;
}

status receive_piece(engine& e, int from, void* into, std::size_t bytes) {
  collective_state& c = collective_of(e);
  auto it = c.inbox.end();
  waiting w = wait_in_collective(e, from);
  const status s = e.wait(w, [&] {
    it = std::find_if(c.inbox.begin(), c.inbox.end(), [&](const collective_state::piece& i) {
      return i.sequence == c.sequence && i.from == from && i.bytes.size() == i.bytes_total;
    });
    return it != c.inbox.end();
  });
  if (s != status::ok) return s;
  RAMJET_CHECK(it->bytes_total == bytes, "ranks disagree about a collective's length");
  if (bytes != 0) std::memcpy(into, it->bytes.data(), bytes);
  c.inbox.erase(it);
  return status::ok;
}

// Binomial tree over ranks numbered from the root: parent first, then the farthest child.
status broadcast_tree(engine& e, void* data, std::size_t bytes, int root) {
  const int n = e.ranks();
  const int me = (e.rank() - root + n) % n;
  int reach = 1;
  while (reach < n) reach *= 2;
  const int mine = me == 0 ? reach : me & -me;
  if (me != 0)
    if (status s = receive_piece(e, (me - mine + root) % n, data, bytes); s != status::ok) return s;
  for (int step = mine / 2; step > 0; step /= 2) {
    if (me + step >= n) continue;
    if (status s = send_piece(e, (me + step + root) % n, data, bytes); s != status::ok) return s;
  }
  return status::ok;
}

// The same tree towards rank 0. A rank holds the ranks from itself on, so the order is kept.
status reduce_tree(engine& e, void* data, std::size_t bytes, detail::combine_function combine,
                   void* context) {
  const int n = e.ranks(), me = e.rank();
  std::vector<std::byte> other(bytes);
  for (int step = 1; step < n; step *= 2) {
    if (me & step) return send_piece(e, me - step, data, bytes);
    if (me + step >= n) continue;
    if (status s = receive_piece(e, me + step, other.data(), bytes); s != status::ok) return s;
    combine(context, data, other.data());
  }
  return status::ok;
}

struct traffic {
  std::uint64_t sent, handled;
  friend bool operator==(const traffic&, const traffic&) = default;
};

traffic count_traffic(engine& e) {
  traffic t{0, 0};
  for (int r = 0; r < e.ranks(); ++r) {  // other indices quiesce by themselves
    const detail::pair_counters& c = *e.find(r, e.endpoint())->count;
    t.sent += c.requests_sent.load(std::memory_order_relaxed) +
              c.replies_sent.load(std::memory_order_relaxed) +
              c.chained.load(std::memory_order_relaxed);
    t.handled += c.requests_handled.load(std::memory_order_relaxed) +
                 c.replies_handled.load(std::memory_order_relaxed);
  }
  const collective_state& c = collective_of(e);
  return {t.sent - c.own_sent, t.handled - c.own_handled};
}

}  // namespace

status barrier() { return detail::barrier_of("barrier"); }

status detail::barrier_of(const char* name) {
  engine& e = self();
  const in_collective called(e, name);
  if (e.failures() != 0) return status::peer_failed;
  return job::self().oversubscribed ? counter_barrier(e) : dissemination_barrier(e);
}

status detail::broadcast_bytes(void* data, std::size_t bytes, int root) {
  engine& e = self();
  const in_collective called(e, "broadcast");
  RAMJET_CHECK(root >= 0 && root < e.ranks(), "broadcast: the root is no rank of the job");
  if (e.failures() != 0) return status::peer_failed;
  ++collective_of(e).sequence;
  return broadcast_tree(e, data, bytes, root);
}

status detail::all_reduce_bytes(void* data, std::size_t bytes, combine_function combine,
                                void* context) {
  engine& e = self();
  const in_collective called(e, "all_reduce");
  if (e.failures() != 0) return status::peer_failed;
  ++collective_of(e).sequence;
  if (status s = reduce_tree(e, data, bytes, combine, context); s != status::ok) return s;
  return broadcast_tree(e, data, bytes, 0);
}

status detail::gather_bytes(const void* mine, std::size_t bytes, void* all, int root) {
  engine& e = self();
  const in_collective called(e, "gather");
  RAMJET_CHECK(root >= 0 && root < e.ranks(), "gather: the root is no rank of the job");
  if (e.failures() != 0) return status::peer_failed;
  ++collective_of(e).sequence;
  if (e.rank() != root) return send_piece(e, root, mine, bytes);
  for (int r = 0; r < e.ranks(); ++r) {
    std::byte* to = static_cast<std::byte*>(all) + std::size_t(r) * bytes;
    if (r == root) {
      std::memcpy(to, mine, bytes);
    } else if (status s = receive_piece(e, r, to, bytes); s != status::ok) {
      return s;
    }
  }
  return status::ok;
}

// Nothing is in flight once two sums in a row, taken one after the other, both say that as much was
// handled as was sent, and the same: the four-counter argument. A chained message counts as sent
// when it is queued.
status quiesce() {
  engine& e = self();
  const in_collective called(e, "quiesce");
  traffic before{~std::uint64_t{0}, 0};
  for (;;) {
    while (e.poll() != 0) {
    }
    traffic now = count_traffic(e);
    const auto add = [](traffic a, traffic b) {
      return traffic{a.sent + b.sent, a.handled + b.handled};
    };
    if (status s = all_reduce(now, add); s != status::ok) return s;
    if (now.sent == now.handled && now == before) return status::ok;
    before = now;
  }
}

// The last collective of a rank. Ends early if somebody died: nobody is left to wait for.
void detail::leave_together() {
  engine& e = self();
  const in_collective called(e, "finalize");
  if (quiesce() == status::ok) static_cast<void>(barrier());
}

}  // namespace ramjet
