#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs histogram, indexgather and matmul as their users do, and compares with a reference that
knows nothing of them.

results  checksums for several numbers of ranks, and that the records are whole
errors   what is wrong is said once, the status says so too, and all ranks end
plot     the picture of matmul's sweep
"""

import argparse
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import kernels_reference as reference

SEEDS = (1, 20, 2**64 - 1)
options = argparse.Namespace()


def available_bytes():
    """Memory that this machine has free."""
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvail"))


class Case(unittest.TestCase):
    def run_app(self, name, *arguments, ranks=1):
        command = [options.ramjet, "run", "-n", str(ranks), "--timeout", "60",
                   options.apps / name, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    def output(self, name, *arguments, ranks=1):
        result = self.run_app(name, *arguments, ranks=ranks)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.args)
        return result.stdout

    def found(self, name, *arguments, ranks=1):
        return json.loads(self.output(name, "--json", *arguments, ranks=ranks))

    def app_fails(self, status, pattern, name, *arguments):
        for ranks in (1, 3):
            with self.subTest(name=name, ranks=ranks, arguments=arguments):
                result = self.run_app(name, *arguments, ranks=ranks)
                said = [line for line in result.stderr.splitlines() if line.startswith(name)]
                self.assertEqual(result.returncode, status, result)
                self.assertEqual(len(said), 1, result.stderr)
                self.assertRegex(said[0], pattern)
                self.assertEqual(result.stdout, "")

    def check_full_disk(self, name, *small):
        few = ["--repeats", "1", *small]
        for arguments in (few, [*few, "--json"], ["--help"]):
            with self.subTest(name, arguments=arguments), \
                    open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([options.apps / name, *arguments], stdout=full,
                                        stderr=subprocess.PIPE, text=True, timeout=120, check=False)
                self.assertEqual((result.returncode, result.stderr),
                                 (1, f"{name}: cannot write standard output: "
                                     "No space left on device\n"))

    def check_rates(self, found, what):
        self.assertGreater(found[f"{what}_per_s"], 0)
        self.assertAlmostEqual(found["ratio_to_limit"],
                               found[f"{what}_per_s"] / found[f"limit_{what}_per_s"])


class Results(Case):
    def test_histogram(self):
        for ranks in options.ranks:
            for seed, table, updates in zip(SEEDS, (1, 997, 4096), (100, 3000, 2500)):
                checksum = reference.histogram(seed, ranks, table, updates)
                for more, call in (([], "add"), (["--fetch"], "fetch_add"),
                                   (["--messages"], "message")):
                    with self.subTest(ranks=ranks, seed=seed, more=more):
                        found = self.found("histogram", "--table", table, "--updates", updates,
                                           "--seed", seed, "--repeats", 2, *more, ranks=ranks)
                        self.assertEqual(found["checksum"], checksum)
                        self.assertEqual((found["ranks"], found["wrong"]), (ranks, 0))
                        self.assertEqual(found["call"], call)
                        self.assertEqual(found["sum"], found["rounds"] * ranks * updates)
                        self.check_rates(found, "updates")

    def test_indexgather(self):
        for ranks in options.ranks:
            for seed, table, reads in zip(SEEDS, (1, 997, 4096), (100, 3000, 2500)):
                checksum = reference.indexgather(seed, ranks, table, reads)
                for how in (["--get", 0], ["--get", 1], ["--get", 7], ["--get", 5000],
                            ["--messages"]):
                    with self.subTest(ranks=ranks, seed=seed, how=how):
                        found = self.found("indexgather", "--table", table, "--reads", reads,
                                           "--seed", seed, "--repeats", 2, *how, ranks=ranks)
                        self.assertEqual(found["checksum"], checksum)
                        self.assertEqual((found["ranks"], found["wrong"]), (ranks, 0))
                        self.check_rates(found, "reads")

    def test_matmul(self):
        for ranks in options.ranks:
            for seed, n, terms in zip(SEEDS, (1, 13, 40), (1, 24, 60)):
                with self.subTest(ranks=ranks, seed=seed):
                    found = self.found("matmul", "--n", n, "--terms", terms, "--columns", "1,3,2",
                                       "--seed", seed, "--repeats", 2, ranks=ranks)
                    self.assertEqual([row["columns"] for row in found["rows"]], [1, 3, 2])
                    for row in found["rows"]:
                        self.check_row(row, seed, n, ranks)

    def check_row(self, row, seed, n, ranks):
        self.assertEqual(row["terms"] % ranks, 0)
        self.assertEqual(row["checksum"],
                         reference.matmul(seed, n, row["terms"], row["columns"] * ranks))
        for key in ("seconds", "gflops", "multiply_add_ns", "get_ns", "utilisation", "get_share"):
            self.assertGreater(row[key], 0, key)
        compute_ns = n * row["columns"] * row["multiply_add_ns"]
        model = compute_ns / (compute_ns + row["get_ns"])
        self.assertAlmostEqual(row["utilisation_by_model"], model)
        self.assertAlmostEqual(row["get_share_by_model"], 1 - model)

    def test_numbers_as_people_type_them(self):
        plain = self.found("histogram", "--table", 1000, "--updates", 2500, "--repeats", 1, ranks=2)
        short = self.found("histogram", "--table", "1e3", "--updates", "2.5e3", "--repeats", "1e0",
                           ranks=2)
        self.assertEqual([plain[key] for key in ("table", "updates", "checksum")],
                         [short[key] for key in ("table", "updates", "checksum")])

    def test_text(self):
        text = self.output("histogram", "--table", 100, "--updates", 100, ranks=2)
        self.assertRegex(text, r"100 counters over 2 ranks.*\n\n +add +\d.*\n +limit +\d.*\n +rat")
        text = self.output("indexgather", "--table", 100, "--reads", 100, "--get", 4, ranks=2)
        self.assertRegex(text, r"100 words over 2 ranks.*\n\n +get by 4 +\d.*\n +limit +\d.*\n")
        text = self.output("matmul", "--n", 8, "--columns", "1,2", "--repeats", 1)
        self.assertRegex(text, r"C = A B on 1 rank, 8 rows")
        self.assertRegex(text, r"\n +1 +2048 .*\n +2 +1024 .*\n\nEvery number")

    def test_help(self):
        for name, word in (("histogram", "--updates N"), ("indexgather", "--get N"),
                           ("matmul", "--columns N,...")):
            text = self.output(name, "--help", ranks=3)
            self.assertEqual(text.count(f"Usage: {name} [options]"), 1)
            self.assertIn(word, text)
            self.assertIn("default 1,2,4" if name == "matmul" else "default 1000000",
                          " ".join(text.split()))


class Errors(Case):
    def test_command_line(self):
        for name in ("histogram", "indexgather"):
            for word in (0, -5, "many", "2.5", "1e3x", "4294967296", "1e400", "nan"):
                self.app_fails(2, f"--table {word}: give a whole number from 1 to 4294967295 "
                               rf"\(see {name} --help\)$", name, "--table", word)
        self.app_fails(2, "--columns 1,,2: give whole numbers from 1 to", "matmul", "--columns",
                       "1,,2")
        self.app_fails(2, "--columns 4,: give", "matmul", "--columns", "4,")
        for name in ("histogram", "indexgather", "matmul"):
            self.app_fails(2, "--repeats 0: give a whole number from 1 to", name, "--repeats", 0)
            self.app_fails(2, "--seed needs a value", name, "--seed")
            for word in ("1e16", "9007199254740994.0"):
                self.app_fails(2, f"--seed {word}: numbers from 9007199254740992 on must be typed "
                               "in full", name, "--seed", word)
            for word in (2**64, "1e20", "-1e16", "1.5"):
                self.app_fails(2, f"--seed {word}: give a whole number from 0 to", name, "--seed",
                               word)
            self.app_fails(2, "unknown option '--nonsense'", name, "--nonsense")
            self.app_fails(2, "unexpected argument 'word'", name, "word")
            self.app_fails(2, "--json takes no value", name, "--json=3")

    def test_more_than_the_segments_hold(self):
        os.environ["RAMJET_SEGMENT_BYTES"] = str(1 << 20)
        self.addCleanup(os.environ.pop, "RAMJET_SEGMENT_BYTES")
        for name in ("histogram", "indexgather"):
            self.app_fails(1, "no room for the table", name, "--table", "1e6")
        self.app_fails(1, "no room for A", "matmul", "--n", 1024)

    def test_sizes_beyond_memory(self):
        if available_bytes() < 60e9:  # a rank holds C twice, 34e9 each
            self.app_fails(1, r"not enough memory for 65536 rows, \d+ terms and 65536 columns a "
                           "rank: .* by --n, --columns or --terms$", "matmul", "--n", 65536,
                           "--columns", "1,65536")

    def test_a_full_disk(self):
        for name in ("histogram", "indexgather", "matmul"):
            self.check_full_disk(name)


@functools.cache
def python_with_matplotlib():
    """An interpreter that has it: this one, or the one that the system's packages are for."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            subprocess.run([python, "-c", "import matplotlib"], check=True, timeout=60,
                           capture_output=True)
            return python
        except (OSError, subprocess.CalledProcessError):
            pass
    return None


