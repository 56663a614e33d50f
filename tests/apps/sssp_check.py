#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs sssp as its users do, and compares with a reference that knows nothing of it.

results  Kronecker graphs for several numbers of ranks and nodes, and a file
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import json
import sys
from random import Random

import graph_reference as reference
from graph_cases import FAR, SMALL, SMALL_VERTICES, FileCase, edge_list, matrix_market, renumbered
from kernels_check import SEEDS, options, run_check

APP = "sssp"
WAYS = ["natural", "filtered", "batched", "chained"]


class Results(FileCase):
    def check_roots(self, found, vertices, edges, most=255, seed=1):
        self.check_size(found, vertices, edges)
        for root in found["roots"]:
            due = reference.distances(vertices, edges, root["root"], most, seed)
            self.assertEqual((root["reached"], root["farthest"], root["sum"]),
                             (len(due), max(due.values()), sum(due.values())))
            self.assertEqual(root["edges"], sum(a in due for a, _ in edges))

    def test_kronecker(self):
        for seed, scale, factor, most, delta in zip(SEEDS, (1, 5, 7), (3, 2, 16),
                                                    (255, 1, 100000), (32, 7, 3000)):
            edges = reference.kronecker(scale, factor, seed)
            for ranks in options.ranks:
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found(APP, "--scale", scale, "--edge-factor", factor, "--seed",
                                       seed, "--weights", most, "--delta", delta, "--roots", 3,
                                       ranks=ranks)
                    self.assertEqual((found["ranks"], found["weights"], found["delta"]),
                                     (ranks, most, delta))
                    self.assertEqual(len(found["roots"]), 3)
                    self.check_roots(found, 1 << scale, edges, most, seed)
                    self.check_ways(found, WAYS)

    def test_widths(self):
        """From a bucket for each distance to one for all."""
        edges = reference.kronecker(6, 4, 1)
        for delta in (1, 255, 10**9):
            found = self.found(APP, "--scale", 6, "--edge-factor", 4, "--delta", delta, "--roots",
                               2, ranks=3)
            self.check_roots(found, 64, edges)

    def test_between_nodes(self):
        found = self.found_on_two_nodes(APP, "--scale", 6, "--roots", 2)
        self.check_roots(found, 64, reference.kronecker(6, 16, 1))

    def test_file(self):
        path = self.file(matrix_market(SMALL_VERTICES, SMALL))
        for ranks in (1, 3):
            found = self.found(APP, "--file", path, "--weights", 255, "--root", "0,5,6",
                               ranks=ranks)
            self.assertEqual(found["graph"], {"file": str(path), "seed": 1})
            self.check_roots(found, SMALL_VERTICES, SMALL)
        found = self.found(APP, "--file", path, "--root", 0, "--seed", 2, "--weights", 255)
        self.assertEqual(found["graph"]["seed"], 2)
        self.check_roots(found, SMALL_VERTICES, SMALL, seed=2)
        self.assertRegex(self.output(APP, "--file", path, "--seed", 2,
                                           "--weights", 255), "graph with seed 2: 9 ver")

    def test_numbers_far_apart(self):
        names, edges = renumbered(FAR)
        found = self.found(APP, "--file", self.file(edge_list(FAR)), "--root", f"5,{2**64 - 1}",
                           "--weights", 255, ranks=3)
        self.assertEqual([root["root"] for root in found["roots"]], [5, 2**64 - 1])
        for root in found["roots"]:
            root["root"] = names.index(root["root"])
        self.check_roots(found, len(names), edges)

    def test_lengths_of_small_files(self):
        for text, lengths in (("0 1 2.5\n1 2 7\n", (2.5, 7)),
                              ("0 1 2 77\n1 2 7 78\n", (2, 7)),
                              ("%%MatrixMarket matrix coordinate real general\n3 3 2\n"
                               "1 2 2.5\n2 3 7\n", (2.5, 7)),
                              ("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n"
                               "2 1 3\n3 2 9\n", (3, 9)),
                              ("3 2 1\n2 5\n1 5 3 7\n2 7\n", (5, 7))):
            path = self.file(text, "lengths")
            for ranks in (1, 3):
                found = self.found(APP, "--file", path, "--root", 0, ranks=ranks)
                self.assertEqual((found["lengths"], found["weights"]), ("file", None))
                self.check_lengths(found, 3, [(0, 1, lengths[0]), (1, 2, lengths[1])])

    def check_lengths(self, found, vertices, edges):
        """With the lengths of the file; prints whole numbers where all lengths are whole."""
        self.check_size(found, vertices, edges)
        self.check_ways(found, WAYS)
        is_whole = all(length == int(length) for _, _, length in edges)
        for root in found["roots"]:
            due = reference.distances_by_lengths(vertices, edges, root["root"])
            self.assertEqual((root["reached"], root["farthest"]), (len(due), max(due.values())))
            self.assertAlmostEqual(root["sum"], sum(due.values()), delta=1e-9 * root["sum"])
            self.assertEqual(root["edges"], sum(a in due for a, _, _ in edges))
            if is_whole:
                self.assertIsInstance(root["farthest"], int)
                self.assertIsInstance(root["sum"], int)

    def test_random_lengths_of_files(self):
        """Zeros, parallel edges of different lengths and loops are among them."""
        draws = {"integer": lambda r: r.randrange(1000), "real": lambda r: r.random(),
                 "zeros": lambda r: r.choice((0, 0, 1, 0.125)), "zero": lambda r: 0,
                 "far apart": lambda r: 10.0 ** r.randrange(-200, 200)}
        for seed in SEEDS:
            for name, draw in draws.items():
                random = Random(seed)
                edges = [(random.randrange(40), random.randrange(40), draw(random))
                         for _ in range(120)] + [(k, k + 1, draw(random)) for k in range(39)]
                edges += [(b, a, draw(random)) for a, b, _ in edges[:60]]
                path = self.file("".join(f"{a} {b} {length!r}\n" for a, b, length in edges))
                arguments = ["--file", path, "--root", "0,17,39"]
                for more in ([], ["--delta", 1]) if name in ("integer", "zeros") else ([],):
                    for ranks in (1, 2, 3, 5):
                        with self.subTest(seed=seed, name=name, ranks=ranks, more=more):
                            self.check_lengths(self.found(APP, *arguments, *more, ranks=ranks), 40,
                                               edges)
                self.check_lengths(self.found_on_two_nodes(APP, *arguments), 40, edges)

    def test_the_lengths_that_are_used(self):
        with_lengths, without = self.file("0 1 2.5\n1 2 7\n", "with"), self.file("0 1\n1 2\n")
        for path, more, note in ((with_lengths, ["--weights", 255], ""),
                                 (without, ["--weights", 255], ""),
                                 (without, [], f"note: {without} gives edges no lengths: each gets "
                                               "a random one from 1 to 255 (--weights)\n")):
            for ranks in (1, 3):
                result = self.run_app(APP, "--json", "--file", path, "--root", 0, *more,
                                      ranks=ranks)
                self.assertEqual((result.returncode, result.stderr), (0, note))
                found = json.loads(result.stdout)
                self.assertEqual((found["lengths"], found["weights"]), ("random", 255))
                self.check_roots(found, 3, [(0, 1), (1, 2)])
        self.assertRegex(self.output(APP, "--file", with_lengths),
                         r"\nLengths of the file, up to 7.0, buckets of 4.75\n")
        self.assertIn("The lengths of the edges are those that the file gives",
                      self.output(APP, "--help"))

    def test_a_long_way(self):
        """A path: each bucket has one vertex of one rank."""
        edges = [(k, k + 1) for k in range(200)]
        path = self.file("".join(f"{a} {b}\n" for a, b in edges), "path")
        found = self.found(APP, "--file", path, "--root", "0,100", "--delta", 20,
                           "--weights", 255, ranks=3)
        self.check_roots(found, 201, edges)

    def test_chosen_ways(self):
        found = self.found(APP, "--scale", 5, "--ways", "chained,natural,chained", "--no-serial",
                           "--root", "3,0,3", ranks=2)
        self.check_ways(found, ["chained", "natural"])
        self.assertEqual([root["root"] for root in found["roots"]], [3, 0, 3])

    def test_text(self):
        text = self.check_text(APP, WAYS, "--root", 1)
        self.assertRegex(text, "\nRandom lengths from 1 to 255, buckets of 8\n")
        self.assertRegex(text, r"\nFrom 1 root: .*All trees are right")


