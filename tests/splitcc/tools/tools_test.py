#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What sanitizers and profilers say of compiled Split-C programs: lines of the source.

    tools_test.py SPLITCC RAMJET FOLDER [unittest arguments]

The status is 77 if what a test needs is not installed."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SPLITCC, RAMJET, FOLDER = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def line_of(name, text):
    lines = (HERE / f"{name}.sc").read_text(encoding="utf-8").splitlines()
    return next(i for i, line in enumerate(lines, 1) if text in line)


class Programs(unittest.TestCase):
    def build(self, name, *options):
        os.makedirs(FOLDER, exist_ok=True)
        program = os.path.join(FOLDER, name)
        done = subprocess.run([SPLITCC, "-g", *options, "-o", program, HERE / f"{name}.sc"],
                              capture_output=True, text=True, timeout=300, check=False)
        if re.search("cannot find .*lib[atu]+san", done.stderr):
            self.skipTest("the sanitizer's library is not installed")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return program

    def run_program(self, *words):
        done = subprocess.run([RAMJET, "run", "-n", "2", *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)
        return done.returncode, done.stdout + done.stderr


class Address(Programs):
    def test_all_sorts_of_memory(self):
        program = self.build("address", "-fsanitize=address", "-O0")
        status, text = self.run_program(program, "0", "9")
        self.assertEqual((status, text), (0, ""))
        for case, index, line in ((0, "10", "p[n] = 1;"), (2, "10", "many[n] = 1;"),
                                  (3, "10", "table[n] = 1;")):
            status, text = self.run_program(program, str(case), index)
            self.assertNotEqual(status, 0)
            where = rf"address\.sc:{line_of('address', line)}\b"
            self.assertRegex(text, rf"AddressSanitizer: [\w-]+ .*{where}", (case, index))
            self.assertRegex(text, rf"#0 0x[0-9a-f]+ in \w+ .*{where}")

    def test_memory_that_is_freed(self):
        program = self.build("address", "-fsanitize=address", "-O0")
        _, text = self.run_program(program, "1", "3")
        number = line_of("address", "free(p);") + 1
        self.assertRegex(text, rf"AddressSanitizer: [\w-]+ .*address\.sc:{number} in after_free")


class Undefined(Programs):
    def test_a_shift(self):
        status, text = self.run_program(self.build("undefined", "-fsanitize=undefined"))
        number = line_of("undefined", "x << shift")
        self.assertRegex(text, rf"undefined\.sc:{number}:\d+: runtime error: shift exponent 40 ")
        self.assertEqual(status, 0)


class Threads(Programs):
    def test_a_race(self):
        program = self.build("threads", "-fsanitize=thread", "-pthread")
        _, text = self.run_program(program)
        numbers = {int(n) for n in re.findall(r"#0 count .*threads\.sc:(\d+)", text)}
        loop = line_of("threads", "counter++")
        self.assertIn("ThreadSanitizer: data race", text)
        self.assertTrue(numbers and numbers <= {loop - 1, loop}, text)
        self.assertIn("Location is global 'counter'", text)


class Profile(Programs):
    def test_addresses_of_a_symbol(self):
        """What every profiler uses: addr2line on the code of a function."""
        program = self.build("busy")
        symbols = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True)
        start, size = (int(n, 16) for n in re.search(
            r"(?m)^(\w+) (\w+) T work$", symbols.stdout).groups())
        inside = [hex(start + offset) for offset in range(0, size, 4)]
        done = subprocess.run(["addr2line", "-i", "-e", program, *inside], capture_output=True,
                              text=True, check=True)
        numbers = {int(n) for n in re.findall(r"busy\.sc:(\d+)", done.stdout)}
        first = line_of("busy", "double work")
        self.assertIn(line_of("busy", "sum += A[i]"), numbers)
        self.assertTrue(all(first <= n <= first + 8 for n in numbers), numbers)

    def test_perf(self):
        if not shutil.which("perf"):
            self.skipTest("perf is not installed")
        program, data = self.build("busy"), os.path.join(FOLDER, "perf.data")
        record = subprocess.run(["perf", "record", "-q", "-o", data, program], timeout=300,
                                stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if record.returncode != 0:
            self.skipTest("perf may not measure here")
        report = subprocess.run(["perf", "report", "-i", data, "--stdio", "-s", "srcline"],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=300, check=True)
        self.assertIn(f"busy.sc:{line_of('busy', 'sum += A[i]')}\n",
                      re.sub(" +\n", "\n", report.stdout))


if __name__ == "__main__":
    program = unittest.main(exit=False)
    ok, skipped = program.result.wasSuccessful(), len(program.result.skipped)
    sys.exit(1 if not ok else SKIPPED if skipped == program.result.testsRun else 0)
