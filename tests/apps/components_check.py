#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs components as its users do, and compares with a reference that knows nothing of it.

results  Kronecker graphs for several numbers of ranks and nodes, and files
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import collections
import sys

import graph_reference as reference
from graph_cases import SMALL, SMALL_VERTICES, FileCase
from kernels_check import SEEDS, options, run_check
from kernels_reference import hexadecimal, scrambled

APP = "components"
WAYS = ["natural", "batched", "linked"]


class Results(FileCase):
    def check(self, found, vertices, edges):
        self.check_size(found, vertices, edges)
        labels = reference.labels(vertices, edges)
        sizes = collections.Counter(labels)
        self.assertEqual((found["components"], found["largest"]),
                         (len(sizes), max(sizes.values())))
        self.assertEqual(found["checksum"],
                         hexadecimal(sum(scrambled(v + 1) * (label + 1)
                                         for v, label in enumerate(labels))))

    def test_kronecker(self):
        for seed, scale, factor in zip(SEEDS, (1, 7, 9), (3, 1, 16)):
            edges = reference.kronecker(scale, factor, seed)
            for ranks in options.ranks:
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found(APP, "--scale", scale, "--edge-factor", factor, "--seed",
                                       seed, "--repeats", 2, ranks=ranks)
                    self.assertEqual(found["ranks"], ranks)
                    self.check(found, 1 << scale, edges)
                    self.check_ways(found, WAYS, "edges_per_s")

    def test_between_nodes(self):
        found = self.found_on_two_nodes(APP, "--scale", 8, "--edge-factor", 2, "--repeats", 1)
        self.check(found, 256, reference.kronecker(8, 2, 1))

    def check_file(self, edges, vertices):
        path = self.file("".join(f"{a} {b}\n" for a, b in edges))
        for ranks in (1, 2, 3, 8):
            with self.subTest(ranks=ranks):
                found = self.found(APP, "--file", path, "--repeats", 1, ranks=ranks)
                self.assertEqual(found["graph"], {"file": str(path)})
                self.check(found, vertices, edges)

    def test_files(self):
        self.check_file(SMALL, SMALL_VERTICES - 1)
        self.check_file([(0, 0)], 1)

    def test_long_ways(self):
        """Paths whose neighbours are far apart: no rank has two vertices of an edge, and trees
        over ranks are deep."""
        self.check_file([(k * 37 % 300, (k + 1) * 37 % 300) for k in range(299)], 300)
        self.check_file([(k, k + 64) for k in range(600)], 664)

    def test_chosen_ways(self):
        found = self.found(APP, "--scale", 5, "--ways", "linked", "--no-serial", "--repeats", 1,
                           ranks=2)
        self.check_ways(found, ["linked"], "edges_per_s")
        self.check(found, 32, reference.kronecker(5, 16, 1))

    def test_text(self):
        text = self.check_text(APP, WAYS, "--repeats", 1)
        self.assertRegex(text, r"\n\d+ components?, the largest of \d+ vertices. All labels are ")
        text = self.output(APP, "--scale", 5, "--no-serial", "--repeats", 1, ranks=2)
        self.assertTrue(text.endswith(
            "No edge leads from one to another; that each is connected was not checked.\n"))


class Errors(FileCase):
    def test_command_line(self):
        self.check_command_line(APP, WAYS)
        self.app_fails(2, "--repeats 0: give a whole number from 1", APP, "--repeats", 0)

    def test_files(self):
        self.check_bad_files(APP)

    def test_a_full_disk(self):
        self.check_small_full_disk(APP)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors}))
