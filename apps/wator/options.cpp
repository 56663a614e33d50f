// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include "../measured/command_line.hpp"

namespace wator {
namespace {

way read_way(const std::string& word) {
  if (word == "message") return way::message;
  if (word == "gas") return way::gas;
  throw measured::usage_error(fmt::format("--reads {}: write message or gas", word));
}

}  // namespace

options read_options(int argc, char** argv) {
  options o;
  std::uint64_t width = o.sea.width, height = o.sea.height, fish_breed = o.sea.fish_breed,
                shark_breed = o.sea.shark_breed, starve = o.sea.starve, shoal = o.sea.shoal;
  measured::command_line line(
      "wator",
      "Fish and sharks on a torus whose rows are spread over the ranks. A rank reads its\n"
      "neighbours' cells one at a time; in between its animals compute, so that a read waits for\n"
      "as long as its owner's animals compute, unless the owner polls or has a co-processor. The\n"
      "result is the same for any number of ranks. Numbers may be typed as 1e3.\n",
      "Examples:\n"
      "  ramjet run -n 2 wator                         reads wait for a busy owner\n"
      "  ramjet run -n 2 wator --poll-every 1          the owner polls\n"
      "  ramjet run -n 2 --progress=coproc wator       a co-processor answers\n"
      "  ramjet run -n 2 wator --frames sea.film && apps/wator/animate.py sea.film -o sea.gif\n");
  line.number("--width", width, {.most = 65'536}, "columns of the sea");
  line.number("--height", height, {.most = 65'536}, "rows of the sea, at least one for each rank");
  line.number("--steps", o.steps, {.most = 1'000'000}, "steps to simulate");
  line.number("--fish", o.sea.fish_percent, {.least = 0, .most = 100}, "of 100 cells at first");
  line.number("--sharks", o.sea.sharks_percent, {.least = 0, .most = 100}, "of 100 cells at first");
  line.number("--shoal", shoal, {.most = 65'536},
              "side of the squares that are full of fish at first; 1: fish anywhere");
  line.number("--fish-breed", fish_breed, {.most = 255}, "steps until a fish has a young one");
  line.number("--shark-breed", shark_breed, {.most = 255}, "steps until a shark has a young one");
  line.number("--starve", starve, {.most = 255}, "steps that a shark lives without a fish");
  line.number("--seed", o.sea.seed, {.least = 0, .most = UINT64_MAX}, "of all chance");
  line.number("--work", o.work_ns, {.least = 0, .most = 1'000'000'000},
              "nanoseconds that a fish computes before it moves");
  line.number("--shark-work", o.shark_work, {.least = 0, .most = 1'000'000},
              "times as long for a shark");
  line.number("--poll-every", o.poll_every, {.least = 0},
              "cells computed between polls; 0: only where the program communicates");
  line.word("--reads", "message|gas",
            "by messages to the owner, or through global pointers; default message",
            [&o](const std::string& word) { o.reads = read_way(word); });
  line.word("--frames", "FILE", "write the sea after each step, for animate.py",
            [&o](const std::string& word) { o.frames = word; });
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  o.sea.width = width;
  o.sea.height = height;
  o.sea.fish_breed = unsigned(fish_breed);
  o.sea.shark_breed = unsigned(shark_breed);
  o.sea.starve = unsigned(starve);
  o.sea.shoal = shoal;
  if (o.sea.fish_percent + o.sea.sharks_percent > 100)
    throw measured::usage_error("--fish and --sharks are over 100 together");
  if (height < std::uint64_t(ramjet::size()))
    throw measured::usage_error(
        fmt::format("--height {}: {} ranks need a row each", height, ramjet::size()));
  return o;
}

}  // namespace wator
