#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet bench` as its users see it: whole records for every benchmark, and clear refusals.

    bench_test.py RAMJET [CLASS]
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

RAMJET = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "ramjet"

UNITS = {"ns", "ms", "s", "M/s", "GB/s", "B", "x"}
# With co-processors; with the times beside that each has.
COPROC = {"coproc_read_wait": {"main_ns", "coproc_ns"}, "coproc_idle": set(),
          **dict.fromkeys(("coproc_get", "coproc_put", "coproc_store", "coproc_bulk_store",
                           "net_coproc_get", "net_coproc_put", "net_coproc_bulk_put"),
                          {"main_ns", "optimised_ns"})}
# Benchmarks with a record for each of several numbers of ranks; the others have one record.
RANKS = {"idle_poll": {2, 64, 256}}
CROWDS = {"am_all_to_all", "am_incast", "am_pairs"}  # two ranks, and one for each core
# In one process, before it joins its job; with the workers that each has.
THREADS = {"ult_switch": None, "ult_yield_10": 1, "ult_yield_1000": 1, "ult_yield_10000": 1,
           "ult_mutex": 1, "ult_mutex_2w": 2, "ult_semaphore": 1, "ult_semaphore_2w": 2,
           "ult_ring_mutex": 1, "ult_ring_condition": 1, "ult_create_join": 1,
           "ult_create_join_2w": 2, "ult_fan_2w": 2,
           "ult_fan_1e6": 1, "ult_fan_1e6_2w": 2, "ult_fib_2w": 2, "ult_fib_tasks_2w": 2,
           "ult_poll_1000": 1, "ult_poll_1000_test": 1,
           "ult_memory": None, "ult_memory_waiting": None,
           "tam_activation": None, "tam_thread": None, "tam_ifetch_present": None,
           "tam_ifetch_deferred": None, "tam_fib": None, "tam_queens": None}
# Between ranks that share no memory.
NETWORK = {"net_round_trip", "net_bandwidth_64k", "net_bandwidth_1m", "net_gas_get_group_16",
           "net_kmer", "net_histogram_agg_1e6", "net_bfs_18", "net_exchange_keys"}
SPLITC = {"splitc_own_sum", "splitc_own_saxpy", "splitc_own_check", "splitc_static_read",
          "splitc_radixb", "splitc_sampleb", "splitc_em3d"}
SPLITC_PASSES = {"splitc_reads_pipelined", "splitc_puts_coalesced"}
WITH_LIMIT = {"am_round_trip", "am_round_trip_64", "am_round_trip_256", "am_rate", "am_medium_1k",
              "am_medium_64k", "am_medium_64k_fresh", "am_long_64k", "am_long_1m", "barrier_2",
              "barrier_4x2", "barrier_8x2", "barrier_64x2", "barrier_full", "quiesce_64x2",
              "all_reduce_8b_2", "all_reduce_8b_4x2", "all_reduce_8b_8x2", "job_start",
              "gas_read_own",
              "gas_write_own", "gas_read_node", "gas_write_node", "gas_put_rate", "gas_store_rate",
              "gas_bulk_get_64k", "gas_bulk_get_1m", "gas_bulk_put_64k", "gas_bulk_put_1m",
              "gas_fetch_add_node", "gas_get_group_1", "gas_get_group_2", "gas_get_group_4",
              "gas_get_group_8", "gas_get_group_16", "gas_barrier_2", "histogram_1e6",
              "histogram_1e7", "indexgather_1e6", "indexgather_1e7", "indexgather_each_1e6",
              "indexgather_each_1e7", "histogram_agg_1e6", "histogram_agg_1e7",
              "indexgather_agg_1e6", "indexgather_agg_1e7", "em3d", "bfs_18", "bfs_21",
              "sssp_18", "components_18", "pagerank_18", "gups_24", "keysort_1e8", "triangles",
              "toposort", "transpose",
              "exchange_keys", "ult_call_overlap", "tam_fib_2", "tam_queens_2",
              "shm_beside_net"} | set(THREADS) | NETWORK | SPLITC
