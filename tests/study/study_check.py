#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet tam study`, at small sizes: its JSON holds together, its claims follow from its numbers.

    study_check.py RAMJET FOLDER_OF_PROGRAMS
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

RAMJET, PROGRAMS = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
SMALL = ("--quick", "--one-block-size")
LIMIT_S = 120
NAMES = ["MMT", "QS", "DTW", "paraffins", "wavefront", "SS"]


def study(*words, status=0):
    done = subprocess.run([RAMJET, "tam", "study", *words], capture_output=True, text=True,
                          timeout=LIMIT_S, check=False)
    if done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def mean(data, ways, miss, size, without=()):
    found = [r["ratio"] for r in data["ratios"]
             if (r["ways"], r["miss_cycles"], r["bytes"]) == (ways, miss, size)
             and r["name"] in NAMES and r["name"] not in without]
    return math.exp(sum(map(math.log, found)) / len(found))


class Study(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = json.loads(study("--json", *SMALL))
        cls.sizes = sorted({r["bytes"] for r in cls.data["ratios"]})

    def test_all_programs_ran_and_agree(self):
        self.assertEqual([p["name"] for p in self.data["programs"]], NAMES)
        printed = [p["prints"].split()[-1] for p in self.data["programs"]]
        product = sum((i + k) * (j - k) for i in range(1, 9) for j in range(1, 9)
                      for k in range(1, 9))
        self.assertEqual(printed[0], str(product))
        self.assertEqual(printed[3], str(sum((1, 1, 1, 2, 3, 5, 9, 18))))  # paraffins of 1 to 8

    def test_ratios_follow_from_misses(self):
        self.assertEqual(self.sizes, [1024 << i for i in range(8)])
        for p in self.data["programs"]:
            cycles = {}
            for how in ("AM", "MD"):
                for c in p[how]["caches"]:
                    self.assertEqual(c["block_bytes"], 64)
                    misses = c["code_misses"] + c["data_misses"]
                    cycles[how, c["ways"], c["bytes"]] = (p[how]["counts"]["instructions"], misses)
            for r in self.data["ratios"]:
                if r["name"] != p["name"]:
                    continue
                md, am = (instructions + r["miss_cycles"] * misses for instructions, misses in
                          (cycles[how, r["ways"], r["bytes"]] for how in ("MD", "AM")))
                self.assertAlmostEqual(r["ratio"], md / am)

    def test_claims_follow_from_the_numbers(self):
        held = {(c["place"], c["text"]): c["reproduced"] for c in self.data["claims"]}
        self.assertGreater(len(held), 18)
        everywhere = all(mean(self.data, ways, miss, size) < 1 for ways in (1, 2, 4)
                         for miss in (12, 24) for size in self.sizes)
        self.assertEqual(next(v for (_, text), v in held.items()
                              if text.startswith("MD's geometric mean")), everywhere)
        at_48 = [mean(self.data, 1, 48, size, {"SS"}) for size in self.sizes]
        self.assertEqual(next(v for (_, text), v in held.items()
                              if text == "and at 48 AM is sometimes better"),
                         min(at_48) < 1 < max(at_48))

    def test_claims_change_with_the_programs(self):
        """With one matrix after the other wavefront has large quanta."""
        text = "threads a quantum: MMT"
        data = json.loads(study("--json", *SMALL, "--size", "wavefront=20,1", "--size", "SS=40"))
        changed = [[c["evidence"] for c in d["claims"] if c["text"].startswith(text)]
                   for d in (self.data, data)]
        self.assertNotEqual(*changed)

    def test_tables_for_people(self):
        text = study(*SMALL)
        for wanted in ("Granularity: ours", "Figure 6: without SS", "fetch request", "reproduced"):
            self.assertIn(wanted, text)
        costs = study("--costs")
        self.assertIn("MOVE R1,[frame.top]", costs)
        self.assertRegex(costs, r"swap_in +system +10 instructions, 4 reads, 3 writes")

    def test_programs_of_a_folder(self):
        ours, theirs = (json.loads(study("--json", *SMALL, *words))["programs"]
                        for words in ((), ("--programs", PROGRAMS)))
        for one, other in zip(ours, theirs):
            for how in ("AM", "MD"):
                self.assertEqual(one[how]["counts"], other[how]["counts"])
                self.assertEqual(one[how]["caches"], other[how]["caches"])
        with tempfile.TemporaryDirectory() as empty:
            self.assertIn("mmt.tl0", study("--programs", empty, status=1))
        for wrong in ("MMT=x", "MMT=0", "MMT=-1", "nothing=1"):
            self.assertIn(f"--size {wrong}: give NAME=N", study("--size", wrong, status=2))


if __name__ == "__main__":
    unittest.main()
