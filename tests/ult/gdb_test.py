#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gdb commands of tools/gdb, on a program that has stopped with threads that wait.

    gdb_test.py PROGRAM SCRIPT [unittest arguments]
"""

import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
SCRIPT = sys.argv.pop(1)


def gdb(*commands):
    words = ["gdb", "-nx", "-batch", "-ex", "set confirm off", "-ex", "run", "-ex",
             f"source {SCRIPT}"]
    for command in commands:
        words += ["-ex", command]
    result = subprocess.run([*words, PROGRAM], capture_output=True, text=True, timeout=120,
                            stdin=subprocess.DEVNULL, check=False)
    return result.stdout + result.stderr


class Gdb(unittest.TestCase):
    def test_threads(self):
        text = gdb("ramjet threads")
        self.assertRegex(text, r"(?m)^thread 1 'main' at worker 0 runs$")
        self.assertRegex(text, r"(?m)^thread \d+ 'first' at worker 0 waits for a semaphore at 0x")
        self.assertRegex(text, r"(?m)^thread \d+ 'second' at worker 0 waits for a mutex at 0x\w+, "
                               "held by thread 1$")
        self.assertRegex(text, r"(?m)^thread \d+ has not started$")

    def test_threads_on_lent_stacks(self):
        text = gdb("ramjet threads")
        borrows = re.search(r"(?m)^thread (\d+) 'borrows' at worker 0 waits for a semaphore at",
                            text)
        self.assertTrue(borrows, text)
        self.assertRegex(text, r"(?m)^thread \d+ 'lends' at worker 0 waits for a thread at 0x\w+, "
                               f"held by thread {borrows.group(1)}$")

    def test_backtrace(self):
        text = gdb("ramjet backtrace all", "backtrace")
        waiting = text[text.index("'first'"):]
        first = waiting[:waiting.index("'second'")]
        self.assertEqual(first.count("(anonymous namespace)::wait_in_the_dark"), 3)
        self.assertIn("ramjet_ult_main", waiting)
        own = text[text.rindex("#0"):]
        self.assertIn("main ()", own, "the program's own registers are back")

    def test_errors(self):
        self.assertIn("there is no thread 999", gdb("ramjet backtrace 999"))
        self.assertIn("which thread?", gdb("ramjet backtrace"))


if __name__ == "__main__":
    unittest.main()
