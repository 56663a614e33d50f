#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet characterize` as its users see it. What it finds is compared with what the system says
only where a busy machine does not blur it.

    command_test.py RAMJET
"""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

RAMJET = os.path.abspath(sys.argv.pop(1))


def run(*words):
    return subprocess.run([RAMJET, "characterize", *words], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, check=False,
                          env={**os.environ, "RAMJET_PROFILE": "none"})


def has_child(pid, word):
    """Whether a child of the process has that word in its command line."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            children = file.read().split()
        return any(word in bytes_of(f"/proc/{child}/cmdline") for child in children)
    except OSError:
        return False


def bytes_of(name):
    with open(name, "rb") as file:
        return file.read()


class Command(unittest.TestCase):
    def results(self, *words):
        done = run("--quick", "--json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def check_curve(self, points, least):
        self.assertGreaterEqual(len(points), least)
        for x, ns in points:
            self.assertGreater(x, 0)
            self.assertGreater(ns, 0)
        self.assertEqual(points, sorted(points))

    def check_drift(self, part, limit):
        self.assertGreaterEqual(part["drift"], 1)
        self.assertEqual(part["steady"], part["drift"] <= limit)

    def test_memory(self):
        found = self.results("memory", "--seed", "7")
        self.assertEqual(found["seed"], 7)
        self.assertNotIn("near", found)
        memory = found["memory"]
        self.check_curve(memory["reads_by_size"], 50)
        self.assertGreater(memory["reads_by_size"][-1][1], memory["reads_by_size"][0][1])
        self.assertGreater(memory["first_touch_ns"], 0)
        self.check_curve(memory["gathers_by_size"], 15)
        self.assertGreater(memory["gathers_by_size"][-1][1], memory["gathers_by_size"][0][1])
        self.check_curve(memory["reads_of_one_set"], 40)
        for row in memory["by_stride"]:
            self.check_curve(row["reads"], 10)
            self.check_curve(row["writes"], 10)
        texts = [f["text"] for f in memory["findings"]]
        self.assertTrue(any("The first level serves up to" in t for t in texts), texts)
        self.check_drift(memory, 1.1)
        compared = [f for f in memory["findings"] if "agrees" in f]
        self.assertTrue(compared)
        for f in compared:
            self.assertTrue(f["system_says"])

    def test_two_ranks(self):
        found = self.results("near", "far")
        ways = {"words", "bulk", "message"}
        for part in ("near", "far"):
            results = found[part]
            self.check_drift(results, 1.25)
            self.check_curve(results["reads_by_stride"], 8)
            self.check_curve(results["gets_by_group"], 6)
            self.check_curve(results["puts_by_group"], 6)
            self.check_curve(results["puts_by_stride"], 9)
            for direction in ("bulk_reads", "bulk_writes"):
                self.assertLessEqual(ways, set(results[direction]))
                for points in results[direction].values():
                    self.check_curve(points, 14)
            for name in ("put_ns", "fetch_add_ns", "barrier_ns", "round_trip_ns", "byte_ns",
                         "send_overhead_ns", "receive_overhead_ns", "gap_ns"):
                self.assertGreater(results[name], 0, name)

        for name in ("round_trip_ns", "send_overhead_ns", "receive_overhead_ns", "gap_ns",
                     "byte_ns"):
            for row in found["pairs"]:
                self.assertGreater(row[name], 0)
        *near, other = found["pairs"]
        self.assertEqual((other["where"], other["processors"]), ("other node", []))
        self.assertEqual(other["gap_ns"], found["far"]["gap_ns"])
        self.assertIn(found["near"]["gap_ns"], [row["gap_ns"] for row in near])
        for row in near:
            if row["where"] != "this machine":
                self.assertEqual(len(set(row["processors"])), 2)
                self.assertLessEqual(set(row["processors"]), os.sched_getaffinity(0))

        if found["machine"]["usable_cores"] > 1:
            for beside in ("with", "without"):
                for name in ("round_trip_ns", "gap_ns", "poll_ns"):
                    self.assertGreater(found["idle_network"][beside][name], 0)

    def test_an_idle_network_is_left_out_where_there_is_none(self):
        done = subprocess.run(["unshare", "--map-root-user", "--net", RAMJET, "characterize",
                               "--quick", "--json", "--no-profile", "near"],
                              stdin=subprocess.DEVNULL, text=True, capture_output=True, check=False)
        if "unshare" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertGreater(found["near"]["gap_ns"], 0)
        self.assertNotIn("idle_network", found)
        if found["machine"]["usable_cores"] > 1:
            self.assertIn("no network interface is up", done.stderr)

    def test_interrupted_while_a_network_is_idle(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("the part wants two processors")
        with subprocess.Popen([RAMJET, "characterize", "--quick", "--no-profile", "near", "far"],
                              stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as started:
            while started.poll() is None and not has_child(started.pid, b"--silent-rank-worker"):
                time.sleep(0.002)
            started.send_signal(signal.SIGINT)
            out, _ = started.communicate()
        self.assertEqual((started.returncode, out), (130, ""))

    def test_crowd(self):
        found = self.results("crowd")
        cores = found["machine"]["usable_cores"]
        self.check_curve(found["crowd"]["barriers"], 1)
        self.check_drift(found["crowd"], 1.25)
        self.assertEqual(found["crowd"]["barriers"][0][0], 2 * cores)
        self.check_curve(found["crowd"]["bytes"], 3)  # of fewer where there is little memory
        self.assertEqual(found["crowd"]["bytes"][0][0], 2)

    def test_text(self):
        done = run("--quick", "near")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("Between two ranks of this machine", "there and back", "Reads by stride",
                     "Puts by group", "Puts by stride", "Messages by where the two ranks are",
                     "Reading many bytes:"):
            self.assertIn(text, done.stdout)

    def test_wrong_words(self):
        for words, text in ((["nearby"],
                             "no part 'nearby': it is memory, near, far, crowd or choices"),
                            (["--seed", "x"], "give a number"),
                            (["--check", "near"], "--check measures the choices alone"),
                            (["--sede"], "--sede")):
            done = run(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)

    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("usage: ramjet characterize", done.stdout)
        page = os.path.join(os.path.dirname(__file__), "../../docs/man/ramjet-characterize.1")
        with open(page, encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-")
        for option in ("--quick", "--json", "--seed", "--check", "--no-profile", "--replace"):
            self.assertIn(option, done.stdout)
            self.assertIn(option, manual)


if __name__ == "__main__":
    unittest.main()
