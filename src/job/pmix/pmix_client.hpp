// SPDX-License-Identifier: Apache-2.0
// What a rank says to the system's launcher: the few calls of PMIx (version 4 of its standard) that
// a job needs to start, to end and to be ended. The library is loaded on first use.
//
// Threads: the one that joins and leaves; abort may be called by any. The library has a thread of
// its own, which hears when the launcher goes.
#pragma once

#include <cstdint>
#include <string>

#include "ramjet/status.hpp"

namespace ramjet::job {

struct pmix_functions;

class pmix_client {
 public:
  pmix_client() = default;
  pmix_client(const pmix_client&) = delete;
  pmix_client& operator=(const pmix_client&) = delete;

  // Whether this process was started under PMIx. Looks at the environment alone.
  static bool is_offered() noexcept;

  // Loads the library, for good: it may have a thread as long as the process lives. False leaves a
  // sentence that names the package.
  bool load(std::string& message);

  // Connects to the launcher's server.
  status start(std::string& message);
  unsigned rank() const noexcept { return rank_; }
  unsigned ranks() const noexcept { return ranks_; }

  // Brings a value that others may read, once all have met.
  status publish(const std::string& key, const std::string& value, std::string& message);
  // Waits until every rank has published `key`; names one that has died, or has not come in time. A
  // rank whose last program ends meanwhile does not end the wait.
  status meet(const std::string& key, std::string& message);
  // After meet. The server may have counted the end of a rank's last program as its coming: then
  // the value comes later.
  static constexpr unsigned kReadMs = 60'000;
  status read(unsigned rank, const std::string& key, std::string& value, std::string& message,
              unsigned within_ms = kReadMs);

  // A rank whose process has ended, as far as the launcher says by now; -1: none. Asks the launcher
  // from time to time, and never again where it does not tell.
  int dead_rank();
  // The same, for what is to be explained now: asks again for a short time.
  int dead_rank_by_now();
  // Before this rank ends because of that death: waits until the others have found it, too. They
  // would take the end of this rank for the cause.
  void let_others_look();

  // Makes the launcher end the whole job. Returns if it could not be reached.
  void abort(int exit_status, const char* why);
  // This rank has left in order: its exit is not a failure.
  void finish();

 private:
  status find(unsigned rank, const std::string& key, std::uint64_t end_ns, std::string& value,
              int& error);
  status fence(std::uint64_t end_ns, int& error);
  void look_for_the_dead();
  std::string error_text(int error) const;
  unsigned first_without(const std::string& key);

  const pmix_functions* call_ = nullptr;
  std::string nspace_;  // PMIx's name of the job
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  int dead_ = -1;
  bool tells_deaths_ = true;  // the launcher, by its table of processes
  std::uint64_t next_look_ns_ = 0;
};

// For a start that ends because this rank has died.
std::string death_in_start(int rank);

}  // namespace ramjet::job
