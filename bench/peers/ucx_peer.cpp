// SPDX-License-Identifier: Apache-2.0
// UCX's Active Messages (UCP) measured as Ramjet's benchmarks measure Ramjet: prints JSON records,
// each with the raw limit taken in between by the same processes. The ranks are forked and pinned;
// UCX_TLS is shm,self unless it is set. Arguments: --set pair,all_cores (both by default), or
// network with a UCX_TLS that leaves shared memory out; --tiny.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "forked.hpp"
#include "measure.hpp"
#include "payload.hpp"
#include "raw.hpp"
#include "suite.hpp"
#include "ucx_rank.hpp"

namespace {

using namespace peers;

// Sends 8-byte messages from values that stay as they are while UCX holds them: what it holds for
// one destination is always the latest, because it sends to each in order.
class value_sender {
 public:
  value_sender(ucx_rank& ucx, message_id id, int ranks)
      : ucx_(ucx), id_(id), queues_(static_cast<size_t>(ranks)) {}

  void send(int to, uint64_t value) {
    queue& mine = queues_[static_cast<size_t>(to)];
    while (mine.held >= kHeldMax) {
      ucx_.progress();
    }
    uint64_t& kept = mine.values[mine.next++ % (2 * kHeldMax)];
    kept = value;
    ucx_.send(id_, to, &kept, sizeof kept, mine.held);
  }

  void finish() {
    for (const queue& each : queues_) {
      while (each.held > 0) {
        ucx_.progress();
      }
    }
  }

 private:
  static constexpr uint64_t kHeldMax = 64;

  struct queue {
    uint64_t held = 0;
    uint64_t next = 0;
    uint64_t values[2 * kHeldMax] = {};
  };

  ucx_rank& ucx_;
  message_id id_;
  std::vector<queue> queues_;
};

// The measuring functions of `raw` (raw.hpp), by UCX's Active Messages.
class ucx_kernels {
 public:
  ucx_kernels(raw& bare, ucx_rank& ucx) : bare_(bare), ucx_(ucx) {}

  double round_trip_ns(int count);
  double one_way_rate(int count_per_sender);
  double window_rate(int count);
  double echo_ns(int count);
  double block_bandwidth(int count, content kind, size_t bytes = kBlockBytes);
  double all_to_all_rate(int count_per_pair);
  void drain() { ucx_.drain(); }

 private:
  raw& bare_;
  ucx_rank& ucx_;
};

double ucx_kernels::round_trip_ns(int count) {
  uint64_t held = 0;
  ucx_.start_over();
  const double start_ns = now_ns();
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    if (bare_.rank() == 0) {
      ucx_.send(kRequest, 1, &i, sizeof i, held);
      while (ucx_.replied == i) {
        ucx_.progress();
      }
    } else {
      while (ucx_.handled == i) {
        ucx_.progress();
      }
    }
  }
  PEERS_CHECK(held == 0);
  return (now_ns() - start_ns) / count;
}

// From every other rank to rank 0. The clock stops at rank 0, which handles the last message.
double ucx_kernels::one_way_rate(int count_per_sender) {
  const uint64_t count = static_cast<uint64_t>(count_per_sender);
  const uint64_t senders = static_cast<uint64_t>(bare_.ranks() - 1);
  value_sender sender(ucx_, kOneWay, bare_.ranks());
  ucx_.start_over();
  const double start_ns = now_ns();
  if (bare_.rank() == 0) {
    while (ucx_.handled < count * senders) {
      ucx_.progress();
    }
    PEERS_CHECK(ucx_.sum == senders * (count * (count - 1) / 2));
  } else {
    for (uint64_t i = 0; i < count; ++i) {
      sender.send(0, i);
    }
    sender.finish();
  }
  return static_cast<double>(count * senders) / (now_ns() - start_ns) * 1e3;
}

double ucx_kernels::window_rate(int count) {
  const uint64_t total = static_cast<uint64_t>(count);
  value_sender sender(ucx_, kRequest, bare_.ranks());
  ucx_.start_over();
  const double start_ns = now_ns();
  if (bare_.rank() == 0) {
    for (uint64_t sent = 0; ucx_.replied < total;) {
      for (; sent < total && sent - ucx_.replied < kWindow; ++sent) {
        sender.send(1, sent);
      }
      ucx_.progress();
    }
    sender.finish();
  } else {
    while (ucx_.handled < total) {
      ucx_.progress();
    }
  }
  return static_cast<double>(count) / (now_ns() - start_ns) * 1e3;
}

