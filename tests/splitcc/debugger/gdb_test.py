#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gdb tells of a compiled Split-C program: its lines, its variables, its pointers.

    gdb_test.py COMPILER SCRIPT FOLDER [unittest arguments]
"""

import os
import subprocess
import sys
import unittest

COMPILER, SCRIPT, FOLDER = (sys.argv.pop(1) for _ in range(3))
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stopped.sc")
PROGRAM = os.path.join(FOLDER, "stopped")


def gdb(where, *commands):
    words = ["gdb", "-nx", "-batch", "-ex", "set confirm off", "-ex", f"source {SCRIPT}",
             "-ex", f"break {where}", "-ex", "run"]
    for command in commands:
        words += ["-ex", command]
    result = subprocess.run([*words, PROGRAM], capture_output=True, text=True, timeout=300,
                            stdin=subprocess.DEVNULL, check=False)
    return result.stdout + result.stderr


class Gdb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(FOLDER, exist_ok=True)
        subprocess.run([COMPILER, "-g", "-O0", "-w", "-o", PROGRAM, SOURCE], check=True)

    def test_lines(self):
        text = gdb("splitc_main", "next", "next", "info source", "backtrace")
        self.assertRegex(text, r"Breakpoint 1, splitc_main")
        self.assertIn("struct body *global b = &bodies[1];", text)
        self.assertRegex(text, r"#0 .*splitc_main .*stopped\.sc:22")

    def test_pointers(self):
        text = gdb("stop_here", "print g", "print s", "print b", "print nothing")
        self.assertRegex(text, r"\$1 = processor 0, 0x[0-9a-f]+: 30\n")
        self.assertRegex(text, r"\$2 = processor 0, 0x[0-9a-f]+, a double \[3\]\n")
        self.assertRegex(text, r"\$3 = processor 0, 0x[0-9a-f]+, a struct body\n")
        self.assertIn("$4 = null (processor 0)\n", text)

    def test_what_they_point_to(self):
        text = gdb("stop_here", "print $at(g)", "print $at(g, 1)", "print $at(s)",
                   "print $at(b).mass", "print $at($at(pp))")
        self.assertIn("$1 = 30\n$2 = 40\n$3 = {0, 2.25, 0}\n$4 = 1.5\n$5 = 30\n", text)

    def test_variables(self):
        text = gdb("stop_here", "print numbers", "up", "info locals")
        self.assertIn("$1 = {10, 20, 30, 40}", text)
        self.assertRegex(text, r"(?m)^g = processor 0, 0x[0-9a-f]+: 30$")

    def test_errors(self):
        text = gdb("stop_here", "print $at(1)", "print $at(nothing)")
        self.assertIn("is no global or spread pointer of Split-C", text)
        self.assertIn("it is not in the memory of a processor of this node", text)


if __name__ == "__main__":
    unittest.main()
