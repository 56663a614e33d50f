// SPDX-License-Identifier: Apache-2.0
// Every benchmark: its name, what it means, and on how many ranks it runs. Names are kept stable.
#include "micro/bodies.hpp"

namespace bench {
namespace {

constexpr bool kLower = true, kHigher = false;
constexpr unsigned kTwoCores = 2, kPair = 2;

benchmark pair_of(const char* name, const char* what, const char* unit, bool lower,
                  void (*body)(worker&)) {
  return {.name = name,
          .what = what,
          .unit = unit,
          .lower_is_better = lower,
          .ranks = {2},
          .participants = kPair,
          .body = body,
          .command = {}};
}

benchmark pair_among(unsigned ranks, const char* name, const char* what) {
  return {.name = name,
          .what = what,
          .unit = "ns",
          .lower_is_better = kLower,
          .ranks = {ranks},
          .participants = kPair,
          .compared = {.with = "am_round_trip", .key = "vs_round_trip"},
          .body = measure_round_trip,
          .command = {}};
}

benchmark crowd(const char* name, const char* what, void (*body)(worker&)) {
  return {.name = name,
          .what = what,
          .unit = "M/s",
          .lower_is_better = kHigher,
          .ranks = {2, kAllCores},
          .body = body,
          .command = {}};
}

benchmark on_two_cores(unsigned ranks, const char* name, const char* what, void (*body)(worker&)) {
  return {.name = name,
          .what = what,
          .unit = "ns",
          .lower_is_better = kLower,
          .ranks = {ranks},
          .cores = kTwoCores,
          .body = body,
          .command = {}};
}

benchmark alone(const char* name, const char* what, void (*body)(solo&), unsigned workers = 1,
                const char* unit = "ns") {
  return {.name = name,
          .what = what,
          .unit = unit,
          .lower_is_better = kLower,
          .ranks = {1},
          .cores = workers,
          .body = {},
          .alone = body,
          .command = {}};
}

std::vector<benchmark> short_messages() {
  return {
      pair_of("am_round_trip", "short request and reply, handler to handler, a core each", "ns",
              kLower, measure_round_trip),
      pair_among(64, "am_round_trip_64", "the same while 62 more ranks wait in a barrier"),
      pair_among(256, "am_round_trip_256", "the same while 254 more ranks wait in a barrier"),
      pair_of("am_rate", "8-byte messages one way", "M/s", kHigher, measure_rate),
      pair_of("am_both_ways", "8-byte messages both ways at once, of one rank", "M/s", kHigher,
              measure_both_ways),
      pair_of("am_window_64", "request and reply, 64 under way", "M/s", kHigher, measure_window),
      crowd("am_all_to_all", "8-byte messages from every rank to every other, all together",
            measure_all_to_all),
      crowd("am_incast", "8-byte messages from all other ranks to rank 0", measure_incast),
      crowd("am_pairs", "8-byte messages from every even rank to the next one, all together",
            measure_pairs),
      pair_of("am_send_overhead", "processor time to send a short message (LogP's o)", "ns", kLower,
              measure_send_overhead),
      pair_of("am_receive_overhead", "processor time to receive a short message (LogP's o)", "ns",
              kLower, measure_receive_overhead),
  };
}

std::vector<benchmark> messages_with_data() {
  return {
      pair_of("am_medium_1k", "1 KiB there and back", "ns", kLower, measure_medium_echo),
      pair_of("am_medium_64k", "64 KiB messages one way, first and last word looked at", "GB/s",
              kHigher, measure_medium_stream),
      pair_of("am_medium_64k_fresh", "the same, every word written before and read after", "GB/s",
              kHigher, measure_medium_fresh),
      pair_of("am_long_64k", "64 KiB into the segment, every word read", "GB/s", kHigher,
              measure_long_64k),
      pair_of("am_long_1m", "1 MiB into the segment, every word read", "GB/s", kHigher,
              measure_long_1m),
  };
}

std::vector<benchmark> global_address_space() {
  return {
      pair_of("gas_read_own", "8-byte blocking reads of own memory", "ns", kLower,
              measure_gas_read_own),
      pair_of("gas_write_own", "8-byte blocking writes of own memory", "ns", kLower,
              measure_gas_write_own),
      pair_of("gas_read_node", "blocking reads at random of 8 MB that the other rank wrote", "ns",
              kLower, measure_gas_read_node),
      pair_of("gas_write_node", "blocking writes at random to 8 MB that the other rank wrote", "ns",
              kLower, measure_gas_write_node),
      pair_of("gas_get_group_1", "gets from there, a sync after each; the next place depends on it",
              "ns", kLower, measure_gas_get_group_1),
      pair_of("gas_get_group_2", "the same, a sync after every 2", "ns", kLower,
              measure_gas_get_group_2),
      pair_of("gas_get_group_4", "the same, a sync after every 4", "ns", kLower,
              measure_gas_get_group_4),
      pair_of("gas_get_group_8", "the same, a sync after every 8", "ns", kLower,
              measure_gas_get_group_8),
      pair_of("gas_get_group_16", "the same, a sync after every 16", "ns", kLower,
              measure_gas_get_group_16),
      pair_of("gas_put_rate", "8-byte puts", "M/s", kHigher, measure_gas_put_rate),
      pair_of("gas_store_rate", "8-byte one-way stores, counted at their target", "M/s", kHigher,
              measure_gas_store_rate),
      pair_of("gas_bulk_get_64k", "64 KiB that the other rank wrote, fetched", "GB/s", kHigher,
              measure_gas_bulk_get_64k),
      pair_of("gas_bulk_get_1m", "1 MiB that the other rank wrote, fetched", "GB/s", kHigher,
              measure_gas_bulk_get_1m),
      pair_of("gas_bulk_put_64k", "64 KiB over what the other rank wrote", "GB/s", kHigher,
              measure_gas_bulk_put_64k),
      pair_of("gas_bulk_put_1m", "1 MiB over what the other rank wrote", "GB/s", kHigher,
              measure_gas_bulk_put_1m),
      pair_of("gas_fetch_add_node", "atomic additions to one counter of the other rank", "ns",
              kLower, measure_gas_fetch_add_node),
      pair_of("gas_barrier_2", "a barrier in two halves of 2 ranks with a core each", "ns", kLower,
              measure_split_barrier),
  };
}

std::vector<benchmark> random_access() {
  return {
      pair_of("histogram_1e6", "atomic additions at random to 8 MB over both ranks, by both", "M/s",
              kHigher, measure_histogram_1e6),
      pair_of("histogram_1e7", "the same with 80 MB", "M/s", kHigher, measure_histogram_1e7),
      pair_of("indexgather_1e6", "blocking reads at random of 8 MB over both ranks, by both", "M/s",
              kHigher, measure_indexgather_1e6),
      pair_of("indexgather_1e7", "the same with 80 MB", "M/s", kHigher, measure_indexgather_1e7),
      pair_of("indexgather_each_1e6", "reads at random of 8 MB over both ranks, by read_each",
              "M/s", kHigher, measure_indexgather_each_1e6),
      pair_of("indexgather_each_1e7", "the same with 80 MB", "M/s", kHigher,
              measure_indexgather_each_1e7),
      pair_of("histogram_agg_1e6",
              "additions at random to 8 MB over both ranks, by aggregated messages", "M/s", kHigher,
              measure_histogram_agg_1e6),
      pair_of("histogram_agg_1e7", "the same with 80 MB", "M/s", kHigher,
              measure_histogram_agg_1e7),
      pair_of("indexgather_agg_1e6",
              "reads at random of 8 MB over both ranks, by aggregated messages", "M/s", kHigher,
              measure_indexgather_agg_1e6),
      pair_of("indexgather_agg_1e7", "the same with 80 MB", "M/s", kHigher,
              measure_indexgather_agg_1e7),
  };
}

std::vector<benchmark> abstract_machine() {
  return {
      alone("tam_activation", "a call: a frame, two words to it, its thread, a word back",
            measure_tam_activation),
      alone("tam_thread", "a thread enabled by another, and run", measure_tam_thread),
      alone("tam_ifetch_present", "a local I-structure element that is there; limit: a load",
            measure_tam_ifetch_present),
      alone("tam_ifetch_deferred", "one that is fetched, then stored, then given to its reader",
            measure_tam_ifetch_deferred),
      pair_of("tam_ifetch_remote", "an element of the other rank, one at a time", "ns", kLower,
              measure_tam_ifetch_remote),
      pair_of("tam_ifetch_remote_16", "the same, 16 at a time", "ns", kLower,
              measure_tam_ifetch_remote_16),
      alone("tam_fib", "fib(27), an activation for each call; limit: the serial one",
            measure_tam_fib, 1, "ms"),
      alone("tam_queens", "10 queens, an activation for each that stands; limit: the serial ones",
            measure_tam_queens, 1, "ms"),
      pair_of("tam_fib_2", "tam_fib by two ranks, calls on whichever is idle", "ms", kLower,
              measure_tam_fib_2),
      pair_of("tam_queens_2", "tam_queens in the same way", "ms", kLower, measure_tam_queens_2),
  };
}

std::vector<benchmark> user_level_threads() {
  return {
      alone("ult_switch", "from one thread to another, each at two places in the code",
            measure_ult_switch),
      alone("ult_yield_10", "a yield among 10 ready threads, at four places in the code",
            measure_ult_yield_10),
      alone("ult_yield_1000", "the same among 1000", measure_ult_yield_1000),
      alone("ult_yield_10000", "the same among 10000", measure_ult_yield_10000),
      alone("ult_mutex", "lock and unlock of a mutex that is free", measure_ult_mutex),
      alone("ult_mutex_2w", "the same while a second worker runs", measure_ult_mutex_2w, 2),
      alone("ult_semaphore", "a unit given to a semaphore and taken", measure_ult_semaphore),
      alone("ult_semaphore_2w", "the same while a second worker runs", measure_ult_semaphore_2w, 2),
      alone("ult_ring_mutex", "ten threads, each releasing the next by a mutex; a hop",
            measure_ult_ring_mutex),
      alone("ult_ring_condition",
            "ten threads, each waiting for a variable to be its number; a hop",
            measure_ult_ring_condition),
      alone("ult_create_join", "a thread made, run and joined", measure_ult_create_join),
      alone("ult_create_join_2w", "the same at each of two workers at a time",
            measure_ult_create_join_2w, 2),
      alone("ult_fan_2w", "a tiny task among 1000 of a group among 100 of a group, on two workers",
            measure_ult_fan_2w, 2),
      alone("ult_fan_1e6", "a tiny task among a million of one group", measure_ult_fan_1e6),
      alone("ult_fan_1e6_2w", "the same on two workers", measure_ult_fan_1e6_2w, 2),
      alone("ult_fib_2w", "fib(27), a thread for every other call, on two workers; limit: calls",
            measure_ult_fib_2w, 2, "ms"),
      alone("ult_fib_tasks_2w", "the same with tasks", measure_ult_fib_tasks_2w, 2, "ms"),
      alone("ult_poll_1000", "one of 1000 posted conditions on variables, in a pass",
            measure_ult_poll_1000),
      alone("ult_poll_1000_test", "one of 1000 posted conditions that are functions, in a pass",
            measure_ult_poll_1000_test),
      alone("ult_memory", "resident memory of one of 10000 blocked threads", measure_ult_memory, 1,
            "B"),
      alone("ult_memory_waiting", "resident memory of one of 100000 threads not yet started",
            measure_ult_memory_waiting, 1, "B"),
      pair_of("ult_call_overlap", "blocking calls of 64 threads in each of two ranks to the other",
              "M/s", kHigher, measure_call_overlap),
  };
}

benchmark with_coprocessors(const char* name, const char* what, const char* unit, bool lower,
                            unsigned ranks, void (*body)(worker&)) {
  return {.name = name,
          .what = what,
          .unit = unit,
          .lower_is_better = lower,
          .ranks = {ranks},
          .coproc = true,
          .body = body,
          .command = {}};
}

std::vector<benchmark> co_processors() {
  return {
      with_coprocessors("coproc_read_wait",
                        "the wait of a read of a rank that polls each ms, over that by its "
                        "co-processor",
                        "x", kHigher, kPair, measure_coproc_read_wait),
      with_coprocessors("coproc_get", "8 bytes fetched by a handler on the owner's co-processor",
                        "ns", kLower, kPair, measure_coproc_get),
      with_coprocessors("coproc_put", "8 bytes written by a handler there, and the answer", "ns",
                        kLower, kPair, measure_coproc_put),
      with_coprocessors("coproc_store", "8 bytes written there one way, seen by the main program",
                        "ns", kLower, kPair, measure_coproc_store),
      with_coprocessors("coproc_bulk_store", "the same with 32 bytes", "ns", kLower, kPair,
                        measure_coproc_bulk_store),
      with_coprocessors("coproc_idle", "processor time of an idle rank with a co-processor in 10 s",
                        "s", kLower, 1, measure_coproc_idle),
  };
}

// The same primitives with an answer, by co-processors of two machines.
benchmark between_coprocessors(const char* name, const char* what, void (*body)(worker&)) {
  benchmark b = with_coprocessors(name, what, "ns", kLower, kPair, body);
  b.machines = 2;
  return b;
}

benchmark whole_command(const char* name, const char* what, const char* unit, bool lower,
                        std::optional<record> (*run)(const command_context&, std::string&)) {
  return {.name = name,
          .what = what,
          .unit = unit,
          .lower_is_better = lower,
          .ranks = {},
          .body = {},
          .command = run};
}

// Irregular programs of 2 ranks beside serial ones.
std::vector<benchmark> irregular() {
  return {
      whole_command("sssp_18",
                    "ramjet run -n 2 sssp: scale 18, ways that are news; the limit is a serial "
                    "search",
                    "ms", kLower, measure_sssp_18),
      whole_command("components_18",
                    "ramjet run -n 2 components: scale 18, linked trees; the limit is a serial "
                    "program",
                    "ms", kLower, measure_components_18),
      whole_command("pagerank_18",
                    "ramjet run -n 2 pagerank: scale 18, 5 iterations, gathered; the limit is "
                    "a serial program",
                    "ms", kLower, measure_pagerank_18),
      whole_command("gups_24",
                    "ramjet run -n 2 gups: 2^24 words, natural; the limit is a serial program",
                    "ms", kLower, measure_gups_24),
      whole_command("keysort_1e8",
                    "ramjet run -n 2 keysort: 10^8 keys, natural; the limit is a serial sort", "ms",
                    kLower, measure_keysort_1e8),
      whole_command("triangles",
                    "ramjet run -n 2 triangles: bale's size, rows; the limit is a serial program",
                    "ms", kLower, measure_triangles),
      whole_command("toposort",
                    "ramjet run -n 2 toposort: bale's size, natural; the limit is a serial program",
                    "ms", kLower, measure_toposort),
      whole_command(
          "transpose",
          "ramjet run -n 2 transpose: bale's size, natural; the limit is a serial program", "ms",
          kLower, measure_transpose),
  };
}

std::vector<benchmark> the_rest() {
  return {
      {.name = "idle_poll",
       .what = "a poll that finds nothing, among 2, 64 and 256 ranks",
       .unit = "ns",
       .lower_is_better = kLower,
       .ranks = {2, 64, 256},
       .participants = kPair,
       .body = measure_idle_poll,
       .command = {}},
      on_two_cores(2, "barrier_2", "a barrier of 2 ranks with a core each", measure_barrier),
      on_two_cores(4, "barrier_4x2", "a barrier of 4 ranks on 2 cores", measure_barrier),
      on_two_cores(8, "barrier_8x2", "a barrier of 8 ranks on 2 cores", measure_barrier),
      on_two_cores(64, "barrier_64x2", "a barrier of 64 ranks on 2 cores", measure_barrier),
      {.name = "barrier_full",
       .what = "a barrier of a rank on each usable core, each after 0.1 ms of work",
       .unit = "ns",
       .lower_is_better = kLower,
       .ranks = {kAllCores},
       .body = measure_barrier_after_work,
       .command = {}},
      on_two_cores(64, "quiesce_64x2", "64 ranks on 2 cores: a message from each to each, quiesce",
                   measure_quiesce),
      on_two_cores(2, "all_reduce_8b_2", "8 bytes from all to all, 2 ranks with a core each",
                   measure_all_reduce),
      on_two_cores(4, "all_reduce_8b_4x2", "8 bytes from all to all, 4 ranks on 2 cores",
                   measure_all_reduce),
      on_two_cores(8, "all_reduce_8b_8x2", "8 bytes from all to all, 8 ranks on 2 cores",
                   measure_all_reduce),
      whole_command("job_start", "ramjet run -n 4 of an empty program, start to end", "ms", kLower,
                    measure_job_start),
      whole_command("kmer", "ramjet run -n 2 kmer -k 21 of a genome, start to end", "s", kLower,
                    measure_kmer),
      whole_command("net_kmer", "the same on two machines; the limit is one machine's time", "s",
                    kLower, measure_net_kmer),
      whole_command("em3d", "ramjet run -n 2 em3d: an edge of version bulk, 20 % of them remote",
                    "ns", kLower, measure_em3d),
      whole_command("bfs_18",
                    "ramjet run -n 2 bfs: scale 18, aggregated visits; the limit is a serial "
                    "search",
                    "ms", kLower, measure_bfs_18),
      whole_command("bfs_21", "the same with scale 21", "ms", kLower, measure_bfs_21),
      whole_command("net_bfs_18", "bfs_18 on two machines; the limit is the same batched by hand",
                    "ms", kLower, measure_net_bfs_18),
      whole_command("net_exchange_keys",
                    "exchange_keys on two machines; the limit is by buckets, one exchange", "M/s",
                    kHigher, measure_net_exchange_keys),
      whole_command("exchange_keys",
                    "ramjet run -n 2 exchange: aggregated keys; the limit is by buckets", "M/s",
                    kHigher, measure_exchange_keys),
  };
}

// Programs in Split-C on 2 processors.
std::vector<benchmark> split_c() {
  return {
      whole_command("splitc_own_sum", "sum of one's own part of a spread array, an element", "ns",
                    kLower, measure_splitc_own_sum),
      whole_command("splitc_own_saxpy", "y += a x there", "ns", kLower, measure_splitc_own_saxpy),
      whole_command("splitc_own_check", "a list of one's own walked by global pointers", "ns",
                    kLower, measure_splitc_own_check),
      whole_command("splitc_static_read",
                    "reads of the other's static variables; limit: of its "
                    "segment",
                    "ns", kLower, measure_splitc_static_read),
      whole_command("splitc_reads_pipelined",
                    "a loop of 16 blocking reads from another machine, over that without the pass",
                    "x", kHigher, measure_splitc_reads_pipelined),
      whole_command("splitc_puts_coalesced", "a loop of 4096 puts to adjacent words there", "x",
                    kHigher, measure_splitc_puts_coalesced),
      whole_command("splitc_radixb", "radix sort; the limit is the best serial sort by hand", "M/s",
                    kHigher, measure_splitc_radixb),
      whole_command("splitc_sampleb", "sample sort; the same limit", "M/s", kHigher,
                    measure_splitc_sampleb),
      whole_command("splitc_em3d", "an edge of version bulk, 20 % remote; limit: in C++", "ns",
                    kLower, measure_splitc_em3d),
  };
}

benchmark between_machines(const char* name, const char* what, const char* unit, bool lower,
                           void (*body)(worker&)) {
  benchmark b = pair_of(name, what, unit, lower, body);
  b.machines = 2;
  return b;
}

// Over the loopback, unless --wrapper puts the ranks elsewhere.
std::vector<benchmark> network() {
  benchmark beside = pair_among(3, "shm_beside_net",
                                "am_round_trip while a connection to another machine is idle");
  beside.machines = 2;
  return {
      between_machines("net_round_trip", "short request and reply between machines", "ns", kLower,
                       measure_net_round_trip),
      between_machines("net_rate", "8-byte messages one way between machines", "M/s", kHigher,
                       measure_net_rate),
      between_machines("net_bandwidth_64k", "64 KiB into the segment on another machine", "GB/s",
                       kHigher, measure_net_bandwidth_64k),
      between_machines("net_bandwidth_1m", "1 MiB into the segment on another machine", "GB/s",
                       kHigher, measure_net_bandwidth_1m),
      between_machines("net_gas_get_group_16", "gets from another machine, a sync after every 16",
                       "ns", kLower, measure_net_gas_get_group_16),
      between_machines("net_histogram_agg_1e6",
                       "histogram_agg_1e6 on two machines; the limit is blocks by plain sockets",
                       "M/s", kHigher, measure_net_histogram_agg_1e6),
      between_coprocessors("net_coproc_get", "coproc_get, from another machine",
                           measure_net_coproc_get),
      between_coprocessors("net_coproc_put", "coproc_put, to another machine",
                           measure_net_coproc_put),
      between_coprocessors("net_coproc_bulk_put", "the same with 32 bytes",
                           measure_net_coproc_bulk_put),
      beside,
  };
}

std::vector<benchmark> all() {
  std::vector<benchmark> list = short_messages();
  for (auto more : {messages_with_data(), global_address_space(), random_access(), irregular(),
                    user_level_threads(), abstract_machine(), co_processors(), network(),
                    the_rest(), split_c()})
    list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace

std::span<const benchmark> suite() {
  static const std::vector<benchmark> list = all();
  return list;
}

const benchmark* find_benchmark(std::string_view name) {
  for (const benchmark& b : suite())
    if (b.name == name) return &b;
  return nullptr;
}

}  // namespace bench
