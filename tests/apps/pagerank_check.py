#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pagerank as its users do, and compares with a reference that knows nothing of it.

results  Kronecker graphs for several numbers of ranks and nodes, and a file
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import sys

import graph_reference as reference
from graph_cases import FAR, SMALL, SMALL_VERTICES, FileCase, edge_list, matrix_market, renumbered
from kernels_check import SEEDS, options, run_check

APP = "pagerank"
WAYS = ["natural", "batched", "read", "gathered", "shared"]


class Results(FileCase):
    def check(self, found, vertices, edges, iterations):
        self.check_size(found, vertices, edges)
        self.assertEqual(found["iterations"], iterations)
        scores = reference.ranks(vertices, edges, iterations)
        self.assertAlmostEqual(found["sum"], 1, places=9)
        self.assertAlmostEqual(found["squares"] / sum(s * s for s in scores), 1, places=9)
        first = found["first"]
        self.assertAlmostEqual(first["score"] / max(scores), 1, places=9)
        self.assertAlmostEqual(scores[first["vertex"]] / max(scores), 1, places=9)

    def test_kronecker(self):
        for seed, scale, factor, iterations in zip(SEEDS, (1, 6, 8), (3, 1, 16), (1, 30, 5)):
            edges = reference.kronecker(scale, factor, seed)
            for ranks in options.ranks:
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found(APP, "--scale", scale, "--edge-factor", factor, "--seed",
                                       seed, "--iterations", iterations, "--repeats", 2,
                                       ranks=ranks)
                    self.assertEqual(found["ranks"], ranks)
                    self.check(found, 1 << scale, edges, iterations)
                    self.check_ways(found, WAYS, "edges_per_s")

    def test_between_nodes(self):
        found = self.found_on_two_nodes(APP, "--scale", 6, "--iterations", 3, "--repeats", 1)
        self.check(found, 64, reference.kronecker(6, 16, 1), 3)

    def test_file(self):
        """With vertices without an edge in it, and one alone with a loop."""
        path = self.file(matrix_market(SMALL_VERTICES, SMALL))
        for ranks in (1, 3):
            found = self.found(APP, "--file", path, "--repeats", 1, ranks=ranks)
            self.assertEqual(found["graph"], {"file": str(path)})
            self.check(found, SMALL_VERTICES, SMALL, 20)
        names, edges = renumbered(FAR)
        found = self.found(APP, "--file", self.file(edge_list(FAR)), "--repeats", 1, ranks=3)
        found["first"]["vertex"] = names.index(found["first"]["vertex"])
        self.check(found, len(names), edges, 20)
        self.check(self.found(APP, "--file", self.file("0 0\n")), 1, [(0, 0)], 20)

    def test_chosen_ways(self):
        found = self.found(APP, "--scale", 5, "--ways", "read", "--no-serial", "--repeats", 1,
                           ranks=2)
        self.check_ways(found, ["read"], "edges_per_s")
        self.check(found, 32, reference.kronecker(5, 16, 1), 20)

    def test_text(self):
        text = self.check_text(APP, WAYS, "--repeats", 1)
        self.assertRegex(text, "\n20 iterations\n")
        self.assertRegex(text, r"\nVertex \d+ is the first, with .* of 1. All scores are right")
        few = ["--scale", 5, "--no-serial", "--repeats", 1]
        self.assertTrue(self.output(APP, *few, ranks=2).endswith(
            "All ways find these scores; no serial program has checked them.\n"))
        self.assertTrue(self.output(APP, *few, "--ways", "natural").endswith(
            "All scores come to 1; nothing else was checked.\n"))


class Errors(FileCase):
    def test_command_line(self):
        self.check_command_line(APP, WAYS)
        self.app_fails(2, "--iterations 0: give a whole number from 1", APP, "--iterations", 0)

    def test_files(self):
        self.check_bad_files(APP)

    def test_a_full_disk(self):
        self.check_small_full_disk(APP)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors}))
