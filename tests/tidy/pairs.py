# SPDX-License-Identifier: Apache-2.0
"""Memory orders: every acquire and every release names its pair, and every pair has both sides.

    flag.store(1, std::memory_order_release);  // pairs: shm.publish

The tag stands on the line itself or in the comment directly above it; several are separated by
commas. The declaration of the atomic may carry its tag too. Where an instruction orders without
saying so in C++ (a vector store, inline assembly), the tag names the side:
`// pairs: shm.publish (release)`.

A seq_cst operation or fence is one half of a store-load pair: each side stores its own word, then
loads the other's, and at least one of them sees the other's store. It names the pair and its side:

    std::atomic_thread_fence(std::memory_order_seq_cst);  // store-load: am.sleep (waker)

A pair has two sides. A side may be light, a compiler fence, where the other one is heavy: it calls
global_barrier(), which carries the tag too. Where all partners run the same code, its one side is
`(both)`. What only orders a thread with itself or its own signal handlers says so: `(side, compiler
only)`.

A tag names one group of partners: at most kSitesMax places a side.
"""

import collections
import re

from tree import Finding, code_only

ORDER = re.compile(r"\b(?:memory_order(?:_|::)|__ATOMIC_)(acquire|release|acq_rel)\b",
                   re.IGNORECASE)
# In a macro of a C header the comment is closed and the line goes on.
TAG = re.compile(
    r"(?://|/\*).*\bpairs: ([^()*\\]*?)\s*(?:\((acquire|release)\))?\s*(?:\*/)?\s*\\?\s*$")
SEQ_CST = re.compile(r"\b(?:memory_order(?:_|::)|__ATOMIC_)seq_cst\b", re.IGNORECASE)
LIGHT = re.compile(r"\batomic_signal_fence\b")
HEAVY = re.compile(r"\bglobal_barrier\(\)")
FENCE_TAG = re.compile(r"(?://|/\*).*\bstore-load: ([^()*\\]*?) \(([a-z ]+)(, compiler only)?\)"
                       r"\s*(?:\*/)?\s*\\?\s*$")
kSitesMax = 8
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
    while above >= 0 and lines[above].lstrip().startswith(("//", "/*")):
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


def check_fences(path, text, fences):
    """Adds to fences[name][side] the (kind, place) of every tagged half; returns what is wrong."""
    findings = []
    lines = text.splitlines()
    for index, line in enumerate(code_only(text).splitlines()):
        heavy = HEAVY.search(line) and not re.search(r"\bvoid\b|\bbool\b", line)
        if not SEQ_CST.search(line) and not heavy:
            continue
        kind = "heavy" if heavy else "light" if LIGHT.search(line) else "full"
        tag = next((m for i in tag_lines_for(lines, index) if (m := FENCE_TAG.search(lines[i]))),
                   None)
        if tag is None:
            findings.append(Finding(
                path, index + 1, "pairs",
                "this is half of a store-load pair; say which and which side: "
                "`// store-load: room.name (side)`"))
            continue
        for name in re.split(r",\s*", tag.group(1)):
            if not NAME.match(name):
                findings.append(Finding(
                    path, index + 1, "pairs", f"a tag reads room.name, not '{name}'"))
            kind_here = "signal" if tag.group(3) and kind == "light" else kind
            fences[name][tag.group(2)].append((kind_here, (path, index + 1)))
    return findings


def why_no_pair(sides):
    """What is wrong with the sides of a store-load pair, or None."""
    if set(sides) == {"both"}:
        return None
    if len(sides) != 2:
        return f"has {len(sides)} side(s), not two: {', '.join(sorted(sides))}"
    kinds = [{kind for kind, _ in places} for places in sides.values()]
    for mine, others in (kinds, kinds[::-1]):
        if "light" in mine and "heavy" not in others:
            return "has a light side, a compiler fence, and no global_barrier() on the other"
    return None


def too_many(name, side, places):
    """A finding where one side of a tag stands at too many places."""
    if len(places) <= kSitesMax:
        return []
    path, line = min(places)
    return [Finding(path, line, "pairs",
                    f"'{name}' ({side}) stands at {len(places)} places: a tag names one group of "
                    f"partners, at most {kSitesMax} a side; give each group its own")]


def check(tree):
    findings = []
    uses = collections.defaultdict(lambda: collections.defaultdict(list))
    fences = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, text in tree.cxx("src", "include", "launch", "languages"):
        findings += check_file(path, text, uses)
        findings += check_fences(path, text, fences)
    for name, sides in uses.items():
        for side in ("acquire", "release"):
            if side not in sides:
                path, line = min(min(places) for places in sides.values())
                findings.append(Finding(
                    path, line, "pairs",
                    f"'{name}' has no {side} side anywhere; tag it, or drop the other side"))
            findings += too_many(name, side, sides.get(side, []))
    for name, sides in fences.items():
        if why := why_no_pair(sides):
            path, line = min(place for places in sides.values() for _, place in places)
            findings.append(Finding(path, line, "pairs", f"'{name}' {why}"))
        for side, places in sides.items():
            findings += too_many(name, side, [place for _, place in places])
    return findings
