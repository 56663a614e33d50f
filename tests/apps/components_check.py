#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs components as its users do, and compares with a reference that knows nothing of it.

results  Kronecker graphs for several numbers of ranks and nodes, and files
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import collections
import sys

import graph_reference as reference
from graph_cases import FAR, SMALL, SMALL_VERTICES, FileCase, edge_list, matrix_market, renumbered
from kernels_check import SEEDS, options, run_check
from kernels_reference import BITS, hexadecimal, scrambled

APP = "components"
WAYS = ["natural", "batched", "linked"]


class Results(FileCase):
    def check(self, found, vertices, edges, names=None):
        names = names or range(vertices)
        self.check_size(found, vertices, edges)
        labels = reference.labels(vertices, edges)
        sizes = collections.Counter(labels)
        self.assertEqual((found["components"], found["largest"]),
                         (len(sizes), max(sizes.values())))
        self.assertEqual(found["checksum"],
                         hexadecimal(sum(scrambled(name + 1 & BITS) * (names[label] + 1)
                                         for name, label in zip(names, labels))))

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

    def check_file(self, edges):
        path = self.file(edge_list(edges))
        names, between = renumbered(edges)
        for ranks in (1, 2, 3, 8):
            with self.subTest(ranks=ranks):
                found = self.found(APP, "--file", path, "--repeats", 1, ranks=ranks)
                self.assertEqual(found["graph"], {"file": str(path)})
                self.check(found, len(names), between, names)

    def test_files(self):
        self.check_file(SMALL)
        self.check_file(FAR)
        self.check_file([(0, 0)])
        self.check_file([(0, 10**8)])
        path = self.file(matrix_market(SMALL_VERTICES, SMALL))
        self.check(self.found(APP, "--file", path, "--repeats", 1, ranks=2), SMALL_VERTICES, SMALL)

    def test_long_ways(self):
        """Paths whose neighbours are far apart: no rank has two vertices of an edge, and trees
        over ranks are deep."""
        self.check_file([(k * 37 % 300, (k + 1) * 37 % 300) for k in range(299)])
        self.check_file([(k, k + 64) for k in range(600)])

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
