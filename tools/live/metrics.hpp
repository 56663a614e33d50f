// SPDX-License-Identifier: Apache-2.0
// Answers collectors of metrics while a job runs: HTTP, GET /metrics, in OpenMetrics.
//
// Threads: the one that runs the job. It is told by a descriptor that there is something to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "launch/monitor/sample.hpp"

struct MHD_Daemon;

namespace tools {

// An address and a port, of IPv4 or IPv6, as they are typed; a sentence if they are not.
struct metrics_place {
  std::string address = "127.0.0.1";
  unsigned port = 0;  // 0: one that is free
};
std::optional<std::string> read_metrics_place(const std::string& port, const std::string& address,
                                              metrics_place& out);

class metrics_server {
 public:
  metrics_server() = default;
  ~metrics_server();
  metrics_server(const metrics_server&) = delete;
  metrics_server& operator=(const metrics_server&) = delete;

  // Listens. Standard error says why it cannot, or where it does if the port was not named.
  bool open(const metrics_place& place);
  int descriptor() const { return descriptor_; }  // readable: somebody asks
  // To be called when it is readable, and at the time that it returns (CLOCK_MONOTONIC; 0: none):
  // then the patience with somebody who does not ask ends.
  std::uint64_t serve(const ramjet::report::readable_job& job);

  // For the answer to a request.
  std::string text() { return job_ == nullptr ? std::string() : text_of(*job_); }

 private:
  std::string text_of(const ramjet::report::readable_job& job);

  MHD_Daemon* daemon_ = nullptr;
  int descriptor_ = -1;
  ramjet::monitor::sampler sampler_;
  const ramjet::report::readable_job* job_ = nullptr;  // while serve runs
};

}  // namespace tools
