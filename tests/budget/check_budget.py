#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of the hot paths and compares them with their budgets.

usage: check_budget.py PROBE FOLDER [--update]

FOLDER/budgets.json holds the budgets, FOLDER/budgets.md the table that is made of them. Fails when
a path takes over 10 % more than its budget, or when the table is another one. --update writes both.
Counts come from valgrind --tool=callgrind, which runs the same instructions every time, so the test
does not depend on the machine's load.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MESSAGES = 256 * 3
THREADS, CALLS = 64, (100, 300)  # calls of each thread
HEAD = "| path | what it is | instructions |\n|---|---|---|\n"
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


def table(budgets):
    """The table of budgets.md."""
    rows = []
    for b in budgets:
        function, *variant = b["path"].split(" ")
        name = " ".join([f"`{function}`", *variant])
        rows.append(f"| {name} | {b['what']} | {b['instructions']} |\n")
    return HEAD + "".join(rows)


def update(folder, budgets):
    lines = ",\n".join("  " + json.dumps(b, ensure_ascii=False) for b in budgets)
    (folder / "budgets.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    page = folder / "budgets.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(re.sub(re.escape(HEAD) + r"(\|.*\n)*", lambda _: table(budgets), text),
                    encoding="utf-8")


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    budgets = json.loads((folder / "budgets.json").read_text(encoding="utf-8"))
    failed = 0
    for b in budgets:
        function, *variant = b["path"].split(" ")
        now = count(probe, function, variant == ["sampled"])
        good = 0 < now <= b["instructions"] * ALLOWED
        failed += not good
        print(f"{b['path']:22} {now:7.1f} instructions, budget {b['instructions']}"
              f"{'' if good else '  OVER'}")
        if "--update" in sys.argv:
            b["instructions"] = round(now, 1)
    if "--update" in sys.argv:
        return update(folder, budgets)
    if failed:
        sys.exit(f"{failed} path(s) over budget: make them cheaper, or say why in budgets.md")
    if table(budgets) not in (folder / "budgets.md").read_text(encoding="utf-8"):
        sys.exit("the table in budgets.md is not that of budgets.json: run this with --update")
    return None


if __name__ == "__main__":
    main()