class Drawing(Case):
    """A plot.py, with the output of its program in self.sweep."""

    def python(self):
        found = python_with_matplotlib()
        if found is None:
            self.skipTest("matplotlib is missing: install python3-matplotlib")
        return found

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="plot-test-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.sweep = cls.folder / "sweep.json"

    def plot(self, *arguments, python=sys.executable, **keywords):
        command = [python, "-B", options.plot, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False,
                              **keywords)

    def fails_with(self, status, pattern, *arguments, **keywords):
        result = self.plot(*arguments, **keywords)
        self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
        self.assertRegex(result.stderr, rf"^plot.py: .*{pattern}.*\n$")

    def check_pictures(self):
        python = self.python()
        picture, drawing, page = (self.folder / f"sweep.{end}" for end in ("png", "svg", "pdf"))
        for file in (picture, drawing, page):
            result = self.plot(self.sweep, "-o", file, python=python)
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(page.read_bytes()[:4], b"%PDF")
        piped = self.folder / "piped.png"
        result = self.plot("-o", piped, python=python, input=self.sweep.read_text())
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(piped.read_bytes(), picture.read_bytes())
        look = ("import sys, numpy, matplotlib.image as i; p = i.imread(sys.argv[1])\n"
                "colors = (p[..., :3] * 255).round().astype(int) @ (1 << 16, 1 << 8, 1)\n"
                "print(p.shape[0], p.shape[1], len(numpy.unique(colors)))")
        seen = subprocess.run([python, "-c", look, picture], capture_output=True, text=True,
                              timeout=120, check=True)
        height, width, colors = map(int, seen.stdout.split())
        self.assertGreater(min(height, width), 400)
        self.assertGreater(colors, 20)
        self.assertIn("<svg", drawing.read_text(encoding="utf-8"))

    def check_without_matplotlib(self):
        (self.folder / "matplotlib.py").write_text("raise ImportError\n")
        result = self.plot(self.sweep, env={**os.environ, "PYTHONPATH": str(self.folder)})
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"^plot.py: matplotlib is missing in .*: install the "
                                        r"package python3-matplotlib\n$")

    def check_refusals(self, program):
        self.fails_with(2, "sweep.txt: the suffix is one of .png, .svg, .pdf", self.sweep, "-o",
                        self.folder / "sweep.txt")
        self.fails_with(1, "cannot read .*absent: No such file", self.folder / "absent")
        whole = json.loads(self.sweep.read_text())
        for text in ("", "{", "[]", "{}", "7", '{"rows": 3}', '{"rows": [{}]}'):
            self.fails_with(1, f"- is not the output of {program} --json", input=text)
        self.fails_with(1, "has no rows", input=json.dumps({**whole, "rows": []}))


