// SPDX-License-Identifier: Apache-2.0
#include "model_trace.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tools {

using loggp::op_kind;
using loggp::operation;
using traces::job_trace;
using traces::kNoEnd;
using traces::trace_event;
using traces::trace_kind;

namespace {
constexpr const char* kOwnNames = "ramjet::";  // of handlers that are the library's
}

// Reads the events of one rank after the other, in order of time.
class trace_reading {
 public:
  trace_reading(const job_trace& job, const loggp::machine& m, traced_program& out)
      : job_(job), machine_(m), out_(out) {}
  void read();

 private:
  // A stretch in which the rank waited for others, with what is inside it.
  struct pause {
    std::uint64_t begin_ns = 0, end_ns = 0;
    const trace_event* event = nullptr;
    bool is_meeting = false;
  };
  // A message that leaves, or comes, at this time.
  struct transfer {
    std::uint64_t at_ns = 0, end_ns = 0;
    const trace_event* event = nullptr;
    bool is_received = false;
  };

  void sort_events();
  void find_pauses();
  void choose_messages();
  const pause* pause_at(unsigned rank, std::uint64_t ns) const;
  bool is_behind(const trace_event& handler, const pause& inside, unsigned sender,
                 std::uint64_t sent_ns) const;
  void write_rank(unsigned rank);
  void write_pause(unsigned rank, const pause& p, std::uint64_t from_ns);
  void work(unsigned rank, std::uint64_t until_ns);
  void add_transfer(unsigned rank, const transfer& t);
  std::uint64_t end_of(const trace_event& e) const {
    return e.end_ns == kNoEnd ? last_ns_ : e.end_ns;
  }
  const loggp::message_costs& costs(unsigned a, unsigned b) const {
    return machine_.node_of(a) == machine_.node_of(b) ? machine_.near : machine_.far;
  }
  std::uint64_t call_of(const trace_event& e) const { return e.call << 8 | e.endpoint; }

  const job_trace& job_;
  const loggp::machine& machine_;
  traced_program& out_;
  std::uint64_t first_ns_ = kNoEnd, last_ns_ = 0;
  std::vector<std::vector<pause>> pauses_;        // by rank, in order, apart from each other
  std::vector<std::vector<transfer>> transfers_;  // by rank, in order
  std::map<std::uint64_t, std::set<unsigned>> members_;  // of calls
  std::map<std::pair<std::uint64_t, unsigned>, std::uint64_t> left_;  // call and rank: until when
  std::uint64_t now_ns_ = 0;  // of the rank that is written: until when it is
  double taken_out_ns_ = 0;  // overhead that the next work is shorter by
};

void trace_reading::sort_events() {
  for (const trace_event& e : job_.events) {
    first_ns_ = std::min(first_ns_, e.begin_ns);
    last_ns_ = std::max(last_ns_, e.end_ns == kNoEnd ? e.begin_ns : e.end_ns);
  }
  if (first_ns_ > last_ns_) first_ns_ = last_ns_;
  out_.traced_ns_ = double(last_ns_ - first_ns_);
}

