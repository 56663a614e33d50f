// SPDX-License-Identifier: Apache-2.0
// The benchmarks' bodies, for the table in suite.cpp. A body runs in every participant of the job.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/benchmark.hpp"
#include "harness/solo.hpp"
#include "harness/worker.hpp"

namespace bench {

// What ranks compute before they meet, as those of programs do: ranks that share cores wait for
// each other's turns then, and may learn from that how to wait.
inline constexpr double kTurnNs = 5e6;

// short.cpp
void measure_round_trip(worker& w);
void measure_rate(worker& w);
void measure_both_ways(worker& w);
void measure_window(worker& w);
void measure_net_round_trip(worker& w);
void measure_net_rate(worker& w);

// net.cpp
void measure_net_gas_get_group_16(worker& w);

// crowd.cpp
void measure_all_to_all(worker& w);
void measure_incast(worker& w);
void measure_pairs(worker& w);

// overhead.cpp
void measure_send_overhead(worker& w);
void measure_receive_overhead(worker& w);
void measure_idle_poll(worker& w);

// payload.cpp
void measure_medium_echo(worker& w);
void measure_medium_stream(worker& w);
void measure_medium_fresh(worker& w);
void measure_long_64k(worker& w);
void measure_long_1m(worker& w);
void measure_net_bandwidth_64k(worker& w);
void measure_net_bandwidth_1m(worker& w);

// gas.cpp
void measure_gas_read_own(worker& w);
void measure_gas_write_own(worker& w);
void measure_gas_read_node(worker& w);
void measure_gas_write_node(worker& w);
void measure_gas_get_group_1(worker& w);
void measure_gas_get_group_2(worker& w);
void measure_gas_get_group_4(worker& w);
void measure_gas_get_group_8(worker& w);
void measure_gas_get_group_16(worker& w);
void measure_gas_put_rate(worker& w);
void measure_gas_store_rate(worker& w);
void measure_gas_bulk_get_64k(worker& w);
void measure_gas_bulk_get_1m(worker& w);
void measure_gas_bulk_put_64k(worker& w);
void measure_gas_bulk_put_1m(worker& w);
void measure_gas_fetch_add_node(worker& w);

// random_access.cpp
void measure_histogram_1e6(worker& w);
void measure_histogram_1e7(worker& w);
void measure_indexgather_1e6(worker& w);
void measure_indexgather_1e7(worker& w);
void measure_indexgather_each_1e6(worker& w);
void measure_indexgather_each_1e7(worker& w);
void measure_histogram_agg_1e6(worker& w);
void measure_histogram_agg_1e7(worker& w);
void measure_net_histogram_agg_1e6(worker& w);
void measure_indexgather_agg_1e6(worker& w);
void measure_indexgather_agg_1e7(worker& w);

// barrier.cpp
void measure_barrier(worker& w);
void measure_barrier_after_work(worker& w);
void measure_split_barrier(worker& w);

// quiesce.cpp
void measure_quiesce(worker& w);

// all_reduce.cpp
void measure_all_reduce(worker& w);

// threads.cpp
void measure_call_overlap(worker& w);

// coproc.cpp
void measure_coproc_read_wait(worker& w);
void measure_coproc_get(worker& w);
void measure_coproc_put(worker& w);
void measure_net_coproc_get(worker& w);
void measure_net_coproc_put(worker& w);
void measure_net_coproc_bulk_put(worker& w);
void measure_coproc_store(worker& w);
void measure_coproc_bulk_store(worker& w);
void measure_coproc_idle(worker& w);

// ult_switch.cpp
void measure_ult_switch(solo& s);
void measure_ult_yield_10(solo& s);
void measure_ult_yield_1000(solo& s);
void measure_ult_yield_10000(solo& s);

// ult_sync.cpp
void measure_ult_mutex(solo& s);
void measure_ult_mutex_2w(solo& s);
void measure_ult_semaphore(solo& s);
void measure_ult_semaphore_2w(solo& s);
void measure_ult_ring_mutex(solo& s);
void measure_ult_ring_condition(solo& s);

// ult_threads.cpp
void measure_ult_create_join(solo& s);
void measure_ult_create_join_2w(solo& s);
void measure_ult_fan_2w(solo& s);
void measure_ult_fan_1e6(solo& s);
void measure_ult_fan_1e6_2w(solo& s);
void measure_ult_fib_2w(solo& s);
void measure_ult_fib_tasks_2w(solo& s);
void measure_ult_memory(solo& s);
void measure_ult_memory_waiting(solo& s);

// tam.cpp
void measure_tam_activation(solo& s);
void measure_tam_thread(solo& s);
void measure_tam_ifetch_present(solo& s);
void measure_tam_ifetch_deferred(solo& s);
void measure_tam_ifetch_remote(worker& w);
void measure_tam_ifetch_remote_16(worker& w);
void measure_tam_fib(solo& s);
void measure_tam_queens(solo& s);
void measure_tam_fib_2(worker& w);
void measure_tam_queens_2(worker& w);

// ult_poll.cpp
void measure_ult_poll_1000(solo& s);
void measure_ult_poll_1000_test(solo& s);

// splitc.cpp: programs in Split-C
std::optional<record> measure_splitc_own_sum(const command_context& c, std::string& missing);
std::optional<record> measure_splitc_own_saxpy(const command_context& c, std::string& missing);
std::optional<record> measure_splitc_own_check(const command_context& c, std::string& missing);
std::optional<record> measure_splitc_static_read(const command_context& c, std::string& missing);
std::optional<record> measure_splitc_reads_pipelined(const command_context& c,
                                                     std::string& missing);
std::optional<record> measure_splitc_puts_coalesced(const command_context& c, std::string& missing);
std::optional<record> measure_splitc_radixb(const command_context& c, std::string& missing);
std::optional<record> measure_splitc_sampleb(const command_context& c, std::string& missing);
std::optional<record> measure_splitc_em3d(const command_context& c, std::string& missing);

// job_start.cpp, kmer.cpp, em3d.cpp, irregular.cpp: whole commands
std::optional<record> measure_job_start(const command_context& c, std::string& missing);
std::optional<record> measure_kmer(const command_context& c, std::string& missing);
std::optional<record> measure_net_kmer(const command_context& c, std::string& missing);
std::optional<record> measure_em3d(const command_context& c, std::string& missing);
std::optional<record> measure_bfs_18(const command_context& c, std::string& missing);
std::optional<record> measure_net_bfs_18(const command_context& c, std::string& missing);
std::optional<record> measure_bfs_21(const command_context& c, std::string& missing);
std::optional<record> measure_sssp_18(const command_context& c, std::string& missing);
std::optional<record> measure_components_18(const command_context& c, std::string& missing);
std::optional<record> measure_pagerank_18(const command_context& c, std::string& missing);
std::optional<record> measure_gups_24(const command_context& c, std::string& missing);
std::optional<record> measure_keysort_1e8(const command_context& c, std::string& missing);
std::optional<record> measure_triangles(const command_context& c, std::string& missing);
std::optional<record> measure_toposort(const command_context& c, std::string& missing);
std::optional<record> measure_transpose(const command_context& c, std::string& missing);
std::optional<record> measure_exchange_keys(const command_context& c, std::string& missing);
std::optional<record> measure_net_exchange_keys(const command_context& c, std::string& missing);

}  // namespace bench
