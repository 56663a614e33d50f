// SPDX-License-Identifier: Apache-2.0
// kmer: counts the k-mers of DNA sequences on all ranks of a job. See README.md.
//
// The same program runs in every rank. The steps:
//   look    every rank looks at the files and works out its share
//   send    super-k-mers go to the owners of their bins, whose handlers keep them
//   count   each owner counts its bins, one by one
//   sum up  the ranks' spectra are combined at kRoot, which reports
// A rank that finds something wrong goes on to the end of the step, where all ranks agree on how it
// went: so nobody waits for a rank that is gone, and one rank alone says what is wrong.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/memory.hpp"
#include "bin_store.hpp"
#include "counting.hpp"
#include "failure.hpp"
#include "lookup.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress_bar.hpp"
#include "report.hpp"
#include "root.hpp"
#include "say.hpp"
#include "share.hpp"
#include "spectrum.hpp"

namespace kmer {
namespace {

// Thrown in all ranks when a step failed in at least one, after one of those has said why.
struct step_failed {};

// Runs a step of this rank; returns when all ranks have done theirs. Collective.
void together(const std::function<void()>& step) {
  constexpr int kNobody = std::numeric_limits<int>::max();
  std::string problem;
  int who = kNobody;  // the lowest rank that failed
  try {
    step();
  } catch (const job_error&) {
    throw;  // there is no agreeing with a rank that is gone
  } catch (const std::exception& e) {
    problem = e.what();
    who = ramjet::rank();
  }
  require(ramjet::all_reduce(who, [](int a, int b) { return std::min(a, b); }));
  if (who == kNobody) return;
  if (who == ramjet::rank()) say(problem);
  require(ramjet::quiesce());  // no message will look for what goes away now
  throw step_failed{};
}

std::uint64_t sum_of(const std::vector<input_file>& files, std::uint64_t input_file::* member) {
  std::uint64_t sum = 0;
  for (const input_file& f : files) sum += f.*member;
  return sum;
}

// What progress is measured by: what is read of texts, and of the files of streams.
std::uint64_t bytes_to_read(const std::vector<input_file>& files) {
  std::uint64_t sum = 0;
  for (const input_file& f : files) sum += f.text ? f.text_bytes : f.bytes;
  return sum;
}

// Every rank plans alike, though they may have found different amounts of free memory.
bin_plan plan_together(const options& o, const std::vector<input_file>& files) {
  std::uint64_t memory = o.memory_bytes != 0 ? o.memory_bytes : measured::free_memory();
  memory = std::max(kRankMemoryMin, memory / static_cast<std::uint64_t>(measured::ranks_here()));
  require(
      ramjet::all_reduce(memory, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }));
  return plan_bins(sum_of(files, &input_file::text_bytes), memory, ramjet::size());
}

// What the ranks need before any of them sends.
struct plan {
  std::vector<piece> mine;
  unsigned streams = 0;  // of all ranks
  bin_plan bins;
  std::unique_ptr<bin_store> store;
  word_memory memory;  // where this rank gathers what it sends; then, of its table
  std::unique_ptr<progress_bar> bar;
  std::unique_ptr<output> out;
};

plan prepare(const options& o) {
  plan p;
  std::vector<input_file> files;
  together([&] {
    files = look_at(o.files);
    p.mine = share_of(files, ramjet::rank(), ramjet::size());
    p.streams = static_cast<unsigned>(
        std::ranges::count_if(files, [](const input_file& f) { return f.text == nullptr; }));
  });
  p.bins = plan_together(o, files);
  together([&] {
    const auto bins = p.bins.bins / static_cast<std::size_t>(ramjet::size());
    p.store =
        std::make_unique<bin_store>(bins, p.bins.memory_bytes, o.temporary, p.bins.bytes_of_rank);
    p.bar = std::make_unique<progress_bar>(bytes_to_read(files));
    p.out = std::make_unique<output>(o, p.bins.bins);
    receive_into(*p.store, p.bar.get());
  });
  return p;
}

template <class Key>
void count_own_bins(const options& o, plan& p, spectrum& s) {
  if (!p.store->problem().empty()) throw output_error(p.store->problem());
  count_bins<Key>(*p.store, o.k, p.bins.table_bytes, std::move(p.memory), s, p.out->take<Key>());
}

void count(const options& o, std::chrono::steady_clock::time_point start) {
  plan p = prepare(o);
  together([&] { send_kmers(std::exchange(p.mine, {}), o.k, p.bins.bins, p.streams, p.memory); });
  require(ramjet::quiesce());
  std::uint64_t kept = p.store->bytes();
  require(ramjet::all_reduce(kept, std::plus<>{}));
  p.bar->begin("counting", kept);

  spectrum s(o.histogram_max);
  together([&] {
    o.k <= kNarrowLengthMax ? count_own_bins<narrow_key>(o, p, s)
                            : count_own_bins<wide_key>(o, p, s);
  });
  require(ramjet::quiesce());
  p.bar->clear();
  s.combine_at_root();
  together([&] { p.out->finish(); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (ramjet::rank() == kRoot && s.all().total == 0)
    say(fmt::format("no {0}-mers: the input has no {0} letters A, C, G or T in a row", o.k));
  if (ramjet::rank() == kRoot) report(o, s, {.ranks = ramjet::size(), .seconds = took.count()});
}

// Prints what the command line led to, in place of a count. Returns the exit status.
int tell(const std::string& message, int exit_status) {
  std::FILE* to = exit_status == 0 ? stdout : stderr;
  if (std::fputs(message.c_str(), to) >= 0 && std::fflush(to) == 0) return exit_status;
  say(std::string("cannot write standard output: ") + std::strerror(errno));
  return kExitFailure;
}

int run(int argc, char** argv) {
  const auto start = std::chrono::steady_clock::now();
  if (is_lookup(argc, argv)) return ramjet::rank() == kRoot ? look_up(argc, argv) : 0;
  std::string message;
  int exit_status = 0;
  const std::optional<options> o = read_options(argc, argv, message, exit_status);
  if (!o) {
    return ramjet::rank() == kRoot ? tell(message, exit_status) : exit_status;
  }
  try {
    count(*o, start);
  } catch (const step_failed&) {
    return kExitFailure;
  } catch (const output_error& e) {  // after the last step: nobody waits for this rank
    say(e.what());
    return kExitFailure;
  } catch (const std::exception& e) {
    // Outside of a step the others do not learn of it: leaving the job is what ends it.
    say(fmt::format("rank {}: {}", ramjet::rank(), e.what()));
    std::_Exit(kExitFailure);
  }
  return 0;
}

}  // namespace
}  // namespace kmer

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int exit_status = kmer::run(argc, argv);
  ramjet::finalize();
  return exit_status;
}
