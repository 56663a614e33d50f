#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs triangles, toposort, transpose and permutation as their users do, and compares with
references that know nothing of them.

triangles, toposort, transpose, permutation  for several numbers of ranks and nodes
errors  what is wrong is said once, the status says so too, and all ranks end
"""

import itertools
import random
import sys

import graph_reference as reference
from graph_cases import (FAR, SMALL, SMALL_VERTICES, FileCase, GraphCase, edge_list, matrix_market,
                         renumbered)
from kernels_check import SEEDS, options, run_check
from kernels_reference import BITS, hexadecimal, scrambled

MESSAGES = ["natural", "batched"]


class Triangles(FileCase):
    def check(self, found, vertices, edges):
        neighbours = [set(others) - {v}
                      for v, others in enumerate(reference.adjacent(vertices, edges))]
        self.assertEqual((found["vertices"], found["edges"]),
                         (vertices, sum(map(len, neighbours)) // 2))
        self.assertEqual(found["triangles"],
                         sum(b in neighbours[a] for v in range(vertices)
                             for a, b in itertools.combinations(sorted(neighbours[v]), 2)) // 3)

    def test_kronecker_and_flat(self):
        for seed, scale, factor in zip(SEEDS, (1, 6, 7), (3, 2, 8)):
            for ranks in options.ranks:
                with self.subTest(ranks=ranks, seed=seed):
                    words = ["--edge-factor", factor, "--seed", seed, "--repeats", 1]
                    found = self.found("triangles", "--scale", scale, *words, ranks=ranks)
                    self.assertEqual(found["ranks"], ranks)
                    self.check(found, 1 << scale, reference.kronecker(scale, factor, seed))
                    self.check_ways(found, [*MESSAGES, "rows"], "edges_per_s")
                    vertices = 10 * scale
                    found = self.found("triangles", "--flat", vertices, *words, ranks=ranks)
                    self.check(found, vertices, reference.flat(vertices, factor * vertices, seed))

    def test_files_and_nodes(self):
        names, edges = renumbered(FAR)
        self.check(self.found("triangles", "--file", self.file(edge_list(FAR)), "--ways", "rows",
                              "--no-serial", ranks=3), len(names), edges)
        self.check(self.found("triangles", "--file", self.file(matrix_market(9, SMALL)), ranks=3),
                   SMALL_VERTICES, SMALL)
        self.check(self.found_on_two_nodes("triangles", "--flat", 60, "--repeats", 1), 60,
                   reference.flat(60, 960, 1))

    def test_hubs(self):
        """Vertices with more neighbours than fit into a message, the first and the last one."""
        leaves = 17000
        edges = [(hub, leaf) for hub in (0, leaves + 1) for leaf in range(1, leaves + 1)]
        path = self.file("".join(f"{a} {b}\n" for a, b in edges))
        found = self.found("triangles", "--file", path, "--repeats", 1, ranks=2)
        self.assertEqual((found["edges"], found["triangles"]), (2 * leaves, 0))
        path = self.file("".join(f"{a} {b}\n" for a, b in [*edges, (0, leaves + 1)]))
        found = self.found("triangles", "--file", path, "--repeats", 1, ranks=2)
        self.assertEqual(found["triangles"], leaves)

    def test_text(self):
        text = self.output("triangles", "--flat", 50, "--repeats", 1, ranks=2)
        self.assertRegex(text, r"^50 vertices, \d+ different edges over 2 ranks\n")
        self.assertRegex(text, r"\n +serial +\d+\.\d+ +\d+\.\d+\n\n\d+ triangles, by each way.\n$")


class Toposort(FileCase):
    """The number of levels is that of the longest chain of rows, whatever the permutations."""

    @staticmethod
    def levels(rows, nonzeros, seed):
        above = [set() for _ in range(rows)]
        for a, b in reference.flat(rows, rows * (nonzeros - 1), seed):
            if a != b:
                above[min(a, b)].add(max(a, b))
        level = [1] * rows
        for row in reversed(range(rows)):
            level[row] = 1 + max((level[column] for column in above[row]), default=0)
        return max(level), rows + sum(map(len, above))

    def check(self, found, rows, nonzeros, seed):
        self.assertEqual((found["levels"], found["entries"]), self.levels(rows, nonzeros, seed))
        self.check_ways(found, [*MESSAGES, "chained"], "entries_per_s")

    def test_ranks(self):
        for ranks in options.ranks:
            for seed, rows, nonzeros in zip(SEEDS, (1, 50, 400), (1, 10, 4)):
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found("toposort", "--rows", rows, "--nonzeros", nonzeros, "--seed",
                                       seed, "--repeats", 1, ranks=ranks)
                    self.assertEqual((found["ranks"], found["rows"]), (ranks, rows))
                    self.check(found, rows, nonzeros, seed)

    def test_files(self):
        """A triangle whose rows and columns were permuted, with and without a symmetry named."""
        rows, rng = 30, random.Random(20)
        row_of, column_of = (rng.sample(range(rows), rows) for _ in range(2))
        above = {(a, b) for a in range(rows) for b in range(a, rows)
                 if a == b or rng.random() < 0.2}
        entries = [(row_of[a], column_of[b]) for a, b in sorted(above)]
        depth = [0] * rows
        for a in reversed(range(rows)):
            depth[a] = 1 + max((depth[b] for b in range(a + 1, rows) if (a, b) in above), default=0)
        for ranks in (1, 3):
            path = self.file(matrix_market(rows, entries), "triangle.mtx")
            found = self.found("toposort", "--file", path, "--repeats", 1, ranks=ranks)
            self.assertEqual((found["file"], found["rows"], found["columns"], found["entries"]),
                             (str(path), rows, rows, len(entries)))
            self.assertEqual(found["levels"], max(depth))
        self.app_fails(1, "a triangular matrix is square", "toposort", "--file",
                       self.rectangle(2, 3, [(0, 0)]))
        circle = self.file(matrix_market(3, [(0, 1), (1, 0), (0, 0), (1, 1), (2, 2)]))
        self.app_fails(1, "cannot be made triangular: its rows depend on each other", "toposort",
                       "--file", circle)
        self.app_fails(1, "not triangular|depend on each other", "toposort", "--file",
                       self.file(matrix_market(2, [(0, 0), (1, 0)])))

    def test_between_nodes(self):
        self.check(self.found_on_two_nodes("toposort", "--rows", 300, "--repeats", 1), 300, 10, 1)

    def test_text(self):
        text = self.output("toposort", "--rows", 100, "--repeats", 1, ranks=2)
        self.assertRegex(text, r"^100 rows, \d+ entries over 2 ranks\n")
        self.assertRegex(text, r"\n\d+ levels\. The matrix is triangular again, by each way\.\n$")


class Transpose(FileCase):
    @staticmethod
    def checksum(rows, nonzeros, seed, permute):
        entries = reference.flat(rows, rows * nonzeros, seed)
        if permute:
            new_row = reference.permutation(rows, seed)
            new_column = reference.permutation(rows, ~seed & BITS)
            goals = ((new_row(a), new_column(b)) for a, b in entries)
        else:
            goals = ((b, a) for a, b in entries)
        return hexadecimal(sum(scrambled(row << 32 | column) for row, column in goals))

    def check(self, found, rows, nonzeros, seed, permute):
        self.assertEqual((found["entries"], found["permute"]), (rows * nonzeros, permute))
        self.assertEqual(found["checksum"], self.checksum(rows, nonzeros, seed, permute))
        self.check_ways(found, MESSAGES, "entries_per_s")

    def test_ranks(self):
        for ranks in options.ranks:
            for seed, rows, nonzeros in zip(SEEDS, (1, 50, 400), (1, 10, 4)):
                for more in ([], ["--permute"]):
                    with self.subTest(ranks=ranks, seed=seed, more=more):
                        found = self.found("transpose", "--rows", rows, "--nonzeros", nonzeros,
                                           "--seed", seed, "--repeats", 1, *more, ranks=ranks)
                        self.assertEqual((found["ranks"], found["rows"]), (ranks, rows))
                        self.check(found, rows, nonzeros, seed, bool(more))

    def test_files(self):
        entries = [(0, 3), (2, 1), (2, 0), (1, 3), (2, 4)]
        path = self.rectangle(3, 5, entries)
        for ranks in (1, 2, 8):
            found = self.found("transpose", "--file", path, "--repeats", 1, ranks=ranks)
            self.assertEqual((found["file"], found["rows"], found["columns"], found["entries"]),
                             (str(path), 3, 5, len(entries)))
            self.assertEqual(found["checksum"],
                             hexadecimal(sum(scrambled(b << 32 | a) for a, b in entries)))
        below = [(1, 0), (2, 2), (3, 1)]
        for header in ("integer skew-symmetric", "REAL Symmetric", "complex hermitian"):
            value = "1 2" if "complex" in header else "3"
            text = matrix_market(4, below, header).split("\n")
            path = self.file("\n".join([*text[:2], *(f"{line} {value}" for line in text[2:-1])]))
            found = self.found("transpose", "--permute", "--file", path, "--seed", 5, ranks=3)
            both = {*below, *((b, a) for a, b in below)}
            row, column = (reference.permutation(4, seed) for seed in (5, ~5 & BITS))
            self.assertEqual(found["checksum"],
                             hexadecimal(sum(scrambled(row(a) << 32 | column(b)) for a, b in both)))
        self.app_fails(1, "--permute takes a square matrix", "transpose", "--permute", "--file",
                       self.rectangle(2, 3, [(0, 0)]))

    def test_between_nodes(self):
        found = self.found_on_two_nodes("transpose", "--rows", 200, "--permute", "--repeats", 1)
        self.check(found, 200, 10, 1, True)

    def test_text(self):
        text = self.output("transpose", "--rows", 100, "--repeats", 1, ranks=2)
        self.assertRegex(text, r"^100 rows, 1000 entries over 2 ranks\n")
        self.assertRegex(text, r"\nEvery entry is where it belongs: checksum [0-9a-f]{16}\.\n$")


class Permutation(GraphCase):
    def check(self, found, numbers):
        self.assertEqual(found["numbers"], numbers)
        self.assertEqual(found["checksum"],
                         hexadecimal(sum(scrambled(n + 1) for n in range(numbers))))
        self.check_ways(found, MESSAGES, "numbers_per_s")

    def test_ranks(self):
        for ranks in options.ranks:
            for seed, numbers in zip(SEEDS, (1, 100, 3000)):
                with self.subTest(ranks=ranks, seed=seed):
                    self.check(self.found("permutation", "--numbers", numbers, "--seed", seed,
                                          "--repeats", 2, ranks=ranks), numbers)

    def test_between_nodes(self):
        self.check(self.found_on_two_nodes("permutation", "--numbers", 900, "--repeats", 1), 900)

    def test_text(self):
        text = self.output("permutation", "--numbers", 100, "--repeats", 1, ranks=2)
        self.assertRegex(text, r"^100 numbers over 2 ranks, 2 places for each\n")
        self.assertIn("transpose --permute --file FILE permutes the rows and columns of a matrix",
                      self.output("permutation", "--help", ranks=2))
        self.assertRegex(text, r"\nEach number is there once: checksum [0-9a-f]{16}\.\n$")


class Errors(FileCase):
    def test_command_line(self):
        self.check_command_line("triangles", [*MESSAGES, "rows"])
        self.app_fails(2, "--flat excludes --scale and --file", "triangles", "--flat", 9, "--file",
                       "x")
        self.app_fails(2, "--numbers 0: give a whole number from 1 to", "permutation", "--numbers",
                       0)
        for name in ("toposort", "transpose"):
            self.app_fails(2, "--rows 0: give a whole number from 1 to", name, "--rows", 0)
            self.app_fails(2, "--ways quick: give some of natural,batched", name, "--ways", "quick")
            self.app_fails(2, "unexpected argument 'word'", name, "word")

    def test_files(self):
        self.check_bad_files("triangles")
        self.app_fails(1, "not enough memory for 2000000000 vertices", "triangles", "--flat", 2e9,
                       "--edge-factor", 1024)
        for name in ("toposort", "transpose"):
            self.app_fails(2, "--file and the size of a random matrix exclude each other", name,
                           "--file", "x", "--rows", 4)
            self.app_fails(1, "absent: No such file", name, "--file", self.folder / "absent")
            self.app_fails(1, ":1: no header of Matrix Market", name, "--file", self.small_file())
            self.app_fails(1, ":2: more than 2147483647 rows or columns", name, "--file",
                           self.rectangle(1, 2**31, []))
            self.app_fails(1, "has no entries", name, "--file", self.rectangle(1, 1, []))
            self.app_fails(1, "not enough memory for 2000000000 vertices", name, "--rows", 2e9,
                           "--nonzeros", 1024)

    def test_a_full_disk(self):
        self.check_small_full_disk("triangles")
        for name in ("toposort", "transpose", "permutation"):
            self.check_full_disk(name)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"triangles": Triangles, "toposort": Toposort,
                                 "transpose": Transpose, "permutation": Permutation,
                                 "errors": Errors}))
