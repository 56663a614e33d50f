// SPDX-License-Identifier: Apache-2.0
// Counts the misses of a trace by valgrind's lackey in separate caches for instructions and data.
//   study_trace BYTES,WAYS,BLOCK BYTES,WAYS,BLOCK < TRACE     (instructions, data)
// A modification counts as a read, as cachegrind has it. Prints one line:
//   fetches missed reads missed writes missed
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "papers/study/cache/cache.hpp"

namespace {

study::cache_shape shape_of(const char* text) {
  study::cache_shape s;
  if (std::sscanf(text, "%u,%u,%u", &s.bytes, &s.ways, &s.block_bytes) == 3) return s;
  std::fprintf(stderr, "study_trace: '%s' is not BYTES,WAYS,BLOCK\n", text);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: study_trace BYTES,WAYS,BLOCK BYTES,WAYS,BLOCK < TRACE\n");
    return 2;
  }
  study::cache instructions(shape_of(argv[1])), data(shape_of(argv[2]));
  char line[128];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    char what;
    std::uint64_t address;
    unsigned bytes;
    if (std::sscanf(line, " %c %" SCNx64 ",%u", &what, &address, &bytes) != 3) continue;
    if (what == 'I')
      instructions.read(address, bytes);
    else if (what == 'L' || what == 'M')
      data.read(address, bytes);
    else if (what == 'S')
      data.write(address, bytes);
  }
  const study::access_counts &i = instructions.counts(), &d = data.counts();
  std::printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i.reads,
              i.read_misses, d.reads, d.read_misses, d.writes, d.write_misses);
}
