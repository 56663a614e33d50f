// SPDX-License-Identifier: Apache-2.0
#include "am/trace_gather.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "am/start.hpp"
#include "base/process_label.hpp"
#include "ramjet/am.hpp"
#include "ramjet/job.hpp"
#include "trace/file/join.hpp"
#include "trace/ticks.hpp"

namespace ramjet::detail {

// The recorder knows what is not to be told by the name of this namespace.
namespace trace_gathering {

namespace {

using trace::node_trace;
using trace::part_clock;

// What rank 0 answers who asks for its time.
struct root_moment {
  trace::clock_pair now;
  std::uint64_t job;
};

// A part that comes from another machine, in a file that has no name any more.
struct arriving_part {
  int fd = -1;
  std::uint64_t bytes = 0;
  int error = 0;
  int leader = -1;  // who sent it
};

// Rank 0's alone, written by its handlers.
std::vector<arriving_part> arriving;  // by node
unsigned compared = 0, arrived = 0;  // machines
std::uint64_t job_number = 0;

root_moment report_time() {
  if (job_number == 0) job_number = trace::ticks_now() | 1;
  return {trace::read_clocks(), job_number};
}
int note_compared() {
  ++compared;
  return 0;
}

// Of the rank that leads its machine: how many others there note nothing more.
unsigned ended = 0;
int note_end() {
  ++ended;
  return 0;
}

arriving_part& part_of(unsigned node) {
  RAMJET_CHECK(node < job::self().nodes, "a trace's part is of no machine of the job");
  if (arriving.empty()) arriving.resize(job::self().nodes);
  return arriving[node];
}

// The file is without a name at once: nothing of it is left, however the job ends.
void open_part(arriving_part& part, unsigned node) {
  const std::string path = own_node_trace()->file() + ".from-node-" + std::to_string(node);
  part.fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
  if (part.fd < 0) part.error = errno;
  if (part.fd >= 0) ::unlink(path.c_str());
}

void on_part(request_token, std::uint32_t node, payload piece) {
  RAMJET_CHECK(own_node_trace() != nullptr, "a trace's part comes to a rank that is not traced");
  arriving_part& part = part_of(node);
  if (part.fd < 0 && part.error == 0) open_part(part, node);
  if (part.error != 0) return;
  const ssize_t wrote = ::pwrite(part.fd, piece.bytes, piece.count, off_t(part.bytes));
  if (wrote != ssize_t(piece.count)) part.error = wrote < 0 ? errno : ENOSPC;
  part.bytes += piece.count;
}
int end_part(std::uint32_t node, std::int32_t from) {
  RAMJET_CHECK(from >= 0 && unsigned(from) < job::self().ranks,
               "a trace's part is of no rank of the job");
  part_of(node).leader = from;
  ++arrived;
  return 0;
}

// What rank 0 answers when the trace is made, or cannot be: until then a machine keeps its part.
unsigned answered = 0;
bool is_joined = false;
void on_joined(std::uint32_t is_in_it) {
  is_joined = is_in_it != 0;
  ++answered;
}

// The lowest rank of this machine, and how many others it has.
unsigned leader(unsigned& others) {
  const job::membership& m = job::self();
  unsigned lowest = m.ranks, near = 0;
  for (unsigned r = m.ranks; r-- > 0;) {
    if (!m.near(r)) continue;
    lowest = r;
    ++near;
  }
  others = near - 1;
  return lowest;
}
bool leads_machine() {
  unsigned others = 0;
  return leader(others) == unsigned(job::self().rank);
}

// Waits until `machines` machines have counted; false: somebody has died.
bool await(engine& e, const char* name, const unsigned& count, unsigned machines) {
  waiting w{.name = name};
  return e.wait(w, [&count, machines] { return count >= machines; }) == status::ok;
}

// Asks rank 0 for its time, and keeps the answer that came fastest.
void ask_root(node_trace& mine) {
  constexpr unsigned kQuestions = 48;
  part_clock best{};
  std::uint64_t job = 0;
  best.error_ns = ~std::uint64_t{0};
  for (unsigned i = 0; i < kQuestions; ++i) {
    const trace::clock_pair before = trace::read_clocks();
    const root_moment answer = call<&report_time>(0).get();
    const trace::clock_pair after = trace::read_clocks();
    const std::uint64_t took_ns = after.ns - before.ns;
    job = answer.job;
    if (took_ns / 2 >= best.error_ns) continue;
    const std::uint64_t middle = before.ticks + (after.ticks - before.ticks) / 2;
    best = {{middle, before.ns + took_ns / 2}, answer.now, took_ns / 2, 1};
  }
  mine.add_clock(best, job);
}

// A part without a name in the way: false leaves it where it is.
bool send_part(const node_trace& mine) {
  const int fd = ::open(mine.path().c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const auto node = std::uint32_t(job::self().node);
  std::vector<char> piece(medium_bytes_max);
  bool sent = true;
  ssize_t got;
  while ((got = ::read(fd, piece.data(), piece.size())) > 0 && sent)
    sent = request_medium<&on_part>(0, piece.data(), std::size_t(got), node) == status::ok;
  ::close(fd);
  return sent && got == 0;
}

void say(const char* path, const std::string& sentence) {
  std::fprintf(stderr, "%s: the trace %s: %s\n", base::process_label(), path, sentence.c_str());
}

constexpr const char* kNotInIt = "this machine's part is not in it";

// At rank 0: its own part and those that have come. Returns what is in the trace, by name.
std::vector<std::string> join_all(const node_trace& mine) {
  const std::string& file = mine.file();
  std::vector<int> parts;
  std::vector<std::string> names;
  if (mine.is_begun()) {  // else it is said why not
    parts.push_back(::open(mine.path().c_str(), O_RDONLY | O_CLOEXEC));
    names.push_back(mine.path());
  }
  for (unsigned node = 1; node < job::self().nodes; ++node) {
    arriving_part& part = part_of(node);
    if (part.error != 0)
      say(file.c_str(), "the part of node " + std::to_string(node) + " could not be kept here: " +
                            std::strerror(part.error) + "; it is still on that machine");
    if (part.fd < 0) continue;
    if (part.error != 0) ::close(part.fd);
    if (part.error != 0) continue;
    parts.push_back(part.fd);
    names.push_back(trace::part_path(file, node));
  }
  const trace::joined_trace joined =
      trace::join_parts(parts, names, file, job::self().settings.trace_limit);
  for (const std::string& sentence : joined.sentences) say(file.c_str(), sentence);
  if (joined.done && joined.lost != 0)
    std::fprintf(stderr, "%s: %s\n", base::process_label(),
                 trace::what_is_lost(file, joined.told, joined.lost).c_str());
  return joined.done ? joined.parts : std::vector<std::string>{};
}

// Parts that are in the trace go, each by who has it.
void make_trace(const node_trace& mine) {
  const std::vector<std::string> joined = join_all(mine);
  const auto has = [&joined](const std::string& part) {
    return std::find(joined.begin(), joined.end(), part) != joined.end();
  };
  if (has(mine.path()))
    ::unlink(mine.path().c_str());
  else
    mine.say_it_stays(kNotInIt);
  for (unsigned node = 1; node < job::self().nodes; ++node) {
    const std::uint32_t is_in_it = has(trace::part_path(mine.file(), node));
    // One that has died in the meantime needs no answer.
    static_cast<void>(ramjet::request<&on_joined>(part_of(node).leader, is_in_it));
  }
}

// At another machine's leader.
void give_part(engine& e, const node_trace& mine) {
  const bool is_sent = mine.is_written() && send_part(mine);
  const job::membership& m = job::self();
  call<&end_part>(0, std::uint32_t(m.node), std::int32_t(m.rank)).get();
  if (!await(e, "finalize (the trace)", answered, 1)) return mine.say_it_stays("a rank has died");
  if (!is_sent || !is_joined) return mine.say_it_stays(kNotInIt);
  ::unlink(mine.path().c_str());
}

// What this rank waits for while it lives is not told.
class unnoticed {
 public:
  explicit unnoticed(engine& e) : recorder_(e.parts().recorder.get()) { set(false); }
  ~unnoticed() { set(true); }
  unnoticed(const unnoticed&) = delete;
  unnoticed& operator=(const unnoticed&) = delete;

 private:
  void set(bool tells) {
    if (recorder_ != nullptr) recorder_->tells_waits = tells;
  }
  trace::recorder* const recorder_;
};

}  // namespace

void compare_clocks(engine& e) {
  node_trace* const mine = own_node_trace();
  const job::membership& m = job::self();
  if (mine == nullptr || m.nodes == 1 || !leads_machine()) return;
  const unnoticed now(e);
  try {
    if (m.rank == 0) {
      mine->add_clock({trace::read_clocks(), {}, 0, 0}, report_time().job);
      static_cast<void>(await(e, "init (the trace's clocks)", compared, m.nodes - 1));
    } else {
      ask_root(*mine);
      call<&note_compared>(0).get();
    }
  } catch (const failure&) {  // somebody has died: what follows finds out
  }
}

void gather(engine& e, bool together) {
  node_trace* const mine = own_node_trace();
  const job::membership& m = job::self();
  if (mine == nullptr) return;
  if (!together) {
    mine->finish();
    return mine->say_it_stays("a rank has died");
  }
  const unnoticed now(e);
  try {
    unsigned others = 0;
    const unsigned first = leader(others);
    if (first != unsigned(m.rank)) {
      mine->leave_to_others();
      call<&note_end>(int(first)).get();
      return;
    }
    const bool all_ended = await(e, "finalize (the trace's ends)", ended, others);
    if (all_ended && m.rank != 0) ask_root(*mine);
    mine->finish();
    if (all_ended && m.rank != 0) return give_part(e, *mine);
    if (all_ended && await(e, "finalize (the trace's parts)", arrived, m.nodes - 1))
      return make_trace(*mine);
  } catch (const failure&) {  // somebody has died
    mine->finish();
  }
  mine->say_it_stays("a rank has died");
}

void finish_part() noexcept {
  if (node_trace* const mine = own_node_trace()) mine->finish();
}

}  // namespace trace_gathering

}  // namespace ramjet::detail
