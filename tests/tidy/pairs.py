# SPDX-License-Identifier: Apache-2.0
"""Memory orders: every acquire and every release names its pair, and every pair has both sides.

    flag.store(1, std::memory_order_release);  // pairs: shm.publish

The tag stands on the line itself or in the comment directly above it; several are separated by
commas. The declaration of the atomic may carry its tag too. Where an instruction orders without
saying so in C++ (a vector store, inline assembly), the tag names the side:
`// pairs: shm.publish (release)`.
"""

import collections
import re

from tree import Finding, code_only

ORDER = re.compile(r"\b(?:memory_order(?:_|::)|__ATOMIC_)(acquire|release|acq_rel)\b",
                   re.IGNORECASE)
# In a macro of a C header the comment is closed and the line goes on.
TAG = re.compile(
    r"(?://|/\*).*\bpairs: ([^()*\\]*?)\s*(?:\((acquire|release)\))?\s*(?:\*/)?\s*\\?\s*$")
DECLARATION = re.compile(r"\batomic\b|\batomic_|_Atomic")
NAME = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+$")
SIDES = {"acquire": {"acquire"}, "release": {"release"}, "acq_rel": {"acquire", "release"}}


def sides_on(code_line):
    sides = set()
    for order in ORDER.findall(code_line):
        sides |= SIDES[order.lower()]
    return sides


def tag_lines_for(lines, index):
    """The line itself, then the comment lines directly above it."""
    yield index
    above = index - 1
    while above >= 0 and lines[above].lstrip().startswith("//"):
        yield above
        above -= 1


def check_file(path, text, uses):
    """Adds to uses[name][side] the places that carry the tag; returns what is wrong locally."""
    findings = []
    lines = text.splitlines()
    code = code_only(text).splitlines()
    tags = {i: match for i, line in enumerate(lines) if (match := TAG.search(line))}
    used = set()

    def note(index, sides):
        used.add(index)
        for name in re.split(r",\s*", tags[index].group(1)):
            if not NAME.match(name):
                findings.append(Finding(
                    path, index + 1, "pairs", f"a tag reads room.name, not '{name}'"))
            for side in sides:
                uses[name][side].append((path, index + 1))

    for index, line in enumerate(code):
        sides = sides_on(line)
        if not sides:
            continue
        tagged = [i for i in tag_lines_for(lines, index) if i in tags]
        if not tagged:
            findings.append(Finding(
                path, index + 1, "pairs",
                f"this {' and '.join(sorted(sides))} names no partner; add `// pairs: room.name` "
                "here or on the line above, and the same tag on the other side"))
        else:
            note(tagged[0], sides)
    for index in tags.keys() - used:
        if side := tags[index].group(2):
            note(index, {side})
        elif DECLARATION.search(code[index]):
            note(index, {"declaration"})
        else:
            findings.append(Finding(
                path, index + 1, "pairs",
                "no acquire or release here; where the order is implied by an instruction, write "
                "`(acquire)` or `(release)` after the name"))
    return findings


def check(tree):
    findings = []
    uses = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, text in tree.cxx("src", "include"):
        findings += check_file(path, text, uses)
    for name, sides in uses.items():
        for side in ("acquire", "release"):
            if side not in sides:
                path, line = min(min(places) for places in sides.values())
                findings.append(Finding(
                    path, line, "pairs",
                    f"'{name}' has no {side} side anywhere; tag it, or drop the other side"))
    return findings
