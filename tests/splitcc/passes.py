#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What -fopt-report says of programs: just the passes named in comments, [pass], on their lines.

    passes.py --compiler SPLITCC --work DIR PROGRAM...
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys


def wanted(program):
    """{line: {pass: how often}} by the comments."""
    passes = {}
    for number, text in enumerate(program.read_text(encoding="utf-8").splitlines(), 1):
        if comment := re.search(r"/\* ((\[[a-z-]+\] ?)+)\*/", text):
            passes[number] = collections.Counter(re.findall(r"[a-z-]+", comment.group(1)))
    return passes


def said(compiler, program, work, *flags):
    """The same by the compiler's report. Fetched ahead are gets that are followed by others."""
    done = subprocess.run(
        [compiler, "-fopt-report", "-emit-c", *flags, program, "-o", work / f"{program.stem}.c"],
        check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    passes = {}
    for line, name in re.findall(r":(\d+):\d+: remark: .*\[-f([a-z-]+)\]$", done.stderr, re.M):
        passes.setdefault(int(line), collections.Counter())[name] += 1
    output = (work / f"{program.stem}.c").read_text(encoding="utf-8")
    is_fetched = re.search(r"splitc_get_followed_\d\(\(void\*\)&\(", output) is not None
    if is_fetched != any("pipeline-reads" in names for names in passes.values()):
        sys.exit(f"{program}: {flags}: gets that are followed by others: {is_fetched}")
    return passes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    wrong = []
    for program in options.programs:
        right, is_said = wanted(program), said(options.compiler, program, options.work)
        for line in sorted(right.keys() | is_said.keys()):
            if right.get(line) != is_said.get(line):
                wrong.append(f"{program}:{line}: wanted {dict(right.get(line, {}))},"
                             f" the report says {dict(is_said.get(line, {}))}")
        for name in sorted({name for passes in right.values() for name in passes}):
            if any(name in passes for passes in
                   said(options.compiler, program, options.work, f"-fno-{name}").values()):
                wrong.append(f"{program}: -fno-{name} leaves {name} on")
        for flag in "-O0", "-fcheck":  # loops that wait are not a matter of speed
            left = said(options.compiler, program, options.work, flag)
            if left != {line: passes for line, passes in right.items() if "poll-loops" in passes}:
                wrong.append(f"{program}: {flag} lets run {left}")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
