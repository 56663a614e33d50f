// SPDX-License-Identifier: Apache-2.0
#include "tools/model/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <unordered_map>

#include "tools/model/mailboxes.hpp"
#include "tools/model/meeting.hpp"

namespace loggp {
namespace {

constexpr std::uint64_t kStepsBetweenLooks = 1 << 16;

struct rank_state {
  double clock_ns = 0;
  double next_send_ns = 0;  // the gap after the last send is over
  operation now;
  std::uint32_t received = 0;   // of the partners of the exchange that `now` is
  bool is_under_way = false;    // `now` has begun and is not done
  bool is_waiting = false;      // for a message that is not sent yet: is in no queue
};

// A core of a node: whose turn it was last, and until when.
struct core {
  double free_ns = 0;
  std::uint32_t rank = ~std::uint32_t{0};
};

struct ready {
  double at_ns;
  std::uint32_t rank;
  bool operator>(const ready& other) const {
    return at_ns != other.at_ns ? at_ns > other.at_ns : rank > other.rank;
  }
};

class simulation {
 public:
  simulation(const machine& m, program& p, const simulation_options& options)
      : machine_(m),
        program_(p),
        options_(options),
        ranks_(options.ranks),
        states_(ranks_),
        mail_(ranks_),
        is_crowded_(m.is_crowded(ranks_)),
        turn_ns_(m.turn_ns(ranks_)) {
    if (is_crowded_) cores_.resize(std::size_t(m.node_of(ranks_ - 1) + 1) * m.cores);
  }

  outcome run();

 private:
  enum class state { goes_on, waits, ended };

  void make_ready(unsigned rank, double at_ns);
  void take_a_core(unsigned rank, double at_ns);
  void run_rank(unsigned rank);
  void leave_core();
  state step(unsigned rank);
  void check(unsigned rank, const operation& o) const;
  const message_costs& costs(unsigned a, unsigned b) const {
    return machine_.node_of(a) == machine_.node_of(b) ? machine_.near : machine_.far;
  }
  // A byte costs near_byte_ns if it stays on the node.
  void send(unsigned from, unsigned to, double messages, double bytes, double near_byte_ns,
            bool is_put = false);
  bool receive(unsigned rank, unsigned from);
  state exchange(unsigned rank);
  void put(unsigned rank);
  state join_all(unsigned rank);
  void finish_all(op_kind kind, double bytes);
  state join(unsigned rank);
  void release(unsigned rank, double at_ns);
  void look_up();
  [[noreturn]] void report_stuck() const;

  // Of the partners of an exchange: how many are looked at, and the distance of each.
  unsigned partners_of(const operation& o) const {
    return std::min(unsigned(std::ceil(o.partners)), partners_simulated(ranks_));
  }
  // On the same node: as many of them as of all other ranks.
  double near_partners(const operation& o) const {
    return o.partners * (machine_.on_node(ranks_) - 1) / std::max(1u, ranks_ - 1);
  }
  unsigned distance(unsigned which, unsigned partners) const {
    return 1 + unsigned((which + 0.5) * double(ranks_ - 1) / partners);
  }

