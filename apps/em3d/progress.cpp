// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "failure.hpp"

namespace em3d {
namespace {

using namespace std::chrono_literals;

constexpr auto kSilence = 1s;
constexpr auto kBetween = 100ms;

// A launcher that forwards our output to its terminal says so by that one's width.
bool stderr_is_seen() {
  const char* columns = std::getenv("RAMJET_STDERR_COLUMNS");
  return ::isatty(STDERR_FILENO) == 1 || (columns != nullptr && std::atoi(columns) > 0);
}

}  // namespace

progress::progress(std::size_t runs)
    : runs_(runs),
      terminal_(ramjet::rank() == kRoot && stderr_is_seen()),
      due_(clock::now() + kSilence) {}

progress::~progress() {
  if (drawn_) fmt::print(stderr, "\033[K\r");
}

void progress::next(const char* version, unsigned remote_percent) {
  ++begun_;
  if (!terminal_ || clock::now() < due_) return;
  due_ = clock::now() + kBetween;
  drawn_ = true;
  fmt::print(stderr, "em3d: run {} of {}: {}, {} % remote\033[K\r", begun_, runs_, version,
             remote_percent);
  std::fflush(stderr);
}

}  // namespace em3d