class Plot(Drawing):
    def setUp(self):
        self.sweep.write_text(self.output("matmul", "--json", "--n", 32, "--repeats", 2, ranks=2))

    def test_pictures(self):
        self.check_pictures()

    def test_without_matplotlib(self):
        self.check_without_matplotlib()

    def test_what_cannot_be_drawn(self):
        self.check_refusals("matmul")
        whole = json.loads(self.sweep.read_text())
        for key in ("ranks", "n"):
            some = {name: value for name, value in whole.items() if name != key}
            self.fails_with(1, f"not the output .*'{key}'", input=json.dumps(some))
        for key in ("columns", "utilisation", "utilisation_by_model", "get_share",
                    "get_share_by_model"):
            some = json.loads(self.sweep.read_text())
            del some["rows"][-1][key]
            self.fails_with(1, f"not the output .*'{key}'", input=json.dumps(some))


def run_check(doc, checks):
    """The whole of a program that has these test cases by their names."""
    parser = argparse.ArgumentParser(description=doc,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=checks)
    parser.add_argument("--ramjet", required=True, help="the launcher")
    parser.add_argument("--apps", required=True, type=pathlib.Path, help="the programs' folder")
    parser.add_argument("--plot", help="the script that draws")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4, 8])
    parser.parse_args(namespace=options)
    print(f"seeds {SEEDS}")
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(
        checks[options.check])
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"results": Results, "errors": Errors, "plot": Plot}))
