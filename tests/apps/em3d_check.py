#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs em3d as its users do, and compares.

fields   every version leaves the fields of the reference, for several numbers of ranks
errors   what is wrong is said once, the status says so too, and all ranks end
output   the forms of the report: text, JSON, help
plot     plot.py draws every version, and says what it cannot draw
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import em3d_reference as reference

SEED = 20
VERSIONS = ["simple", "bundle", "unroll", "get", "put", "bulk"]
SMALL = ("--nodes", 22, "--degree", 5, "--iterations", 7, "--repeats", 1)
# plot.py runs by this one, which the distribution's matplotlib is for.
PLOT_PYTHON = "/usr/bin/python3"
FIRST_TIME = "Matplotlib is building the font cache; this may take a moment.\n"
options = argparse.Namespace()


class Case(unittest.TestCase):
    def run_em3d(self, *arguments, ranks=1, **keywords):
        command = [options.ramjet, "run", "-n", str(ranks), "--timeout", "60", options.em3d]
        return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True,
                              timeout=120, **keywords)

    def em3d(self, *arguments, ranks=1, **keywords):
        result = self.run_em3d(*arguments, ranks=ranks, **keywords)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.args)
        return result.stdout

    def found(self, *arguments, ranks=1):
        return json.loads(self.em3d("--json", *arguments, ranks=ranks))


class Fields(Case):
    def test_every_version_leaves_the_fields_of_the_reference(self):
        for ranks in options.ranks:
            for nodes, degree, iterations in ((22, 5, 7), (2, 1, 1), (50, 20, 3), (8, 3, 40)):
                with self.subTest(ranks=ranks, nodes=nodes, degree=degree, iterations=iterations):
                    self.check(ranks, nodes, degree, iterations, [0, 1, 20, 65, 100])

    def check(self, ranks, nodes, degree, iterations, percents):
        found = self.found("--nodes", nodes, "--degree", degree, "--iterations", iterations,
                           "--seed", SEED, "--repeats", 2, "--remote",
                           ",".join(map(str, percents)), ranks=ranks)
        percents = percents if ranks > 1 else [0]
        self.assertEqual([(r["remote_percent"], r["version"]) for r in found["results"]],
                         [(p, v) for p in percents for v in VERSIONS])
        for r in found["results"]:
            expected = reference.checksum_after(SEED, ranks, nodes, degree, r["remote_percent"],
                                                iterations)
            self.assertEqual((r["checksum"], r["check"]), (expected, "ok"), r)

    def test_larger_graphs_against_the_programs_own_serial_computation(self):
        for ranks in options.ranks:
            with self.subTest(ranks=ranks):
                self.em3d("--iterations", 30, "--repeats", 3, "--remote", "0,20,100", ranks=ranks)

    def test_checksums_tell_graphs_apart(self):
        def sums(*arguments, ranks=2):
            found = self.found(*SMALL, "--remote", 30, *arguments, ranks=ranks)
            several = {r["checksum"] for r in found["results"]}
            self.assertEqual(len(several), 1)
            return several.pop()
        first = sums("--seed", SEED)
        self.assertEqual(sums("--seed", SEED), first)
        others = {sums("--seed", SEED + 1), sums("--seed", SEED, ranks=3),
                  sums("--seed", SEED, "--remote", 31), sums("--seed", SEED, "--degree", 6),
                  sums("--seed", SEED, "--iterations", 8), sums("--seed", SEED, "--nodes", 24)}
        self.assertEqual(len(others | {first}), 7)

    def test_remote_edges_and_ghosts(self):
        found = self.found("--remote", "0,25,100", "--iterations", 1, "--repeats", 1,
                           "--version", "bulk", ranks=3)
        none, some, every = found["results"]
        self.assertEqual((none["remote_edges"], none["ghosts"]), (0, 0))
        self.assertAlmostEqual(some["remote_edges"] / 30000, 0.25, delta=0.015)
        self.assertEqual(every["remote_edges"], 30000)
        # Every rank has a ghost of nearly every one of the 1000 nodes elsewhere, and no other.
        self.assertGreater(every["ghosts"], 2990)
        self.assertLessEqual(every["ghosts"], 3000)


