// SPDX-License-Identifier: Apache-2.0
#include "job/join.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/exit_status.hpp"
#include "base/futex.hpp"
#include "base/instrumentation.hpp"
#include "base/no_destroy.hpp"
#include "base/process_label.hpp"
#include "base/standard_output.hpp"
#include "base/system.hpp"
#include "job/bootstrap/bootstrap.hpp"
#include "job/find_bootstrap.hpp"
#include "job/forks.hpp"
#include "job/node_profile.hpp"
#include "job/start_clock.hpp"
#include "node/dumped_pages.hpp"
#include "node/segments.hpp"

namespace ramjet::job {

namespace {

// Not constinit: to some compilers the strings of some standard libraries are not constants.
base::no_destroy<membership> the_membership;
constexpr membership& the_job = the_membership.value;
// While this process is in a job.
constinit base::no_destroy<std::unique_ptr<bootstrap>> the_finder;
constexpr std::unique_ptr<bootstrap>& the_bootstrap = the_finder.value;
int object_fd = -1;
void (*at_death)(unsigned rank) = nullptr;  // written before there is a thread that sees deaths
constexpr unsigned kEndPatienceS = 2;  // for the launcher to end this rank when another has died

// Takes over what the bootstrap knows of the job.
status find_job(std::string& message) {
  base::find_tools();
  message = base::page_size_problem();
  if (!message.empty()) return status::environment;
  the_bootstrap = find_bootstrap(message);
  if (the_bootstrap == nullptr) return status::environment;
  identity found;
  if (status s = the_bootstrap->find_identity(found, message); s != status::ok) return s;
  if (found.rank < 0 || unsigned(found.rank) >= found.ranks || found.ranks > kRanksMax ||
      found.node_of.size() != found.ranks) {
    message = "rank " + std::to_string(found.rank) + " is outside the job of " +
              std::to_string(found.ranks) + " that " + the_bootstrap->name() +
              " speaks of (a job has at most " + std::to_string(kRanksMax) + " ranks)";
    return status::environment;
  }
  the_job.rank = found.rank;
  the_job.ranks = found.ranks;
  the_job.launched = found.launched;
  the_job.node = found.node_of[std::size_t(found.rank)];
  the_job.nodes = 1u + *std::max_element(found.node_of.begin(), found.node_of.end());
  the_job.node_of = std::move(found.node_of);
  if (the_job.launched || the_job.ranks > 1) {
    base::set_this_rank(the_job.rank);
    base::print_lines_at_once();
  }
  return the_bootstrap->open_object(object_fd, message);
}

bool is_of_this_job(const board& b) {
  return b.ranks == the_job.ranks && b.node == the_job.node && b.nodes == the_job.nodes &&
         std::equal(the_job.node_of.begin(), the_job.node_of.end(), rank_nodes(&b, the_job.ranks));
}

// Maps the board alone, checks it, and claims this rank's line there.
status claim_line(const join_request& request, std::string& message) {
  struct stat info;
  fstat(object_fd, &info);
  const auto bytes = std::size_t(info.st_size);
  void* memory = bytes < kRanksOffset ? MAP_FAILED
                                      : mmap(nullptr, board_bytes(kRanksMax),
                                             PROT_READ | PROT_WRITE, MAP_SHARED, object_fd, 0);
  if (memory == MAP_FAILED) {
    message = base::os_error("cannot map the job's board");
    return status::environment;
  }
  auto* b = static_cast<board*>(memory);
  if (const char* defect = board_defect(b, bytes)) {
    message = std::string("cannot join the job: ") + defect;
    return status::environment;
  }
  if (!is_of_this_job(*b)) {
    message = std::string("the memory that ") + the_bootstrap->name() +
              " has given to this rank is not of its job";
    return status::environment;
  }
  rank_line& line = rank_lines(b)[the_job.rank];
  std::uint32_t nobody = 0;
  if (!line.pid.compare_exchange_strong(nobody, std::uint32_t(getpid()),
                                        std::memory_order_relaxed)) {
    message = "rank " + std::to_string(the_job.rank) + " has already joined as process " +
              std::to_string(nobody) + "; a rank may start one Ramjet program only";
    return status::environment;
  }
  line.handler_hash.store(request.handler_hash, std::memory_order_relaxed);
  line.build_hash.store(request.build_hash, std::memory_order_relaxed);
  the_job.shared = b;
  the_job.carry_on = b->policy == std::uint32_t(failure_policy::carry_on);
  return status::ok;
}

// The size of a segment that this rank requests, 0: any.
status requested_segment(const join_request& request, std::uint64_t& segment,
                         std::string& message) {
  if (!find_program_part(request.stack_bytes, the_job.program, message)) return status::environment;
  const std::uint64_t given =
      the_job.settings.segment_bytes != 0 ? the_job.settings.segment_bytes : request.segment_bytes;
  segment = page_up(given);
  // Beyond 64 bits the sum is too small; the number as it was given is too large by itself then.
  const std::uint64_t all = std::max(given, segment + the_job.program.bytes());
  if (segment_fits(all, the_job.ranks, message)) return status::ok;
  if (the_job.program.bytes() != 0)
    message += "; " + std::to_string(the_job.program.bytes()) +
               " of these are for the program's symmetric variables and its stack";
  return status::environment;
}

// Of a segment without the program's part, where nobody says.
std::uint64_t segment_by_default() {
  const std::uint64_t before = the_job.program.bytes();
  const std::uint64_t each = kSegmentsBytesMax / the_job.ranks / kSegmentGrain * kSegmentGrain;
  return std::min(default_segment_bytes(), each - std::min(each, before));
}

status different_options(const join_request& request, std::string& message) {
  message = "the ranks ask for different numbers of endpoints or segment sizes (this one: " +
            std::to_string(request.endpoints) +
            " endpoints, with a co-processor's); give all ranks the same options";
  return status::mismatch;
}

status different_regions(const std::string& difference, std::string& message) {
  message = "the ranks lay out the memory that they share in different ways (" + difference +
            "); start the same binary on all ranks";
  return status::mismatch;
}

status different_program_parts(std::uint64_t theirs, std::string& message) {
  message = "the ranks' symmetric variables and stacks lie in different ways (" +
            std::to_string(the_job.program.bytes()) + " bytes here, " + std::to_string(theirs) +
            " elsewhere); start the same binary on all ranks, with one RAMJET_SPLITC_STACK";
  return status::mismatch;
}

status same_program(unsigned rank, std::uint64_t build_hash, std::uint64_t handler_hash,
                    const join_request& request, std::string& message) {
  if (build_hash != request.build_hash) {
    message = "rank " + std::to_string(rank) +
              " was built with another version of Ramjet; rebuild the program for all ranks";
    return status::mismatch;
  }
  if (handler_hash != request.handler_hash) {
    message = "rank " + std::to_string(rank) +
              " runs a different program (its handlers, or its mode of progress, are not those "
              "of rank " +
              std::to_string(the_job.rank) +
              "); start the same binary on all ranks, with one RAMJET_PROGRESS";
    return status::mismatch;
  }
  return status::ok;
}

// What the ranks of different nodes must agree on before each lays out its node's object.
struct terms {
  std::uint64_t build_hash;
  std::uint64_t handler_hash;
  std::uint64_t endpoints;
  std::uint64_t segment_requested;  // 0: any
  std::uint64_t segment_default;  // of the rank's machine
  std::uint64_t oversubscribed;   // its machine, as in membership
  std::uint64_t regions;  // regions_hash
  std::uint64_t program_bytes, program_hash;  // as in geometry
  base::machine_profile profile;  // of rank 0, who has read it; of others built in
  std::uint64_t profile_problem;  // likewise, as in membership
};

// Compares programs and options with every rank of the job. `segment` becomes the size for all: the
// one requested, or else the smallest default of any machine.
status agree_on_terms(const join_request& request, std::uint64_t& segment, std::string& message) {
  const base::machine_profile profile =
      the_job.rank == 0 ? read_profile(the_job) : base::built_in_profile();
  const terms mine{request.build_hash,
                   request.handler_hash,
                   request.endpoints,
                   segment,
                   segment_by_default(),
                   the_job.oversubscribed,
                   regions_hash(make_geometry(the_job.ranks, request.endpoints, 0)),
                   the_job.program.bytes(),
                   the_job.program.hash,
                   profile,
                   the_job.first_profile_problem};
  std::string card(sizeof mine, '\0');
  std::memcpy(card.data(), &mine, sizeof mine);
  std::vector<std::string> all;
  if (status s = the_bootstrap->exchange(card, all, message); s != status::ok) return s;
  std::uint64_t smallest = mine.segment_default;
  for (unsigned r = 0; r < the_job.ranks; ++r) {
    terms its{};  // of another length: of another version
    if (all[r].size() == sizeof its) std::memcpy(&its, all[r].data(), sizeof its);
    if (status s = same_program(r, its.build_hash, its.handler_hash, request, message);
        s != status::ok)
      return s;
    if (its.endpoints != mine.endpoints || its.segment_requested != mine.segment_requested)
      return different_options(request, message);
    if (its.regions != mine.regions) return different_regions("rank " + std::to_string(r), message);
    if (its.program_bytes != mine.program_bytes || its.program_hash != mine.program_hash)
      return different_program_parts(its.program_bytes, message);
    smallest = std::min(smallest, its.segment_default);
    if (its.oversubscribed != 0) the_job.crowded = true;
    if (r != 0) continue;
    the_job.first_profile = its.profile;
    the_job.first_profile_problem = its.profile_problem;
  }
  if (segment == 0) segment = smallest;
  return status::ok;
}

// Compares programs with the ranks of this node that have written what theirs are.
status same_programs_here(const join_request& request, std::string& message) {
  for (unsigned r = 0; r < the_job.ranks; ++r) {
    if (!the_job.near(r)) continue;  // agree_on_terms has compared it
    const rank_line& other = the_job.line(r);
    const std::uint64_t build = other.build_hash.load(std::memory_order_relaxed);
    const std::uint64_t handlers = other.handler_hash.load(std::memory_order_relaxed);
    if (build == 0 || handlers == 0) continue;
    if (status s = same_program(r, build, handlers, request, message); s != status::ok) return s;
  }
  return status::ok;
}

// Checks that this rank would have laid the node's object out as it is.
status check_layout(const join_request& request, std::uint64_t segment, std::string& message) {
  const geometry& g = the_job.layout;
  if (g.program_bytes != the_job.program.bytes() || g.program_hash != the_job.program.hash)
    return different_program_parts(g.program_bytes, message);
  const geometry mine =
      make_geometry(the_job.ranks, request.endpoints,
                    segment != 0 ? segment : g.segment_bytes - g.program_bytes, the_job.program);
  std::string ignored;
  if (g.endpoints != mine.endpoints || g.segment_bytes == 0 ||
      !segment_fits(g.segment_bytes, the_job.ranks, ignored))
    return different_options(request, message);
  if (same_layout(g, mine)) return status::ok;
  const std::string difference = region_difference(mine, g);
  return difference.empty() ? different_options(request, message)
                            : different_regions(difference, message);
}

// Whether the launcher says that a rank has died.
bool has_lost_rank(std::string& message) {
  const int dead = the_bootstrap->dead_rank();
  if (dead < 0) return false;
  message = "rank " + std::to_string(dead) + " died before the job had started";
  return true;
}

// Computes the layout if this is the first rank of the node, else waits for it; then checks that
// this rank would have computed the same. `segment` 0: as the first rank decides.
status agree_on_layout(const join_request& request, std::uint64_t segment, std::string& message) {
  board* b = the_job.shared;
  std::uint32_t none = 0;
  if (b->layout_state.compare_exchange_strong(none, 1, std::memory_order_relaxed)) {
    b->layout = make_geometry(the_job.ranks, request.endpoints,
                              segment != 0 ? segment : segment_by_default(), the_job.program);
    if (ftruncate(object_fd, off_t(b->layout.total_bytes)) != 0) {
      message = base::os_error("cannot size the job's shared memory") +
                "; try a smaller RAMJET_SEGMENT_BYTES";
      return status::environment;
    }
    const bool is_read = the_job.rank == 0 && the_job.nodes > 1;
    b->profile = is_read ? the_job.first_profile : read_profile(the_job);
    b->layout_state.store(2, std::memory_order_release);  // pairs: job.layout
    base::futex_wake(b->layout_state);
  }
  const start_clock clock;
  while (b->layout_state.load(std::memory_order_acquire) != 2) {  // pairs: job.layout
    if (clock.is_late(message)) return status::environment;
    if (has_lost_rank(message)) return status::peer_failed;
    if (b->failures.load(std::memory_order_relaxed) != 0) {
      message = "a rank failed while the job started";
      return status::peer_failed;
    }
    base::futex_wait(b->layout_state, 1, 10'000'000);
  }
  the_job.layout = b->layout;
  // A different layout may come of a different program. Its maker has published its hashes with it.
  if (status s = same_programs_here(request, message); s != status::ok) return s;
  return check_layout(request, segment, message);
}

// From here on the layers find their regions, and `shared` is more than the board.
status map_and_bind(std::string& message) {
  const geometry& g = the_job.layout;
  if (!map_object(object_fd, g, unsigned(the_job.rank), the_job.node_of, the_job.program,
                  the_job.shared, message))
    return status::environment;
  choose_dumped(g, the_job.program, the_job.shared);
  if (the_job.settings.dump_segment &&
      !dump_touched_pages(object_fd, g, unsigned(the_job.rank), the_job.program)) {
    message = base::os_error("cannot keep the segment's memory for a core dump");
    return status::environment;
  }
  if (!keep_object_for_forks(object_fd, message)) return status::environment;
  bind_regions(g, reinterpret_cast<std::byte*>(the_job.shared));
  return status::ok;
}

// Waits for every rank of this node, then compares programs. A failure or a stranger ends the wait.
status meet(const join_request& request, std::string& message) {
  board* b = the_job.shared;
  rank_line& line = the_job.line(unsigned(the_job.rank));
  line.state.store(std::uint32_t(rank_state::joined), std::memory_order_relaxed);
  if (b->joined.fetch_add(1, std::memory_order_acq_rel) + 1 == b->members)  // pairs: job.joined
    base::futex_wake(b->joined);
  const start_clock clock;
  for (std::uint32_t seen;
       (seen = b->joined.load(std::memory_order_acquire)) < b->members;) {  // pairs: job.joined
    if (b->failures.load(std::memory_order_acquire) != 0) {  // pairs: job.failure
      const int first = b->first_failed.load(std::memory_order_relaxed);
      message = "rank " + std::to_string(first) + " failed before the job had started";
      return status::peer_failed;
    }
    if (clock.is_late(message)) return status::environment;
    if (has_lost_rank(message)) return status::peer_failed;
    base::futex_wait(b->joined, seen, 10'000'000);
  }
  the_job.barrier_ok = b->no_barrier.load(std::memory_order_relaxed) == 0;
  return same_programs_here(request, message);
}

// Makes the lines of ranks on other nodes what they would be if these ranks had written them.
void write_far_lines(const join_request& request) {
  for (unsigned r = 0; r < the_job.ranks; ++r) {
    if (the_job.near(r)) continue;
    rank_line& line = the_job.line(r);
    line.handler_hash.store(request.handler_hash, std::memory_order_relaxed);
    line.build_hash.store(request.build_hash, std::memory_order_relaxed);
    // A neighbour on this node may have written it, and even more: that the rank has died.
    std::uint32_t absent = std::uint32_t(rank_state::absent);
    line.state.compare_exchange_strong(absent, std::uint32_t(rank_state::joined),
                                       std::memory_order_relaxed);
  }
}

status join_found_job(const join_request& request, std::string& message) {
  if (status s = claim_line(request, message); s != status::ok) return s;
  if (the_job.ranks * request.endpoints > detail::kPortsMax) {
    message = std::to_string(the_job.ranks) + " ranks x " + std::to_string(request.endpoints) +
              " endpoints is over " + std::to_string(detail::kPortsMax) + " ports in one job";
    return status::environment;
  }
  board* first = the_job.shared;
  the_job.oversubscribed = the_job.crowded = first->members > first->processors;
  std::uint64_t segment = 0;
  if (status s = requested_segment(request, segment, message); s != status::ok) return s;
  if (the_job.nodes > 1) {
    if (status s = agree_on_terms(request, segment, message); s != status::ok) return s;
  }
  if (status s = agree_on_layout(request, segment, message); s != status::ok) return s;
  if (status s = take_profile(the_job, message); s != status::ok) return s;
  if (status s = map_and_bind(message); s != status::ok) return s;
  munmap(static_cast<void*>(first), board_bytes(kRanksMax));
  if (!base::register_for_barrier()) {
    the_job.shared->no_barrier.store(1, std::memory_order_relaxed);  // published by `joined`
  }
  if (status s = meet(request, message); s != status::ok) return s;
  if (the_job.nodes > 1) write_far_lines(request);
  return status::ok;
}

}  // namespace

const membership& self() noexcept { return the_job; }
membership& self_for_tests() noexcept { return the_job; }
void set_oversubscribed_for_tests(bool oversubscribed) noexcept {
  the_job.oversubscribed = the_job.crowded = oversubscribed;
}

status join(const join_request& request, std::string& message) {
  if (request.endpoints == 0 || request.endpoints > kEndpointsMax) {
    message = "options::endpoints is " + std::to_string(request.endpoints) + "; it can be 1 to " +
              std::to_string(kEndpointsMax);
    return status::environment;
  }
  const base::settings* const settings = base::process_settings(message);
  if (settings == nullptr) return status::environment;
  the_job.settings = *settings;
  status s = find_job(message);
  if (s == status::ok) s = join_found_job(request, message);
  if (s == status::ok) return s;
  abandon();
  return s;
}

void abandon() noexcept {
  release_regions();
  if (object_fd >= 0) close(std::exchange(object_fd, -1));
  the_bootstrap.reset();
}

int take_object() noexcept { return std::exchange(object_fd, -1); }

status exchange(const std::string& mine, std::vector<std::string>& all, std::string& message) {
  return the_bootstrap->exchange(mine, all, message);
}

status key(job_key& into, std::string& message) { return the_bootstrap->key(into, message); }
int dead_rank() { return the_bootstrap->dead_rank(); }

bool has_left(unsigned rank) noexcept {
  const auto state = the_job.line(rank).state.load(std::memory_order_acquire);  // pairs: job.left
  return rank_state(state) == rank_state::finalized;
}

bool is_gone(unsigned rank) noexcept {
  const auto state = the_job.line(rank).state.load(std::memory_order_relaxed);
  return rank_state(state) == rank_state::failed || has_left(rank);
}

bool port_is_gone(unsigned port) noexcept { return is_gone(port / the_job.layout.endpoints); }

void call_at_death(void (*what)(unsigned rank)) { at_death = what; }

// The first that sees it says so and asks the launcher, the others give it some time.
void follow_death(unsigned rank, bool first) {
  if (at_death != nullptr) at_death(rank);
  if (the_job.launched || the_job.carry_on) return;
  std::thread([] {
    sleep(kEndPatienceS);
    base::end_process(base::kExitJobLost);
  }).detach();
  if (the_job.shared->job_ended.load(std::memory_order_relaxed) != 0) return;  // it was end_job
  if (!first || the_job.shared->first_failed.load(std::memory_order_relaxed) != int(rank)) return;
  std::string why = "rank " + std::to_string(rank) + " died";
  if (const auto pid = the_job.line(rank).pid.load(std::memory_order_relaxed); pid != 0)
    why += " (process " + std::to_string(pid) + ")";
  std::fprintf(stderr, "%s: %s; this ends the job\n", base::process_label(), why.c_str());
  std::fflush(stderr);
  abort_job(base::kExitJobLost, why.c_str());
}

void end_job(int exit_status) {
  if (the_job.shared != nullptr) {
    std::uint32_t none = 0;  // read when this process has exited
    the_job.shared->job_ended.compare_exchange_strong(
        none, node::kJobEnded | std::uint32_t(exit_status & 0xff), std::memory_order_relaxed);
    if (the_job.launched) base::end_process(exit_status & 0xff);
  }
  abort_job(exit_status & 0xff, "a rank has ended the job");
}

void abort_job(int exit_status, const char* why) {
  if (the_bootstrap != nullptr) the_bootstrap->abort(exit_status, why);
  base::end_process(exit_status);
}

void say_left() noexcept {
  auto joined = std::uint32_t(rank_state::joined);
  std::atomic<std::uint32_t>& state = the_job.line(unsigned(the_job.rank)).state;
  state.compare_exchange_strong(joined, std::uint32_t(rank_state::finalized),
                                std::memory_order_release);  // pairs: job.left
}

void leave() {
  base::use_profile(base::built_in_profile());
  release_regions();
  the_bootstrap->leave(*the_job.shared);
  abandon();
  unmap_object(the_job.layout, the_job.program, the_job.shared);
  the_job = {};
}

}  // namespace ramjet::job
