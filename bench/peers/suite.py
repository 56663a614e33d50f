# SPDX-License-Identifier: Apache-2.0
"""The rows of compare.py's tables and their units; suite.hpp has those of messages, too."""

PAIR_ROWS = ("am_round_trip", "am_rate", "am_window_64", "am_medium_1k", "am_medium_64k",
             "am_medium_64k_fresh")
BARRIER_ROWS = ("barrier_2", "barrier_4x2", "barrier_8x2")
ALL_CORE_ROWS = ("am_all_to_all", "am_incast")
MESSAGE_ROWS = PAIR_ROWS + BARRIER_ROWS + ALL_CORE_ROWS
# Two ranks that share no memory, over the loopback device.
NETWORK_ROWS = ("net_round_trip", "net_rate", "net_bandwidth_64k", "net_bandwidth_1m")
# About threads: other peers, and no limit but the one that Ramjet takes beside its own.
THREAD_ROWS = ("ult_switch", "ult_yield_10", "ult_yield_1000", "ult_yield_10000", "ult_mutex",
               "ult_mutex_2w", "ult_semaphore", "ult_semaphore_2w", "ult_ring_mutex",
               "ult_ring_condition", "ult_create_join", "ult_fan_2w", "ult_fan_1e6_2w",
               "ult_fib_tasks_2w", "ult_memory", "tam_fib_2", "tam_queens_2")
PROGRAM_ROWS = ("exchange_keys",)  # of two ranks, with the limit that Ramjet takes beside its own
# Whole programs of two ranks or threads; the limit is the serial program of Ramjet's run.
KERNEL_ROWS = ("bfs_18", "sssp_18", "components_18", "pagerank_18", "gups_24", "keysort_1e8")
ROWS = MESSAGE_ROWS + NETWORK_ROWS + THREAD_ROWS + PROGRAM_ROWS + KERNEL_ROWS
# Rows that a build of Ramjet may lack: asked for only if its own help names them.
OPTIONAL_ROWS = ("am_medium_64k_fresh", *ALL_CORE_ROWS, *NETWORK_ROWS, *THREAD_ROWS, *PROGRAM_ROWS,
                 *KERNEL_ROWS)

# How much of the row's unit one of the other unit is.
UNITS = {"ns": {"ns": 1, "us": 1e3, "ms": 1e6}, "M/s": {"M/s": 1, "k/s": 1e-3, "G/s": 1e3},
         "GB/s": {"GB/s": 1, "MB/s": 1e-3}, "B": {"B": 1, "KiB": 1024},
         "ms": {"ms": 1, "us": 1e-3, "s": 1e3}}
LOW_IS_GOOD = ("ns", "ms", "B")
UNIT_OF = {name: "ns" for name in ROWS} | {
    "am_rate": "M/s", "am_window_64": "M/s", "am_all_to_all": "M/s", "am_incast": "M/s",
    "am_medium_64k": "GB/s", "am_medium_64k_fresh": "GB/s", "net_rate": "M/s",
    "net_bandwidth_64k": "GB/s", "net_bandwidth_1m": "GB/s", "exchange_keys": "M/s",
    "ult_memory": "B"} | {name: "ms" for name in (*KERNEL_ROWS, "tam_fib_2", "tam_queens_2")}