void trace_reading::find_pauses() {
  pauses_.resize(job_.ranks);
  for (const trace_event& e : job_.events) {
    const bool is_meeting = e.kind == trace_kind::collective && e.call != 0;
    if (e.is_inner || (e.kind != trace_kind::wait && !is_meeting)) continue;
    pauses_[e.rank].push_back({e.begin_ns, end_of(e), &e, is_meeting});
  }
  for (std::vector<pause>& all : pauses_) {  // the outermost ones; meetings before their waits
    std::stable_sort(all.begin(), all.end(), [](const pause& a, const pause& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    std::vector<pause> outer;
    for (const pause& p : all)
      if (outer.empty() || p.begin_ns >= outer.back().end_ns) outer.push_back(p);
    all = std::move(outer);
    for (const pause& p : all)
      if (p.is_meeting) {
        members_[call_of(*p.event)].insert(p.event->rank);
        left_[{call_of(*p.event), p.event->rank}] = p.end_ns;
      }
  }
}

const trace_reading::pause* trace_reading::pause_at(unsigned rank, std::uint64_t ns) const {
  const std::vector<pause>& all = pauses_[rank];
  const auto after = std::upper_bound(all.begin(), all.end(), ns,
                                      [](auto at, const pause& p) { return at < p.begin_ns; });
  if (after == all.begin() || (after - 1)->end_ns < ns) return nullptr;
  return &*(after - 1);
}

// A message that a rank handles in a collective may have been sent by one that has left it already:
// it is received behind the collective.
bool trace_reading::is_behind(const trace_event& handler, const pause& inside, unsigned sender,
                              std::uint64_t sent_ns) const {
  if (!inside.is_meeting || handler.end_of_flow == 0) return false;
  const auto left = left_.find({call_of(*inside.event), sender});
  return left != left_.end() && sent_ns >= left->second;
}

// Those whose handler runs in a wait or a collective, and that are not a collective's own.
void trace_reading::choose_messages() {
  transfers_.resize(job_.ranks);
  std::unordered_map<std::uint64_t, const trace_event*> senders;
  for (const trace_event& e : job_.events)
    if (e.flow != 0) senders[e.flow] = &e;
  const auto sender_of = [&](const trace_event& e) -> const trace_event* {
    const auto found = e.end_of_flow == 0 ? senders.end() : senders.find(e.end_of_flow);
    return found == senders.end() ? nullptr : found->second;
  };
  // When the message of this handler is received.
  const auto place_of = [&](const trace_event& e, const pause& inside) {
    const trace_event* const from = sender_of(e);
    const bool is_late = from != nullptr && is_behind(e, inside, from->rank, from->begin_ns);
    return is_late ? inside.end_ns : e.begin_ns;
  };
  for (const trace_event& e : job_.events) {
    const trace_event* const from = sender_of(e);
    const pause* const inside = pause_at(e.rank, e.begin_ns);
    if (from == nullptr || from->rank == e.rank || inside == nullptr) continue;
    const pause* const around = pause_at(from->rank, from->begin_ns);
    const bool in_meeting = inside->is_meeting || (around != nullptr && around->is_meeting);
    if (in_meeting && job_.names[e.name].starts_with(kOwnNames)) continue;
    std::uint64_t sent_ns = from->begin_ns;
    if (from->kind != trace_kind::send)  // a handler that has replied
      sent_ns = (around == nullptr ? from->begin_ns : place_of(*from, *around)) +
                (end_of(*from) - from->begin_ns);
    const std::uint64_t place_ns = place_of(e, *inside);
    transfers_[from->rank].push_back({sent_ns, sent_ns, &e, false});
    transfers_[e.rank].push_back({place_ns, place_ns + (end_of(e) - e.begin_ns), from, true});
    ++out_.messages_;
  }
  for (std::vector<transfer>& all : transfers_)
    std::stable_sort(all.begin(), all.end(),
                     [](const transfer& a, const transfer& b) { return a.at_ns < b.at_ns; });
}

void trace_reading::work(unsigned rank, std::uint64_t until_ns) {
  if (until_ns <= now_ns_) return;
  const double ns = double(until_ns - now_ns_);
  operation o;
  o.kind = op_kind::compute;
  o.ns = std::max(0.0, ns - taken_out_ns_);
  taken_out_ns_ = std::max(0.0, taken_out_ns_ - ns);
  out_.operations_[rank].push_back(o);
  now_ns_ = until_ns;
}

void trace_reading::add_transfer(unsigned rank, const transfer& t) {
  operation o;
  o.kind = t.is_received ? op_kind::receive : op_kind::send;
  o.peer = t.event->rank;
  o.bytes = double(t.event->bytes);
  out_.operations_[rank].push_back(o);
  const loggp::message_costs& c = costs(rank, t.event->rank);
  taken_out_ns_ += t.is_received ? c.receive_ns : c.send_ns;
}

// A wait takes until what came in it has come again; what it lasted after the last of that stays.
void trace_reading::write_pause(unsigned rank, const pause& p, std::uint64_t from_ns) {
  if (!p.is_meeting) {
    const std::uint64_t until_ns = std::max(p.end_ns, now_ns_);
    out_.unexplained_ns_ += double(until_ns - std::max(now_ns_, from_ns));
    return work(rank, until_ns);
  }
  const std::size_t members = members_[call_of(*p.event)].size();
  operation o;
  o.kind = op_kind::meet;
  o.call = call_of(*p.event);
  o.partners = double(members);
  out_.operations_[rank].push_back(o);
  now_ns_ = std::max(now_ns_, p.end_ns);
}

void trace_reading::write_rank(unsigned rank) {
  now_ns_ = first_ns_;
  taken_out_ns_ = 0;
  const std::vector<transfer>& transfers = transfers_[rank];
  std::size_t at = 0;
  const auto transfers_until = [&](std::uint64_t ns) {
    for (; at < transfers.size() && transfers[at].at_ns <= ns; ++at) {
      const transfer& t = transfers[at];
      if (t.is_received)
        now_ns_ = std::max(now_ns_, t.at_ns);  // it was waited for
      else
        work(rank, t.at_ns);
      add_transfer(rank, t);
      if (t.is_received) work(rank, t.end_ns);
    }
  };
  for (const pause& p : pauses_[rank]) {
    transfers_until(p.begin_ns);
    work(rank, p.begin_ns);
    transfers_until(p.end_ns - (p.is_meeting ? 1 : 0));
    write_pause(rank, p, p.begin_ns);
  }
  transfers_until(last_ns_);
  std::uint64_t end_ns = now_ns_;
  for (const trace_event& e : job_.events)
    if (e.rank == rank) end_ns = std::max(end_ns, e.end_ns == kNoEnd ? e.begin_ns : e.end_ns);
  work(rank, end_ns);
}

void trace_reading::read() {
  sort_events();
  find_pauses();
  choose_messages();
  out_.operations_.resize(job_.ranks);
  out_.places_.resize(job_.ranks);
  for (unsigned rank = 0; rank < job_.ranks; ++rank) write_rank(rank);
}

traced_program::traced_program(const job_trace& job, const loggp::machine& m) {
  trace_reading(job, m, *this).read();
}

operation traced_program::next(unsigned rank) {
  std::size_t& place = places_[rank];
  return place < operations_[rank].size() ? operations_[rank][place++] : operation{};
}

}  // namespace tools