class Errors(FileCase):
    def test_command_line(self):
        self.check_command_line(APP, WAYS)
        self.app_fails(2, "--weights 0: give a whole number from 1 to 1000000", APP, "--weights", 0)
        self.app_fails(2, "--delta 0: give a whole number from 1", APP, "--delta", 0)

    def test_ways_that_have_no_length(self):
        path = self.file(matrix_market(100000, [(0, 99999)]))
        self.app_fails(1, "--weights 50000: with 100000 vertices a way may be longer than 2.32: "
                       "give at most 42949", APP, "--file", path, "--weights", 50000)

    def test_lengths(self):
        for word in ("-1", "-0.5", "nan", "-nan", "inf", "1e999"):
            self.app_fails(1, r"graph:2: the length \S+ of an edge: lengths are finite numbers "
                           "from 0 on", APP, "--file", self.file(f"0 1 2\n1 2 {word}\n"))
        self.app_fails(1, "graph:3: the length -3 of an edge", APP, "--file",
                       self.file("%%MatrixMarket matrix coordinate integer general\n"
                                 "3 3 1\n1 2 -3\n"))
        self.app_fails(1, "graph:2: '-5' stands where the weight of an edge should be", APP,
                       "--file",
                       self.file("3 2 1\n2 -5\n1 -5 3 7\n2 7\n").rename(self.folder / "x.graph"))
        for kind, name in (("complex general", "complex"),
                           ("real skew-symmetric", "skew-symmetric")):
            self.app_fails(1, f"graph:1: the values of a {name} matrix are no lengths of edges",
                           APP, "--file", self.file(f"%%MatrixMarket matrix coordinate {kind}\n"
                                               "2 2 1\n2 1 3 4\n"))
        self.app_fails(1, "with 3 vertices and edges of length 1e.308 a way may be too long", APP,
                       "--file", self.file("0 1 1e308\n1 2 3\n"))
        self.app_fails(1, "--delta 1: .* has edges of length 1e.20: give at least ", APP, "--delta",
                       1, "--file", self.file("0 1 1e20\n1 2 3\n"))

    def test_files(self):
        self.check_bad_files(APP)
        self.app_fails(1, "--root 2: the graph has the vertices 0 to 1", APP, "--file",
                       self.file("0 1\n"), "--root", "0,2")

    def test_a_full_disk(self):
        self.check_small_full_disk(APP)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors}))
