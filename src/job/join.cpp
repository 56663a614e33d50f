// SPDX-License-Identifier: Apache-2.0
#include "job/join.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/cpus.hpp"
#include "base/futex.hpp"
#include "base/who.hpp"

namespace ramjet {

constinit detail::address_space detail::live_space = detail::kNoSpace;

namespace job {

namespace {

membership the_job;
int object_fd = -1;
constexpr const char* kLimitedHint =
    "; is the address space limited (ulimit -v)? RAMJET_SEGMENT_BYTES=256M needs less";

// Default address space of a segment: the machine's memory, so that a segment is never what runs
// out first, within what 1024 ranks can map side by side.
std::uint64_t default_segment_bytes() {
#if defined(__SANITIZE_THREAD__)
  return std::uint64_t{1} << 30;  // the sanitizer leaves little address space
#else
  const std::uint64_t memory = std::bit_ceil(base::usable_memory());
  const std::uint64_t least = std::uint64_t{1} << 30, most = std::uint64_t{64} << 30;
  return memory < least ? least : memory > most ? most : memory;
#endif
}

std::string os_error(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

// A non-negative number from the environment, -1 if it is absent or malformed.
int number_from_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return -1;
  int value;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  return error == std::errc{} && *end == '\0' && value >= 0 ? value : -1;
}

bool brings_secret(std::uint64_t of_the_board) {
  const char* text = std::getenv(kEnvSecret);
  if (text == nullptr) return false;
  std::uint64_t brought = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), brought, 16);
  return error == std::errc{} && *end == '\0' && brought == of_the_board;
}

// A program started by another system's launcher would be rank 0 of 1, many times over.
const char* foreign_launcher() {
  struct {
    const char* variable;
    const char* name;
  } const known[] = {{"OMPI_COMM_WORLD_SIZE", "mpirun"},
                     {"PMIX_RANK", "a PMIx launcher"},
                     {"PMI_SIZE", "a PMI launcher"},
                     {"SLURM_STEP_NUM_TASKS", "srun"}};
  for (const auto& k : known) {
    const char* value = std::getenv(k.variable);
    if (value == nullptr) continue;
    if (std::strcmp(k.variable, "PMIX_RANK") == 0 || std::atoi(value) > 1) return k.name;
  }
  return nullptr;
}

status become_alone(std::string& message) {
  if (const char* launcher = foreign_launcher()) {
    message = std::string("this process was started by ") + launcher +
              " beside others that it cannot reach; start it with: ramjet run -n N PROGRAM";
    return status::environment;
  }
  object_fd = memfd_create("ramjet", MFD_CLOEXEC);
  if (object_fd < 0 || ftruncate(object_fd, off_t(board_bytes(1))) != 0) {
    message = os_error("cannot create shared memory (memfd_create)");
    return status::environment;
  }
  void* memory = mmap(nullptr, board_bytes(1), PROT_READ | PROT_WRITE, MAP_SHARED, object_fd, 0);
  if (memory == MAP_FAILED) {
    message = os_error("cannot map shared memory");
    return status::environment;
  }
  format_board(memory, 1, failure_policy::abort, 0);  // no secret: nobody else has the descriptor
  munmap(memory, board_bytes(1));
  return status::ok;
}

// Takes the launcher's descriptor, and makes sure that this rank cannot outlive its parent.
status find_launcher(std::string& message) {
  object_fd = number_from_environment(kEnvDescriptor);
  the_job.rank = number_from_environment(kEnvRank);
  struct stat info;
  if (object_fd < 0 || the_job.rank < 0 || fstat(object_fd, &info) != 0) {
    message = std::string(kEnvDescriptor) + " and " + kEnvRank +
              " name no job (was the environment copied, or were descriptors closed?); start the "
              "program with: ramjet run -n N PROGRAM";
    return status::environment;
  }
  fcntl(object_fd, F_SETFD, FD_CLOEXEC);
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
  the_job.launched = true;
  return status::ok;
}

// Maps the board alone, checks it, and takes this rank's place in it.
status take_place(const join_request& request, std::string& message) {
  struct stat info;
  fstat(object_fd, &info);
  const auto bytes = std::size_t(info.st_size);
  void* memory = bytes < kRanksOffset ? MAP_FAILED
                                      : mmap(nullptr, board_bytes(kRanksMax),
                                             PROT_READ | PROT_WRITE, MAP_SHARED, object_fd, 0);
  if (memory == MAP_FAILED) {
    message = os_error("cannot map the job's board");
    return status::environment;
  }
  auto* b = static_cast<board*>(memory);
  if (const char* defect = board_defect(b, bytes)) {
    message = std::string("cannot join the job: ") + defect;
    return status::environment;
  }
  if (the_job.launched && !brings_secret(b->secret)) {
    message = std::string(kEnvDescriptor) + " and " + kEnvSecret +
              " are not of one job (was the environment copied from another one?); start the "
              "program with: ramjet run -n N PROGRAM";
    return status::environment;
  }
  if (unsigned(the_job.rank) >= b->ranks) {
    message = "rank " + std::to_string(the_job.rank) + " is outside the job of " +
              std::to_string(b->ranks);
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
  the_job.ranks = b->ranks;
  the_job.carry_on = b->policy == std::uint32_t(failure_policy::carry_on);
  return status::ok;
}

bool same_layout(const geometry& a, const geometry& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// Computes the layout if this is the first rank, else waits for it; then checks that this rank
// would have computed the same.
status agree_on_layout(const join_request& request, std::string& message) {
  board* b = the_job.shared;
  std::uint64_t segment = request.segment_bytes;
  if (the_job.settings.segment_bytes != 0) segment = the_job.settings.segment_bytes;
  segment = page_up(segment);
  if (segment > kSegmentsBytesMax / the_job.ranks) {
    message = "segments of " + std::to_string(segment) + " bytes for " +
              std::to_string(the_job.ranks) +
              " ranks are over the 64 TiB of address space there is";
    return status::environment;
  }
  if (segment > kSegmentBytesMax) {
    message = "a segment of " + std::to_string(segment) + " bytes is over the " +
              std::to_string(kSegmentBytesMax >> 30) + " GiB that one rank can have";
    return status::environment;
  }
  std::uint32_t none = 0;
  if (b->layout_state.compare_exchange_strong(none, 1, std::memory_order_relaxed)) {
    b->layout = make_geometry(the_job.ranks, request.endpoints,
                              segment != 0 ? segment : default_segment_bytes());
    if (ftruncate(object_fd, off_t(b->layout.total_bytes)) != 0) {
      message =
          os_error("cannot size the job's shared memory") + "; try a smaller RAMJET_SEGMENT_BYTES";
      return status::environment;
    }
    b->layout_state.store(2, std::memory_order_release);  // pairs: job.layout
    base::futex_wake(b->layout_state);
  }
  while (b->layout_state.load(std::memory_order_acquire) != 2) {  // pairs: job.layout
    if (b->failures.load(std::memory_order_relaxed) != 0) {
      message = "a rank failed while the job started";
      return status::peer_failed;
    }
    base::futex_wait(b->layout_state, 1, 10'000'000);
  }
  the_job.layout = b->layout;
  const geometry& g = the_job.layout;
  if (g.segment_bytes == 0 || g.segment_bytes > kSegmentBytesMax ||
      g.segment_bytes > kSegmentsBytesMax / the_job.ranks ||
      !same_layout(g, make_geometry(the_job.ranks, request.endpoints,
                                    segment != 0 ? segment : g.segment_bytes))) {
    message = "the ranks ask for different numbers of endpoints or segment sizes (this one: " +
              std::to_string(request.endpoints) + " endpoints); give all ranks the same options";
    return status::mismatch;
  }
  return status::ok;
}

// Maps a part of the object at a fixed address. Sets `message` and returns false if that fails.
bool map_at(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset,
            std::string& message) {
  auto* wanted = reinterpret_cast<void*>(address);
  void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, object_fd, off_t(offset));
  if (got == wanted) return true;
  message = got == MAP_FAILED ? os_error("cannot map the segments") + kLimitedHint
                              : "the segments' address range is taken in this process";
  return false;
}

// Whose memory this rank reaches in place; for detail::live_space.
std::vector<std::uint8_t> near_ranks;

// What the inlined half of the global address space works with (address_space.hpp). The near block
// is all near ranks where they are numbered one after the other, else this rank alone.
detail::address_space describe_space() {
  const geometry& g = the_job.layout;
  const auto me = unsigned(the_job.rank);
  near_ranks.assign(g.ranks, 0);
  unsigned first = g.ranks, last = 0, count = 0;
  for (unsigned r = 0; r < g.ranks; ++r) {
    if (r != me && (the_job.settings.all_far || !the_job.near(r))) continue;
    near_ranks[r] = 1;
    first = std::min(first, r);
    last = r;
    ++count;
  }
  if (last - first + 1 != count) {
    first = me;
    count = 1;
  }
  detail::address_space s = detail::kNoSpace;
  s.own_bits = std::uint64_t(me) << detail::kRankShift | g.window_base;
  s.window_base = g.window_base;
  s.segment_bytes = g.segment_bytes;
  s.near_bits = std::uint64_t(first) << detail::kRankShift | g.window_base;
  s.near_base = g.segment_base + first * g.segment_bytes;
  s.near_count = count;
  s.words_end = g.segment_bytes - 7;
  s.ranks = g.ranks;
  s.ranks_log = std::has_single_bit(g.ranks) ? std::countr_zero(g.ranks) : -1;
  s.segment_base = g.segment_base;
  s.gates = reinterpret_cast<detail::store_gate*>(the_job.at(g.gates_offset));
  s.stores = reinterpret_cast<detail::store_line*>(the_job.at(g.stores_offset));
  s.sent = s.stores + me;
  s.near_ranks = near_ranks.data();
  return s;
}

// Maps the shared object for real: the lower part anywhere, the segments at their fixed addresses,
// and this rank's own segment once more, at the window.
status map_object(std::string& message) {
  const geometry& g = the_job.layout;
  void* low = mmap(nullptr, g.segments_offset, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                   object_fd, 0);
  if (low == MAP_FAILED) {
    message = os_error("cannot map the job's message rings") + kLimitedHint;
    return status::environment;
  }
  const std::uint64_t own = g.segments_offset + unsigned(the_job.rank) * g.segment_bytes;
  if (!map_at(g.segment_base, g.ranks * g.segment_bytes, g.segments_offset, message) ||
      !map_at(g.window_base, g.segment_bytes, own, message))
    return status::environment;
  the_job.shared = static_cast<board*>(low);
  detail::live_space = describe_space();
  return status::ok;
}

// Waits for every rank, then compares programs. A failure or a stranger ends the wait.
status meet(const join_request& request, std::string& message) {
  board* b = the_job.shared;
  rank_line& line = the_job.line(unsigned(the_job.rank));
  line.state.store(std::uint32_t(rank_state::joined), std::memory_order_relaxed);
  if (b->joined.fetch_add(1, std::memory_order_acq_rel) + 1 == b->ranks)  // pairs: job.joined
    base::futex_wake(b->joined);
  for (std::uint32_t seen;
       (seen = b->joined.load(std::memory_order_acquire)) < b->ranks;) {  // pairs: job.joined
    if (b->failures.load(std::memory_order_acquire) != 0) {  // pairs: job.failure
      const int first = b->first_failed.load(std::memory_order_relaxed);
      message = "rank " + std::to_string(first) + " failed before the job had started";
      return status::peer_failed;
    }
    base::futex_wait(b->joined, seen, 10'000'000);
  }
  the_job.barrier_ok = b->no_barrier.load(std::memory_order_relaxed) == 0;
  for (unsigned r = 0; r < b->ranks; ++r) {
    rank_line& other = the_job.line(r);
    if (other.build_hash.load(std::memory_order_relaxed) != request.build_hash) {
      message = "rank " + std::to_string(r) +
                " was built with another version of Ramjet; rebuild the program for all ranks";
      return status::mismatch;
    }
    if (other.handler_hash.load(std::memory_order_relaxed) != request.handler_hash) {
      message = "rank " + std::to_string(r) +
                " runs a different program (its handlers are not those of rank " +
                std::to_string(the_job.rank) + "); start the same binary on all ranks";
      return status::mismatch;
    }
  }
  return status::ok;
}

}  // namespace

membership& self() noexcept { return the_job; }

status join(const join_request& request, std::string& message) {
  if (request.endpoints == 0 || request.endpoints > kEndpointsMax) {
    message = "options::endpoints is " + std::to_string(request.endpoints) + "; it can be 1 to " +
              std::to_string(kEndpointsMax);
    return status::environment;
  }
  if (!base::read_settings(the_job.settings, message)) return status::environment;
  const bool launched = std::getenv(kEnvDescriptor) != nullptr;
  if (status s = launched ? find_launcher(message) : become_alone(message); s != status::ok)
    return s;
  if (launched) base::set_this_rank(the_job.rank);
  if (status s = take_place(request, message); s != status::ok) return s;
  if (the_job.ranks * request.endpoints > detail::kPortsMax) {
    message = std::to_string(the_job.ranks) + " ranks x " + std::to_string(request.endpoints) +
              " endpoints is over " + std::to_string(detail::kPortsMax) + " ports on one machine";
    return status::environment;
  }
  board* first = the_job.shared;
  if (status s = agree_on_layout(request, message); s != status::ok) return s;
  if (status s = map_object(message); s != status::ok) return s;
  munmap(static_cast<void*>(first), board_bytes(kRanksMax));
  close(object_fd);
  if (!base::register_for_barrier()) {
    the_job.shared->no_barrier.store(1, std::memory_order_relaxed);  // published by `joined`
  }
  the_job.node_of.assign(the_job.ranks, 0);
  the_job.oversubscribed = the_job.ranks > the_job.shared->processors;
  return meet(request, message);
}

bool has_left(unsigned rank) noexcept {
  const auto state = the_job.line(rank).state.load(std::memory_order_acquire);  // pairs: job.left
  return rank_state(state) == rank_state::finalized;
}

void leave() {
  const geometry& g = the_job.layout;
  the_job.line(unsigned(the_job.rank))
      .state.store(std::uint32_t(rank_state::finalized),
                   std::memory_order_release);  // pairs: job.left
  detail::live_space = detail::kNoSpace;
  munmap(reinterpret_cast<void*>(g.window_base), g.segment_bytes);
  munmap(reinterpret_cast<void*>(g.segment_base), g.ranks * g.segment_bytes);
  munmap(static_cast<void*>(the_job.shared), g.segments_offset);
  the_job = {};
}

}  // namespace job
}  // namespace ramjet
