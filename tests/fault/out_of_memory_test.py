#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks and launchers that get no memory end with one line that says what to do.

    out_of_memory_test.py RAMJET PROGRAM FAIL_MALLOC [unittest arguments]
"""

import os
import subprocess
import sys

from driver import PATIENCE_S, VICTIM, Case, command, is_sanitized, main, run

PROGRAM = VICTIM  # the driver's second argument
FAIL_MALLOC = os.path.abspath(sys.argv.pop(3)) if len(sys.argv) > 3 else ""
LINE = (r"out of memory: an allocation failed \(std::bad_alloc\); the process has \d+ MiB in "
        r"use and \d+ MiB mapped, and .*; the machine has \d+ MiB available; raise the limit, free "
        r"memory, or start fewer ranks")


class OutOfMemory(Case):
    def setUp(self):
        super().setUp()
        if is_sanitized(PROGRAM):
            self.skipTest("the sanitizers end the process by themselves")

    def test_a_rank(self):
        for where in ("main", "handler", "thread"):
            with self.subTest(where):
                result = run("-n", 2, PROGRAM, where)
                self.assertEqual(result.returncode, 134, result.stderr)
                lines = result.stderr.splitlines()
                self.assertRegex(lines[0], "^ramjet: rank 1: " + LINE)
                self.assertRegex(lines[1], r"^ramjet: rank 1 \(pid \d+\) was killed by signal 6")
                self.assertEqual(len(lines), 2, result.stderr)

    def test_one_that_catches_it(self):
        result = run("-n", 2, PROGRAM, "caught")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_limit_is_named(self):
        result = run("-n", 2, "--env", "RAMJET_SEGMENT_BYTES=16M", "prlimit", "--as=4294967296",
                     PROGRAM, "main")
        self.assertIn(r"may have 4096 MiB (ulimit -v)", result.stderr)

    def test_the_launcher(self):
        told = 0
        for after in range(150, 3000, 150):
            with self.subTest(after):
                result = subprocess.run(
                    command("-n", 2, "--env", self.mark, PROGRAM, "caught"),
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S,
                    check=False, env={**os.environ, "LD_PRELOAD": FAIL_MALLOC,
                                      "FAIL_MALLOC_AFTER": str(after)})
                self.assert_gone()
                if result.returncode == 0:
                    continue
                self.assertIn(result.returncode, (1, -6), result.stderr)
                told += "out of memory" in result.stderr
                self.assertNotIn("terminate called", result.stderr)
        self.assertGreater(told, 0)


if __name__ == "__main__":
    main()
