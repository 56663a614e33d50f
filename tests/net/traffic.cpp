// SPDX-License-Identifier: Apache-2.0
// A program for jobs on several machines: messages of every kind to every rank, each with a number
// that says whether it is the next one and what belongs into it.
//
//   traffic check ROUNDS      this many; 0: until rank 0 gets SIGUSR1; rank 0 says "checking"
//                             once each has talked to each, every rank "rank R: right" in the end
//   traffic stay KIND [MS]    one kind of traffic until a call fails; every rank that is left says
//                             "survivor R: status S call C lost A,B" after MS more milliseconds,
//                             then talks to the others that are left and says "survivor R: talked"
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

using ramjet::status;

constexpr std::size_t kLongBytes = 200'000;
constexpr unsigned kSlots = 4;  // long messages under way from each rank to each

[[noreturn]] void wrong(const char* what, int from, std::uint64_t number) {
  std::printf("rank %d: %s %llu from rank %d is wrong\n", ramjet::rank(), what,
              static_cast<unsigned long long>(number), from);
  std::fflush(stdout);
  std::_Exit(3);
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// What is in the message that is this one from `from`.
std::uint64_t content(int from, std::uint64_t number) {
  return mixed(number << 10 | unsigned(from));
}
std::size_t medium_bytes(int from, std::uint64_t number) {
  const std::uint64_t dice = content(from, number);
  return 1 + std::size_t(dice >> 8) % (dice % 8 == 0 ? ramjet::medium_bytes_max : 3000);
}
void fill(std::span<char> bytes, std::uint64_t seed) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(seed + i * 7);
}
bool is_filled(std::span<const char> bytes, std::uint64_t seed) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != char(seed + i * 7)) return false;
  return true;
}

// --- What arrives --------------------------------------------------------------------------------

struct counts {
  std::uint64_t small = 0, medium = 0, large = 0;
};
std::vector<counts> got, sent;  // by rank
std::vector<std::uint64_t> large_done;  // by rank: long messages that it has answered
std::span<char> slots;  // [rank][kSlots][kLongBytes], in the segment
std::vector<char*> slots_of;  // the same place in the other ranks' segments

void on_small(int from, std::uint64_t value) {
  std::uint64_t& n = got[std::size_t(from)].small;
  if (value != content(from, n)) wrong("message", from, n);
  ++n;
}
void on_medium(int from, ramjet::payload p) {
  std::uint64_t& n = got[std::size_t(from)].medium;
  const std::span<const char> bytes = p.as<char>();
  if (bytes.size() != medium_bytes(from, n) || !is_filled(bytes, content(from, n)))
    wrong("payload", from, n);
  ++n;
}
void on_large_done(ramjet::reply_token t) { ++large_done[std::size_t(t.rank())]; }
void on_large(ramjet::request_token t, ramjet::deposit d) {
  const int from = t.rank();
  std::uint64_t& n = got[std::size_t(from)].large;
  if (d.as<char>().size() != kLongBytes || !is_filled(d.as<char>(), content(from, n)))
    wrong("long message", from, n);
  ++n;
  ramjet::reply<on_large_done>(std::move(t));
}
int answer(int x) { return x + 1; }
std::span<std::uint64_t> cells;  // [rank] in the segment, and one that all add to

// --- What is sent --------------------------------------------------------------------------------

const char* call_name = "";

status named(const char* name, status s) {
  if (s != status::ok) call_name = name;
  return s;
}

status send_small(int to, unsigned count) {
  counts& c = sent[std::size_t(to)];
  for (unsigned i = 0; i < count; ++i) {
    const status s =
        ramjet::request<on_small>(to, ramjet::rank(), content(ramjet::rank(), c.small));
    if (s != status::ok) return named("request", s);
    ++c.small;
  }
  return status::ok;
}

status send_medium(int to) {
  static std::vector<char> bytes(ramjet::medium_bytes_max);
  counts& c = sent[std::size_t(to)];
  const std::size_t length = medium_bytes(ramjet::rank(), c.medium);
  fill(std::span(bytes).first(length), content(ramjet::rank(), c.medium));
  const status s = ramjet::request_medium<on_medium>(to, bytes.data(), length, ramjet::rank());
  if (s == status::ok) ++c.medium;
  return named("request_medium", s);
}

