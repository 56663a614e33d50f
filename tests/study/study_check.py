#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet tam study`, at small sizes: its JSON holds together, its claims follow from its numbers.

    study_check.py RAMJET FOLDER_OF_PROGRAMS
"""

import json
import math
import os
import re
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

    def test_misses_of_regions_are_those_of_the_table(self):
        for p in self.data["programs"]:
            for how in ("AM", "MD"):
                by_region = p[how]["table_2_misses"]
                code = by_region["user code"] + by_region["system code"]
                table = next(c for c in p[how]["caches"] if (c["bytes"], c["ways"]) == (8192, 4))
                self.assertGreater(code, 0)
                self.assertEqual(code, table["code_misses"])
                self.assertEqual(sum(by_region.values()) - code, table["data_misses"])

    def test_what_follows_from_the_papers_ratios(self):
        """Instructions and misses of which Table 2's ratios are made give these ratios again."""
        rows = re.findall(r"(?m)^(\w+) .*\|((?: +[\d.]+ to [\d.]+){3})$", study(*SMALL))
        open_ones = ("wavefront", "SS")
        self.assertEqual([name for name, _ in rows], [n for n in NAMES if n not in open_ones])
        for name, found in rows:
            least, most = ([float(pair[i]) for pair in re.findall(r"([\d.]+) to ([\d.]+)", found)]
                           for i in (0, 1))
            theirs = self.data["papers"]["spertus_dally_1995"]["table_2"][name][6:]
            for miss, ratio in zip((12, 24, 48), theirs):
                lowest, highest = ((a[0] + miss * a[2] / 1e3) / (1 + miss * b[1] / 1e3)
                                   for a, b in ((least, most), (most, least)))
                self.assertLessEqual(lowest - 0.04, ratio)
                self.assertLessEqual(ratio, highest + 0.04)

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
        """Other sizes have other quanta."""
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
