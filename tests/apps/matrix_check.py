#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs triangles, toposort, transpose and permutation as their users do, and compares with
references that know nothing of them.

triangles, toposort, transpose, permutation  for several numbers of ranks and nodes
errors  what is wrong is said once, the status says so too, and all ranks end
"""

import itertools
import sys

import graph_reference as reference
from graph_cases import SMALL, SMALL_VERTICES, FileCase, GraphCase
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
        path = self.file("".join(f"{a} {b}\n" for a, b in SMALL))
        self.check(self.found("triangles", "--file", path, "--ways", "rows", "--no-serial",
                              ranks=3), SMALL_VERTICES - 1, SMALL)
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


class Toposort(GraphCase):
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

    def test_between_nodes(self):
        self.check(self.found_on_two_nodes("toposort", "--rows", 300, "--repeats", 1), 300, 10, 1)

    def test_text(self):
        text = self.output("toposort", "--rows", 100, "--repeats", 1, ranks=2)
        self.assertRegex(text, r"^100 rows, \d+ entries over 2 ranks\n")
        self.assertRegex(text, r"\n\d+ levels\. The matrix is triangular again, by each way\.\n$")


class Transpose(GraphCase):
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

    def test_a_full_disk(self):
        self.check_small_full_disk("triangles")
        for name in ("toposort", "transpose", "permutation"):
            self.check_full_disk(name)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"triangles": Triangles, "toposort": Toposort,
                                 "transpose": Transpose, "permutation": Permutation,
                                 "errors": Errors}))
