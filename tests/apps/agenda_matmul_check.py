#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs agenda_matmul as its users do, and compares with a reference that knows nothing of it.

results  checksums for several numbers of ranks and divisions, and that the records are whole
errors   what is wrong is said once, the status says so too, and all ranks end
plot     the picture of a sweep
"""

import json
import os
import re
import sys

import kernels_reference as reference
from kernels_check import SEEDS, Case, Drawing, available_bytes, options, run_check

APP = "agenda_matmul"
ROW = ("size", "ranks", "granularity", "concurrency", "seconds", "alone_seconds", "speedup",
       "gflops")


def checksum(seed, size):
    """Of C, row by row."""
    a = [[reference.entry(seed, 0, i, j) for j in range(size)] for i in range(size)]
    b = [[reference.entry(seed, 1, j, k) for j in range(size)] for k in range(size)]
    c = (sum(x * y for x, y in zip(row, column)) for row in a for column in b)
    return reference.hexadecimal(
        sum(reference.scrambled(at) * number for at, number in enumerate(c)))


def kernels():
    """Those that the program is built with."""
    with_blas = re.search(r"--kernel .*default blas", options.help, re.DOTALL) is not None
    return ("blas", "plain") if with_blas else ("plain",)


class WithHelp(Case):
    def setUp(self):
        options.help = self.output(APP, "--help", ranks=3)


class Results(WithHelp):
    def test_products(self):
        for ranks in options.ranks:
            for seed, size, by in zip(SEEDS, (1, 7, 40), ("1,2", "3,100", "1,4,9")):
                for kernel in kernels():
                    with self.subTest(ranks=ranks, seed=seed, kernel=kernel):
                        found = self.found(APP, "--size", size, "--granularity", by,
                                           "--concurrency", "1,3", "--seed", seed, "--repeats", 2,
                                           "--kernel", kernel, ranks=ranks)
                        self.assertEqual((found["ranks"], found["kernel"]), (ranks, kernel))
                        self.assertEqual(found["products"],
                                         [{"size": size, "checksum": checksum(seed, size)}])
                        self.check_rows(found["rows"], [size], [ranks], by, "1,3")

    def check_rows(self, rows, sizes, ranks, granularities, concurrencies):
        wanted = [(size, r, int(g), int(c)) for size in sizes for r in ranks
                  for g in granularities.split(",") for c in concurrencies.split(",")]
        self.assertEqual([tuple(row[key] for key in ROW[:4]) for row in rows], wanted)
        for row in rows:
            self.assertEqual(tuple(row), ROW)
            self.assertGreater(row["seconds"], 0)
            self.assertAlmostEqual(row["speedup"], row["alone_seconds"] / row["seconds"])
            self.assertAlmostEqual(row["gflops"], 2e-9 * row["size"]**3 / row["seconds"])

    def test_several_sizes_and_ranks(self):
        found = self.found(APP, "--size", "20,1e1", "--ranks", "3,1", "--repeats", 1, ranks=3)
        self.assertEqual(found["products"],
                         [{"size": n, "checksum": checksum(1, n)} for n in (20, 10)])
        self.check_rows(found["rows"], [20, 10], [3, 1], "8", "2")

    def test_a_sweep(self):
        sweep = ("--sweep", "--size", 8, "--repeats", 1)
        rows = self.found(APP, *sweep)["rows"]
        self.check_rows(rows, [8], [1], "1,2,4,8,16,32,64", "1,2,4,8")
        rows = self.found(APP, *sweep, "--granularity", "8")["rows"]
        self.check_rows(rows, [8], [1], "8", "1,2,4,8")
        rows = self.found(APP, *sweep, "--concurrency", "2,3")["rows"]
        self.check_rows(rows, [8], [1], "1,2,4,8,16,32,64", "2,3")

    def test_text(self):
        text = self.output(APP, "--size", 16, "--repeats", 1, ranks=2)
        self.assertRegex(text, rf"^C = A B by an agenda on 2 ranks, kernel {kernels()[0]}, seed 1")
        self.assertRegex(text, r"\n +16 +2 +8 +2 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+\n")
        self.assertNotIn("Speed-up,", text)
        text = self.output(APP, "--size", "16,8", "--repeats", 1, "--granularity", "1,5",
                           "--concurrency", "1,2,4")
        self.assertRegex(text, r"\nSpeed-up, size 8, 1 rank at work\n\n  granularity +c=1 +c=2 "
                               r"+c=4\n +1(?: +[0-9.]+){3}\n +5(?: +[0-9.]+){3}\n")
        self.assertTrue(text.endswith("\nEvery product passed the check.\n"))

    def test_help(self):
        self.assertEqual(options.help.count(f"Usage: {APP} [options]"), 1)
        for word in ("--granularity N,...", "--concurrency N,...", "--sweep", "default 512"):
            self.assertIn(word, options.help)


class Errors(WithHelp):
    def test_command_line(self):
        for option in ("--size", "--granularity", "--concurrency"):
            for word in (0, "1,,2", "many", "1e9"):
                self.app_fails(2, f"{option} {word}: give whole numbers from 1 to", APP,
                               option, word)
        self.app_fails(2, r"--ranks 1,4: give whole numbers from 1 to [13] ", APP, "--ranks",
                       "1,4")
        self.app_fails(2, "--kernel best: give blas or plain", APP, "--kernel", "best")
        self.app_fails(2, "--kernel needs a value", APP, "--kernel")
        self.app_fails(2, "--sweep takes no value", APP, "--sweep=3")
        self.app_fails(2, "unknown option '--nonsense'", APP, "--nonsense")

    def test_a_kernel_that_is_missing(self):
        if "blas" in kernels():
            self.skipTest("this build has it")
        self.app_fails(2, "built without it: install libopenblas-dev and build again, or "
                       "take --kernel plain", APP, "--kernel", "blas")

    def test_more_than_the_segment_holds(self):
        os.environ["RAMJET_SEGMENT_BYTES"] = str(1 << 20)
        self.addCleanup(os.environ.pop, "RAMJET_SEGMENT_BYTES")
        self.app_fails(1, "no room for A and C in the segment of rank 0: make --size smaller",
                       APP, "--size", 1024)

    def test_sizes_beyond_memory(self):
        if available_bytes() < 100e9:  # rank 0 takes 6.4e9, and each rank has a twelfth
            result = self.run_app(APP, "--size", 16384, ranks=12)
            said = [line for line in result.stderr.splitlines() if line.startswith(APP)]
            self.assertEqual((result.returncode, len(said), result.stdout), (1, 1, ""), result)
            self.assertRegex(said[0], "not enough memory for matrices of 16384 x 16384 numbers: "
                             "a rank needs at least .* by --size$")

    def test_a_full_disk(self):
        self.check_full_disk(APP)


class Plot(Drawing):
    def setUp(self):
        self.sweep.write_text(self.output(
            APP, "--json", "--size", "16,32", "--ranks", "1,2", "--granularity", "1,4",
            "--concurrency", "1,2", "--repeats", 1, ranks=2))

    def test_pictures(self):
        self.check_pictures()

    def test_only_what_was_varied_is_drawn(self):
        whole = json.loads(self.sweep.read_text())
        labels = {"ranks": "ranks at work", "size": "execution time, ms",
                  "granularity": "rows a request"}
        for varied, label in labels.items():
            rows = [row for row in whole["rows"]
                    if all(row[key] == whole["rows"][0][key]
                           for key in ("ranks", "size", "granularity", "concurrency")
                           if key != varied)]
            self.assertEqual(len(rows), 2)
            text = self.text_of({**whole, "rows": rows})
            self.assertEqual([l for l in labels.values() if l in text], [label])

    def text_of(self, data):
        drawing = self.folder / "part.svg"
        (self.folder / "matplotlibrc").write_text("svg.fonttype: none\n", encoding="ascii")
        result = self.plot("-o", drawing, python=self.python(), input=json.dumps(data),
                           env={**os.environ, "MATPLOTLIBRC": str(self.folder)})
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        return drawing.read_text(encoding="utf-8")

    def test_without_matplotlib(self):
        self.check_without_matplotlib()

    def test_what_cannot_be_drawn(self):
        self.check_refusals(APP)
        whole = json.loads(self.sweep.read_text())
        for key in ROW[:-1]:
            some = json.loads(self.sweep.read_text())
            del some["rows"][-1][key]
            self.fails_with(1, f"not the output .*'{key}'", input=json.dumps(some))
        some = {**whole, "rows": whole["rows"][:1]}
        self.fails_with(1, "has one row: vary something", input=json.dumps(some))
        some["rows"] = [{**whole["rows"][0], "seconds": 0}, whole["rows"][1]]
        self.fails_with(1, "has a number that is not positive", input=json.dumps(some))


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors, "plot": Plot}))
