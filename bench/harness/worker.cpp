// SPDX-License-Identifier: Apache-2.0
#include "harness/worker.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "harness/check.hpp"
#include "harness/solo.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

constexpr unsigned kRawTrips = 500;
constexpr unsigned kPollsBeforeYield = 1u << 12;

// The CPUs of this rank's affinity mask; empty if the system does not tell.
std::vector<int> own_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

void run_on(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : cpus) CPU_SET(cpu, &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

shared_area* map_area(const char* file) {
  const int fd = ::open(file, O_RDWR | O_CLOEXEC);
  void* memory =
      fd < 0 ? MAP_FAILED
             : ::mmap(nullptr, sizeof(shared_area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) ::close(fd);
  BENCH_CHECK(memory != MAP_FAILED, "the benchmark's shared memory cannot be mapped");
  return static_cast<shared_area*>(memory);
}

void must(ramjet::status s) {
  BENCH_CHECK(s == ramjet::status::ok, "a call failed because a rank is gone");
}

}  // namespace

worker::worker(const benchmark& b, const effort& how_much)
    : how_much_(how_much), rank_(ramjet::rank()), ranks_(ramjet::size()) {
  participants_ = b.participants == 0 ? ranks_ : std::min(int(b.participants), ranks_);
  share_cores_ = b.cores != 0 && unsigned(participants_) > b.cores;
  if (const char* file = std::getenv(kAreaVariable)) {
    area_ = map_area(file);
    must(ramjet::barrier());
    raw_ = raw_rank(*area_, rank_, participants_);
    return;
  }
  std::uint64_t address = 0;
  if (rank_ == 0) {
    void* memory = ramjet::segment_allocate(sizeof(shared_area));
    BENCH_CHECK(memory != nullptr, "the segment has no room for the benchmark's shared memory");
    area_ = new (memory) shared_area{};
    address = std::uint64_t(reinterpret_cast<std::uintptr_t>(area_));
  }
  must(ramjet::broadcast(address));
  area_ = reinterpret_cast<shared_area*>(std::uintptr_t(address));
  BENCH_CHECK(area_ != nullptr, "rank 0 has told no place of the shared memory");
  raw_ = raw_rank(*area_, rank_, participants_);
}

raw_tcp& worker::tcp() {
  if (tcp_ == nullptr) tcp_ = std::make_unique<raw_tcp>(area_->tcp.word, rank_);
  return *tcp_;
}

void worker::meet() {
  if (share_cores_) {
    must(ramjet::barrier());
    return;
  }
  ++meetings_;
  area_->stamps[rank_].meetings.store(meetings_, std::memory_order_release);
  for (int other = 0; other < participants_; ++other) {
    unsigned polls = 0;
    while (area_->stamps[other].meetings.load(std::memory_order_acquire) < meetings_) {
      ramjet::poll();
      if (++polls % kPollsBeforeYield == 0) ::sched_yield();
    }
  }
}

double worker::elapsed_ns(double begin_ns, double end_ns) {
  stamp_line& mine = area_->stamps[rank_];
  mine.begin_ns = begin_ns;
  mine.end_ns = end_ns;
  meet();
  if (rank_ != 0) return 0;
  double first = begin_ns, last = end_ns;
  for (int r = 1; r < participants_; ++r) {
    first = std::min(first, area_->stamps[r].begin_ns);
    last = std::max(last, area_->stamps[r].end_ns);
  }
  return last - first;
}

double worker::value_of(int from, double mine) {
  area_->stamps[rank_].value = mine;
  meet();
  return area_->stamps[from].value;
}

std::byte* worker::memory_at_rank_1(std::size_t bytes) {
  if (rank_ == 1) {
    void* memory = ramjet::segment_allocate(bytes);
    BENCH_CHECK(memory != nullptr, "the segment has no room for the benchmark's buffers");
    std::memset(memory, 0, bytes);
    area_->buffer.word.store(std::uint64_t(reinterpret_cast<std::uintptr_t>(memory)),
                             std::memory_order_relaxed);
  }
  meet();
  const std::uint64_t address = area_->buffer.word.load(std::memory_order_relaxed);
  return reinterpret_cast<std::byte*>(std::uintptr_t(address));
}

double worker::raw_round_trip_ns() {
  if (!share_cores_) {
    meet();
    return raw_.round_trip_ns(how_much_.count(kRawTrips));
  }
  // The others sleep in the barrier while ranks 0 and 1 have a core each.
  meet();
  double result = 0;
  if (rank_ < 2) {
    const std::vector<int> cpus = own_cpus();
    if (cpus.size() > 1) run_on({cpus[std::size_t(rank_)]});
    raw_.round_trip_ns(16);
    result = raw_.round_trip_ns(how_much_.count(kRawTrips));
    if (cpus.size() > 1) run_on(cpus);
  }
  meet();
  return result;
}

block worker::raw_round_trip_as_limit() {
  limit_is_raw_trip_ = true;
  return [this] { return raw_.round_trip_ns(how_much_.count(4 * kRawTrips)); };
}

// Rank 0 decides for all.
bool worker::go_on(unsigned done, double start_ns) {
  if (rank_ == 0) {
    const bool late = how_much_.seconds > 0 && now_ns() - start_ns > how_much_.seconds * 1e9;
    area_->decision.word.store(late && done >= 3, std::memory_order_relaxed);
  }
  meet();
  return done < how_much_.repeats && area_->decision.word.load(std::memory_order_relaxed) == 0;
}

void worker::measure(const block& ours, const block& limit) {
  const bool raw_each_time = !limit_is_raw_trip_ && !share_cores_ && participants_ > 1;
  const bool raw_at_ends = !limit_is_raw_trip_ && share_cores_;
  const auto sample_raw = [&] {
    if (const double trip_ns = raw_round_trip_ns(); rank_ == 0) raw_trip_.add(trip_ns);
  };
  if (raw_at_ends) sample_raw();
  meet();
  ours();  // the first ones fault pages in and warm caches
  meet();
  if (limit) limit();
  for (companion& c : beside_) {
    meet();
    c.take();
  }
  const double start_ns = now_ns();
  for (unsigned done = 0; go_on(done, start_ns); ++done) {
    if (const double value = ours(); rank_ == 0) ours_.add(value);
    if (limit) {
      meet();
      if (const double value = limit(); rank_ == 0) limit_.add(value);
    }
    for (companion& c : beside_) {
      meet();
      if (const double value = c.take(); rank_ == 0) c.taken.add(value);
    }
    if (raw_each_time) sample_raw();
  }
  if (raw_at_ends) sample_raw();
  meet();
  if (rank_ == 0) report();
}

void worker::report() {
  json params = {{"ranks", ranks_}, {"repeats", ours_.count()}, {"spread", ours_.spread()}};
  if (!limit_.empty()) params["limit_spread"] = limit_.spread();
  const samples& trip = limit_is_raw_trip_ ? limit_ : raw_trip_;
  params["raw_round_trip_ns"] = trip.empty() ? json() : json(trip.median());
  for (const companion& c : beside_) params[c.key] = c.taken.median();
  params.update(params_);
  json out = {{"value", ours_.median()},
              {"limit", limit_.empty() ? json() : json(limit_.median())},
              {"params", params}};
  std::printf("%s\n", out.dump().c_str());
  std::fflush(stdout);
}

std::vector<std::string> worker_arguments(std::string_view name, const effort& how_much) {
  return {std::string(name), how_much.quick ? "1" : "0", std::to_string(how_much.repeats),
          std::to_string(how_much.seconds)};
}

int run_worker(int argc, char** argv) {
  if (argc < 4) return argc == 0 ? 0 : 2;  // without arguments: an empty program
  const effort how_much{.quick = std::strcmp(argv[1], "1") == 0,
                        .repeats = unsigned(std::strtoul(argv[2], nullptr, 10)),
                        .seconds = std::strtod(argv[3], nullptr)};
  const benchmark* b = find_benchmark(argv[0]);
  if (b != nullptr && b->alone) {
    solo before(how_much);
    b->alone(before);
  }
  ramjet::init(argc, argv);
  if (b != nullptr && b->body) {
    worker w(*b, how_much);
    if (w.takes_part()) b->body(w);
    must(ramjet::barrier());
  }
  ramjet::finalize();
  return 0;
}

}  // namespace bench