double ucx_kernels::echo_ns(int count) {
  std::vector<uint64_t> out(kEchoBytes / sizeof(uint64_t));
  fill_pattern(out.data(), kEchoBytes);
  uint64_t held = 0;
  ucx_.start_over();
  const double start_ns = now_ns();
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    if (bare_.rank() == 0) {
      stamp(out.data(), kEchoBytes, i);
      ucx_.send(kEcho, 1, out.data(), kEchoBytes, held);
      while (ucx_.replied == i || held > 0) {
        ucx_.progress();
      }
    } else {
      while (ucx_.handled == i) {
        ucx_.progress();
      }
    }
  }
  return (now_ns() - start_ns) / count;
}

double ucx_kernels::block_bandwidth(int count, content kind, size_t bytes) {
  const uint64_t total = static_cast<uint64_t>(count);
  const std::vector<uint64_t> empty(bytes / sizeof(uint64_t));
  std::vector<std::vector<uint64_t>> blocks(kBlocksInFlight, empty);
  uint64_t held[kBlocksInFlight] = {};
  for (auto& block : blocks) {
    fill_pattern(block.data(), bytes);
  }
  ucx_.start_over(kind, bytes);
  const double start_ns = now_ns();
  if (bare_.rank() == 0) {
    for (uint64_t number = 0; number < total; ++number) {
      const size_t at = number % kBlocksInFlight;
      while (held[at] > 0) {
        ucx_.progress();
      }
      prepare_block(kind, blocks[at].data(), bytes, number);
      ucx_.send(kBlock, 1, blocks[at].data(), bytes, held[at]);
    }
    // Rank 1 answers when it has taken the last one; until then UCX may hold some.
    while (ucx_.sum == 0) {
      ucx_.progress();
    }
    PEERS_CHECK(ucx_.sum == total);
    for (uint64_t each : held) {
      PEERS_CHECK(each == 0);
    }
  } else {
    while (ucx_.blocks_taken() < total) {
      ucx_.progress();
    }
    value_sender answer(ucx_, kOneWay, bare_.ranks());
    answer.send(0, total);
    answer.finish();
  }
  return static_cast<double>(count) * static_cast<double>(bytes) / (now_ns() - start_ns);
}

double ucx_kernels::all_to_all_rate(int count_per_pair) {
  const uint64_t count = static_cast<uint64_t>(count_per_pair);
  const int others = bare_.ranks() - 1;
  const uint64_t total = count * static_cast<uint64_t>(others);
  value_sender sender(ucx_, kOneWay, bare_.ranks());
  ucx_.start_over();
  const double start_ns = now_ns();
  for (uint64_t i = 0; i < count; ++i) {
    for (int step = 1; step <= others; ++step) {
      sender.send((bare_.rank() + step) % bare_.ranks(), i);
    }
    // Progress after every message brought two thirds of the rate.
    if (i % 4 == 0) ucx_.progress();
  }
  sender.finish();
  while (ucx_.handled < total) {
    ucx_.progress();
  }
  PEERS_CHECK(ucx_.sum == static_cast<uint64_t>(others) * (count * (count - 1) / 2));
  return static_cast<double>(total) / (now_ns() - start_ns) * 1e3;
}

// Where UCX was told to send.
std::string settings() {
  std::string text;
  for (const char* name : {"UCX_TLS", "UCX_NET_DEVICES", "UCX_RNDV_THRESH"}) {
    if (const char* value = std::getenv(name)) {
      if (!text.empty()) text += ' ';
      text.append(name).append("=").append(value);
    }
  }
  return text;
}

std::string run_group(int ranks, const std::vector<int>& cpus, const plan& run,
                      const row_sets& sets, const std::string& extra) {
  shared_memory area_memory(area_bytes(ranks));
  shared_memory addresses(sizeof(address_slot) * static_cast<size_t>(ranks));
  return run_forked(ranks, cpus, [&](int rank) {
    raw bare(area_memory.address(), rank, ranks, static_cast<int>(cpus.size()));
    ucx_rank ucx(bare, static_cast<address_slot*>(addresses.address()));
    ucx_kernels kernels(bare, ucx);
    return json_lines(measured_rows(sets, run, bare, kernels), extra);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const plan run = plan::from_arguments(argc, argv);
  const row_sets sets = row_sets::from(argument(argc, argv, "--set", "pair,all_cores"));
  const std::vector<int> cpus = usable_cpus();
  setenv("UCX_TLS", "shm,self", 0);
  const std::string extra = json_member("system", "ucx") +
                            json_member("library", std::string("UCX ") + ucp_get_version_string()) +
                            json_member("settings", settings()) +
                            json_member("build", build_text());
  const std::vector<int> two(cpus.begin(), cpus.begin() + 2);
  std::vector<std::string> groups;
  if (sets.pair) groups.push_back(run_group(2, two, run, {.pair = true}, extra));
  if (sets.network) groups.push_back(run_group(2, two, run, {.network = true}, extra));
  if (sets.all_cores) {
    groups.push_back(
        run_group(static_cast<int>(cpus.size()), cpus, run, {.all_cores = true}, extra));
  }
  print_records(groups);
  return 0;
}
