// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <ramjet/ramjet.hpp>

#include "failure.hpp"
#include "root.hpp"

namespace kmer {
namespace {

// Handlers are plain functions, so this stands in the file.
progress_bar* shown = nullptr;

void on_progress(std::uint64_t bytes) { shown->add(bytes); }

}  // namespace

void show_progress_on(progress_bar* bar) { shown = bar; }

void report_progress(std::uint64_t bytes) {
  require(ramjet::request<on_progress>(kRoot, bytes));
  ramjet::poll();
}

}  // namespace kmer
