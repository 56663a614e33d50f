#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The house rules of the source tree, as a test.

    tidy.py              every rule
    tidy.py sources      the rules that read the sources
    tidy.py headers      every header compiles alone, and twice in one file
    tidy.py public       of headers those that users include

Each finding reads `file:line: rule: why, and how to mend it`. The exit status is 1 if there is one.
Rules live in the modules beside this file: layers.py, pairs.py, sizes.py, weight.py, words.py,
headers.py.
"""

import argparse
import sys

import headers
import layers
import pairs
import sizes
import weight
import words
from tree import Tree

SOURCE_RULES = (layers.check, pairs.check, sizes.check, weight.check, words.check)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("all", "sources", "headers", "public"),
                        default="all")
    parser.add_argument("--build", help="a configured build folder (default: ROOT/build)")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    options = parser.parse_args()

    tree = Tree.of_repository()
    findings = []
    if options.what in ("all", "sources"):
        for rule in SOURCE_RULES:
            findings += rule(tree)
    if options.what != "sources":
        build = options.build or f"{tree.root}/build"
        findings += headers.check(tree, build, options.cc, options.cxx, options.what == "public")

    for finding in sorted(findings):
        print(finding)
    print(f"tidy: {len(findings)} findings in {len(tree.texts)} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
