// SPDX-License-Identifier: Apache-2.0
// The provider of libfabric that this rank uses, and the endpoints that it opened for its ports
// while the job started: their addresses have to be on the card before any of them is used.
//
// Threads: the one that joins the job opens and closes; a port's thread takes its endpoint.
#pragma once

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <memory>
#include <string>
#include <vector>

#include "channel/net/choice.hpp"
#include "channel/net/ofi_library.hpp"
#include "ramjet/status.hpp"

namespace ramjet::channel {

struct ofi_close {
  template <class Object>
  void operator()(Object* o) const noexcept {
    ::fi_close(&o->fid);
  }
};
template <class Object>
using ofi_ptr = std::unique_ptr<Object, ofi_close>;

struct ofi_free {
  const ofi_library* library = nullptr;
  void operator()(fi_info* i) const noexcept { library->freeinfo(i); }
};
using ofi_info = std::unique_ptr<fi_info, ofi_free>;

// One port's objects. Members are closed in the reverse order, as libfabric wants it.
struct ofi_port {
  fi_info* about = nullptr;      // of the fabric
  fid_fabric* fabric = nullptr;
  ofi_ptr<fid_domain> domain;
  ofi_ptr<fid_av> peers;
  ofi_ptr<fid_cq> done;          // completions of both kinds
  int ready_fd = -1;             // becomes readable with a completion; -1: the provider has none
  ofi_ptr<fid_ep> endpoint;
  ofi_ptr<fid_mr> segment;       // of this rank, for copies by peers; null: there are none
  // In hexadecimal digits; "/KEY" follows if peers may copy to and from the segment.
  std::string address;
};

// Chooses the provider and opens an endpoint for each port of this rank.
status open_ofi(network_offer& offer, std::string& message);
// The port's own from here on.
ofi_port take_ofi_port(unsigned endpoint);
// After the last of the ports.
void close_ofi();

}  // namespace ramjet::channel
