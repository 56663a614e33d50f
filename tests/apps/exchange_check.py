#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs exchange as its users do, and compares with a reference that knows nothing of it.

results  checksums for several numbers of ranks and nodes
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import json
import subprocess
import sys

import kernels_reference as reference
from graph_reference import Words
from kernels_check import SEEDS, Case, available_bytes, options, run_check

APP = "exchange"
WAYS = ["natural", "aggregated", "batched", "bucketed"]


def checksum(seed, ranks, keys):
    streams = [Words(seed, rank) for rank in range(ranks)]
    return reference.hexadecimal(sum(reference.scrambled(words.next()) for words in streams
                                     for _ in range(keys)))


class Results(Case):
    def check(self, found, seed, ranks, keys, ways=None):
        self.assertEqual((found["ranks"], found["count"]), (ranks, ranks * keys))
        self.assertEqual(found["checksum"], checksum(seed, ranks, keys))
        self.assertEqual([way["way"] for way in found["ways"]], ways or WAYS)
        for way in found["ways"]:
            self.assertAlmostEqual(way["keys_per_s"], keys / way["seconds"])

    def test_ranks(self):
        for ranks in options.ranks:
            for seed, keys in zip(SEEDS, (1, 700, 5000)):
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found(APP, "--keys", keys, "--seed", seed, "--repeats", 2,
                                       ranks=ranks)
                    self.check(found, seed, ranks, keys)

    def test_between_nodes(self):
        command = [options.ramjet, "run", "-n", "4", "--nodes", "2", "--timeout", "60",
                   options.apps / APP, "--keys", "1e4", "--repeats", "1", "--json"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.check(json.loads(result.stdout), 1, 4, 10000)

    def test_chosen_ways(self):
        found = self.found(APP, "--keys", 10, "--repeats", 1, "--ways", "bucketed", ranks=2)
        self.check(found, 1, 2, 10, ["bucketed"])

    def test_text(self):
        text = self.output(APP, "--keys", 100, "--repeats", 1, ranks=2)
        self.assertRegex(text, "^100 keys of 64 bits from each of 2 ranks, seed 1\n")
        for way in WAYS:
            self.assertRegex(text, rf"\n +{way} +\d+\.\d+ ms +\d+\.\d+ M keys/s")
        self.assertRegex(text, r"\nEvery rank has the keys that it owns: 200 in all, checksum ")
        text = self.output(APP, "--help", ranks=3)
        self.assertEqual(text.count("Usage: exchange [options]"), 1)


class Errors(Case):
    def test_command_line(self):
        for word in (0, "many", "2e9"):
            self.app_fails(2, f"--keys {word}: give a whole number from 1 to 1000000000", APP,
                           "--keys", word)
        self.app_fails(2, "--ways quick: give some of natural,aggregated,batched,bucketed", APP,
                       "--ways", "quick")
        self.app_fails(2, "unexpected argument 'word'", APP, "word")

    def test_sizes_beyond_memory(self):
        if available_bytes() < 20e9:  # a rank of this takes 16e9
            self.app_fails(1, r"not enough memory for 1000000000 keys a rank: .* by --keys$", APP,
                           "--keys", 1e9)

    def test_a_full_disk(self):
        self.check_full_disk(APP, "--keys", "1000")


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors}))
