#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs for fuzz_splitcc.cpp: the test programs as the preprocessor leaves them.

    splitcc_corpus.py COMPILER FOLDER FILE.sc...

What comes from system headers is left out: it is much, and it is always the same.
"""

import os
import re
import subprocess
import sys


def own_text(text):
    """The lines that are not of a system header, without the marks of other files."""
    lines, is_own = [], True
    for line in text.splitlines():
        mark = re.match(r'# \d+ "([^"]*)"((?: \d)*)', line)
        if mark:
            is_own = "3" not in mark[2].split() or "/split-c/" in mark[1]
        elif is_own and line.strip():
            lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    compiler, folder, *files = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for path in files:
        done = subprocess.run([compiler, "-w", "-E", path], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", check=False)
        kind = os.path.basename(os.path.dirname(path))
        with open(os.path.join(folder, f"{kind}.{os.path.basename(path)}"), "w",
                  encoding="utf-8") as file:
            file.write(own_text(done.stdout))


if __name__ == "__main__":
    main()
