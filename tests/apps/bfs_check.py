#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs bfs as its users do, and compares with a reference that knows nothing of it.

results  Kronecker graphs for several numbers of ranks and nodes
files    graphs in the formats that it reads, and what is wrong with files
errors   what is wrong is said once, the status says so too, and all ranks end
"""

import gzip
import json
import re
import sys

import graph_reference as reference
from graph_cases import (FAR, SMALL, SMALL_VERTICES, FileCase, GraphCase, edge_list,
                         matrix_market, metis, renumbered)
from kernels_check import SEEDS, options, run_check

APP = "bfs"
WAYS = ["natural", "aggregated", "filtered", "batched", "chained"]


class Searches:
    def check_named_roots(self, found, edges):
        """The vertices are those that edges name."""
        names, between = renumbered(edges)
        for root in found["roots"]:
            root["root"] = names.index(root["root"])
        self.check_roots(found, len(names), between)

    def check_roots(self, found, vertices, edges):
        self.check_size(found, vertices, edges)
        for root in found["roots"]:
            levels, between = reference.levels(vertices, edges, root["root"])
            self.assertEqual(root["levels"], levels)
            self.assertEqual((root["reached"], root["edges"]), (sum(levels), between))


class Results(Searches, GraphCase):
    def test_kronecker(self):
        for seed, scale, factor in zip(SEEDS, (1, 5, 7), (3, 2, 16)):
            edges = reference.kronecker(scale, factor, seed)
            for ranks in options.ranks:
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found(APP, "--scale", scale, "--edge-factor", factor, "--seed",
                                       seed, "--roots", 3, ranks=ranks)
                    self.assertEqual(found["ranks"], ranks)
                    self.assertEqual(len(found["roots"]), 3)
                    self.check_roots(found, 1 << scale, edges)
                    self.check_ways(found, WAYS)

    def test_between_nodes(self):
        found = self.found_on_two_nodes(APP, "--scale", 6, "--roots", 2)
        self.check_roots(found, 64, reference.kronecker(6, 16, 1))

    def test_chosen_ways(self):
        found = self.found(APP, "--scale", 5, "--ways", "chained,natural,chained", "--no-serial",
                           "--root", "3,0,3", ranks=2)
        self.check_ways(found, ["chained", "natural"])
        self.assertEqual([root["root"] for root in found["roots"]], [3, 0, 3])

    def test_text(self):
        text = self.check_text(APP, WAYS, "--root", 1)
        self.assertRegex(text, r"\nFrom 1 root: .*All trees are right")


class Files(Searches, FileCase):
    def check_small(self, text, vertices=None, name="graph", edges=SMALL, roots=(0, 6)):
        """Of a list of edges if no number of vertices is given."""
        path = self.file(text, name)
        for ranks in (1, 3):
            with self.subTest(ranks=ranks, text=text):
                found = self.found(APP, "--file", path, "--root", ",".join(map(str, roots)),
                                   ranks=ranks)
                self.assertEqual(found["graph"], {"file": str(path), "seed": 1})
                self.assertEqual([root["root"] for root in found["roots"]], list(roots))
                if vertices is None:
                    self.check_named_roots(found, edges)
                else:
                    self.check_roots(found, vertices, edges)

    def test_lists_of_edges(self):
        lines = [f"{a} {b}" for a, b in SMALL]
        for end in ("\n", "\r\n", "\r", " \t\n", "\f\n\n"):
            self.check_small(end.join(lines) + end)
        self.check_small("# a comment\n\n" + "\r\n".join(lines).replace(" ", "\t"))
        self.check_small("# from a MatrixMarket file\n" + "\n".join(lines))
        self.check_small("% 1 MatrixMarket\n" + "\n".join(lines))
        self.check_small("% other\n" + " 1.5\n  ".join([*lines, ""]).rstrip(" "))
        self.check_small(" -1e3 some\n".join([*lines, ""]))
        self.check_small(gzip.compress("\n".join(lines).encode()), name="graph.gz")

    def test_numbers_far_apart(self):
        self.check_small(edge_list(FAR), edges=FAR, roots=(5, 2**64 - 1, 2**33))
        path = self.file("0 100000000\n")
        found = self.found(APP, "--file", path, "--root", 100000000, ranks=2)
        self.assertEqual(found["vertices"], 2)
        self.app_fails(1, "--root 7: no edge of the graph names it", APP, "--file", path,
                       "--root", 7)

    def test_metis(self):
        edges = [(a, b) for a, b in SMALL if a != b]
        text = metis(SMALL_VERTICES, edges)
        for name in ("small", "small.graph", "small.metis"):
            self.check_small(text, SMALL_VERTICES, name, edges)
        self.check_small(gzip.compress(text.replace("\n", "\r\n").encode()), SMALL_VERTICES,
                         "small.graph.gz", edges)
        ring = [(k, (k + 1) % 8) for k in range(8)]  # two numbers on each line, as in a list
        self.check_small(metis(8, ring), 8, edges=ring)
        cube = [(v, v ^ bit) for v in range(8) for bit in (1, 2, 4) if v < v ^ bit]
        self.check_small(metis(8, cube).replace("8 12\n", "8 12 0\n"), 8, edges=cube)
        # Vertices with a size and two weights, edges with a weight.
        self.check_small("7 2 111 2\n1 5 5 2 9\n1 5 5 1 9\n" + "1 5 5\n" * 3 +
                         "1 5 5 7 4\n1 5 5 6 4\n", 7, edges=[(0, 1), (5, 6)], roots=(0, 6))
        # A vertex with more neighbours than other files have bytes in a line.
        star = [(0, k) for k in range(1, 20000)]
        self.check_small(metis(20000, star), 20000, edges=star, roots=(0, 7))

    def test_wrong_metis(self):
        def refused(text, pattern):
            self.refused(text, pattern, "bad.graph")
        refused("", ":0: the file ends here, before the number of vertices")
        refused("3 1\n2\n1\n", ":3: the file ends here, after 2 of 3 vertices")
        refused("2 1\n2\n1\n1\n", ":4: more lines than the 2 vertices")
        refused("2 2\n2\n1\n", ":3: the lines name 2 neighbours: 2 edges have 4")
        refused("3 2\n2\n1 3\n1\n", ":4: an edge is missing at one of its ends, .*")
        refused("2 1 1\n2 5\n1 6\n", ":3: an edge is missing at one of its ends, or has two w.*")
        refused("2 1\n3\n1\n", r":2: neighbour 3 is out of range \(1 to 2\)")
        refused("2 1\n0\n1\n", r":2: neighbour 0 is out of range \(1 to 2\)")
        refused("2 1\n1\n2\n", ":2: vertex 1 is its own neighbour")
        refused("2 1 2\n2\n1\n", ":1: the format 2: its three digits are 0 or 1")
        refused("2 1 1\n2\n1\n", ":2: ends where the weight of an edge should be")
        refused("2 1 0 1 4\n2\n1\n", ":1: '4' stands behind the header")
        refused("4294967296 1\n", ":1: 4294967296 vertices: at most 4294967295 are read")

    def test_no_symmetry(self):
        """As the files of bale are: general is assumed, and a note says so once."""
        path = self.file(matrix_market(SMALL_VERTICES, SMALL, "pattern"), "small.mtx")
        for ranks in (1, 3):
            result = self.run_app(APP, "--json", "--file", path, "--root", "0,6", ranks=ranks)
            self.assertEqual((result.returncode, result.stderr),
                             (0, f"note: {path}:1: the header names no symmetry: general is "
                                 "assumed\n"))
            self.check_roots(json.loads(result.stdout), SMALL_VERTICES, SMALL)

    def test_matrix_market(self):
        for header, value in (("pattern general", ""), ("REAL Symmetric", " -1e3"),
                              ("real general", " +2.5D-03"), ("double general", " 1e-999"),
                              ("integer skew-symmetric", " 7"), ("complex Hermitian", " 1 2")):
            entries = "".join(f"{a + 1} {b + 1}{value}\n" for a, b in SMALL)
            text = (f"%%MatrixMarket matrix coordinate {header}\n% made by hand\n\n"
                    f"{SMALL_VERTICES} {SMALL_VERTICES} {len(SMALL)}\n{entries}")
            self.check_small(text, SMALL_VERTICES)
            packed = gzip.compress(text[:50].encode()) + gzip.compress(text[50:].encode())
            self.check_small(packed, SMALL_VERTICES, "graph.mtx.gz")
            self.check_small(packed + bytes(200), SMALL_VERTICES, "padded.mtx.gz")

    def test_a_long_file(self):
        """Lines across the blocks in which it is read."""
        edges = reference.kronecker(9, 100, 5)
        path = self.file("".join(f"{a} {b} {a * b:030}\n" for a, b in edges))
        found = self.found(APP, "--file", path, "--ways", "natural", "--roots", 2, ranks=2)
        self.check_named_roots(found, edges)

    def refused(self, text, pattern, name="bad", more=()):
        path = self.file(text, name)
        self.app_fails(1, f"^bfs: {path}{pattern}$", APP, "--file", path, *more)

    def test_wrong_lists(self):
        self.refused("", ": has no edges")
        self.refused("# nothing\n", ": has no edges")
        self.refused("0 1\n1 x\n", ":2: 'x' stands where the number of a second vertex should be")
        self.refused("0 1\n\n12", ":3: ends where the number of a second vertex should be")
        self.refused("0 -1\n", ":1: '-1' stands where .*")
        self.refused("0 1\n1.0 2\n", ":2: '1.0' stands where the number of a vertex should be")
        self.refused("0 1\n18446744073709551616 2\n", ":2: '18446744073709551616', the number of a "
                     "vertex, is more than 64 bits hold")
        self.refused("0 1\n5 2 x\n", ":2: 'x' stands where a number should be")
        self.refused("0 1 2 3\n5 6 7 8 9\n", ":2: 5 words: a line of a list of edges is FROM TO .*")
        self.refused("0 1\n# 2\n2 3\n5 6 7\n", ":4: 3 words, where line 1 has 2: the lines of .*")
        for header, more in (("3 4", ""), ("3 3 4", " 1.5")):
            lines = "".join(f"{a} {b}{more}\n" for a, b in ((0, 1), (1, 2), (2, 0), (0, 3)))
            self.refused(f"# a graph\n{header}\n{lines}", ":2: looks like a header, as it .*")
            self.check_small(f"#{header}\n{lines}", edges=[(0, 1), (1, 2), (2, 0), (0, 3)],
                             roots=(0, 3))
        self.refused(b"\xef\xbb\xbf0 1\n", ": begins with a byte-order mark of UTF-8: .*")
        self.refused(b"\xff\xfe0\0 \0001\0\n\0", ": begins with a byte-order mark of UTF-16: .*")
        self.refused("0 1\n".encode("utf-16-le"), ": is text in UTF-16: .*")
        self.refused(gzip.compress(b"\xef\xbb\xbf0 1\n"), ": begins with a byte-order mark of .*")
        self.refused(b"0 1\0x\n", r":1: '1\\x00x' stands where the number of a second vertex .*")
        self.refused(b"0 1\n" + b"\0" * 500000, ":2: is longer than 65536 bytes: this is not text")

    def test_wrong_matrices(self):
        banner = "%%MatrixMarket matrix coordinate pattern general\n"
        self.refused("%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n",
                     ":1: the header is not '%%MatrixMarket matrix .*'")
        self.refused("%%MatrixMarket matrix array real general\n2 2\n1\n1\n1\n1\n",
                     ":1: the format 'array': only coordinate, of sparse matrices, is read")
        self.refused("%%MatrixMarket vector coordinate real general\n", ":1: the header is not .*")
        self.refused("%%MatrixMarket matrix coordinate\n1 1 1\n", ":1: values of the kind '': .*")
        self.refused(banner.strip() + " more\n1 1 1\n", ":1: 'more' stands behind the header")
        self.refused(banner.replace("general", "symmetric") + "2 3 1\n1 1\n",
                     ":2: 2 rows and 3 columns: a matrix with a symmetry is square")
        self.refused(banner + "4294967296 4294967296 1\n", ":2: more than 4294967295 rows")
        self.refused("%%MatrixMarket matrix coordinate quaternion general\n",
                     ":1: values of the kind 'quaternion': .*")
        self.refused("%%MatrixMarket matrix coordinate real odd\n", ":1: the symmetry 'odd': .*")
        self.refused(banner, ":1: the file ends here, before the size of the matrix")
        self.refused(banner + "2 3 1\n1 1\n", ":2: 2 rows and 3 columns: .* square")
        self.refused(banner + "2 2\n", ":2: ends where the number of entries should be")
        self.refused(banner + "2 2 3\n1 2\n% a comment\n2 2\n",
                     ":5: the file ends here, after 2 of 3 entries")
        self.refused(banner + "2 2 2\n1 2\n2 3\n", r":4: column 3 is out of range \(1 to 2\)")
        self.refused(banner + "2 2 2\n1 2\n0 1\n", r":4: row 0 is out of range \(1 to 2\)")
        self.refused(banner + "2 2 1\n1 2\n2 1\n", ":4: more entries than the 1 of line 2")
        self.refused(banner + "2 2 1 7\n1 2\n", ":2: '7' stands behind the size of the matrix")
        self.refused(banner + "2 2 1\n1 2 5\n", ":3: '5' stands behind the entry")
        self.refused(banner.replace("pattern", "real") + "2 2 1\n1 2\n",
                     ":3: ends where a value should be")
        for field, value, what in (("real", "abc", "a number"), ("real", "1.5x", "a number"),
                                   ("complex", "1 i", "a number"), ("real", "+-1", r"a number"),
                                   ("integer", "1.5", "a whole number")):
            word = re.escape(value.split()[-1])
            self.refused(banner.replace("pattern", field) + f"2 2 1\n1 2 {value}\n",
                         f":3: '{word}' stands where {what} should be")
        for field in ("real", "integer", "pattern"):
            self.refused(f"%%MatrixMarket matrix coordinate {field} hermitian\n2 2 1\n1 2 1\n",
                         f":1: the symmetry hermitian with values of the kind '{field}': it is "
                         "one of complex values")

    def test_wrong_gzip(self):
        packed = gzip.compress("".join(f"{k} {k * 7 % 5000}\n" for k in range(5000)).encode())
        for cut in (packed[:len(packed) // 2], packed[:-3]):
            self.refused(cut, f": truncated: the gzip data ends too early, at byte {len(cut)}")
        damaged = packed[:2000] + bytes(byte ^ 0x55 for byte in packed[2000:2100]) + packed[2100:]
        self.refused(damaged, r": damaged gzip data, before byte \d+ \(.*\)")
        other_sum = packed[:-8] + bytes(byte ^ 1 for byte in packed[-8:-4]) + packed[-4:]
        self.refused(other_sum, r": damaged gzip data, before byte \d+ \(incorrect data check\)")
        for tail in (b"x", b"\x1f", b"more than this", bytes(70000) + b"x"):
            at = len(packed) + tail.index(tail.strip(b"\0"))
            self.refused(packed + tail, f": other data follows the gzip data, at byte {at}")

    def test_no_file(self):
        self.app_fails(1, "absent: No such file or directory", APP, "--file",
                       self.folder / "absent")
        self.app_fails(1, r"is not a regular file \(every rank reads it\)", APP, "--file",
                       self.folder)
        self.app_fails(1, r"/a\\x1b\[2J\\nb: No such file or directory", APP, "--file",
                       self.folder / "a\x1b[2J\nb")

    def test_control_characters_are_escaped(self):
        self.refused("0 1\n1 \x1b[2J\n", r":2: '\\x1b\[2J' stands where .*")
        path = self.file("0 1\n", name="a\x1b[2Jb")
        text = self.output(APP, "--file", path, ranks=2)
        self.assertIn(r"a\x1b[2Jb with seed 1: 2 vertices", text)

    def test_roots_outside(self):
        path = self.file("0 1\n")
        self.app_fails(1, "--root 2: the graph has the vertices 0 to 1", APP, "--file",
                       path, "--root", "0,2")
        self.app_fails(1, "hardly a vertex has an edge: name one by --root", APP, "--file",
                       self.file("3 3\n"))


class Errors(GraphCase):
    def test_command_line(self):
        self.check_command_line(APP, WAYS)
        self.app_fails(2, "--root 1,,2: give whole numbers", APP, "--root", "1,,2")

    def test_a_full_disk(self):
        self.check_small_full_disk(APP)


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "files": Files, "errors": Errors}))
