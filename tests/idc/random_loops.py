#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of loops, which print the same with a limit of the rounds in flight.

    random_loops.py --idc IDC [--launcher RAMJET] [--seed N] [--count N]

A program has arrays, each filled by some loops from those before it and from its own elements that
are filled already: with guards, choices, calls that take their time, sums in inner loops, and inner
loops for their effect. The interpreter says what is right. With a launcher they are compiled for
each scheduler, with the limit of one, and run on 1 to 3 ranks. The seed is printed.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

LIMITS = ("1", "2", "3")
SCHEDULERS = ("am", "md", "hybrid", "unenabled")
HEAD = """def slow x = if x < 1 then x else slow (x - 1) + 1;
def late a i = a[i];
def odd i = i mod 2 == 1;
"""


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.arrays = []
        self.lines = []
        for number in range(rng.randint(2, 5)):
            self.add_array(f"a{number}")

    def text(self):
        parts = "; ".join(["s = 0"] + self.lines)
        sums = [f"{{for i <- 0 to n do next s = (s * 3 + {a}[i]) mod 1000003 finally s}}"
                for a in self.arrays]
        return f"{HEAD}def main n = {{{parts}\n  in ({', '.join(sums + ['0'])})}};\n"

    def index(self, of):
        return self.rng.choice((of, "0", "n", f"(n - {of})", f"({of} * {of} mod (n + 1))"))

    def leaf(self, index, own):
        pick = self.rng.random()
        if own and pick < 0.25:
            return f"{own}[{index} - 1]"
        if self.arrays and pick < 0.7:
            array, at = self.rng.choice(self.arrays), self.index(index)
            return self.rng.choice((f"{array}[{at}]", f"late {array} {at}"))
        return self.rng.choice((index, "n", "1", f"slow {index}"))

    def value(self, index, own, depth=2):
        pick = self.rng.random()
        if depth == 0 or pick < 0.2:
            return self.leaf(index, own)
        inner = lambda: self.value(index, own, depth - 1)
        if pick < 0.45:
            return f"({inner()} + {inner()}) mod 1009"
        if pick < 0.6:
            return f"(if {self.condition(index, own)} then {inner()} else {inner()})"
        if pick < 0.75:
            return f"slow ({inner()} mod 5)"
        if pick < 0.9:
            at = f"j{depth}"
            return (f"{{t = {inner()} in {{for {at} <- 0 to {index} do "
                    f"next t = (t + {self.value(at, None, depth - 1)}) mod 997 finally t}}}}")
        at = f"k{depth}"
        return (f"{{v{depth} = {{array (0, {index}) | [{at}] = "
                f"{self.value(at, None, depth - 1)} || {at} <- 0 to {index}}} "
                f"in v{depth}[{index}]}}")

    def condition(self, index, own):
        return self.rng.choice((f"odd {index}", f"{self.leaf(index, own)} mod 3 == 0",
                                f"{self.leaf(index, own)} > {self.leaf(index, None)}"))

    def add_array(self, name):
        """Filled by one loop, by two with guards, or by a loop that has loops in it."""
        way = self.rng.randrange(4)
        if way == 0:
            self.lines.append(f"{name} = {{array (0, n) | [0] = 1 | [i] = "
                              f"{self.value('i', name)} || i <- 1 to n}}")
        elif way == 1:
            guard = self.condition("i", None)
            self.lines.append(f"{name} = {{array (0, n) | [i] = {self.value('i', None)} || "
                              f"i <- 0 to n when {guard} | [i] = {self.value('i', None)} || "
                              f"i <- 0 to n when not ({guard})}}")
        elif way == 2:
            x, own = f"x{name}", f"z{name}"
            self.lines.append(f"{name} = I_array (0, n); {x} = {self.value('n', None)}; "
                              f"y{name} = {{for i <- 0 to n do {own} = {self.value('i', None)}; "
                              f"{{for j <- i to i do {name}[j] = {own} + {x}}}; "
                              f"next {x} = ({x} + {own}) mod 1013 finally {x}}}")
        else:
            self.lines.append(f"m{name} = {{matrix ((0, n), (0, 2)) | [i, j] = "
                              f"({self.value('i', None)} + {self.value('j', None)}) mod 1019 "
                              "|| i <- 0 to n & j <- 0 to 2}; "
                              f"{name} = {{array (0, n) | [i] = m{name}[i, i mod 3] || "
                              "i <- 0 to n}")
        self.arrays.append(name)


def said(words, text=""):
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def ways(options, text, size):
    """Each a name, and what came of it."""
    if not options.launcher:
        for limit in LIMITS:
            yield f"limit {limit}", said([options.idc, f"--loop-bound={limit}", "--run-tl0", "-",
                                          size], text)
        return
    with tempfile.TemporaryDirectory() as folder:
        for scheduler in SCHEDULERS:
            program = os.path.join(folder, scheduler)
            made = said([options.idc, "--loop-bound=1", "-", "-o", program,
                         f"--scheduler={scheduler}", "-O0"], text)
            if made[0] != 0:
                yield f"the compiler for {scheduler}", made
                continue
            for ranks in ("1", "2", "3"):
                yield f"{scheduler} on {ranks}", said([options.launcher, "run", "-n", ranks,
                                                       program, size])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idc", required=True)
    parser.add_argument("--launcher", help="compiles programs instead, and runs them by this one")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    rng = random.Random(options.seed)
    for number in range(options.count):
        text, size = Program(rng).text(), str(rng.randint(2, 7))
        wanted = said([options.idc, "--run", "-", size], text)
        if wanted[0] != 0:
            print(f"program {number}, {size}:\n{text}is no program: {wanted[2]}")
            return 1
        for how, got in ways(options, text, size):
            if got[:2] != wanted[:2]:
                print(f"program {number}, {size}, {how}:\n{text}printed\n{got[1]}{got[2][-2000:]}"
                      f"instead of\n{wanted[1]}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