status send_large(int to) {
  static std::vector<char> bytes(kLongBytes);
  counts& c = sent[std::size_t(to)];
  const std::uint64_t& done = large_done[std::size_t(to)];
  status s =
      ramjet::wait_until([&] { return c.large - done < kSlots || !ramjet::alive(to); }, "a slot");
  if (s != status::ok) return named("a slot", s);
  if (!ramjet::alive(to)) return named("a slot", status::peer_failed);
  fill(bytes, content(ramjet::rank(), c.large));
  char* there = slots_of[std::size_t(to)] +
                (std::size_t(ramjet::rank()) * kSlots + c.large % kSlots) * kLongBytes;
  s = ramjet::request_long<on_large>(to, there, bytes.data(), kLongBytes);
  if (s == status::ok) ++c.large;
  return named("request_long", s);
}

status do_call(int to) {
  ramjet::future<int> f = ramjet::call<answer>(to, to);
  const status s = f.wait();
  if (s == status::ok && f.get() != to + 1) wrong("answer", to, 0);
  return named("call", s);
}

// By global pointers: what is written is read again, what is added stays.
status do_accesses(int to) {
  static std::uint64_t number = 0;
  static std::vector<std::uint64_t> least(static_cast<std::size_t>(ramjet::size()));
  if (!ramjet::alive(to)) return named("access", status::peer_failed);
  const ramjet::global_ptr<std::uint64_t> mine(to, &cells[std::size_t(ramjet::rank())]);
  const ramjet::global_ptr<std::uint64_t> count(to, &cells.back());
  const std::uint64_t value = content(ramjet::rank(), ++number);
  std::uint64_t seen = 0, before = 0;
  try {
    ramjet::write(mine, value);
    seen = ramjet::read(mine);
    before = ramjet::fetch_add(count, 1);
  } catch (const ramjet::failure& f) {
    return named("access", f.code());
  }
  const status s = ramjet::sync_all();
  if (s != status::ok || !ramjet::alive(to)) return named("access", status::peer_failed);
  std::uint64_t& bound = least[std::size_t(to)];
  if (seen != value || before < bound) wrong("access", to, number);
  bound = before + 1;
  return status::ok;
}

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a + b; }

status do_collectives() {
  static int root = 0;
  static std::vector<std::uint64_t> values(3000);
  const int n = ramjet::size();
  root = (root + 1) % n;
  std::uint64_t sum = std::uint64_t(ramjet::rank()) + 1;
  status s = ramjet::all_reduce(sum, add);
  if (s != status::ok) return named("all_reduce", s);
  if (sum != std::uint64_t(n) * (std::uint64_t(n) + 1) / 2) wrong("sum", root, sum);
  if (ramjet::rank() == root) std::iota(values.begin(), values.end(), std::uint64_t(root));
  s = ramjet::broadcast(std::span(values), root);
  if (s != status::ok) return named("broadcast", s);
  if (values.back() != std::uint64_t(root) + values.size() - 1) wrong("broadcast", root, 0);
  return named("barrier", ramjet::barrier());
}

bool stopped() { return false; }

// One turn of a kind of traffic; "asleep" only waits.
status turn(const std::string& kind) {
  static std::uint64_t round = 0;
  const bool all = kind == "mixed";
  const int n = ramjet::size();
  ++round;
  if (kind == "asleep") return named("wait_until", ramjet::wait_until(stopped));
  for (int i = 1; i < n; ++i) {
    const int to = (ramjet::rank() + i) % n;
    status s = status::ok;
    if (all || kind == "flood") s = send_small(to, 50);
    if (s == status::ok && (all || kind == "medium")) s = send_medium(to);
    if (s == status::ok && (all || kind == "long")) s = send_large(to);
    if (s == status::ok && (all || kind == "calls")) s = do_call(to);
    if (s == status::ok && (all || kind == "accesses")) s = do_accesses(to);
    if (s != status::ok) return s;
  }
  if (kind == "collectives" || (all && round % 4 == 0)) return do_collectives();
  return status::ok;
}

// --- Rounds with a known end ---------------------------------------------------------------------