class Errors(Case):
    def fails_with(self, pattern, *arguments):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks, arguments=arguments):
                result = self.run_em3d(*arguments, ranks=ranks)
                said = [line for line in result.stderr.splitlines() if line.startswith("em3d: ")]
                self.assertEqual(result.returncode, 2, result)
                self.assertEqual(len(said), 1, result.stderr)
                self.assertRegex(said[0], pattern)
                self.assertRegex(said[0], r" \(see em3d --help\)$")
                self.assertEqual(result.stdout, "")

    def test_command_line(self):
        self.fails_with("--version fast: the versions are simple, .*bulk, all", "--version",
                        "fast")
        self.fails_with("--nodes 501: must be even.*500 or 502", "--nodes", 501)
        for option, most in (("--nodes", 10000000), ("--degree", 1000), ("--iterations", 1000000),
                             ("--repeats", 1000)):
            for value in (0, -2, "x", "2x", "2.5", most + 2):
                self.fails_with(f"{option} {value}: give a whole number from . to {most}", option,
                                value)
        self.fails_with("more than 1000000000 edges", "--nodes", 10000000, "--degree", 1000)
        self.fails_with("--seed 1e16: numbers from 9007199254740992 on must be typed in full",
                        "--seed", "1e16")
        self.fails_with("--seed 9007199254740993e0: numbers from .* must be typed in full",
                        "--seed", "9007199254740993e0")
        self.fails_with("--seed -1: give a whole number from 0 to", "--seed", -1)
        for remote in ("101", "-1", "5,5", "20,10", "0,", "50..10", "0..200", "a", "1,,2",
                       "1...5", "0..10,10"):
            self.fails_with("percentages from 0 to 100, ascending", "--remote", remote)
        for option in ("--nodes", "--remote", "--version"):
            self.fails_with(f"{option} '': give a value", option, "")
        self.fails_with("--degree needs a value", "--degree")
        self.fails_with("--json takes no value", "--json=3")
        self.fails_with("unknown option '--nonsense'", "--nonsense")
        self.fails_with("unexpected argument 'stray'", "stray")

    def test_a_full_disk(self):
        for arguments in ([*SMALL], [*SMALL, "--json"], ["--help"]):
            with self.subTest(arguments), open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([options.em3d, *map(str, arguments)], stdout=full,
                                        stderr=subprocess.PIPE, text=True, timeout=60, check=False)
                self.assertEqual((result.returncode, result.stderr),
                                 (1, "em3d: cannot write standard output: "
                                     "No space left on device\n"))

    def test_a_graph_that_does_not_fit(self):
        for ranks in (1, 2):
            result = self.run_em3d("--nodes", 200000, "--degree", 1, "--iterations", 1, ranks=ranks,
                                   env={**os.environ, "RAMJET_SEGMENT_BYTES": str(1 << 20)})
            self.assertEqual(result.returncode, 1)
            self.assertIn("em3d: the graph does not fit into a rank's segment: make --nodes "
                          "smaller, or RAMJET_SEGMENT_BYTES greater", result.stderr)
            self.assertEqual(result.stderr.count("em3d: "), 1)


