// SPDX-License-Identifier: Apache-2.0
// The functions of libfabric that are symbols of its library; all others go through tables of the
// objects that these make. Loaded when a job first wants it, and never unloaded: its threads and
// its end-of-process code may run until the process ends.
//
// Threads: the one that joins the job loads it; anybody calls it afterwards.
#pragma once

#include <rdma/fabric.h>

#include <string>

namespace ramjet::channel {

struct ofi_library {
  int (*getinfo)(std::uint32_t version, const char* node, const char* service, std::uint64_t flags,
                 const fi_info* hints, fi_info** info) = nullptr;
  void (*freeinfo)(fi_info* info) = nullptr;
  fi_info* (*dupinfo)(const fi_info* info) = nullptr;
  int (*fabric)(fi_fabric_attr* attributes, fid_fabric** into, void* context) = nullptr;
  const char* (*strerror)(int number) = nullptr;
};

// The library, loaded; null if it cannot be had, with the reason.
const ofi_library* load_ofi(std::string& message);

}  // namespace ramjet::channel
