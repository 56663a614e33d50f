// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <string>

#include "rules.hpp"

namespace wator {

enum class way { message, gas };

struct options {
  rules sea = {.width = 128,
               .height = 128,
               .seed = 1,
               .fish_percent = 30,
               .sharks_percent = 5,
               .shoal = 8,
               .fish_breed = 3,
               .shark_breed = 10,
               .starve = 4};
  std::uint64_t steps = 10;
  std::uint64_t work_ns = 20'000;  // of computation by a fish that is about to move
  std::uint64_t shark_work = 20;   // times as much by a shark
  std::uint64_t poll_every = 0;    // cells; 0: only where the program communicates
  way reads = way::message;
  std::string frames;              // a file, or empty
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace wator
