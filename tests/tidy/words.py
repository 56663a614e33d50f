# SPDX-License-Identifier: Apache-2.0
"""What a file may hold: a licence line, no stray white space, and no words that mean nothing to a
reader who has only this repository."""

import re

from tree import CXX_SUFFIXES, Finding

LICENSED = CXX_SUFFIXES + (".py", ".sh", ".cmake", ".pml", ".hpp.in", "CMakeLists.txt", "Makefile")
LICENSE_LINE = "SPDX-License-Identifier: Apache-2.0"
NOT_OURS = ("LICENSE", "tests/fuzz/corpus/")

FORBIDDEN = (
    (re.compile(r"(?<![\w.}-])/(?:work|home|root|Users)/"),
     "a path of one machine; name it relative to the repository, or find it at run time"),
    (re.compile(r"\b(?:helper|this|last|previous|next|earlier|other|another) sessions?\b", re.I),
     "says who wrote it when, which the history does; say what holds now"),
    (re.compile(r"\b(?:issue|ticket|pull request) #?\d+\b", re.I),
     "a number that needs a tracker to read; say the thing itself"),
    (re.compile(r"\bpapers? 0\d\d\b", re.I),
     "a number of a list outside this repository; name authors and year, as README.md does"),
    (re.compile(r"\bshared/(?:design|style|environment)\b"),
     "a document outside this repository; say it here or in docs/"),
)


def is_licensed_kind(path, text):
    return path.endswith(LICENSED) or text.startswith("#!")


def check_line(path, number, line):
    if line != line.rstrip():
        yield Finding(path, number, "white-space", "white space at the end of the line")
    if "\t" in line and path.endswith(CXX_SUFFIXES):
        yield Finding(path, number, "white-space", "a tab; indent with two spaces")
    for pattern, why in FORBIDDEN:
        if match := pattern.search(line):
            yield Finding(path, number, "words", f"'{match.group()}': {why}")


def check(tree):
    findings = []
    for path, text in tree.texts.items():
        if path.startswith(NOT_OURS):
            continue
        lines = text.splitlines()
        if is_licensed_kind(path, text) and not any(LICENSE_LINE in line for line in lines[:3]):
            findings.append(Finding(
                path, 1, "licence", f"the first three lines lack `{LICENSE_LINE}` in a comment"))
        for number, line in enumerate(lines, 1):
            findings += check_line(path, number, line)
        if text and not text.endswith("\n"):
            findings.append(Finding(path, len(lines), "white-space", "no newline at the end"))
    return findings
