#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random C programs of csmith through the Split-C front end, beside gcc.

    csmith.py --compiler C --work FOLDER [options]

--compiler C      splitcc
--work FOLDER     where programs are built; one that differs stays there
--count N         N programs (default 5000)
--seed S          of the first one; the others follow (default: of the day)
--jobs J          at a time (default: the number of processors)
--minutes M       stop after M minutes

Each program prints a checksum of its variables. What splitcc makes of it must print what gcc makes
of it, and end with the same status. A program that takes gcc's too long does not count; nor does
one that differs where gcc's own levels of optimisation differ, too: it has no meaning (csmith
counts the leading zeros of 0).
"""

import argparse
import concurrent.futures
import datetime
import os
import shutil
import subprocess
import sys
import time

SKIPPED = 77  # to hang_watch.py
RUN_S, LATE_S, COMPILE_S = 3, 60, 120  # a program that gcc's needs 3 s for is not counted
# Sizes that keep a program's compilation below a second; everything else is csmith's default.
CSMITH = ("--max-funcs", "6", "--max-block-depth", "3", "--max-expr-complexity", "8",
          "--builtins", "--inline-function")


def run(command, folder, seconds):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "", f"not done after {seconds} s"
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(
        errors="replace")


def headers():
    for folder in ("/usr/include/csmith", "/usr/local/include/csmith"):
        if os.path.exists(f"{folder}/csmith.h"):
            return folder
    return None


def built(compiler, folder, name, seconds, level="-O1"):
    """(status, output) of the program that the compiler makes, or what the compiler says."""
    # Overflow and aliasing mean here what they mean to splitcc. Without symbols (-s) the linker is
    # done in a third of the time.
    status, _, text = run([*compiler, "-w", level, "-fwrapv", "-fno-strict-aliasing", "-s", "-I",
                           headers(), "program.c", "-o", name], folder, COMPILE_S)
    if status != 0:
        return "compiler", status, text
    status, output, _ = run([os.path.join(folder, name)], folder, seconds)
    return "program", status, output


def check(seed, options):
    """An empty text, or what differs; None if it does not count."""
    if time.monotonic() > options.end:
        return None
    folder = os.path.join(options.work, str(seed))
    os.makedirs(folder, exist_ok=True)
    status, source, _ = run(["csmith", "--seed", str(seed), *CSMITH], folder, COMPILE_S)
    with open(os.path.join(folder, "program.c"), "w", encoding="utf-8") as file:
        file.write(source)
    expected = built(["gcc"], folder, "by_gcc", RUN_S) if status == 0 else ("csmith", 1, "")
    wrong = None
    if expected[:2] == ("program", 0):
        got = built([options.compiler, "-x", "splitc"], folder, "by_splitcc", LATE_S)
        wrong = "" if got == expected else f"{got}, where gcc has {expected}"
        if wrong and any(built(["gcc"], folder, "by_gcc", LATE_S, level) != expected
                         for level in ("-O0", "-O2", "-O3")):
            wrong = None
    if not wrong:
        shutil.rmtree(folder)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=datetime.date.today().toordinal() * 10000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=1e6)
    options = parser.parse_args()
    if not shutil.which("csmith") or not headers():
        print("csmith.py: csmith and libcsmith-dev are not installed")
        return SKIPPED
    options.compiler, options.work = map(os.path.abspath, (options.compiler, options.work))
    options.end = time.monotonic() + 60 * options.minutes
    print(f"seeds {options.seed} to {options.seed + options.count - 1}", flush=True)
    same = failures = left_out = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for seed, wrong in zip(seeds, pool.map(lambda seed: check(seed, options), seeds)):
            left_out += wrong is None
            same += wrong == ""
            if wrong:
                failures += 1
                print(f"seed {seed}: {wrong[:600]}\n  {options.work}/{seed}/program.c", flush=True)
            elif same % 100 == 0 and same:
                print(f"{same} programs are the same", flush=True)
    print(f"{same} programs are the same, {failures} differ, {left_out} do not count")
    return 1 if failures or not same else 0


if __name__ == "__main__":
    sys.exit(main())