class Output(Case):
    def test_help(self):
        for ranks in (1, 3):
            text = self.em3d("--help", ranks=ranks)
            self.assertEqual(text.count("Usage: em3d"), 1)
            for word in ("--version V", "--nodes N", "--degree D", "--remote PERCENT",
                         "--iterations I", "--repeats R", "--seed S", "--json", "500"):
                self.assertIn(word, text)

    def test_text(self):
        lines = self.em3d(*SMALL, "--remote", "0,40..60", ranks=2).splitlines()
        self.assertEqual(lines[0], "EM3D on 2 ranks, 11 E and 11 H nodes each, degree 5, "
                                   "7 iterations, seed 1")
        head = next(i for i, line in enumerate(lines) if line.startswith("  remote "))
        self.assertEqual(lines[head].split(), ["remote", "0%", "40%"])
        rows = [line.split() for line in lines[head + 1:head + 7]]
        self.assertEqual([row[0] for row in rows], VERSIONS)
        for row in rows:
            self.assertEqual(len(row), 3)
            self.assertTrue(all(float(ns) > 0 for ns in row[1:]))
        self.assertRegex(lines[head + 8], r"serial +\d")
        self.assertIn("All fields are those of the serial computation", lines[-1])

    def test_one_of_each(self):
        lines = self.em3d("--nodes", 2, "--iterations", 1, "--repeats", 1).splitlines()
        self.assertEqual(lines[0], "EM3D on 1 rank, 1 E and 1 H node each, degree 20, "
                                   "1 iteration, seed 1")
        self.assertIn("median of 1 run, ", lines[1])

    def test_numbers_as_people_type_them(self):
        def sums(nodes, iterations):
            return [r["checksum"] for r in self.found(
                "--nodes", nodes, "--iterations", iterations, "--repeats", 1, ranks=2)["results"]]
        self.assertEqual(sums("2e2", "1e0"), sums(200, 1))

    def test_json_is_one_line_so_that_ramjet_report_takes_several_runs(self):
        lines = [self.em3d("--json", *SMALL, "--remote", "0,50", ranks=ranks) for ranks in (1, 2)]
        for line in lines:
            self.assertEqual((line.count("\n"), line[-1]), (1, "\n"))
        done = subprocess.run([options.ramjet, "report", "-", "--json"], input="".join(lines),
                              capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["sections"][0]["plots"][0]["x"]["label"], "ranks")

    def test_json(self):
        found = self.found(*SMALL, "--version", "get", "--remote", "5,15..40", ranks=2)
        self.assertEqual([r["remote_percent"] for r in found["results"]], [5, 15, 25, 35])
        self.assertEqual([found[key] for key in ("ranks", "nodes_per_rank", "degree",
                                                 "edges_per_rank", "iterations", "repeats",
                                                 "seed", "note")],
                         [2, 22, 5, 110, 7, 1, 1, None])
        self.assertTrue(found["machine"]["processor"])
        self.assertGreater(found["machine"]["cores"], 0)
        for times in [found["serial_ns_per_edge"]] + [r["ns_per_edge"] for r in found["results"]]:
            self.assertGreater(times["min"], 0)
            self.assertLessEqual(times["min"], times["median"])
            self.assertLessEqual(times["median"], times["max"])

    def test_defaults(self):
        found = self.found("--iterations", 1, "--repeats", 1, ranks=2)
        self.assertEqual([r["remote_percent"] for r in found["results"]],
                         [p for p in range(0, 101, 10) for _ in VERSIONS])
        self.assertEqual([found[key] for key in ("nodes_per_rank", "degree", "seed")],
                         [500, 20, 1])

    def test_one_rank_says_that_nothing_is_remote(self):
        found = self.found(*SMALL, "--remote", "20,80")
        self.assertEqual({r["remote_percent"] for r in found["results"]}, {0})
        self.assertIn("one rank: no edge can be remote", found["note"])
        self.assertIn("one rank: no edge can be remote", self.em3d(*SMALL, "--remote", 50))


