// SPDX-License-Identifier: Apache-2.0
// Agendas. Four messages, all without replies, as the master may have nothing to hand out just now:
//
//   enter(threads)        slave -> master   this rank has come; each of its threads wants a piece
//   done(thread)          slave -> master   its piece is done, and it wants another
//   give(thread, piece)   master -> slave
//   over(outcome)         master -> slave   all items are done, or nobody can do them
//
// Agendas are numbered as they begin, alike in all ranks. A rank may enter one that has not begun
// at the master, which then keeps the message for later, or one that is over there.
//
// All state belongs to the main thread's endpoint: handlers and threads of its worker take turns.
#include "ramjet/agenda.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <vector>

#include "job/join.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/base/check.hpp"
#include "ramjet/job.hpp"
#include "ramjet/ult/scheduler.hpp"
#include "ramjet/ult/semaphore.hpp"
#include "ramjet/ult/thread.hpp"

namespace ramjet::detail {

namespace {

// Items [first, last), first <= last; no item if they are equal.
struct piece {
  std::uint64_t first = 0, last = 0;
  std::uint64_t count() const noexcept { return last - first; }
};

// -- What every rank has -------------------------------------------------------------------------

// What a thread was given. A unit of `called` for every piece, and one for the end.
struct seat {
  piece given;
  ult::semaphore called{0};
};

// This rank in an agenda.
struct attendance {
  attendance(std::uint64_t n, unsigned threads) : number(n), seats(threads) {}

  const std::uint64_t number;
  std::vector<seat> seats;
  bool over = false;
  status outcome = status::ok;  // once it is over
  std::exception_ptr failure;  // what the work threw first here

  void end(status s) {
    if (over) return;
    over = true;
    outcome = s;
    for (seat& each : seats) each.called.release();
  }
};

std::uint64_t begun = 0;  // agendas that this rank has begun; the number of the latest
attendance* here = nullptr;  // while it is in one

void on_give(std::uint64_t number, std::uint32_t thread, std::uint64_t first, std::uint64_t last) {
  if (here == nullptr || here->number != number)
    return;  // the master is lost; it had sent this before
  RAMJET_CHECK(thread < here->seats.size() && first <= last,
               "run_agenda: an agenda's message is damaged");
  here->seats[thread].given = {first, last};
  here->seats[thread].called.release();
}

void on_over(std::uint64_t number, status outcome) {
  if (here != nullptr && here->number == number) here->end(outcome);
}

// -- What the master keeps -----------------------------------------------------------------------

struct entry {
  int rank;
  std::uint64_t number, count;
  std::uint32_t threads;
};

class bag {
 public:
  bag(std::uint64_t number, std::uint64_t count, std::uint64_t granularity)
      : number_(number), count_(count), granularity_(granularity), ranks_(std::size_t(size())) {}

  std::uint64_t number() const noexcept { return number_; }
  std::uint64_t items_done() const noexcept { return done_; }

  void enter(const entry& e) {
    RAMJET_CHECK(e.count == count_, "run_agenda: the ranks do not agree on the number of items");
    member& m = ranks_[std::size_t(e.rank)];
    if (m.lost) return;
    m.entered = true;
    m.held.resize(e.threads);
    if (over_) return send_end(e.rank);
    for (std::uint32_t thread = 0; thread < e.threads; ++thread) serve({e.rank, thread});
    end_if_due();
  }

  void take_back_done(int rank, std::uint32_t thread) {
    member& m = ranks_[std::size_t(rank)];
    if (m.lost || over_) return;  // its piece has gone to somebody else
    RAMJET_CHECK(thread < m.held.size(), "run_agenda: an agenda's message is damaged");
    done_ += m.held[thread].count();
    m.held[thread] = {};
    serve({rank, thread});
    end_if_due();
  }

