# SPDX-License-Identifier: Apache-2.0
"""Reads OpenMetrics 1.0 text and refuses what is not: every rule that our families can break."""

import collections
import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABELS = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)')
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)")
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|Inf|NaN)")
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "stateset": ("",)}

Sample = collections.namedtuple("Sample", "labels value")


class Family:
    def __init__(self, name, kind):
        self.name, self.kind, self.unit, self.help = name, kind, None, None
        self.samples = []

    def value(self, **labels):
        wanted = {name: str(value) for name, value in labels.items()}
        found = [s.value for s in self.samples if s.labels == wanted]
        assert len(found) == 1, f"{self.name} {wanted}: {found}"
        return found[0]


def require(condition, what, line):
    if not condition:
        raise ValueError(f"{what}: {line!r}")


def read_labels(text, line):
    labels, at = {}, 0
    while at < len(text):
        found = LABELS.match(text, at)
        require(found, "no label", line)
        require(found[1] not in labels, "a label twice", line)
        labels[found[1]] = found[2]
        at = found.end()
    return labels


def read_sample(family, line):
    found = SAMPLE.fullmatch(line)
    require(found, "no sample", line)
    require(family and found[1] in [family.name + s for s in SUFFIXES[family.kind]],
            "a sample of no family that is open", line)
    require(NUMBER.fullmatch(found[3]), "no number", line)
    labels = read_labels(found[2] or "", line)
    value = float(found[3].replace("Inf", "inf"))
    if family.kind == "counter":
        require(value >= 0 and not math.isnan(value), "a counter below 0", line)
    if family.kind == "stateset":
        require(value in (0, 1) and family.name in labels, "no state", line)
    require(labels not in [s.labels for s in family.samples[-20:]], "a sample twice", line)
    family.samples.append(Sample(labels, value))


def read_comment(families, family, line):
    words = line.split(" ", 3)
    require(len(words) == 4 and words[1] in ("TYPE", "UNIT", "HELP"), "no metadata", line)
    require(re.fullmatch(NAME, words[2]), "no name", line)
    if words[1] == "TYPE":
        require(words[2] not in families, "a family twice", line)
        require(words[3] in SUFFIXES, "an unknown type", line)
        families[words[2]] = family = Family(words[2], words[3])
        return family
    is_of_family = family and family.name == words[2]
    require(is_of_family and not family.samples, "metadata out of place", line)
    if words[1] == "UNIT":
        require(family.unit is None and words[2].endswith("_" + words[3]), "a wrong unit", line)
        require(family.kind != "stateset", "a unit of states", line)
        family.unit = words[3]
    else:
        require(family.help is None, "help twice", line)
        family.help = words[3]
    return family


def parse(text):
    """The families by name."""
    require(text.endswith("# EOF\n"), "no end", text[-40:])
    families, family = {}, None
    for line in text.split("\n")[:-2]:
        require(line != "# EOF", "an end in the middle", line)
        if line.startswith("#"):
            family = read_comment(families, family, line)
        else:
            read_sample(family, line)
    return families
