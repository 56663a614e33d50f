# SPDX-License-Identifier: Apache-2.0
"""What <ramjet/ramjet.hpp> brings a program's compiler: none of the standard headers that cost it
more than they give us. (docs/budgets.md has what the whole costs.)"""

from layers import INCLUDE, resolve
from tree import Finding

START = "include/ramjet/ramjet.hpp"
COSTLY = {"algorithm", "any", "chrono", "condition_variable", "deque", "filesystem", "format",
          "fstream", "functional", "future", "iostream", "iterator", "list", "map", "memory",
          "memory_resource", "mutex", "numeric", "random", "ranges", "regex", "set", "sstream",
          "thread", "tuple", "unordered_map", "unordered_set", "variant", "vector"}


def check(tree):
    found, seen, waiting = [], set(), [START] if START in tree.texts else []
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        for number, line in enumerate(tree.texts[path].splitlines(), 1):
            included = INCLUDE.match(line)
            if not included:
                continue
            name = included.group(1)
            if name in COSTLY:
                found.append(Finding(path, number, "weight",
                                     f"<{name}> costs each program that includes ramjet.hpp too "
                                     "much: see detail/base/owned.hpp and callback.hpp"))
            elif target := resolve(tree, path, name):
                waiting.append(target)
    return found
