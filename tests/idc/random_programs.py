#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random well-typed programs, and what Python makes of them.

    random_programs.py --idc IDC [--seed N] [--count N] [--size N]
                       [--how OPTION...] [--launcher RAMJET]

A program is a block of bindings in random order: each uses others that stand before or behind it,
by what random_kinds.py has. Python evaluates the same on demand. With a launcher they are compiled
for each scheduler, with the options, and run on 1 to 4 ranks and on two nodes. The seed is printed.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

from random_kinds import Program

SCHEDULERS = ("am", "md", "hybrid", "unenabled")
PLACES = ("1",), ("2",), ("3",), ("4",), ("4", "--nodes", "2")


def interpreted(options, text):
    """The ways of running the program: a name of each, and what came of it."""
    how = options.how or ["--run"]
    yield " ".join(how), subprocess.run([options.idc, *how, "-"], input=text,
                                        capture_output=True, text=True, timeout=60)


def native(options, text):
    with tempfile.TemporaryDirectory() as folder:
        for scheduler in SCHEDULERS:
            program = os.path.join(folder, scheduler)
            made = subprocess.run([options.idc, *(options.how or []), "-", "-o", program,
                                   f"--scheduler={scheduler}", "-O0"],
                                  input=text, capture_output=True, text=True, timeout=600)
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
    parser.add_argument("--size", type=int, default=24, help="bindings of a program")
    parser.add_argument("--how", action="append", help="an option of idc that runs or compiles it")
    parser.add_argument("--launcher", help="compiles programs instead, and runs them by this one")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    rng = random.Random(options.seed)
    for number in range(options.count):
        program = Program(rng, options.size)
        text = program.text()
        for how, got in (native if options.launcher else interpreted)(options, text):
            if (got.returncode, got.stdout) != (0, program.result()):
                print(f"program {number}, {how}:\n{text}printed\n{got.stdout}{got.stderr[-2000:]}"
                      f"instead of\n{program.result()}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
