#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs gups as its users do, and compares with a reference that knows nothing of it.

results  checksums for several numbers of ranks and nodes
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import sys

from graph_cases import GraphCase
from kernels_check import options, run_check
from kernels_reference import BITS, hexadecimal, scrambled

APP = "gups"
WAYS = ["natural", "batched", "atomic"]


def checksum(scale):
    """Of the table after RandomAccess, by its definition."""
    table, a = list(range(1 << scale)), 1
    for _ in range(4 << scale):
        a = (a << 1 & BITS) ^ (7 if a >> 63 else 0)
        table[a % len(table)] ^= a
    return hexadecimal(sum(scrambled(value ^ scrambled(k + 1)) for k, value in enumerate(table)))


class Results(GraphCase):
    def check(self, found, scale, ways=None):
        self.assertEqual((found["updates"], found["wrong"]), (4 << scale, 0))
        self.assertEqual(found["checksum"], checksum(scale))
        self.check_ways(found, ways or WAYS, "updates_per_s")

    def test_ranks(self):
        for ranks in options.ranks:
            for scale in (1, 5, 11):
                with self.subTest(ranks=ranks, scale=scale):
                    found = self.found(APP, "--scale", scale, "--repeats", 2, ranks=ranks)
                    self.assertEqual(found["ranks"], ranks)
                    self.check(found, scale)

    def test_between_nodes(self):
        self.check(self.found_on_two_nodes(APP, "--scale", 10, "--repeats", 1), 10)

    def test_chosen_ways(self):
        found = self.found(APP, "--scale", 6, "--repeats", 1, "--ways", "natural", "--no-serial",
                           ranks=2)
        self.check(found, 6, ["natural"])

    def test_text(self):
        text = self.output(APP, "--scale", 6, "--repeats", 1, ranks=2)
        self.assertRegex(text, "^A table of 2.6 words over 2 ranks, 256 updates\n")
        for way in (*WAYS, "serial"):
            self.assertRegex(text, rf"\n +{way} +\d+\.\d+ +\d+\.\d+")
        self.assertEqual(self.output(APP, "--help", ranks=3).count("Usage: gups [options]"), 1)


class Errors(GraphCase):
    def test_command_line(self):
        self.app_fails(2, "--scale 32: give a whole number from 1 to 31", APP, "--scale", 32)
        self.app_fails(2, "--ways quick: give some of natural,batched,atomic", APP, "--ways",
                       "quick")
        self.app_fails(2, "unexpected argument 'word'", APP, "word")

    def test_a_full_disk(self):
        self.check_small_full_disk(APP)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors}))
