// SPDX-License-Identifier: Apache-2.0
// Each rank prints a whole line and the beginning of another one. Then the last rank ends in one of
// several ways, and the others wait for it.
//
//   ended_output HOW      HOW: a signal's number, fault, abort, misuse, refused,
//                       end_job, or stay
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ramjet/ramjet.hpp"

namespace {

void end(const std::string& how) {
  if (how == "fault") *static_cast<volatile int*>(nullptr) = 1;
  if (how == "abort") std::abort();
  int count = 0;
  char** arguments = nullptr;
  if (how == "misuse") ramjet::segment_free(&count);  // not of the segment
  if (how == "refused") ramjet::init(count, arguments);  // twice
  if (how == "end_job") ramjet::end_job(0);
  if (how != "stay") std::raise(std::atoi(how.c_str()));
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  std::printf("rank %d: whole\n", ramjet::rank());
  std::printf("rank %d: half", ramjet::rank());
  ramjet::barrier();
  if (argv[1] == std::string("stay")) std::fprintf(stderr, "printed\n");
  if (ramjet::rank() == ramjet::size() - 1) end(argv[1]);
  ramjet::wait_until([] { return false; });
}
