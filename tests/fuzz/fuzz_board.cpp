// SPDX-License-Identifier: Apache-2.0
// A rank that is started with a descriptor of somebody else's making: board_defect, and all of
// join() behind it, up to the point where the other ranks would be met.
//
// The input: how to describe the job in the environment, the size of the object, then a list of
// words to write over a board that is otherwise right.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "fuzz_input.hpp"
#include "job/bootstrap/variables.hpp"
#include "job/join.hpp"
#include "node/board.hpp"
#include "refusal.hpp"

namespace {

namespace job = ramjet::job;
namespace node = ramjet::node;

constexpr std::uint64_t kHash = 42;
constexpr std::uint64_t kSegmentBytes = 1 << 20;
constexpr std::uint64_t kSecret = 7;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// join() leaves its mappings to the end of the process when it fails; this process goes on.
void unmap_leftovers() {
  FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return;
  struct range {
    unsigned long from, to;
  } found[16];
  unsigned count = 0;
  char line[512];
  while (count < 16 && std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::strstr(line, "memfd:fuzzed-job") == nullptr) continue;
    if (std::sscanf(line, "%lx-%lx", &found[count].from, &found[count].to) == 2) ++count;
  }
  std::fclose(maps);
  for (unsigned i = 0; i < count; ++i)
    munmap(reinterpret_cast<void*>(found[i].from), found[i].to - found[i].from);
}

// A board as a launcher makes it, with a layout as the first rank makes it. `memory` is zeroed.
void write_good_board(std::byte* memory, const node::geometry& layout) {
  alignas(4096) static std::byte formatted[node::board_bytes(1)];  // it takes long: it reads files
  [[maybe_unused]] static const node::board* good =
      node::format_board(formatted, 1, node::failure_policy::carry_on, kSecret);
  std::memcpy(memory, formatted, node::kRanksOffset);
  auto* b = reinterpret_cast<node::board*>(memory);
  b->ranks = b->members = layout.ranks;
  b->layout = layout;
  b->layout_state.store(2);
  b->joined.store(layout.ranks - 1);
  for (unsigned r = 0; r < layout.ranks; ++r) {
    node::rank_lines(b)[r].handler_hash.store(kHash);
    node::rank_lines(b)[r].build_hash.store(kHash);
  }
}

// Overwrites some of the board, and of the layout in it in particular.
void damage(std::byte* memory, std::size_t bytes, fuzz::input& in) {
  const std::size_t layout = offsetof(node::board, layout);
  for (unsigned i = 0; i < 16 && !in.empty(); ++i) {
    const std::uint8_t where = in.byte();
    std::size_t at = where & 0x80 ? layout + (where & 0x7f) * 4 : (where & 0x7f) * 4u;
    if (where == 0x7f) at = node::kRanksOffset + in.byte() * 4u;
    const std::size_t width = where & 1 ? 8 : 4;
    if (at + width > bytes) continue;
    in.take(memory + at, width);
  }
}

void check_defect_alone(const std::byte* memory, std::size_t bytes) {
  // An exact copy: a step outside is seen.
  const std::unique_ptr<std::byte, void (*)(void*)> copy(
      static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)), std::free);
  std::memcpy(copy.get(), memory, bytes);
  static_cast<void>(node::board_defect(reinterpret_cast<const node::board*>(copy.get()), bytes));
}

// join() closes the descriptor when it succeeds. False: it did not.
bool try_to_join(int fd, unsigned endpoints, std::uint64_t segment_bytes) {
  std::string message;
  const ramjet::status s = job::join({endpoints, segment_bytes, kHash, kHash}, message);
  if (s != ramjet::status::ok) {
    expect(!message.empty(), "a job was refused without a word");
    close(fd);
    job::self_for_tests() = {};
    return false;
  }
  const node::geometry& g = job::self().layout;
  expect(g.table[0].offset >= node::board_bytes(g.ranks), "the ports overlap the board");
  expect(g.segment_bytes <= (g.total_bytes - g.segments_offset) / g.ranks,
         "the segments are larger than the object");
  job::say_left();
  job::leave();
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  fuzz::input in(data, bytes);
  const std::uint8_t how = in.byte();
  const node::geometry layout =
      node::make_geometry(1 + (how & 3), 1 + (how >> 2 & 1), kSegmentBytes);
  const std::size_t board_bytes = node::board_bytes(layout.ranks);
  const int fd = memfd_create("fuzzed-job", 0);
  expect(fd >= 0, "no descriptor");
  const std::size_t object_bytes =
      how & 0x08 ? in.number<std::uint16_t>() : std::size_t(layout.total_bytes);
  expect(ftruncate(fd, off_t(object_bytes)) == 0, "no memory");

  const std::unique_ptr<std::byte, void (*)(void*)> memory(
      static_cast<std::byte*>(std::aligned_alloc(4096, board_bytes)), std::free);
  std::memset(memory.get(), 0, board_bytes);
  write_good_board(memory.get(), layout);
  setenv(job::kEnvDescriptor, std::to_string(fd).c_str(), 1);
  setenv(job::kEnvRank, how & 0x10 ? in.text(20).c_str() : "0", 1);
  setenv(job::kEnvSecret, std::to_string(kSecret).c_str(), 1);
  setenv("RAMJET_SEGMENT_BYTES", how & 0x20 ? in.text(24).c_str() : "", 1);
  damage(memory.get(), board_bytes, in);
  // Whatever else is wrong, nobody else will come: a wait has to end.
  reinterpret_cast<node::board*>(memory.get())->failures.store(1);

  const std::size_t given = std::min(object_bytes, board_bytes);
  check_defect_alone(memory.get(), given);
  expect(pwrite(fd, memory.get(), given, 0) == ssize_t(given), "no room");
  if (!try_to_join(fd, layout.endpoints, how & 0x40 ? 0 : kSegmentBytes)) unmap_leftovers();
  return 0;
}
