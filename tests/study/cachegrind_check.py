#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds the trace of a real program, by valgrind's lackey, to our cache, and compares what it
counts with what cachegrind counts for the same program.

  cachegrind_check.py STUDY_TRACE PROGRAM
"""

import os
import re
import subprocess
import sys
import tempfile

# Instructions, data: BYTES,WAYS,BLOCK.
SHAPES = (("1024,1,32", "1024,1,32"), ("8192,4,64", "8192,4,64"), ("4096,2,32", "2048,4,32"),
          ("32768,8,64", "49152,12,64"))
# The same in every run: it lies on the program's stack.
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C"}


def valgrind(tool, program, *options):
    done = subprocess.run(["valgrind", f"--tool={tool}", *options, program], env=ENVIRONMENT,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"valgrind --tool={tool} failed:\n{done.stderr[-2000:]}")
    return done.stderr


def numbers(report, line):
    """Of a line of cachegrind's summary: `D refs: 3,456 (2,000 rd + 1,456 wr)`."""
    text = re.search(rf"(?m)^==\d+== {re.escape(line)} *([0-9].*)$", report).group(1)
    return [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", text)]


def by_cachegrind(program, instructions, data):
    with tempfile.NamedTemporaryFile() as out:
        report = valgrind("cachegrind", program, "--cache-sim=yes", f"--I1={instructions}",
                          f"--D1={data}", f"--cachegrind-out-file={out.name}")
    references, misses = numbers(report, "D   refs:"), numbers(report, "D1  misses:")
    return [*numbers(report, "I   refs:")[:1], *numbers(report, "I1  misses:")[:1],
            references[1], misses[1], references[2], misses[2]]


def main():
    ours, program = sys.argv[1:]
    trace = valgrind("lackey", program, "--trace-mem=yes", "--basic-counts=no")
    failures = 0
    for instructions, data in SHAPES:
        counted = subprocess.run([ours, instructions, data], input=trace, capture_output=True,
                                 text=True, check=True).stdout
        expected = by_cachegrind(program, instructions, data)
        found = [int(number) for number in counted.split()]
        print(f"{instructions} and {data}: {found}", flush=True)
        if found != expected:
            print(f"  where cachegrind has {expected}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
