// SPDX-License-Identifier: Apache-2.0
// The functions of libfabric that are symbols of its library; all others go through tables of the
// objects that these make. Loaded when a job first wants it, and never unloaded: its threads and
// its end-of-process code may run until the process ends.
//
// Threads: the one that joins the job loads it; anybody calls it afterwards.
#pragma once

#include <rdma/fabric.h>
#include <signal.h>

#include <array>
#include <string>

#include "base/signals.hpp"

namespace ramjet::channel {

struct ofi_library {
  int (*getinfo)(std::uint32_t version, const char* node, const char* service, std::uint64_t flags,
                 const fi_info* hints, fi_info** info) = nullptr;
  void (*freeinfo)(fi_info* info) = nullptr;
  fi_info* (*dupinfo)(const fi_info* info) = nullptr;
  int (*fabric)(fi_fabric_attr* attributes, fid_fabric** into, void* context) = nullptr;
  const char* (*strerror)(int number) = nullptr;
};

// What this process does on signals stays as it is: libraries that libfabric brings along catch
// some to print a backtrace, and a process that dies hangs in their handlers, or seems to exit.
// While it lives, the thread's signals wait, so those handlers never run; then all is put back.
class kept_signals {
 public:
  kept_signals() noexcept;
  ~kept_signals();
  kept_signals(const kept_signals&) = delete;
  kept_signals& operator=(const kept_signals&) = delete;

 private:
  base::signals_blocked quiet_;  // ends last
  std::array<struct sigaction, 32> before_;  // by number
};

// The library, loaded; null if it cannot be had, with the reason. Its first answer to getinfo may
// load more: keep the signals then, too.
const ofi_library* load_ofi(std::string& message);

}  // namespace ramjet::channel