  // Whether a rank has died, or left after a death, and is not noted.
  bool misses_somebody() const {
    if (last_failure().rank < 0) return false;
    for (int r = 0; r < size(); ++r)
      if (!ranks_[std::size_t(r)].lost && is_gone(r)) return true;
    return false;
  }
  // What ranks held that are gone goes to others.
  void note_the_gone() {
    for (int r = 0; r < size(); ++r) {
      member& m = ranks_[std::size_t(r)];
      if (m.lost || !is_gone(r)) continue;
      m.lost = true;
      for (const piece& p : m.held)
        if (p.count() != 0) returned_.push_back(p);
      m.held.clear();
      std::erase_if(waiting_, [r](const asker& a) { return a.rank == r; });
    }
    for (std::size_t left = waiting_.size(); left != 0 && has_work(); --left) {
      const asker next = waiting_.front();
      waiting_.pop_front();
      serve(next);
    }
    end_if_due();
  }

 private:
  struct asker {
    int rank;
    std::uint32_t thread;
  };
  struct member {
    bool entered = false, lost = false;
    std::vector<piece> held;  // by thread: given, and not done
  };

  static bool is_gone(int rank) noexcept { return !alive(rank) || job::has_left(unsigned(rank)); }
  bool has_work() const noexcept { return !returned_.empty() || next_ != count_; }
  piece take() {
    if (!returned_.empty()) {
      const piece p = returned_.back();
      returned_.pop_back();
      return p;
    }
    const std::uint64_t first = next_;
    next_ += std::min(granularity_, count_ - next_);
    return {first, next_};
  }

  void serve(const asker& a) {
    if (!has_work()) return waiting_.push_back(a);
    const piece p = ranks_[std::size_t(a.rank)].held[a.thread] = take();
    // To a rank that is dead: note_the_gone takes it back.
    static_cast<void>(chain<on_give>(a.rank, number_, a.thread, p.first, p.last));
  }

  bool somebody_works() const {
    return std::any_of(ranks_.begin(), ranks_.end(),
                       [](const member& m) { return !m.lost && (!m.entered || !m.held.empty()); });
  }
  void end_if_due() {
    if (over_) return;
    if (done_ != count_) {
      if (somebody_works()) return;
      const bool died =
          std::any_of(ranks_.begin(), ranks_.end(), [](const member& m) { return m.lost; });
      RAMJET_CHECK(died, "run_agenda: no rank does any work: the concurrency is 0 everywhere");
      outcome_ = status::peer_failed;
    }
    over_ = true;
    for (int r = 0; r < size(); ++r)
      if (ranks_[std::size_t(r)].entered && !ranks_[std::size_t(r)].lost) send_end(r);
  }
  void send_end(int rank) { static_cast<void>(chain<on_over>(rank, number_, outcome_)); }

