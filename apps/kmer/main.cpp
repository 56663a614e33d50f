// SPDX-License-Identifier: Apache-2.0
// kmer: counts the k-mers of DNA sequences on all ranks of a job. See README.md.
//
// The same program runs in every rank. The steps:
//   look    every rank looks at the files and works out its share
//   send    k-mers go to their owners, whose handlers count them
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
#include <vector>

#include <ramjet/ramjet.hpp>

#include "counter_table.hpp"
#include "counting.hpp"
#include "failure.hpp"
#include "options.hpp"
#include "progress_bar.hpp"
#include "report.hpp"
#include "root.hpp"
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
  if (who == ramjet::rank()) std::fprintf(stderr, "kmer: %s\n", problem.c_str());
  require(ramjet::quiesce());  // no message will look for what goes away now
  throw step_failed{};
}

std::uint64_t sum_of(const std::vector<input_file>& files, std::uint64_t input_file::* member) {
  std::uint64_t sum = 0;
  for (const input_file& f : files) sum += f.*member;
  return sum;
}

// Room in a table for a rank's share: one k-mer for each letter, and a little, as shares differ.
std::uint64_t expected_share(const std::vector<input_file>& files) {
  const std::uint64_t share =
      sum_of(files, &input_file::text_bytes) / static_cast<std::uint64_t>(ramjet::size());
  return share + share / 64;
}

void count(const options& o, std::chrono::steady_clock::time_point start) {
  std::vector<piece> mine;
  std::unique_ptr<counter_table> table;
  std::unique_ptr<progress_bar> bar;
  together([&] {
    const std::vector<input_file> files = look_at(o.files);
    mine = share_of(files, ramjet::rank(), ramjet::size());
    table = std::make_unique<counter_table>(o.k, expected_share(files));
    if (ramjet::rank() == kRoot) {
      bar = std::make_unique<progress_bar>(sum_of(files, &input_file::bytes));
    }
    receive_into(*table, bar.get());
  });
  together([&] { send_kmers(mine, o.k); });
  require(ramjet::quiesce());
  bar.reset();
  table->flush();

  spectrum s(o.histogram_max);
  table->add_to(s);
  s.combine_at_root();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (ramjet::rank() == kRoot) report(o, s, {.ranks = ramjet::size(), .seconds = took.count()});
}

// Prints what the command line led to, in place of a count. Returns the exit status.
int tell(const std::string& message, int exit_status) {
  std::FILE* to = exit_status == 0 ? stdout : stderr;
  if (std::fputs(message.c_str(), to) >= 0 && std::fflush(to) == 0) return exit_status;
  std::fprintf(stderr, "kmer: cannot write standard output: %s\n", std::strerror(errno));
  return kExitFailure;
}

int run(int argc, char** argv) {
  const auto start = std::chrono::steady_clock::now();
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
    std::fprintf(stderr, "kmer: %s\n", e.what());
    return kExitFailure;
  } catch (const std::exception& e) {
    // Outside of a step the others do not learn of it: leaving the job is what ends it.
    std::fprintf(stderr, "kmer: rank %d: %s\n", ramjet::rank(), e.what());
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
