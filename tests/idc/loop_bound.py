#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops with a limit of rounds in flight.

    loop_bound.py --idc IDC --tl0 TL0 programs FILE...    print the same with each limit
    loop_bound.py --idc IDC --tl0 TL0 counts FILE...      FILE's main N gives (sum, rounds that were
                                    begun and not over at one time); activations are counted, too
    loop_bound.py --idc IDC --launcher RAMJET native FILE...   the same, compiled, on 1 and 2 ranks
    loop_bound.py --idc IDC --tl0 TL0 in_turn FILE...   with a limit of 1, main N has some
                                    activations for each of N rows, and few at one time
    loop_bound.py --idc IDC told FILE...  what needs more rounds than it may have is told, and of
                                    which loop the limit is
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import check

LIMITS = (1, 2, 4, None)
# Compiled: each limit by one scheduler, and one limit by each of the others.
NATIVE = (*(("am", limit) for limit in LIMITS), ("md", 2), ("hybrid", 1), ("unenabled", 4),
          ("md", 1), ("unenabled", 1))
SIZES = (20, 200)
FRAMES_BESIDE = 20  # of what is not a loop, at one time: the tree of `slow`, main


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=600)


def limited(limit):
    return [] if limit is None else [f"--loop-bound={limit}"]


def programs(options, path):
    said = re.findall(r"^%args (.*)$", pathlib.Path(path).read_text(encoding="utf-8"), re.M)
    arguments = check.SMALL.get(pathlib.Path(path).stem, " ".join(said)).split()
    wanted = run(options.idc, "--run", path, *arguments)
    wrong = [] if wanted.returncode == 0 else [f"{path}: {wanted.stderr}"]
    for limit in LIMITS:
        got = run(options.idc, *limited(limit), "--run-tl0", path, *arguments)
        if (got.returncode, got.stdout) != (0, wanted.stdout):
            wrong.append(f"{path}, limit {limit}: {got.stdout}{got.stderr}")
    return wrong


def in_flight(output, limit, wanted_sum, size):
    """What is wrong with "(sum, most)". Without a limit all rounds wait for one value."""
    found = re.fullmatch(r"\((\d+), (\d+)\)\n", output)
    if not found or int(found[1]) != wanted_sum:
        return f"printed {output!r}, not the sum {wanted_sum}"
    if int(found[2]) > (limit or size):
        return f"{found[2]} rounds at one time"
    return None


def wanted_sum(options, path, size):
    return int(re.match(r"\((\d+),", run(options.idc, "--run", path, size).stdout)[1])


def counts(options, path):
    wrong = []
    for limit in LIMITS:
        frames = []
        with tempfile.TemporaryDirectory() as folder:
            code = pathlib.Path(folder, "code.tl0")
            made = run(options.idc, *limited(limit), "-S", "-o", code, path)
            if made.returncode != 0:
                return [f"{path}: {made.stderr}"]
            for size in SIZES:
                got = run(options.tl0, "--run", "--counts", code, size)
                what = in_flight(got.stdout, limit, wanted_sum(options, path, size), size)
                if what:
                    wrong.append(f"{path}, limit {limit}, {size}: {what} {got.stderr}")
                found = re.search(r"at most (\d+) at a time", got.stderr)
                frames.append(int(found[1]) if found else 0)
        # Two loops: a round of the first is one activation, one of the second calls another.
        is_right = (frames[0] == frames[1] <= FRAMES_BESIDE + 3 * limit if limit
                    else frames[1] >= 3 * SIZES[1])
        if not is_right:
            wrong.append(f"{path}, limit {limit}: {frames} activations at one time")
    return wrong


def native(options, path):
    wrong = []
    wanted = wanted_sum(options, path, SIZES[0])
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "program")
        for scheduler, limit in NATIVE:
            made = run(options.idc, *limited(limit), path, "-o", program,
                       f"--scheduler={scheduler}", "-O0")
            if made.returncode != 0:
                return [f"{path}: {made.stderr}"]
            for ranks in (1, 2, 3):
                got = run(options.launcher, "run", "-n", ranks, program, SIZES[0])
                what = in_flight(got.stdout, limit, wanted, SIZES[0])
                if what or got.returncode != 0:
                    wrong.append(f"{path} by {scheduler}, limit {limit}, on {ranks}: {what} "
                                 f"{got.stderr}")
    return wrong


def in_turn(options, path):
    with tempfile.TemporaryDirectory() as folder:
        code = pathlib.Path(folder, "code.tl0")
        made = run(options.idc, "--loop-bound=1", "-S", "-o", code, path)
        if made.returncode != 0:
            return [f"{path}: {made.stderr}"]
        wrong = []
        for size in SIZES:
            got = run(options.tl0, "--run", "--counts", code, size)
            found = re.search(r"activations (\d+) \(at most (\d+) at a time", got.stderr)
            if not found or int(found[1]) > 3 * size + 20 or int(found[2]) > 12:
                wrong.append(f"{path}, {size}: {got.stderr}")
        return wrong


def told(options, path):
    """needs_later.id says what it prints without a limit; with one it deadlocks."""
    wrong = check.one_program(options.idc, path)
    for limit in (1, 2):
        got = run(options.idc, f"--loop-bound={limit}", "--run-tl0", path)
        told_words = "deadlock", f"'main_for1_loop_bound_{limit}'", "needs_later.id:7:4"
        if got.returncode != 1 or any(words not in got.stderr for words in told_words):
            wrong.append(f"{path}, limit {limit}: {got.returncode} {got.stdout}{got.stderr}")
    for words, text in ((("--loop-bound=0", "-S", path), "from 1 to 64"),
                        (("--loop-bound=65", "-S", path), "from 1 to 64"),
                        (("--loop-bound=x", "-S", path), "takes a number"),
                        (("--loop-bound=2", "--run", path), "goes with what compiles")):
        got = run(options.idc, *words)
        if got.returncode != 2 or text not in got.stderr:
            wrong.append(f"{words}: {got.returncode} {got.stderr}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idc", required=True)
    parser.add_argument("--tl0")
    parser.add_argument("--launcher", help="ramjet")
    parser.add_argument("what", choices=("programs", "counts", "native", "in_turn", "told"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    each = {"programs": programs, "counts": counts, "native": native,
            "in_turn": in_turn, "told": told}[options.what]
    wrong = [line for path in options.files for line in each(options, path)]
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