  const std::uint64_t number_, count_, granularity_;
  std::uint64_t next_ = 0;  // items from here on were never handed out
  std::uint64_t done_ = 0;  // done_ + held + returned_ + (count_ - next_) == count_
  bool over_ = false;
  status outcome_ = status::ok;
  std::vector<member> ranks_;
  std::vector<piece> returned_;  // of ranks that died
  std::deque<asker> waiting_;  // while there is no work in the bag
};

std::optional<bag> kept;  // of the latest agenda, if this rank is its master
std::vector<entry> early;  // in agendas that have not begun here

void enter(const entry& e) {
  if (e.number > begun) {
    early.push_back(e);
  } else if (e.number < begun) {
    static_cast<void>(chain<on_over>(e.rank, e.number, status::ok));
  } else {
    RAMJET_CHECK(kept.has_value(), "run_agenda: the ranks do not agree on the master");
    kept->enter(e);
  }
}
void on_enter(request_token t, std::uint64_t number, std::uint64_t count, std::uint32_t threads) {
  enter({t.rank(), number, count, threads});
}
void on_done(request_token t, std::uint64_t number, std::uint32_t thread) {
  if (kept.has_value() && kept->number() == number) kept->take_back_done(t.rank(), thread);
}

void open_bag(std::uint64_t count, std::uint64_t granularity) {
  kept.emplace(begun, count, granularity);
  const auto later = std::stable_partition(early.begin(), early.end(),
                                           [](const entry& e) { return e.number == begun; });
  const std::vector<entry> come(early.begin(), later);
  early.erase(early.begin(), later);
  for (const entry& e : come) kept->enter(e);
}

// -- Taking part ---------------------------------------------------------------------------------

// Calls f; keeps what it throws, if it is the first.
template <class F>
void keep_failure(attendance& a, F&& f) {
  try {
    f();
  } catch (...) {
    if (a.failure == nullptr) a.failure = std::current_exception();
  }
}

// What a thread does. It polls after every piece: a rank that asks meanwhile need not wait for the
// next.
void work_at(attendance& a, std::uint32_t thread, int master, const agenda_work& work) {
  seat& mine = a.seats[thread];
  for (;;) {
    mine.called.acquire();
    if (a.over) return;
    keep_failure(a, [&] { work.run(work.context, mine.given.first, mine.given.last); });
    static_cast<void>(request<on_done>(master, a.number, thread));  // a dead master ends it all
    poll();
  }
}

// At the master, until the agenda is over: takes back what ranks held that are gone, and shows
// progress.
void serve_agenda(attendance& a, std::uint64_t count, const agenda_options& o) {
  std::uint64_t shown = 0;
  const auto has_progress = [&] { return o.progress && kept->items_done() != shown; };
  const auto show_progress = [&] {
    shown = kept->items_done();
    keep_failure(a, [&] { o.progress(shown, count); });
  };
  // Another thread's wait may be the one that a death ends.
  const auto has_news = [&] { return a.over || has_progress() || kept->misses_somebody(); };
  while (!a.over) {
    waiting w{.name = "agenda"};
    static_cast<void>(current_engine->wait(w, has_news));
    if (has_progress()) show_progress();
    if (kept->misses_somebody()) kept->note_the_gone();
  }
  if (has_progress() || (o.progress && count == 0)) show_progress();
}

// Elsewhere: until it is over, or the master gone.
void follow(attendance& a, int master) {
  waiting w{.name = "agenda", .target = master, .any_death = false, .messages_only = true};
  if (current_engine->wait(w, [&] { return a.over; }) != status::ok) a.end(status::peer_failed);
}

}  // namespace

status run_agenda(std::size_t count, const agenda_options& o, agenda_work work) {
  RAMJET_CHECK(initialized() && current_engine->ranks() != 0 && current_engine->endpoint() == 0,
               "run_agenda is for the main thread, between init and finalize");
  RAMJET_CHECK(!current_engine->in_handler(), "run_agenda inside a handler");
  RAMJET_CHECK(here == nullptr, "run_agenda inside an agenda's work");
  RAMJET_CHECK(o.granularity != 0, "run_agenda: the granularity is at least 1");
  RAMJET_CHECK(unsigned(o.master) < unsigned(size()), "run_agenda: the master is not a rank");
  attendance a(++begun, o.concurrency);
  here = &a;
  kept.reset();
  if (rank() == o.master) open_bag(count, o.granularity);
  std::vector<ult::thread<>> threads;
  threads.reserve(o.concurrency);
  // The endpoint belongs to this worker.
  const int worker = ult::workers() > 1 ? int(ult::this_thread::worker()) : -1;
  const ult::attributes kind{.name = "agenda", .worker = worker};
  for (std::uint32_t i = 0; i < o.concurrency; ++i)
    threads.push_back(ult::spawn(kind, [&a, &o, &work, i] { work_at(a, i, o.master, work); }));
  if (request<on_enter>(o.master, a.number, std::uint64_t(count), std::uint32_t(o.concurrency)) !=
      status::ok)
    a.end(status::peer_failed);
  if (kept.has_value())
    serve_agenda(a, count, o);
  else
    follow(a, o.master);
  for (const ult::thread<>& t : threads) t.join();
  here = nullptr;
  if (a.outcome != status::ok) current_engine->note_failures();  // the master may have before
  if (a.failure != nullptr) std::rethrow_exception(a.failure);
  return a.outcome;
}

}  // namespace ramjet::detail