  const machine& machine_;
  program& program_;
  const simulation_options& options_;
  const unsigned ranks_;
  std::vector<rank_state> states_;
  mailboxes mail_;
  const bool is_crowded_;
  const double turn_ns_;
  std::deque<std::uint32_t> queue_;  // where each rank has a core: in no order that matters
  std::priority_queue<ready, std::vector<ready>, std::greater<>> by_time_;  // where not
  std::vector<core> cores_;  // by node
  core* core_ = nullptr;     // of the rank that runs
  unsigned ended_ = 0, joined_ = 0;
  std::unordered_map<std::uint64_t, std::vector<unsigned>> meetings_;
  outcome out_;
};

void simulation::make_ready(unsigned rank, double at_ns) {
  if (is_crowded_)
    by_time_.push({at_ns, rank});
  else
    queue_.push_back(rank);
}

// The core that is free first; the one where the rank was last if that is no later.
void simulation::take_a_core(unsigned rank, double at_ns) {
  core* const first = &cores_[std::size_t(machine_.node_of(rank)) * machine_.cores];
  core* best = first;
  for (core* c = first; c != first + machine_.cores; ++c) {
    const bool is_its_own = c->rank == rank && c->free_ns <= std::max(best->free_ns, at_ns);
    if (is_its_own || (c->free_ns < best->free_ns && best->rank != rank)) best = c;
  }
  double begin_ns = std::max(at_ns, best->free_ns);
  if (best->rank != rank) {
    begin_ns += turn_ns_;
    out_.turns_ns += turn_ns_;
  }
  best->rank = rank;
  states_[rank].clock_ns = std::max(states_[rank].clock_ns, begin_ns);
  core_ = best;
}

void simulation::check(unsigned rank, const operation& o) const {
  const auto is_amount = [](double value) { return value >= 0 && value <= 1e18; };
  if (!is_amount(o.ns) || !is_amount(o.bytes) || !is_amount(o.messages) || !is_amount(o.partners))
    throw input_error(
        fmt::format("{}rank {} of {}: a time, size or number is negative or no number "
                    "({}, {}, {}, {})",
                    program_.place_of(rank), rank, ranks_, o.ns, o.bytes, o.messages, o.partners));
  if (o.peer >= ranks_)
    throw input_error(fmt::format("{}rank {} of {}: there is no rank {}", program_.place_of(rank),
                                  rank, ranks_, o.peer));
  if (o.kind != op_kind::meet && o.partners > ranks_ - 1)
    throw input_error(fmt::format("{}rank {} of {} exchanges with {} others",
                                  program_.place_of(rank), rank, ranks_, o.partners));
}

void simulation::send(unsigned from, unsigned to, double messages, double bytes,
                      double near_byte_ns, bool is_put) {
  rank_state& s = states_[from];
  const message_costs& c = costs(from, to);
  const bool is_near = &c == &machine_.near;
  const double stream = std::max(0.0, bytes - 1) * (is_near ? near_byte_ns : c.byte_ns);
  const double work = c.send_ns + (is_near ? stream : 0);  // the processor's, of a message
  const double apart = std::max(work, c.gap_ns) + (is_near ? 0 : stream);
  const double begin = std::max(s.clock_ns, s.next_send_ns);
  const double last = begin + std::max(0.0, messages - 1) * apart;
  const double part = std::min(1.0, messages);  // of one message, where they are less on average
  s.clock_ns = last + part * work;
  s.next_send_ns = last + part * apart;
  out_.overhead_ns += messages * work;
  out_.messages += messages;
  out_.bytes += messages * bytes;
  const double flight = c.send_ns + stream + c.latency_ns;
  if (is_put) {  // complete with its answer, if there is anybody to answer
    if (!is_near) s.clock_ns = std::max(s.clock_ns, last + flight + c.latency_ns);
    return;
  }
  mail_.add(to, from, {begin + flight, last + flight, messages, c.receive_ns});
  rank_state& other = states_[to];
  if (other.is_waiting && other.now.peer == from) {
    other.is_waiting = false;
    make_ready(to, std::max(other.clock_ns, last + flight));
  }
}

// False: the rank has to wait, and is in a queue if it is known until when.
bool simulation::receive(unsigned rank, unsigned from) {
  rank_state& s = states_[rank];
  const sent* const what = mail_.find(rank, from);
  if (what == nullptr) {
    s.now.peer = from;
    s.is_waiting = true;
    return false;
  }
  if (is_crowded_ && what->last_ns > s.clock_ns) {
    make_ready(rank, what->last_ns);
    return false;
  }
  const double work = what->messages * what->receive_ns;
  s.clock_ns = std::max(std::max(s.clock_ns, what->first_ns) + work,
                        what->last_ns + std::min(1.0, what->messages) * what->receive_ns);
  out_.overhead_ns += work;
  mail_.take(rank, from);
  return true;
}

simulation::state simulation::exchange(unsigned rank) {
  rank_state& s = states_[rank];
  const unsigned count = partners_of(s.now);
  const double messages = count == 0 ? 0 : s.now.messages * s.now.partners / count;
  if (!s.is_under_way) {
    const double near_byte_ns = machine_.near_byte_ns(1 + near_partners(s.now));
    for (unsigned i = 0; i < count; ++i)
      send(rank, unsigned((std::uint64_t{rank} + distance(i, count)) % ranks_), messages,
           s.now.bytes, near_byte_ns);
    s.received = 0;
    s.is_under_way = true;
  }
  for (; s.received < count; ++s.received) {
    const unsigned apart = distance(s.received, count);
    if (!receive(rank, rank >= apart ? rank - apart : rank + ranks_ - apart)) return state::waits;
  }
  return state::goes_on;
}

void simulation::put(unsigned rank) {
  rank_state& s = states_[rank];
  const unsigned count = partners_of(s.now);
  const double messages = count == 0 ? 0 : s.now.messages * s.now.partners / count;
  for (unsigned i = 0; i < count; ++i)
    send(rank, unsigned((std::uint64_t{rank} + distance(i, count)) % ranks_), messages, s.now.bytes,
         machine_.near.byte_ns, true);
}

void simulation::release(unsigned rank, double at_ns) {
  rank_state& s = states_[rank];
  s.clock_ns = at_ns;
  s.is_under_way = false;
  make_ready(rank, at_ns);
}

simulation::state simulation::join_all(unsigned rank) {
  states_[rank].is_under_way = true;
  if (++joined_ < ranks_) return state::waits;
  const operation& first = states_[0].now;
  for (const rank_state& s : states_)
    if (s.now.kind != first.kind || s.now.bytes != first.bytes)
      throw stuck("ranks come to different collectives, or with different sizes");
  finish_all(first.kind, first.bytes);
  return state::waits;
}

void simulation::finish_all(op_kind kind, double bytes) {
  joined_ = 0;
  std::vector<double> times(ranks_);
  for (unsigned i = 0; i < ranks_; ++i) times[i] = states_[i].clock_ns;
  leave_core();
  if (kind == op_kind::broadcast)
    out_.overhead_ns += broadcast(machine_, bytes, times);
  else
    out_.overhead_ns += ranks_ * meet_all(machine_, kind == op_kind::barrier ? 0 : bytes, times);
  for (unsigned i = 0; i < ranks_; ++i) release(i, times[i]);
}

// Those of a trace: some ranks, which meet by as many rounds as their number wants.
simulation::state simulation::join(unsigned rank) {
  rank_state& s = states_[rank];
  s.is_under_way = true;
  std::vector<unsigned>& members = meetings_[s.now.call];
  members.push_back(rank);
  if (double(members.size()) < s.now.partners) return state::waits;
  leave_core();
  std::vector<double> times;
  for (const unsigned member : members) times.push_back(states_[member].clock_ns);
  machine of_team = machine_;
  const bool is_near = machine_.node_of(members.front()) == machine_.node_of(members.back());
  of_team.ranks_per_node = is_near ? 0 : 1;
  out_.overhead_ns += double(members.size()) * meet_all(of_team, s.now.bytes, times);
  const std::vector<unsigned> all = std::move(members);
  meetings_.erase(s.now.call);
  for (std::size_t i = 0; i < all.size(); ++i) release(all[i], times[i]);
  return state::waits;
}

simulation::state simulation::step(unsigned rank) {
  rank_state& s = states_[rank];
  if (!s.is_under_way) {
    s.now = program_.next(rank);
    check(rank, s.now);
    if (++out_.steps % kStepsBetweenLooks == 0) look_up();
  }
  state after = state::goes_on;
  switch (s.now.kind) {
    case op_kind::compute:
      s.clock_ns += s.now.ns;
      out_.compute_ns += s.now.ns;
      break;
    case op_kind::send:
      send(rank, s.now.peer, s.now.messages, s.now.bytes, machine_.near.byte_ns);
      break;
    case op_kind::receive:
      s.is_under_way = true;
      if (!receive(rank, s.now.peer)) return state::waits;
      break;
    case op_kind::exchange:
      after = exchange(rank);
      break;
    case op_kind::put:
      put(rank);
      break;
    case op_kind::barrier:
    case op_kind::broadcast:
    case op_kind::reduce:
      return join_all(rank);
    case op_kind::meet:
      return join(rank);
    case op_kind::end:
      ++ended_;
      out_.time_ns = std::max(out_.time_ns, s.clock_ns);
      return state::ended;
  }
  if (after == state::goes_on) s.is_under_way = false;
  return after;
}

void simulation::run_rank(unsigned rank) {
  while (step(rank) == state::goes_on) {
  }
  leave_core();
}

// The running rank has come to a wait, or to its end.
void simulation::leave_core() {
  if (core_ != nullptr) core_->free_ns = states_[core_->rank].clock_ns;
  core_ = nullptr;
}

void simulation::look_up() {
  if (options_.progress && !options_.progress(double(ended_) / ranks_, out_.steps))
    throw interrupted();
}

void simulation::report_stuck() const {
  for (unsigned i = 0; i < ranks_; ++i) {
    const rank_state& s = states_[i];
    if (s.is_waiting)
      throw stuck(
          fmt::format("rank {} waits for a message of rank {} that nobody sends", i, s.now.peer));
  }
  throw stuck("some ranks come to a collective, and others end without it");
}

outcome simulation::run() {
  for (unsigned i = 0; i < ranks_; ++i) make_ready(i, 0);
  while (!queue_.empty() || !by_time_.empty()) {
    if (is_crowded_) {
      const ready next = by_time_.top();
      by_time_.pop();
      take_a_core(next.rank, next.at_ns);
      run_rank(next.rank);
    } else {
      const unsigned next = queue_.front();
      queue_.pop_front();
      run_rank(next);
    }
  }
  if (ended_ < ranks_) report_stuck();
  return out_;
}

}  // namespace

unsigned partners_simulated(unsigned ranks) {
  if (ranks <= 1) return 0;
  return std::min(ranks - 1, ranks <= 4096 ? 64u : ranks <= 65536 ? 16u : 4u);
}

outcome simulate(const machine& m, program& p, const simulation_options& options) {
  if (options.ranks == 0 || options.ranks > kRanksMax)
    throw input_error(fmt::format("{} ranks: a job has from 1 to {}", options.ranks, kRanksMax));
  return simulation(m, p, options).run();
}

}  // namespace loggp