class Plot(Case):
    @classmethod
    def setUpClass(cls):
        probe = subprocess.run([PLOT_PYTHON, "-c", "import matplotlib"], check=False,
                               stderr=subprocess.DEVNULL)
        if probe.returncode != 0:
            raise unittest.SkipTest("python3-matplotlib is not installed")
        cls.temporary = tempfile.TemporaryDirectory(prefix="em3d-test-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)

    def setUp(self):
        self.data = {"machine": {"processor": "a processor"}, "ranks": 4, "nodes_per_rank": 500,
                     "degree": 20, "iterations": 100, "serial_ns_per_edge": {"median": 0.4},
                     "results": [{"version": v, "remote_percent": p, "check": "ok",
                                  "ns_per_edge": {"median": 3.0 - i * 0.4 + p * 0.02}}
                                 for p in (0, 50, 100) for i, v in enumerate(VERSIONS)]}

    def plot(self, *arguments, **keywords):
        done = subprocess.run([PLOT_PYTHON, "-B", options.plot, *map(str, arguments)], text=True,
                              capture_output=True, timeout=120, check=False, **keywords)
        done.stderr = done.stderr.replace(FIRST_TIME, "")
        return done

    def draw(self, name):
        path = self.folder / name
        done = self.plot("-o", path, input=json.dumps(self.data))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return path

    def colours(self, path):
        """How many pixels have which colour."""
        count = ("import json, sys, numpy\nfrom matplotlib import image\n"
                 "pixels = (image.imread(sys.argv[1])[..., :3] * 255).round().astype(int)\n"
                 "found = numpy.unique(pixels @ (1 << 16, 1 << 8, 1), return_counts=True)\n"
                 "print(json.dumps({f'#{c:06X}': int(n) for c, n in zip(*found)}))")
        done = subprocess.run([PLOT_PYTHON, "-c", count, path], capture_output=True, text=True,
                              timeout=120, check=True)
        return json.loads(done.stdout)

    def test_a_png_shows_every_version(self):
        colours = self.colours(self.draw("all.png"))
        lines = ["#D55E00", "#E69F00", "#009E73", "#0072B2", "#CC79A7", "#000000"]
        for colour in lines:
            self.assertGreater(colours.get(colour, 0), 1000, colour)
        self.data["results"] = [r for r in self.data["results"] if r["version"] != "put"]
        self.assertEqual(self.colours(self.draw("less.png")).get("#CC79A7", 0), 0)

    def test_an_svg_has_its_words(self):
        settings = self.folder / "matplotlibrc"
        settings.write_text("svg.fonttype: none\n", encoding="ascii")
        env = {**os.environ, "MATPLOTLIBRC": str(settings)}
        path = self.folder / "plot.svg"
        done = self.plot("-o", path, input=json.dumps(self.data), env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = path.read_text(encoding="utf-8")
        for word in (*VERSIONS, "EM3D on 4 ranks", "remote edges (%)", "(ns)", "serial",
                     "500 nodes per rank, degree 20, 100 iterations"):
            self.assertIn(word, text)

    def test_what_the_program_prints_can_be_drawn(self):
        file = self.folder / "em3d.json"
        file.write_text(self.em3d(*SMALL, "--json", "--remote", "0,50..100", ranks=2),
                        encoding="utf-8")
        path = self.folder / "real.png"
        done = self.plot(file, "-o", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(len(self.colours(path)), 10)

    def fails_with(self, status, pattern, *arguments, **keywords):
        done = self.plot(*arguments, **keywords)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr, pattern)
        self.assertNotIn("Traceback", done.stderr)

    def test_what_cannot_be_drawn(self):
        out = ("-o", self.folder / "none.png")
        self.fails_with(1, "plot.py: cannot read absent.json: No such file", "absent.json", *out,
                        cwd=self.folder)
        for text in ("", "{", "[]", "{}", '{"results": [{}]}', "7"):
            self.fails_with(1, "plot.py: - is not the output of em3d --json", *out, input=text)
        self.fails_with(1, "has no results", *out, input=json.dumps({**self.data, "results": []}))
        self.fails_with(2, "plot.py: plot.jpeg: the suffix is one of .png", "-o", "plot.jpeg",
                        input="{}")
        self.fails_with(1, "cannot write .*No such file", "-o", self.folder / "no" / "such.png",
                        input=json.dumps(self.data))
        self.data["results"][3]["check"] = "wrong"
        self.fails_with(1, "the run of get was wrong", *out, input=json.dumps(self.data))
        self.assertFalse((self.folder / "none.png").exists())

    def test_without_matplotlib(self):
        (self.folder / "matplotlib.py").write_text("raise ImportError\n", encoding="ascii")
        self.fails_with(1, "matplotlib is missing in .*: install the package python3-matplotlib",
                        input=json.dumps(self.data), cwd=self.folder,
                        env={**os.environ, "PYTHONPATH": str(self.folder)})
        (self.folder / "matplotlib.py").unlink()


def main():
    checks = {"fields": Fields, "errors": Errors, "output": Output, "plot": Plot}
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=list(checks))
    parser.add_argument("--ramjet", required=True, help="the launcher")
    parser.add_argument("--em3d", required=True, help="the program")
    parser.add_argument("--plot", required=True, help="the script that draws")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4, 8])
    parser.parse_args(namespace=options)
    print(f"seed {SEED}")
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(checks[options.check])
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
