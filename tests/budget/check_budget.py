#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of the hot paths and compares them with docs/budgets.md.

usage: check_budget.py PROBE BUDGETS.md [--update]

Fails when a path takes over 10 % more than its row in the table says, or when the table has a path
that cannot be counted. Counts come from valgrind --tool=callgrind, which runs the same instructions
every time, so the test does not depend on the machine's load.
"""
import os
import re
import subprocess
import sys
import tempfile

MESSAGES = 256 * 3
THREADS, CALLS = 64, (100, 300)  # calls of each thread
ROW = re.compile(r"^\| `(probe_\w+)`( sampled)? \|(.*)\| *(\d+(?:\.\d+)?) *\|$", re.M)
SAMPLED = {"RAMJET_TRACE_BYTES": "1M", "RAMJET_TRACE_SAMPLE": "64"}
ALLOWED = 1.10


def collect(options, program, settings=None):
    """Instructions of a run of the program, as the options choose them."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", *options,
             f"--callgrind-out-file={os.path.join(folder, 'out')}", *program],
            capture_output=True, text=True, timeout=120, check=False,
            env={**os.environ, "RAMJET_SEGMENT_BYTES": "64M", **(settings or {})})
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not collected:
        sys.exit(f"{options} {program}: valgrind or the probe failed:\n{run.stdout}{run.stderr}")
    return int(collected.group(1))


def count(probe, function, sampled):
    """Instructions inside `function`, callees included, per message."""
    if function == "probe_thread_call":
        few, many = (collect([], [probe, str(each)]) for each in CALLS)
        return (many - few) / (THREADS * (CALLS[1] - CALLS[0]))
    settings = SAMPLED if sampled else {}
    return collect([f"--toggle-collect={function}"], [probe], settings) / MESSAGES


def main():
    probe, path = sys.argv[1:3]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = ROW.findall(text)
    if len(rows) < 4:
        sys.exit(f"{path}: the table of instruction counts is not there")
    failed = 0
    for function, sampled, _, budget in rows:
        now = count(probe, function, sampled)
        good = 0 < now <= float(budget) * ALLOWED
        failed += not good
        print(f"{function + sampled:22} {now:7.1f} instructions, budget {budget}"
              f"{'' if good else '  OVER'}")
        if "--update" in sys.argv:
            text = re.sub(rf"^(\| `{function}`{sampled} \|.*\| *)\d+(?:\.\d+)?( *\|)$",
                          rf"\g<1>{now:.1f}\g<2>", text, flags=re.M)
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    elif failed:
        sys.exit(f"{failed} path(s) over budget: make them cheaper, or say why in docs/budgets.md")


if __name__ == "__main__":
    main()
