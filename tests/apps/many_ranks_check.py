#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each irregular program once with more ranks than there are cores, some of which have
nothing, and compares with the references of their own checks.

programs  64 ranks
"""

import sys

import bfs_check
import components_check
import exchange_check
import graph_reference as reference
import gups_check
import keysort_check
import matrix_check
import pagerank_check
import sssp_check
from kernels_check import Case, options, run_check


def like(checks):
    """Something that checks as this test case does, for callers that are not tests of it."""
    return checks("run_app")


class Programs(Case):
    def test_programs(self):
        ranks, = options.ranks
        edges = reference.kronecker(5, 8, 3)
        graph = ["--scale", 5, "--edge-factor", 8, "--seed", 3]  # some ranks have no vertex
        once = ["--repeats", 1]
        flat = reference.flat(150, 1200, 2)
        programs = (
            ("bfs", [*graph, "--roots", 1],
             lambda found: like(bfs_check.Results).check_roots(found, 32, edges)),
            ("sssp", [*graph, "--roots", 1, "--delta", 100],
             lambda found: like(sssp_check.Results).check_roots(found, 32, edges, 255, 3)),
            ("components", [*graph, *once],
             lambda found: like(components_check.Results).check(found, 32, edges)),
            ("pagerank", [*graph, *once, "--iterations", 4],
             lambda found: like(pagerank_check.Results).check(found, 32, edges, 4)),
            ("triangles", ["--flat", 150, "--edge-factor", 8, "--seed", 2, *once],
             lambda found: like(matrix_check.Triangles).check(found, 150, flat)),
            ("toposort", ["--rows", 100, "--nonzeros", 3, "--seed", 2, *once],
             lambda found: like(matrix_check.Toposort).check(found, 100, 3, 2)),
            ("transpose", ["--rows", 100, "--nonzeros", 3, "--seed", 2, *once],
             lambda found: like(matrix_check.Transpose).check(found, 100, 3, 2, False)),
            ("keysort", ["--keys", 500, "--skew", 20, *once],
             lambda found: like(keysort_check.Results).check(found, 1, 500, 20)),
            ("gups", ["--scale", 9, *once],
             lambda found: like(gups_check.Results).check(found, 9)),
            ("exchange", ["--keys", 50, *once],
             lambda found: like(exchange_check.Results).check(found, 1, ranks, 50)),
        )
        for name, words, check in programs:
            with self.subTest(name):
                found = self.found(name, *words, ranks=ranks)
                self.assertEqual(found["ranks"], ranks)
                check(found)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"programs": Programs}))
