#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet tam study --native`, at small sizes: programs print the same by all schedulers, its
ratios follow from its times and counts, and the page shows them. Nothing depends on the times.

    native_check.py RAMJET
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import unittest

RAMJET = os.path.abspath(sys.argv.pop(1))
SMALL = ("--native", "--quick", "--one-block-size")
LIMIT_S = 600
SCHEDULERS = ["am", "unenabled", "md", "hybrid"]


def study(*words, status=0, **environment):
    done = subprocess.run([RAMJET, "tam", "study", *words], capture_output=True, text=True,
                          timeout=LIMIT_S, check=False, env={**os.environ, **environment})
    if done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout if status == 0 else done.stderr


class Native(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = json.loads(study("--json", "--repeats", "2", "--size", "MMT=9", *SMALL))

    def test_all_programs_ran_and_print_what_the_counted_machine_does(self):
        self.assertEqual([n["name"] for n in self.data["native"]],
                         ["MMT", "QS", "DTW", "paraffins", "wavefront", "SS"])
        for native, counted in zip(self.data["native"], self.data["programs"]):
            self.assertEqual(native["arguments"], counted["arguments"])
            self.assertEqual(native["prints"], counted["prints"])
        self.assertEqual(self.data["native"][0]["arguments"], ["9"])

    def test_ratios_follow_from_times_and_counts(self):
        for n in self.data["native"]:
            self.assertEqual(list(n["seconds"]), SCHEDULERS)
            for scheduler in SCHEDULERS:
                self.assertEqual(len(n["seconds"][scheduler]), 2)
                self.assertAlmostEqual(n["medians"][scheduler],
                                       statistics.median(n["seconds"][scheduler]))
            self.assertAlmostEqual(n["ratio"], n["medians"]["md"] / n["medians"]["am"])
            counted = {c["miss_cycles"]: c["ratio"] for c in n["counted"]}
            self.assertEqual(list(counted), [12, 24, 48, 100, 200])
            for r in self.data["ratios"]:
                if (r["name"], r["ways"], r["bytes"]) == (n["name"], 4, 8192):
                    self.assertAlmostEqual(r["ratio"], counted[r["miss_cycles"]])

    def test_table_for_people(self):
        text = study("--repeats", "1", *SMALL)
        self.assertIn("medians of 1 runs", text)
        head = next(line for line in text.splitlines() if "unenabled" in line)
        self.assertEqual(head.split()[:5], [*SCHEDULERS, "MD/AM"])

    def test_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "study.json"), os.path.join(folder, "study.html")
            with open(source, "w", encoding="utf-8") as file:
                json.dump(self.data, file)
            subprocess.run([RAMJET, "report", source, "-o", made], check=True, timeout=LIMIT_S)
            with open(made, encoding="utf-8") as file:
                text = file.read()
            self.assertIn("on this processor", text)
            self.assertIn("MMT 9", text)

    def test_what_is_wrong_is_told(self):
        self.assertIn("give a number", study("--repeats", "3", status=2))
        self.assertIn("give a number", study("--native", "--repeats", "0", status=2))
        self.assertIn("cannot be run", study(*SMALL, status=1, RAMJET_CC="/no/such/compiler"))
        self.assertIn("mmt.tl0 cannot be compiled", study(*SMALL, status=1, RAMJET_CC="false"))


if __name__ == "__main__":
    unittest.main()
