// SPDX-License-Identifier: Apache-2.0
// late_leaver RANK FILE   RANK is slow to leave, and makes FILE just before it takes leave of the
// launcher. Ends with status 3 where a rank is done with finalize before that.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "node/region.hpp"
#include "ramjet/ramjet.hpp"

namespace {

constexpr useconds_t kLateUs = 1'000'000;
constexpr int kTooEarly = 3;

const char* made_late;  // by this rank; null in the others

void be_late() {
  if (made_late == nullptr) return;
  ::usleep(kLateUs);
  if (std::FILE* file = std::fopen(made_late, "w")) std::fclose(file);
}

// Released after the last collective, and before the rank takes leave.
ramjet::node::region late("test.late", [](const ramjet::node::shape&) { return std::uint64_t{64}; },
                          {nullptr, be_late});

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  if (argc != 3) return 2;
  if (ramjet::rank() == std::atoi(argv[1])) made_late = argv[2];
  std::printf("rank %d takes part\n", ramjet::rank());
  std::fflush(stdout);
  ramjet::finalize();
  return ::access(argv[2], F_OK) == 0 ? 0 : kTooEarly;
}
