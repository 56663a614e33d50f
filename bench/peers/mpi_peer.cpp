// SPDX-License-Identifier: Apache-2.0
// Open MPI (or any MPI) measured as Ramjet's benchmarks measure Ramjet: prints JSON records, each
// with the raw limit taken in between by the same ranks through an MPI shared-memory window.
// Arguments: --set pair,barrier,all_cores,network,programs (which to run; pair and network need two
// ranks, and network wants an Open MPI that was told to use no shared memory), --tiny.
//
// Messages go to a receiver that posts its receives ahead where that is faster; the fastest of the
// variants tried is here, not the most literal one.
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "measure.hpp"
#include "mpi_exchange.hpp"
#include "payload.hpp"
#include "raw.hpp"
#include "suite.hpp"

namespace {

using namespace peers;

constexpr int kTag = 1;
constexpr int kCreditTag = 2;

void send(const void* data, size_t bytes, int to, int tag = kTag) {
  MPI_Send(data, static_cast<int>(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

void receive(void* data, size_t bytes, int from, int tag = kTag) {
  MPI_Status status;
  MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
  int received = 0;
  MPI_Get_count(&status, MPI_BYTE, &received);
  PEERS_CHECK(received == static_cast<int>(bytes));
}

// The measuring functions of `raw` (raw.hpp), by MPI.
class mpi_kernels {
 public:
  explicit mpi_kernels(raw& bare) : bare_(bare) {}

  double round_trip_ns(int count);
  double one_way_rate(int count_per_sender);
  double window_rate(int count);
  double echo_ns(int count);
  double block_bandwidth(int count, content kind, size_t bytes = kBlockBytes);
  double barrier_ns(int count);
  double all_to_all_rate(int count_per_pair);

  // MPI may hold what was sent until the sender calls it again.
  void drain() {
    bare_.meet([] {
      int found = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
      PEERS_CHECK(!found);
    });
  }

 private:
  raw& bare_;
  size_t whole_bytes_ = 0;
};

double mpi_kernels::round_trip_ns(int count) {
  bare_.barrier();
  const double start_ns = now_ns();
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    uint64_t value = i;
    if (bare_.rank() == 0) {
      send(&value, sizeof value, 1);
      value = 0;
      receive(&value, sizeof value, 1);
      PEERS_CHECK(value == i);
    } else {
      receive(&value, sizeof value, 0);
      send(&value, sizeof value, 0);
    }
  }
  return (now_ns() - start_ns) / count;
}

// From every other rank to rank 0, in windows of 64 non-blocking sends and receives, which is about
// a tenth faster than blocking calls. The clock stops at rank 0, which handles the last message.
double mpi_kernels::one_way_rate(int count_per_sender) {
  uint64_t values[kWindow] = {};
  MPI_Request requests[kWindow];
  const uint64_t windows = static_cast<uint64_t>(std::max(count_per_sender / kWindow, 1));
  const uint64_t count = windows * kWindow;
  const uint64_t senders = static_cast<uint64_t>(bare_.ranks() - 1);
  const int source = senders == 1 ? 1 : MPI_ANY_SOURCE;
  uint64_t sum = 0;
  bare_.barrier();
  const double start_ns = now_ns();
  for (uint64_t window = 0; window < (bare_.rank() == 0 ? windows * senders : windows); ++window) {
    for (size_t i = 0; i < kWindow; ++i) {
      if (bare_.rank() == 0) {
        MPI_Irecv(&values[i], sizeof(uint64_t), MPI_BYTE, source, kTag, MPI_COMM_WORLD,
                  &requests[i]);
      } else {
        values[i] = window * kWindow + i;
        MPI_Isend(&values[i], sizeof(uint64_t), MPI_BYTE, 0, kTag, MPI_COMM_WORLD, &requests[i]);
      }
    }
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    sum = std::accumulate(values, values + kWindow, sum);
  }
  PEERS_CHECK(sum == (bare_.rank() == 0 ? senders : 1) * (count * (count - 1) / 2));
  return static_cast<double>(count * senders) / (now_ns() - start_ns) * 1e3;
}

double mpi_kernels::window_rate(int count) {
  bare_.barrier();
  const uint64_t total = static_cast<uint64_t>(count);
  const double start_ns = now_ns();
  uint64_t value = 0;
  if (bare_.rank() == 0) {
    uint64_t sent = 0;
    for (uint64_t done = 0; done < total; ++done) {
      for (; sent < total && sent - done < kWindow; ++sent) {
        send(&sent, sizeof sent, 1);
      }
      receive(&value, sizeof value, 1);
      PEERS_CHECK(value == done);
    }
  } else {
    for (uint64_t i = 0; i < total; ++i) {
      receive(&value, sizeof value, 0);
      send(&value, sizeof value, 0);
    }
  }
  return static_cast<double>(count) / (now_ns() - start_ns) * 1e3;
}

double mpi_kernels::echo_ns(int count) {
  bare_.barrier();
  std::vector<uint64_t> out(kEchoBytes / sizeof(uint64_t));
  std::vector<uint64_t> in(out.size());
  fill_pattern(out.data(), kEchoBytes);
  const double start_ns = now_ns();
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    if (bare_.rank() == 0) {
      stamp(out.data(), kEchoBytes, i);
      send(out.data(), kEchoBytes, 1);
      receive(in.data(), kEchoBytes, 1);
      check_stamp(in.data(), kEchoBytes, i);
      if (i == 0) {
        check_whole(in.data(), kEchoBytes, i);
      }
    } else {
      receive(in.data(), kEchoBytes, 0);
      send(in.data(), kEchoBytes, 0);
    }
  }
  return (now_ns() - start_ns) / count;
}

// Both sides keep eight blocks under way; the receives are posted before their blocks arrive.
double mpi_kernels::block_bandwidth(int count, content kind, size_t bytes) {
  std::vector<uint64_t> buffers[kBlocksInFlight];
  MPI_Request requests[kBlocksInFlight];
  for (auto& buffer : buffers) {
    buffer.resize(bytes / sizeof(uint64_t));
    fill_pattern(buffer.data(), bytes);
  }
  const uint64_t total = static_cast<uint64_t>(count);
  const int length = static_cast<int>(bytes);
  block_checker checker(kind, bytes, whole_bytes_);
  const auto start = [&](uint64_t number) {
    const size_t at = number % kBlocksInFlight;
    if (bare_.rank() == 0) {
      prepare_block(kind, buffers[at].data(), bytes, number);
      MPI_Isend(buffers[at].data(), length, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, &requests[at]);
    } else {
      MPI_Irecv(buffers[at].data(), length, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, &requests[at]);
    }
  };
  bare_.barrier();
  const double start_ns = now_ns();
  for (uint64_t started = 0, finished = 0; finished < total; ++finished) {
    for (; started < total && started - finished < kBlocksInFlight; ++started) {
      start(started);
    }
    const size_t at = finished % kBlocksInFlight;
    MPI_Wait(&requests[at], MPI_STATUS_IGNORE);
    if (bare_.rank() == 1) {
      checker.take(buffers[at].data());
    }
  }
  uint64_t taken = checker.taken();
  if (bare_.rank() == 0) {
    receive(&taken, sizeof taken, 1, kCreditTag);
    PEERS_CHECK(taken == total);
  } else {
    send(&taken, sizeof taken, 0, kCreditTag);
  }
  return static_cast<double>(count) * static_cast<double>(bytes) / (now_ns() - start_ns);
}

double mpi_kernels::barrier_ns(int count) {
  bare_.barrier();
  const double start_ns = now_ns();
  for (int i = 0; i < count; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return (now_ns() - start_ns) / count;
}

// Rounds of non-blocking sends to and receives from all others, one message each way and round.
double mpi_kernels::all_to_all_rate(int count_per_pair) {
  const int ranks = bare_.ranks();
  const int others = ranks - 1;
  const int rounds = std::max(kWindow / others, 1);
  const int windows = std::max(count_per_pair / rounds, 1);
  std::vector<uint64_t> out(static_cast<size_t>(rounds * others));
  std::vector<uint64_t> in(out.size());
  std::vector<MPI_Request> requests(2 * out.size());
  bare_.barrier();
  const double start_ns = now_ns();
  for (int window = 0; window < windows; ++window) {
    size_t at = 0;
    for (int round = 0; round < rounds; ++round) {
      for (int step = 1; step < ranks; ++step, ++at) {
        const int from = (bare_.rank() + ranks - step) % ranks;
        MPI_Irecv(&in[at], sizeof(uint64_t), MPI_BYTE, from, kTag, MPI_COMM_WORLD,
                  &requests[2 * at]);
      }
    }
    at = 0;
    for (int round = 0; round < rounds; ++round) {
      for (int step = 1; step < ranks; ++step, ++at) {
        const int to = (bare_.rank() + step) % ranks;
        out[at] = static_cast<uint64_t>(window + round + step);
        MPI_Isend(&out[at], sizeof(uint64_t), MPI_BYTE, to, kTag, MPI_COMM_WORLD,
                  &requests[2 * at + 1]);
      }
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    PEERS_CHECK(in == out);  // the rank `step` below sent what this rank sent `step` above
  }
  const double sent = static_cast<double>(windows) * static_cast<double>(out.size());
  return sent / (now_ns() - start_ns) * 1e3;
}

// A barrier that lets a rank out early would measure very well.
void check_barrier(raw& bare, std::atomic<uint64_t>* entered) {
  for (uint64_t i = 1; i <= 100; ++i) {
    entered[bare.rank()].store(i, std::memory_order_relaxed);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int other = 0; other < bare.ranks(); ++other) {
      PEERS_CHECK(entered[other].load(std::memory_order_relaxed) >= i);
    }
  }
}

// What the launcher was told, as the ranks see it.
std::string settings() {
  std::string text;
  for (const char* name : {"pml", "btl", "btl_tcp_if_include", "btl_tcp_eager_limit",
                           "mpi_yield_when_idle", "pml_ucx_tls"}) {
    const std::string variable = std::string("OMPI_MCA_") + name;
    if (const char* value = std::getenv(variable.c_str())) {
      if (!text.empty()) text += ' ';
      text.append(name).append("=").append(value);
    }
  }
  return text;
}

std::string library() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  const std::string text(version);
  return text.substr(0, text.find(','));
}

struct window_memory {
  MPI_Win window = MPI_WIN_NULL;
  void* address = nullptr;
};

// Rank 0's part of a shared window, mapped by all ranks, aligned to a line.
window_memory allocate_shared(int rank, size_t bytes) {
  constexpr size_t kLine = 64;
  window_memory memory;
  const MPI_Aint mine = rank == 0 ? static_cast<MPI_Aint>(bytes + kLine) : 0;
  void* base = nullptr;
  MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &memory.window);
  MPI_Aint size = 0;
  int unit = 0;
  MPI_Win_shared_query(memory.window, 0, &size, &unit, &base);
  const auto address = reinterpret_cast<uintptr_t>(base);
  memory.address = reinterpret_cast<void*>((address + kLine - 1) / kLine * kLine);
  if (rank == 0) {
    std::memset(memory.address, 0, bytes);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return memory;
}

std::vector<record> run_sets(const row_sets& sets, const plan& run, int rank, int ranks) {
  const std::vector<int> cpus = allowed_cpus();
  const size_t used = sets.all_cores ? cpus.size() : 2;
  pin_to(cpus[static_cast<size_t>(rank) % used]);
  const size_t flags_bytes = sizeof(std::atomic<uint64_t>) * kRanksMax;
  window_memory memory = allocate_shared(rank, area_bytes(ranks) + flags_bytes);
  raw bare(memory.address, rank, ranks, static_cast<int>(used));
  check_barrier(bare, reinterpret_cast<std::atomic<uint64_t>*>(static_cast<char*>(memory.address) +
                                                               area_bytes(ranks)));
  mpi_kernels kernels(bare);
  std::vector<record> records = measured_rows(sets, run, bare, kernels);
  if (sets.programs) records.push_back(exchange_record(run, rank, ranks));
  MPI_Win_free(&memory.window);
  return records;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const row_sets sets = row_sets::from(argument(argc, argv, "--set", "pair,barrier"));
  if (ranks < 2 || ranks > kRanksMax || ((sets.pair || sets.network) && ranks != 2)) {
    std::fprintf(stderr, "start this with mpirun: -n 2 for pair and network, 2 to %d for others\n",
                 kRanksMax);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (allowed_cpus().size() < 2) {
    std::fprintf(stderr,
                 "ranks pin themselves: start this with mpirun --bind-to none, and with "
                 "two cores\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const std::vector<record> records = run_sets(sets, plan::from_arguments(argc, argv), rank, ranks);
  if (rank == 0) {
    const std::string extra = json_member("system", "openmpi") + json_member("library", library()) +
                              json_member("settings", settings()) +
                              json_member("build", build_text());
    print_records({json_lines(records, extra)});
  }
  MPI_Finalize();
  return 0;
}
