#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet tam study --native`, at small sizes: programs print the same by all schedulers, its
ratios follow from its times and counts, the programs in Id run on ranks, and the page shows them.
Nothing depends on the times.

    native_check.py RAMJET IDC APPS JOINER    a program for ranks that takes an argument: fib
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

RAMJET, IDC, APPS, JOINER = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))
SMALL = ("--native", "--quick", "--one-block-size")
NAMES = ["MMT", "QS", "DTW", "paraffins", "wavefront", "SS"]
EVENTS = {"cycles", "instructions", "first_level_data_misses", "last_level_misses"}
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
        # Two in Id, whose calls go to all ranks; those by hand are compiled sooner.
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(APPS, "tam"), folder, dirs_exist_ok=True)
            for name in ("mmt", "quicksort"):
                subprocess.run([IDC, "-S", os.path.join(APPS, "id", name + ".id"), "-o",
                                os.path.join(folder, name + ".tl0")], check=True, timeout=LIMIT_S)
            cls.data = json.loads(study("--json", "--repeats", "2", "--ranks", "3", "--programs",
                                        folder, "--size", "MMT=9", *SMALL))

    def test_all_programs_ran_and_print_what_the_counted_machine_does(self):
        self.assertEqual([n["name"] for n in self.data["native"]], NAMES)
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

    def test_on_ranks(self):
        programs = self.data["native_on_ranks"]
        self.assertEqual([n["name"] for n in programs], NAMES)
        for on_ranks, alone in zip(programs, self.data["native"]):
            for same in ("arguments", "prints"):
                self.assertEqual(on_ranks[same], alone[same])
            self.assertEqual([run["ranks"] for run in on_ranks["runs"]], [1, 2, 3])
            for run in on_ranks["runs"]:
                self.assertEqual(list(run["seconds"]), SCHEDULERS)
                for scheduler in SCHEDULERS:
                    seconds = run["seconds"][scheduler]
                    self.assertIn(len(seconds), (1, 2))  # as there was time
                    self.assertAlmostEqual(run["medians"][scheduler], statistics.median(seconds))

    def test_table_for_people(self):
        """The programs by hand, and those in Id on ranks; nothing of it depends on what they do."""
        with tempfile.TemporaryDirectory() as folder:
            compiler = os.path.join(folder, "cc")
            with open(compiler, "w", encoding="utf-8") as file:
                file.write('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n'
                           f'printf "#!/bin/sh\\nexec {JOINER} 5\\n" > "$2" && chmod +x "$2"\n')
            os.chmod(compiler, 0o755)
            text = study("--repeats", "1", "--ranks", "2", *SMALL, RAMJET_CC=compiler)
            alone = study("--repeats", "1", "--ranks", "1", *SMALL, RAMJET_CC=compiler)
        self.assertIn("medians of 1 runs", text)
        self.assertIn("On ranks", text)
        self.assertNotIn("On ranks", alone)
        lines = text.splitlines()
        heads = [line.split() for line in lines if "unenabled" in line]
        self.assertEqual(heads[0][:5], [*SCHEDULERS, "MD/AM"])
        self.assertEqual(heads[-1], ["ranks", *SCHEDULERS])
        for words in ("wavefront 10 2", "wavefront 10 1", "mean speed-up 2"):
            self.assertTrue(any(line.split()[:3] == words.split() for line in lines), text)

    def test_counts_are_there_or_named(self):
        missing = self.data["native_counts_missing"].split(": ")[0].split(", ")
        for n in self.data["native"]:
            self.assertEqual(list(n["counts"]), SCHEDULERS)
            for counts in n["counts"].values():
                self.assertEqual(counts.keys() & set(missing), set())
                self.assertLessEqual(counts.keys(), EVENTS)
                self.assertGreater(counts.get("instructions", 1e9), 1e5)

    def test_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "study.json"), os.path.join(folder, "study.html")
            with open(source, "w", encoding="utf-8") as file:
                json.dump(self.data, file)
            subprocess.run([RAMJET, "report", source, "-o", made], check=True, timeout=LIMIT_S)
            with open(made, encoding="utf-8") as file:
                text = file.read()
            for words in ("on this processor", "MMT 9", "Speed-up by ranks", "wavefront 10 2"):
                self.assertIn(words, text)

    def test_what_is_wrong_is_told(self):
        self.assertIn("give a number", study("--repeats", "3", status=2))
        self.assertIn("give a number", study("--native", "--repeats", "0", status=2))
        self.assertIn("give a number", study("--ranks", "2", status=2))
        self.assertIn("give a number", study("--native", "--ranks", "0", status=2))
        self.assertIn("cannot be run", study(*SMALL, status=1, RAMJET_CC="/no/such/compiler"))
        self.assertIn("mmt.tl0 cannot be compiled", study(*SMALL, status=1, RAMJET_CC="false"))


if __name__ == "__main__":
    unittest.main()
