#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gdb tells of a compiled Split-C program: its lines, its variables, its pointers.

    gdb_test.py COMPILER RAMJET SCRIPT FOLDER [unittest arguments]
"""

import os
import subprocess
import sys
import unittest

COMPILER, RAMJET, SCRIPT, FOLDER = (sys.argv.pop(1) for _ in range(4))
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stopped.sc")
PROGRAM = os.path.join(FOLDER, "stopped")
# The first processor runs below gdb, the others as they are.
CHOOSE = 'if ((RAMJET_RANK == 0)); then "$@"; else "${@: -1}"; fi'


def gdb(where, *commands, processors=0, **variables):
    """What gdb says; with several processors, gdb has processor 0, when all are at a barrier."""
    words = ["gdb", "-nx", "-batch", "-ex", "set confirm off", "-ex", f"source {SCRIPT}",
             "-ex", f"break {where}", "-ex", "run"]
    if processors:
        words += ["-ex", "next"]
    for command in commands:
        words += ["-ex", command]
    words.append(PROGRAM)
    if processors:
        words = [RAMJET, "run", "-n", str(processors), "bash", "-c", CHOOSE, "choose", *words]
    result = subprocess.run(words, capture_output=True, text=True, timeout=300,
                            stdin=subprocess.DEVNULL, check=False, env=os.environ | variables)
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
        self.assertRegex(text, r"#0 .*splitc_main .*stopped\.sc:32")

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

    def test_a_break_by_line(self):
        text = gdb("stopped.sc:33", "print $at(b).mass", "step", "step",
                   "next", "print $at(b).mass")
        self.assertRegex(text, r"Breakpoint 1, splitc_main \(\) at .*stopped\.sc:33\n33\t")
        self.assertIn("34\t  b->next = b;\n", text)
        self.assertIn("$1 = 0\n", text)
        self.assertIn("$2 = 1.5\n", text)

    def test_structures(self):
        text = gdb("stop_here", "print bodies[1]", "print $at(bodies[1].next).mass",
                   "print $at(bodies[1].row[1], 3)", "print $at($at(b).next).next")
        self.assertRegex(text, r"\$1 = \{mass = 1\.5, next = processor 0, 0x[0-9a-f]+, a struct "
                         r"body, row = \{null \(processor 0\), processor 0, 0x[0-9a-f]+: 10\}\}\n")
        self.assertIn("$2 = 1.5\n$3 = 40\n", text)
        self.assertRegex(text, r"\$4 = processor 0, 0x[0-9a-f]+, a struct body\n")

    def test_spread_arrays(self):
        text = gdb("stop_here", "print A", "print $spread(A, 0)", "print $spread(A, 0)[1]",
                   "print $spread(B, 0).mass", "print $at($spread(B, 0).next).mass",
                   "info address A")
        self.assertRegex(text, r"\$1 = processor 0, 0x[0-9a-f]+, a double \[3\]\n")
        self.assertIn("$2 = {0, 2.25, 0}\n$3 = 2.25\n$4 = 4.5\n$5 = 1.5\n", text)

    def test_automatic_spread_arrays(self):
        text = gdb("stopped.sc:26", "print W", "print $spread(W, 0)", "print $spread(V, 0)[1]",
                   "print own")
        self.assertRegex(text, r"\$1 = processor 0, 0x[0-9a-f]+: 70\n")
        self.assertIn("$2 = 70\n$3 = 80\n$4 = 4\n", text)

    def test_memory_of_other_processors(self):
        text = gdb("stopped.sc:26", "print $spread(W, 1)", "print $spread(V, 2)[1]",
                   "print $spread(W, 0)", "print $spread(A, 2)[1]", processors=3)
        self.assertIn("$1 = 71\n$2 = 82\n$3 = 70\n$4 = 2.25\n", text)

    def test_memory_whose_accesses_are_traced(self):
        text = gdb("stopped.sc:26", "print $spread(W, 1)", "print $spread(V, 2)[1]", processors=3,
                   RAMJET_TRACE_NEAR="1", RAMJET_TRACE_BYTES="64K")
        self.assertIn("$1 = 71\n$2 = 82\n", text)

    def test_names_of_the_library(self):
        text = gdb("stopped.sc:26", "print MYPROC", "print PROCS", processors=3)
        self.assertIn("$1 = 0\n$2 = 3\n", text)
        text = gdb("splitc_main", "print MYPROC + 10 * PROCS", "break stop_here if MYPROC == 1",
                   "break stop_here if MYPROC == 0", "continue")
        self.assertIn("$1 = 10\n", text)
        self.assertIn("Breakpoint 3, stop_here", text)

    def test_errors(self):
        text = gdb("stop_here", "print $at(1)", "print $at(nothing)", "print $spread(g, 1)",
                   "print $spread(A, 50)")
        self.assertIn("is not a spread pointer of Split-C", text)
        self.assertIn("is not a global or spread pointer of Split-C", text)
        self.assertIn("it is not in the memory of a processor of this node", text)


if __name__ == "__main__":
    unittest.main()