// Waits until all that the others have sent is here.
status collect() {
  const auto n = std::size_t(ramjet::size());
  std::vector<counts> theirs(n);
  status s = ramjet::all_to_all(std::span(sent), std::span(theirs));
  if (s != status::ok) return s;
  return ramjet::wait_until([&] {
    for (std::size_t r = 0; r < n; ++r)
      if (got[r].small < theirs[r].small || got[r].medium < theirs[r].medium ||
          got[r].large < theirs[r].large)
        return false;
    return true;
  });
}

volatile std::sig_atomic_t told_to_end = 0;

// Whether `done` rounds are not all; all ranks get the same answer.
bool goes_on(unsigned done, unsigned rounds) {
  if (rounds != 0) return done < rounds;
  int ends = told_to_end;
  return ramjet::broadcast(ends, 0) == status::ok && ends == 0;
}

int check(unsigned rounds) {
  std::signal(SIGUSR1, [](int) { told_to_end = 1; });
  if (ramjet::barrier() != status::ok) return 4;  // all have their slots
  if (turn("mixed") != status::ok || collect() != status::ok) return 4;
  if (ramjet::rank() == 0) {  // each has talked to each
    std::printf("checking\n");
    std::fflush(stdout);
  }
  for (unsigned i = 1; goes_on(i, rounds); ++i)
    if (turn("mixed") != status::ok || (i % 16 == 15 && collect() != status::ok)) return 4;
  if (collect() != status::ok || ramjet::barrier() != status::ok) return 4;
  std::printf("rank %d: right\n", ramjet::rank());
  ramjet::finalize();
  return 0;
}

// --- Until somebody dies -------------------------------------------------------------------------

void tell(status s) {
  std::string lost;
  for (int r = 0; r < ramjet::size(); ++r)
    if (!ramjet::alive(r)) lost += (lost.empty() ? "" : ",") + std::to_string(r);
  std::printf("survivor %d: status %d call %s lost %s\n", ramjet::rank(), int(s), call_name,
              lost.c_str());
  std::fflush(stdout);
}

unsigned talked = 0;
void on_talked() { ++talked; }

// Each survivor calls each; one more may be lost meanwhile.
bool talk() {
  unsigned others = 0;
  for (int to = 0; to < ramjet::size(); ++to) {
    if (to == ramjet::rank() || !ramjet::alive(to)) continue;
    status s = status::peer_failed;
    for (int i = 0; s != status::ok && i < 3 && ramjet::alive(to); ++i)
      s = ramjet::call<answer>(to, to).wait();
    if (s != status::ok || ramjet::request<on_talked>(to) != status::ok) return false;
    ++others;
  }
  for (int i = 0; i < 3; ++i)
    if (ramjet::wait_until([&] { return talked >= others; }, "afterwards") == status::ok)
      return true;
  return false;
}

int stay(const std::string& kind, std::uint64_t settle_ms) {
  status s = named("barrier", ramjet::barrier());  // the first death may come as early as this
  if (ramjet::rank() == 0) {
    std::printf("staying\n");
    std::fflush(stdout);
  }
  while (s == status::ok) s = turn(kind);
  const auto settled = [] { return false; };
  while (ramjet::wait_for(settle_ms, settled) == status::peer_failed) {
  }
  tell(s);
  if (!talk()) {
    std::printf("survivor %d: cannot talk to the others\n", ramjet::rank());
    ramjet::finalize();
    return 4;
  }
  std::printf("survivor %d: talked\n", ramjet::rank());
  ramjet::finalize();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  ramjet::options wanted;
  wanted.segment_bytes = 64 << 20;
  ramjet::init(argc, argv, wanted);
  const auto n = std::size_t(ramjet::size());
  got.resize(n);
  sent.resize(n);
  large_done.resize(n);
  slots = ramjet::segment_array<char>(n * kSlots * kLongBytes);
  cells = ramjet::segment_array<std::uint64_t>(n + 1);
  const std::ptrdiff_t offset =
      reinterpret_cast<std::byte*>(slots.data()) - ramjet::segment_begin(ramjet::rank());
  for (int r = 0; r < ramjet::size(); ++r)
    slots_of.push_back(reinterpret_cast<char*>(ramjet::segment_begin(r) + offset));
  if (std::strcmp(argv[1], "check") == 0) return check(unsigned(std::atoi(argv[2])));
  return stay(argv[2], argc > 3 ? std::uint64_t(std::atoi(argv[3])) : 300);
}
