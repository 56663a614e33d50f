#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet model` as its users see it: tables, JSON, pages, traces, and what it refuses.

    model_test.py RAMJET PING_PONG ROOT
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

RAMJET, PING_PONG, ROOT = (os.path.abspath(word) for word in sys.argv[1:4])
del sys.argv[1:4]
LIMIT_S = 250
COSTS = ["--parameters", "L=1000,o=100,g=50,G=0.1", "--ranks-per-node", "1"]
RING = """\
ring: a token that goes around
  near  L 1000, o_s 100, o_r 100, g 50 ns; G 0.1 ns a byte
  far   L 1000, o_s 100, o_r 100, g 50 ns; G 0.1 ns a byte
  1 ranks on a node, a core for each
  bytes        8
  rounds       2

     ranks       time   compute  overhead     turns   waiting
         2    4.80 us     0.0 %     8.3 %     0.0 %    91.7 %
         4    9.61 us     0.0 %     4.2 %     0.0 %    95.8 %
"""


def ramjet(*words, status=0):
    done = subprocess.run([RAMJET, *map(str, words)], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=LIMIT_S, check=False)
    if done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Model(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def test_a_table(self):
        words = ["model", "ring", *COSTS, "--ranks", "2,4", "--set", "rounds=2"]
        self.assertEqual(ramjet(*words).stdout, RING)
        self.assertEqual(ramjet(*words).stdout, RING)

    def test_large_numbers_have_no_exponent(self):
        path = self.file("large", "skeleton x parameter n 18e6 compute n")
        text = ramjet("model", path, "--parameters", "L=45976,o=10,g=10,G=0.01").stdout
        self.assertRegex(text, r"(?m)^  n +18000000$")
        self.assertIn(" L 45976, ", text)

    def test_a_file_and_many_ranks(self):
        text = ramjet("model", "stencil", "--print").stdout
        path = self.file("mine", text)
        words = [*COSTS, "--ranks", "1,131072", "--set", "iterations=1", "--json"]
        [one, many] = json.loads(ramjet("model", path, *words).stdout)["predictions"]
        self.assertEqual((one["ranks"], many["ranks"]), (1, 131072))
        self.assertEqual(many["messages"], 4 * 362 ** 2)
        self.assertAlmostEqual(sum(many[part] for part in
                                   ("compute", "overhead", "turns", "waiting")), 1)
        self.assertIn("stencil", ramjet("model", "--list").stdout)

    def test_costs_are_fitted_to_runs_and_shown_on_a_page(self):
        machine = self.file("machine.json", json.dumps({
            "version": 1, "machine": {"usable_cores": 2}, "crowd": {"barriers": [[4, 8e3]]},
            "near": {"latency_ns": 50, "send_overhead_ns": 10, "receive_overhead_ns": 5,
                     "gap_ns": 8, "byte_ns": 0.03}}))
        runs = self.file("runs", "".join(
            json.dumps({"ranks": n, "seconds": 0.8 / min(n, 2)}) + "\n" for n in (1, 2, 4, 8)))
        made = self.folder / "model.json"
        found = ramjet("model", "kmer", "--machine", machine, "--measured", runs, "--fit", "1..4",
                       "--json").stdout
        made.write_text(found, encoding="utf-8")
        found = json.loads(found)
        self.assertEqual([row["fitted"] for row in found["predictions"]],
                         [True, True, True, False])
        self.assertAlmostEqual(found["parameters"]["letter"], 40, delta=1)
        self.assertLess(abs(found["predictions"][-1]["error"]), 0.02)
        page = ramjet("report", made).stdout
        self.assertIn("Predictions for kmer", page)
        self.assertIn("(fitted)", page)
        whole = self.folder / "page.html"
        ramjet("report", made, machine, "-o", whole)
        text = whole.read_text(encoding="utf-8")
        for words in ("measured", "predicted", "Many ranks"):
            self.assertIn(words, text)

    def test_runs_of_apps_with_several_ways(self):
        runs = self.file("runs", '{"ranks": 2, "ways": [{"way": "a", "seconds": 3},'
                                 ' {"way": "b", "seconds": 4}]}\n')
        found = json.loads(ramjet("model", "ring", *COSTS, "--measured", runs, "--way", "b",
                                  "--json").stdout)
        self.assertEqual([row["measured_seconds"] for row in found["predictions"]], [4])

    def test_a_trace(self):
        trace = self.folder / "trace"
        ramjet("run", "-n", "2", "--trace", trace, PING_PONG)
        costs = ["--parameters", "L=100,o=10,g=10,G=0.01"]
        found = json.loads(ramjet("model", trace, *costs, "--scale", "L=1e6", "--json").stdout)
        [given, scaled] = found["predictions"]
        self.assertEqual((given["ranks"], given["name"], scaled["name"]), (2, "as given", "scaled"))
        self.assertGreater(given["measured_seconds"], 0)
        self.assertGreater(given["messages"], 10)
        # Each message waits for the one before, and each takes 0.1 s now.
        self.assertGreater(scaled["seconds"], 0.1 * given["messages"] / 2)
        for words in (("--ranks", "4"), ("--ranks-per-node", "1"), ("--cores", "1")):
            self.assertIn("a trace has its ranks",
                          ramjet("model", trace, *costs, *words, status=2).stderr)
        half = self.file("half", trace.read_bytes()[:trace.stat().st_size // 2])
        self.assertIn("not whole", ramjet("model", half, *costs).stdout)

    def test_ranks_that_outnumber_cores_are_told_about(self):
        self.assertIn("ramjet characterize crowd", ramjet(
            "model", "ring", "--parameters", "L=1,o=1,g=1,G=1", "--cores", "2", "--ranks",
            "4").stdout)

    def test_what_is_wrong_is_told_in_one_line(self):
        bad = self.file("bad.skeleton", "skeleton x\n  compute y\n")
        binary = self.file("binary", bytes(range(256)))
        cut = self.file("cut.json", '{"version": 1, "machine": {')
        newer = self.file("newer.json", '{"version": 2, "machine": {}, "near": {}}')
        stuck = self.file("stuck", "skeleton x if rank == 0 { receive from 1 }")
        late = self.file("late", "skeleton x\nrepeat 2 {\n  if 1 {compute 1/(1 - rank)}\n}\n")
        nobody = self.file("nobody", "skeleton x send 8 to ranks")
        no_runs = self.file("no_runs", "hello")
        ways = self.file("ways", '{"ranks": 1, "ways": [{"way": "a"}, {"way": "b"}]}')
        large = self.file("large", b"")
        os.truncate(large, 10 << 30)
        for words, status, sentence in (
                ((), 2, "name one skeleton or trace"),
                (("ring", "ring", *COSTS), 2, "name one skeleton or trace"),
                (("foo",), 1, "cannot read foo: No such file or directory; --list shows"),
                (("ring", *COSTS, "--way", "x"), 2, "--way chooses among runs: name their file"),
                (("stencil", *COSTS, "--set", "iterations=-1", "--ranks", "2"), 1,
                 "stencil:15:1: rank 0 of 2: a loop of -1 rounds cannot be"),
                ((late, *COSTS, "--ranks", "2"), 1,
                 f"{late}:3:9: rank 1 of 2: a time, size or number is negative or no number"),
                ((nobody, *COSTS, "--ranks", "2"), 1,
                 f"{nobody}:1:12: rank 0 of 2: there is no rank"),
                (("ring", *COSTS, "--measured", ways), 1, "has several ways, a,b: choose one by"),
                (("ring",), 2, "name the machine: run `ramjet characterize memory near far crowd"),
                (("ring", *COSTS, "--ranks", "0"), 2, "--ranks 0: give numbers of ranks from 1 to"),
                (("ring", *COSTS, "--ranks", "-4"), 2, "--ranks -4: give numbers of ranks"),
                (("ring", *COSTS, "--ranks", "1e12"), 2, "--ranks 1e12: give numbers of ranks"),
                (("ring", *COSTS, "--ranks", "8..2"), 2, "the larger number is the last"),
                (("ring", *COSTS, "--fit", "1..4"), 2, "--fit wants runs"),
                (("ring", *COSTS, "--cores", "0"), 2, "--cores 0: give a number from 1 to"),
                (("ring", "--parameters", "L=-1"), 2, "L=-1: give NAME=VALUE"),
                (("ring", *COSTS, "--scale", "Z=2"), 2, "Z=2: it is L, o, o_s, o_r, g or G"),
                (("ring", *COSTS, "--set", "z=2"), 2, "ring has no such parameter"),
                (("nothing", *COSTS), 1, "cannot read nothing: No such file"),
                ((ROOT, *COSTS), 1, f"{ROOT} is a folder: name the files in it"),
                ((bad, *COSTS), 1, f"{bad}:2:11: there is no 'y'"),
                ((binary, *COSTS), 1, f"{binary}:1:1: this is no"),
                ((large, *COSTS), 1, f"{large} is too large: more than 16 MiB"),
                ((stuck, *COSTS, "--ranks", "2"), 1,
                 "rank 0 waits for a message of rank 1 that nobody sends"),
                (("ring", "--machine", cut), 1, f"{cut}: is not complete JSON"),
                (("ring", "--machine", newer), 1, f"{newer}: is of version 2, of a newer ramjet"),
                (("ring", "--machine", binary), 1, f"{binary}: is not complete JSON"),
                (("ring", *COSTS, "--measured", no_runs), 1, f"{no_runs}: is not a list of runs")):
            with self.subTest(words):
                done = ramjet("model", *words, status=status)
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.startswith("ramjet model: "), done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_an_interrupt_ends_it(self):
        endless = self.file("endless", "skeleton x fitted a 1 repeat 1e18 { compute a }")
        runs = self.file("runs.json", '{"ranks": 1, "seconds": 1}')
        self.interrupt(endless, "--ranks", "1")
        self.interrupt(endless, "--measured", runs, "--fit", "1")

    def interrupt(self, *words):
        with subprocess.Popen([RAMJET, "model", *words, *COSTS],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
            # Once it is past its start: its program has replaced the command's.
            name = pathlib.Path(f"/proc/{job.pid}/comm")
            while name.read_text(encoding="ascii").strip() != "ramjet-model":
                self.assertIsNone(job.poll())
            caught = pathlib.Path(f"/proc/{job.pid}/status")
            while not int(next(line.split()[1] for line in
                               caught.read_text(encoding="ascii").splitlines()
                               if line.startswith("SigCgt:")), 16) & 1 << (signal.SIGINT - 1):
                self.assertIsNone(job.poll())
            job.send_signal(signal.SIGINT)
            self.assertEqual(job.communicate(timeout=LIMIT_S), (b"", b""))
            self.assertEqual(job.returncode, 130)


if __name__ == "__main__":
    unittest.main()
