#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random well-typed programs, and what Python makes of them.

    random_programs.py --idc IDC [--seed N] [--count N] [--how OPTION... | --launcher RAMJET]

A program is a block of integer bindings in random order: each uses others that stand before or
behind it, by arithmetic, conditions, calls of functions that were made before, tuples, lists,
loops, elements of arrays and matrices, trees of calls. Python evaluates the same on demand. With a
launcher they are compiled for each scheduler, and run on 1 to 4 ranks and on two nodes. The seed
is printed.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

SIZE = 24  # bindings of a program
SCHEDULERS = ("am", "md", "hybrid", "unenabled")
PLACES = ("1",), ("2",), ("3",), ("4",), ("4", "--nodes", "2")


def wrapped(n):
    return (n + 2**63) % 2**64 - 2**63


def tree(n, x):
    return x if n < 1 else wrapped(tree(n - 1, x) + tree(n - 2, x + n))


def corner(n, x, y):
    """The last element of a matrix whose first row and column are given."""
    rows = [[wrapped(x + j) if i == 0 else wrapped(y - i) if j == 0 else 0 for j in range(n + 1)]
            for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            rows[i][j] = wrapped(rows[i - 1][j] - rows[i][j - 1] + i)
    return rows[n][n]


class Program:
    """Binding i uses bindings below i only; the order in the text is another one."""

    def __init__(self, rng):
        self.rng = rng
        self.values = []
        self.lines = []
        for number in range(SIZE):
            text, value = self.binding(number)
            self.lines.append(text)
            self.values.append(wrapped(value))

    def operand(self, number):
        """The text and value of a name, or of a constant."""
        if number == 0 or self.rng.random() < 0.2:
            constant = self.rng.randint(0, 9)
            return str(constant), constant
        used = self.rng.randrange(number)
        return f"v{used}", self.values[used]

    def binding(self, number):
        name = f"v{number}"
        (a, x), (b, y), (c, z) = (self.operand(number) for _ in range(3))
        small = self.rng.randint(1, 5)
        kinds = {
            "sum": lambda: (f"{name} = {a} + {b} * {c}", x + wrapped(y * z)),
            "choice": lambda: (f"{name} = if {a} < {b} then {c} - 1 else {c} + 1",
                               z - 1 if x < y else z + 1),
            "call": lambda: (f"{name} = mix {a} {b}", wrapped(x * 3) - y),
            "partial": lambda: (f"{name} = {{g = mix {a} in g {b}}}", wrapped(x * 3) - y),
            "pair": lambda: (f"({name}, _) = swap ({a}, {b})", y),
            "list": lambda: (f"{name} = total {{: {a} + i * {b} || i <- 1 to {small} :}}",
                             sum(wrapped(x + wrapped(i * y)) for i in range(1, small + 1))),
            "loop": lambda: (f"{name} = {{s = {a} in {{for i <- 1 to {small} do "
                             f"next s = s + {b} finally s}}}}", x + small * y),
            "lambda": lambda: (f"{name} = apply {{fun p = p - {a}}} {b}", y - x),
            "case": lambda: (f"{name} = {{case ({a}, {b}) of | (0, q) = q | (p, 1) = p "
                             f"| (p, q) = p + q}}", y if x == 0 else x if y == 1 else x + y),
            "element": lambda: (f"box[{number}] = {a} + {b}; {name} = box[{number}]", x + y),
            "array": lambda: (f"{name} = {{w = {{array (0, {small}) | [0] = {a} "
                              f"| [i] = w[i - 1] + {b} || i <- 1 to {small}}} in w[{small}]}}",
                              x + small * y),
            # What ranks share.
            "calls": lambda: (f"{name} = total {{: mix i {a} || i <- 1 to {9 * small} :}}",
                              sum(3 * i - x for i in range(1, 9 * small + 1))),
            "tree": lambda: (f"{name} = tree {small + 3} {a}", tree(small + 3, x)),
            "corner": lambda: (f"{name} = corner {2 * small} {a} {b}", corner(2 * small, x, y)),
            "row": lambda: (f"{name} = {{w = {{array (1, {7 * small}) | [i] = mix i {a} "
                            f"|| i <- 1 to {7 * small}}} in w[{small}] - w[{7 * small}]}}",
                            -18 * small),
        }
        return kinds[self.rng.choice(sorted(kinds))]()

    def text(self):
        lines = list(self.lines)
        self.rng.shuffle(lines)
        body = ";\n   ".join([f"box = I_array (0, {SIZE})", *lines])
        used = ", ".join(f"v{i}" for i in range(SIZE))
        return ("def mix p q = p * 3 - q;\n"
                "def swap (p, q) = (q, p);\n"
                "def apply f p = f p;\n"
                "def tree n x = if n < 1 then x else tree (n - 1) x + tree (n - 2) (x + n);\n"
                "def corner n x y = {m = {matrix ((0, n), (0, n))\n"
                "   | [0, j] = x + j || j <- 0 to n\n   | [i, 0] = y - i || i <- 1 to n\n"
                "   | [i, j] = m[i - 1, j] - m[i, j - 1] + i || i <- 1 to n & j <- 1 to n}\n"
                "   in m[n, n]};\n"
                "def total xs = {s = 0 in {for x <- xs do next s = s + x finally s}};\n"
                f"def main =\n  {{{body}\n   in ({used})}};\n")

    def result(self):
        return f"({', '.join(map(str, self.values))})\n"


def interpreted(options, text):
    """The ways of running the program: a name of each, and what came of it."""
    how = options.how or ["--run"]
    yield " ".join(how), subprocess.run([options.idc, *how, "-"], input=text,
                                        capture_output=True, text=True, timeout=60)


def native(options, text):
    with tempfile.TemporaryDirectory() as folder:
        for scheduler in SCHEDULERS:
            program = os.path.join(folder, scheduler)
            made = subprocess.run([options.idc, "-", "-o", program, f"--scheduler={scheduler}",
                                   "-O0"], input=text, capture_output=True, text=True, timeout=600)
            if made.returncode != 0:
                yield f"the compiler for {scheduler}", made
                continue
            for place in PLACES:
                yield f"{scheduler} on {' '.join(place)}", subprocess.run(
                    [options.launcher, "run", "-n", *place, program], capture_output=True,
                    text=True, timeout=600)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idc", required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--how", action="append", help="an option of idc that runs a program")
    parser.add_argument("--launcher", help="compiles programs instead, and runs them by this one")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    rng = random.Random(options.seed)
    for number in range(options.count):
        program = Program(rng)
        text = program.text()
        for how, got in (native if options.launcher else interpreted)(options, text):
            if (got.returncode, got.stdout) != (0, program.result()):
                print(f"program {number}, {how}:\n{text}printed\n{got.stdout}{got.stderr[-2000:]}"
                      f"instead of\n{program.result()}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
