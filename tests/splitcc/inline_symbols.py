#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inline functions beside gcc, in all combinations of `extern`, `inline` and `static` before, at
and after a definition: splitcc refuses the same ones, and its objects define the same symbols. Of
a function that gcc defines for inlining alone, splitcc also leaves no reference.

    inline_symbols.py SPLITCC GCC WORK_FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

SPLITCC, GCC = os.path.abspath(sys.argv[1]), sys.argv[2]
WORK = pathlib.Path(sys.argv[3]).resolve()
del sys.argv[1:4]
KINDS = ["", "extern", "inline", "extern inline", "static", "static inline"]
BEFORE = [None, *KINDS, "in a block", "called"]
EARLIER = {"in a block": "int h{0}(int n) {{ int f{0}(int); return f{0}(n); }}",
           "called": "int h{0}(int n) {{ return f{0}(n); }}"}


def declaration(number, words):
    return "" if words is None else f"{words} int f{number}(int); "


def definition(number, words):
    return "" if words is None else f"{words} int f{number}(int n) {{ return n + {number}; }} "


def case_text(number, case):
    before, words, after, second = case
    ahead = EARLIER[before].format(number) if before in EARLIER else declaration(number, before)
    return (ahead + definition(number, words) + declaration(number, after) +
            definition(number, second) + f"int g{number}(int n) {{ return f{number}(n); }}")


CASES = ([(before, words, after, None) for before in BEFORE for words in KINDS
          for after in (None, *KINDS)] +
         [(before, words, None, second) for before in (None, "", "inline") for words in KINDS
          for second in KINDS])


def source(refused):
    return "".join(("" if number in refused else case_text(number, case)) + "\n"
                   for number, case in enumerate(CASES))


def compile_cases(compiler, name, standard, refused):
    """The numbers of cases that it refuses."""
    file = WORK / name
    file.write_text(source(refused), encoding="utf-8")
    done = subprocess.run([compiler, f"-std={standard}", "-O2", "-w", "-c", name, "-o",
                           name + ".o"], cwd=WORK, text=True, capture_output=True, check=False)
    wrong = {int(line) - 1 for line in re.findall(rf"^{name}:(\d+):\d+: error", done.stderr, re.M)}
    if done.returncode != 0 and not wrong:
        raise AssertionError(done.stderr)
    return wrong


def symbols(name):
    """{symbol: its letter} of an object."""
    done = subprocess.run(["nm", name + ".o"], cwd=WORK, text=True, capture_output=True, check=True)
    return {line.split()[-1]: line.split()[-2] for line in done.stdout.splitlines()}


def refused_by(compiler, name, standard):
    refused = set()
    while wrong := compile_cases(compiler, name, standard, refused):
        refused |= wrong
    return refused, symbols(name)


class Inline(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        WORK.mkdir(parents=True, exist_ok=True)

    def check_beside_gcc(self, standard):
        expected, of_gcc = refused_by(GCC, "gcc.c", standard)
        refused, of_splitcc = refused_by(SPLITCC, "splitcc.sc", standard)
        for number, case in enumerate(CASES):
            with self.subTest(standard=standard, case=case):
                # splitcc takes a call ahead of a static function, as gcc of the 1990s did.
                if "called" not in case or number in refused:
                    self.assertEqual(number in refused, number in expected)
                name = f"f{number}"
                self.assertEqual(of_splitcc.get(name) in ("T", "W"), of_gcc.get(name) == "T")
                if number not in expected and of_gcc.get(name) != "U":
                    self.assertNotEqual(of_splitcc.get(name), "U")

    def test_gnu89(self):
        self.check_beside_gcc("gnu89")

    def test_gnu99(self):
        self.check_beside_gcc("gnu99")

    def test_gnu17(self):
        self.check_beside_gcc("gnu17")

    def test_a_header_in_two_units(self):
        """At every level, with a parameter that is translated, and with types of later lines."""
        (WORK / "both.h").write_text("""
int at(int *global, int);
extern int sum();
typedef struct { int a, b; } both;
extern inline int at(int *global a, int n) { return a[n] + 1; }
extern inline int sum(both *b) { return b->a + b->b; }
""", encoding="utf-8")
        (WORK / "first.sc").write_text("""#include <split-c/split-c.h>
#include "both.h"
int other(int *global g);
int later(int *global g) { return at(g, 1); }
splitc_main() { static int v[2]; both b = {3, 4};
  on_one return !(later(toglobal(0, v)) + other(toglobal(0, v)) + sum(&b) == 9); }
""", encoding="utf-8")
        (WORK / "second.sc").write_text("""#include <split-c/split-c.h>
#include "both.h"
int (*address)(int *global, int) = at;
int other(int *global g) { return address(g, 0); }
""", encoding="utf-8")
        for level in ("-O0", "-O2", "-fcheck"):
            subprocess.run([SPLITCC, level, "-w", "first.sc", "second.sc", "-o", "both"], cwd=WORK,
                           check=True)
            self.assertEqual(subprocess.run(["./both"], cwd=WORK, check=False).returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
