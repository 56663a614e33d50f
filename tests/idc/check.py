#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs in Id, and what idc says of them.

    check.py --idc IDC programs --oracle ORACLE FOLDER   FOLDER/*.id print what the oracle prints
    check.py --idc IDC run FILE...        what a program says of itself, in comments:
                                            %args 1 2     main's arguments
                                            %> text       a line of its output, in order
                                            %! 3:5 text   a message: its line and column, and words
    check.py --idc IDC limits -           programs that are too deep are refused
    check.py --idc IDC again FILE...      what --print gives is printed again as it is
    check.py --idc IDC golden FILE...     FILE.print, FILE.types, FILE.core: what the options print
"""

import argparse
import pathlib
import re
import subprocess
import sys

# What each program of apps/id/ is run with: the sizes of Spertus and Dally 1993 where it is theirs.
ARGUMENTS = {
    "fib": "18", "queens": "6", "mmt": "50", "quicksort": "100", "selection_sort": "100",
    "dtw": "10", "wavefront": "40", "paraffins": "13", "spmv": "50 4", "smith_waterman": "40",
    "particles": "40 16 5", "gauss_seidel": "20 8",
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def programs(idc, oracle, folder):
    files = {path.stem: path for path in pathlib.Path(folder).glob("*.id")}
    wrong = [f"{name}: no arguments for it" for name in files.keys() - ARGUMENTS.keys()]
    for name, arguments in ARGUMENTS.items():
        got = run(idc, "--run", str(files[name]), *arguments.split())
        wanted = run(oracle, name, *arguments.split())
        if (got.returncode, got.stdout) != (0, wanted.stdout):
            wrong.append(f"{name} {arguments}: {got.stdout}{got.stderr}instead of {wanted.stdout}")
    return wrong


def one_program(idc, path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    arguments = re.findall(r"^%args (.*)$", text, re.M)
    wanted_output = "".join(line + "\n" for line in re.findall(r"^%> (.*)$", text, re.M))
    wanted = re.findall(r"^%! (\d+:\d+) (.*)$", text, re.M)
    if not wanted_output and not wanted:
        return [f"{path}: it expects nothing"]
    got = run(idc, "--run", path, *(arguments[0].split() if arguments else ()))
    wrong = []
    if got.stdout != wanted_output:
        wrong.append(f"{path}: printed {got.stdout!r} instead of {wanted_output!r}")
    if got.returncode != (1 if wanted else 0):
        wrong.append(f"{path}: exit status {got.returncode}")
    said = re.findall(r":(\d+:\d+): (?:error|note): (.*)$", got.stderr, re.M)
    if len(said) != len(wanted) or any(
            place != at or words not in message
            for (place, message), (at, words) in zip(said, wanted)):
        wrong.append(f"{path}: said\n{got.stderr}")
    return wrong


def again(idc, path):
    """What --print gives is printed again as it is, and means the same."""
    first = run(idc, "--print", path)
    second = subprocess.run([idc, "--print", "-"], input=first.stdout, capture_output=True,
                            text=True, timeout=600)
    core = [subprocess.run([idc, "--types", "-"], input=text, capture_output=True, text=True,
                           timeout=600).stdout
            for text in (pathlib.Path(path).read_text(encoding="utf-8"), first.stdout)]
    if first.returncode == 0 and first.stdout == second.stdout and core[0] == core[1]:
        return []
    return [f"{path}: --print gives\n{first.stdout}{first.stderr}and then\n{second.stdout}"
            f"{second.stderr}"]


def golden(idc, path):
    wrong = []
    for option in ("print", "types", "core"):
        kept = pathlib.Path(path).with_suffix(f".{option}")
        got = run(idc, f"--{option}", path)
        if got.stderr or got.stdout != kept.read_text(encoding="utf-8"):
            wrong.append(f"{kept} is not\n{got.stdout}{got.stderr}")
    return wrong


# What is repeated how often, and what the message says.
LIMITS = (
    ("(", "1", ")", 100000, "nested more than 400 levels deep"),
    ("{case 1 of | x = ", "1", "}", 100000, "nested more than 400 levels deep"),
    ("", "1", " + 1", 100000, "more than 1500 operators or arguments in a row"),
    ("", "f", " 1", 100000, "more than 1500 operators or arguments in a row"),
    ("", "a", "[1]", 100000, "more than 1500 operators or arguments in a row"),
    ("(", "1", " + 1" * 40 + ")", 200, "more than 1500 operators or arguments in a row"),
    ("", "{case 1 of | 1 = 1", " | 1 = 1", 100000, "more than 1000 clauses"),
    ("1 : ", "nil", "", 100000, "nested more than 400 levels deep"),
    ("- ", "1", "", 100000, "nested more than 400 levels deep"),
)


def limits(idc):
    wrong = []
    for before, middle, behind, count, words in LIMITS:
        source = f"def main = {before * count}{middle}{behind * count};\n"
        got = subprocess.run([idc, "-fsyntax-only", "-"], input=source, capture_output=True,
                             text=True, timeout=600)
        if got.returncode != 1 or words not in got.stderr:
            wrong.append(f"{count} times {before}{behind}: {got.returncode} {got.stderr[:300]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idc", required=True)
    parser.add_argument("--oracle")
    parser.add_argument("what", choices=("programs", "run", "limits", "again", "golden"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.what == "programs":
        wrong = programs(options.idc, options.oracle, options.files[0])
    elif options.what == "limits":
        wrong = limits(options.idc)
    else:
        each = {"run": one_program, "again": again, "golden": golden}[options.what]
        wrong = [line for path in options.files for line in each(options.idc, path)]
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