STABLE_NAMES = WITH_LIMIT | CROWDS | {"am_window_64", "am_both_ways", "am_send_overhead",
                                      "am_receive_overhead", "idle_poll", "kmer",
                                      "net_rate", "tam_ifetch_remote",
                                      "tam_ifetch_remote_16"} | set(COPROC) | SPLITC_PASSES
# These need their programs, kmer a genome too.
MAY_BE_MISSING = {"kmer", "net_kmer", "em3d", "bfs_18", "bfs_21", "sssp_18", "components_18",
                  "pagerank_18", "gups_24", "keysort_1e8", "triangles", "toposort", "transpose",
                  "exchange_keys", "net_bfs_18",
                  "net_exchange_keys"} | SPLITC | SPLITC_PASSES


def bench(*words, **options):
    return subprocess.run([RAMJET, "bench", *words], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True,
                          env={**os.environ, "RAMJET_PROFILE": "none"}, **options)


def usable_cores():
    info = subprocess.run([RAMJET, "info", "--json"], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, check=True)
    return json.loads(info.stdout)["limits"]["usable_cores"]


def has_children(pid):
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text(errors="replace").rsplit(")", 1)[1].split()[1]) == pid:
                return True
        except OSError:  # it has gone
            pass
    return False


class Records(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = bench("--quick", "--json")
        cls.records = json.loads(cls.done.stdout) if cls.done.returncode == 0 else []
        cls.by_name = {}
        for record in cls.records:
            cls.by_name.setdefault(record["name"], []).append(record)

    def setUp(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_every_benchmark_has_its_records(self):
        missing = STABLE_NAMES - set(self.by_name)
        self.assertLessEqual(missing, MAY_BE_MISSING, self.done.stderr)
        for name in missing:
            self.assertIn(f"{name} is left out", self.done.stderr)
        cores = max(2, usable_cores())
        for name, records in self.by_name.items():
            ranks = {record["params"]["ranks"] for record in records}
            wanted = {2, cores} if name in CROWDS else RANKS.get(name)
            if wanted:
                self.assertEqual(ranks, wanted, name)
            self.assertEqual(len(records), len(ranks), name)

    def test_records_are_whole(self):
        for record in self.records:
            with self.subTest(record["name"]):
                self.assertEqual(list(record), ["version", "name", "value", "unit", "better",
                                                "limit", "ratio_to_limit", "params"])
                self.assertGreater(record["value"], 0)
                self.assertIn(record["unit"], UNITS)
                is_rate = record["unit"].endswith("/s") or record["unit"] == "x"
                self.assertEqual(record["better"], "higher" if is_rate else "lower")
                params = record["params"]
                self.assertGreaterEqual(params["repeats"], 1)
                self.assertGreaterEqual(params["spread"], 0)
                for key in ("commit", "processor", "compiler", "flags"):
                    self.assertTrue(params["provenance"][key], key)

    def test_limits(self):
        for record in self.records:
            with self.subTest(record["name"]):
                if record["name"] in WITH_LIMIT:
                    self.assertGreater(record["limit"], 0)
                    self.assertAlmostEqual(record["ratio_to_limit"],
                                           record["value"] / record["limit"])
                    self.assertGreaterEqual(record["params"].get("limit_spread", 0), 0)
                else:
                    self.assertIsNone(record["limit"])
                    self.assertIsNone(record["ratio_to_limit"])
                alone = MAY_BE_MISSING | {"job_start", "coproc_idle"} | set(THREADS)
                if record["name"] not in alone:
                    self.assertGreater(record["params"]["raw_round_trip_ns"], 0)

    def test_comparisons(self):
        for name in ("am_round_trip_64", "am_round_trip_256", "shm_beside_net"):
            record, = self.by_name[name]
            base, = self.by_name["am_round_trip"]
            self.assertAlmostEqual(record["params"]["vs_round_trip"],
                                   record["value"] / base["value"])
        for name in ("all_reduce_8b_2", "all_reduce_8b_4x2", "all_reduce_8b_8x2"):
            record, = self.by_name[name]
            self.assertGreater(record["params"]["barrier_ns"], 0)
        for record in self.by_name.get("net_kmer", []):
            self.assertGreater(record["params"]["distinct"], 0)
        record, = self.by_name["net_rate"]
        self.assertGreater(record["params"]["raw_send_each"], 0)
        for record in self.by_name.get("kmer", []):
            self.assertGreater(record["params"]["distinct"], 0)
            self.assertIn("jellyfish_s", record["params"])
            self.assertIn("kmc_s", record["params"])
        for record in self.by_name.get("em3d", []):
            self.assertGreater(record["params"]["local_ns"], 0)
            self.assertAlmostEqual(record["params"]["local_vs_limit"],
                                   record["params"]["local_ns"] / record["limit"])
            for version in ("simple", "bundle", "unroll", "get", "put", "bulk"):
                self.assertGreater(record["params"][f"{version}_ns"], 0)

    def test_co_processors(self):
        for name, beside in COPROC.items():
            record, = self.by_name[name]
            for key in beside:
                self.assertGreater(record["params"][key], 0, name)

    def test_user_level_threads(self):
        for name, workers in THREADS.items():
            with self.subTest(name):
                record, = self.by_name[name]
                self.assertEqual(record["params"]["ranks"], 1)
                self.assertEqual(record["params"].get("workers"), workers)
                self.assertNotIn("raw_round_trip_ns", record["params"])
                if workers:  # a processor each, where there are as many
                    self.assertEqual(record["params"]["cpus"], min(workers, usable_cores()))
        for name in ("ult_memory", "ult_memory_waiting"):
            record, = self.by_name[name]
            self.assertEqual(record["unit"], "B")

    def test_nothing_but_json(self):
        self.assertTrue(self.done.stdout.startswith("[") and self.done.stdout.endswith("]\n"))


class CommandLine(unittest.TestCase):
    def test_list_names_every_benchmark(self):
        done = bench("--list")
        self.assertEqual(done.returncode, 0)
        self.assertEqual({line.split()[0] for line in done.stdout.splitlines()}, STABLE_NAMES)
        listed = json.loads(bench("--list", "--json").stdout)
        self.assertEqual({row["name"] for row in listed}, STABLE_NAMES)

    def test_an_unknown_name_is_refused_with_the_nearest(self):
        done = bench("am_round_trp", "--quick")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn("am_round_trp", done.stderr)
        self.assertIn("am_round_trip,", done.stderr)

    def test_wrong_options_are_refused(self):
        for words in (["--nonsense"], ["--repeats", "0"], ["--repeats", "many"], ["--repeats"],
                      ["--compare", "a.json", "--with", "b.json", "--quick"]):
            with self.subTest(words):
                done = bench(*words)
                self.assertEqual(done.returncode, 2)
                self.assertTrue(done.stderr.startswith("ramjet bench: "), done.stderr)

    def test_table(self):
        done = bench("am_round_trip", "barrier_2", "--quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        provenance, head, *rows = done.stdout.splitlines()
        self.assertTrue(provenance.startswith("commit "))
        self.assertEqual(head.split(), ["name", "value", "unit", "limit", "ratio", "note"])
        self.assertEqual([row.split()[0] for row in rows], ["am_round_trip", "barrier_2"])

    def test_a_comparison_alone_measures_its_base(self):
        done = bench("am_round_trip_64", "--quick", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        record, = json.loads(done.stdout)
        self.assertGreater(record["params"]["vs_round_trip"], 0)

    def test_repeats_are_as_told(self):
        done = bench("am_round_trip", "job_start", "--quick", "--repeats", "4", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        for record in json.loads(done.stdout):
            self.assertEqual(record["params"]["repeats"], 4, record["name"])

    def test_an_interrupt_ends_it_at_once(self):
        child = subprocess.Popen([RAMJET, "bench", "am_rate", "--repeats", "100000"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        while not has_children(child.pid):  # it heeds signals before it has any
            self.assertIsNone(child.poll())
            time.sleep(0.01)
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=20)
        self.assertEqual(child.returncode, 128 + signal.SIGINT)
        self.assertEqual(output, b"")


if __name__ == "__main__":
    unittest.main()
