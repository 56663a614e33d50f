#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs keysort as its users do, and compares with a reference that knows nothing of it.

results  checksums for several numbers of ranks and nodes, and keys that crowd
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import os
import sys

from graph_cases import GraphCase
from graph_reference import Words
from kernels_check import SEEDS, options, run_check
from kernels_reference import hexadecimal, scrambled

APP = "keysort"
WAYS = ["natural", "batched", "exchanged", "stored"]


def checksum(seed, keys, skew):
    found = 0
    for k in range(keys):
        words = Words(seed, k)
        key = words.next()
        found += scrambled(key >> ((words.next() >> 32) * (skew + 1) >> 32) ^ 0x5047)
    return hexadecimal(found)


class Results(GraphCase):
    """That keys are in order is what the program itself checks; here, that they are the ones."""

    def check(self, found, seed, keys, skew=0, ways=None):
        self.assertEqual((found["keys"], found["seed"], found["skew"]), (keys, seed, skew))
        self.assertEqual(found["checksum"], checksum(seed, keys, skew))
        self.check_ways(found, ways or WAYS, "keys_per_s")
        self.assertGreater(found["memory_bytes"], 32 * keys // found["ranks"])

    def test_ranks(self):
        for ranks in options.ranks:
            for seed, keys, skew in zip(SEEDS, (1, 3000, 20000), (0, 60, 0)):
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found(APP, "--keys", keys, "--seed", seed, "--skew", skew,
                                       "--repeats", 2, ranks=ranks)
                    self.assertEqual(found["ranks"], ranks)
                    self.check(found, seed, keys, skew)

    def test_large_buckets(self):
        """More keys in a bucket than are sorted by comparisons."""
        found = self.found(APP, "--keys", 30000, "--skew", 63, "--repeats", 1, ranks=2)
        self.check(found, 1, 30000, 63)

    def test_between_nodes(self):
        for skew in (0, 63):
            with self.subTest(skew=skew):
                found = self.found_on_two_nodes(APP, "--keys", 20000, "--skew", skew, "--repeats",
                                                1)
                self.check(found, 1, 20000, skew)

    def test_chosen_ways(self):
        found = self.found(APP, "--keys", 10, "--repeats", 1, "--ways", "exchanged",
                           "--no-serial", ranks=2)
        self.check(found, 1, 10, ways=["exchanged"])

    def test_text(self):
        text = self.output(APP, "--keys", 1000, "--repeats", 1, ranks=2)
        self.assertRegex(text, r"^1000 keys of 64 bits over 2 ranks: 0\.\d+ GB in rank 0, 0\.\d+ ")
        for way in (*WAYS, "serial"):
            self.assertRegex(text, rf"\n +{way} +\d+\.\d+ +\d+\.\d+")
        self.assertRegex(text, r"\nAll keys are in order, by each way: checksum [0-9a-f]{16}\.\n$")
        self.assertEqual(self.output(APP, "--help", ranks=3).count("Usage: keysort [options]"), 1)


class Errors(GraphCase):
    def test_command_line(self):
        self.app_fails(2, "--keys 0: give a whole number from 1 to 100000000000", APP, "--keys", 0)
        self.app_fails(2, "--skew 64: give a whole number from 0 to 63", APP, "--skew", 64)
        self.app_fails(2, "--ways quick: give some of natural,batched,exchanged,stored", APP,
                       "--ways", "quick")

    def test_more_than_there_is(self):
        self.app_fails(1, r"^keysort: 100000000000 keys take \d+\.\d GB on this machine, which has "
                       r"\d+\.\d GB for them: ask for fewer by --keys, or try --no-serial$", APP,
                       "--keys", "1e11")

    def test_more_than_the_segments_hold(self):
        os.environ["RAMJET_SEGMENT_BYTES"] = str(1 << 20)
        self.addCleanup(os.environ.pop, "RAMJET_SEGMENT_BYTES")
        self.app_fails(1, "^keysort: no room for the keys in the ranks' segments: ask for fewer by "
                       "--keys, or make RAMJET_SEGMENT_BYTES greater$", APP, "--keys", "1e6",
                       "--json")

    def test_a_full_disk(self):
        self.check_full_disk(APP, "--keys", "1000")


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors}))
