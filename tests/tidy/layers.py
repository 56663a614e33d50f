# SPDX-License-Identifier: Apache-2.0
"""Layering: includes go downwards only, and programs stay with the public headers."""

import posixpath
import re

from tree import Finding

# The layers of the library, and the layers that each may include besides itself.
BELOW = {
    "base": set(),
    "ult": {"base"},
    "node": {"base"},
    "job": {"base", "node", "mesh", "report"},
    "mesh": {"base", "node", "job"},
    "lane": {"base", "node", "job"},
    "report": {"base", "node", "job"},
    "launcher": {"base", "node", "job", "report"},  # no rank needs it
    "channel": {"base", "node", "job", "mesh", "lane"},
    "am": {"base", "node", "job", "lane", "channel", "ult"},
    "gas": {"base", "node", "job", "lane", "channel", "ult", "am"},
    "c": {"base", "node", "ult", "job", "am", "gas"},
}
# A file of src/ belongs to the layer of its innermost room that is one. A header of include/ramjet/
# belongs to the layer that implements it; the umbrella headers to the uppermost.
HEADERS = {
    "base": {"status.hpp", "version.h", "version.hpp", "detail/check.hpp", "detail/cpu.hpp",
             "detail/layout.hpp"},
    "job": {"job.hpp", "detail/address_space.hpp"},
    "ult": {"ult.hpp", "ult/barrier.hpp", "ult/channel.hpp", "ult/condition.hpp",
            "ult/condition_variable.hpp", "ult/local.hpp", "ult/mutex.hpp", "ult/node.hpp",
            "ult/once.hpp", "ult/scheduler.hpp", "ult/semaphore.hpp", "ult/shared_mutex.hpp",
            "ult/tasks.hpp", "ult/thread.hpp", "ult/detail/blocks.hpp", "ult/detail/control.hpp",
            "ult/detail/shelf.hpp", "ult/detail/switch.hpp", "ult/detail/wait_queue.hpp",
            "ult/detail/worker.hpp"},
    "am": {"agenda.hpp", "am.hpp", "coroutine.hpp", "handler.hpp", "threads.hpp",
           "collectives.hpp", "team.hpp", "detail/engine.hpp", "detail/peer.hpp",
           "detail/registry.hpp"},
    "gas": {"segment.hpp", "global_ptr.hpp", "gas.hpp", "spread.hpp", "completion.hpp",
            "procedure.hpp", "mutex.hpp", "block_array.hpp", "hash_table.hpp", "work_queue.hpp",
            "detail/far.hpp", "detail/flat_table.hpp", "detail/global_bits.hpp",
            "detail/reach.hpp", "detail/table_part.hpp", "detail/work_rings.hpp", "ramjet.hpp"},
    "c": {"ramjet.h", "ramjet_ult.h", "collectives.h", "splitc.h", "splitc_names.h"},
}
# What stands outside the library sees public headers (not detail/), and what is named here.
OUTSIDE = {
    "console": {"console/"},
    "tools": {"src/base/", "src/node/", "src/launcher/", "tools/", "bench/", "console/"},
    "bench": {"bench/", "console/"},
    "apps": {"apps/", "console/"},
    "examples": {"examples/"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^">]+)[">]')


def layer_of(path):
    """The layer of a file of the library; '' where it should have one and has none; else None."""
    if path.startswith("include/ramjet/"):
        header = path.removeprefix("include/ramjet/").removesuffix(".in")
        return next((layer for layer, names in HEADERS.items() if header in names), "")
    if path.startswith("src/"):
        rooms = path.split("/")[1:-1]
        return next((layer for layer in ("/".join(rooms[:2]), *rooms[:1]) if layer in BELOW), "")
    return None


def resolve(tree, includer, name):
    """The path below the root of an included file of ours, else None."""
    for folder in (posixpath.dirname(includer), "src", "include", "tools", "bench"):
        path = posixpath.normpath(posixpath.join(folder, name))
        if path in tree.texts:
            return path
    return None


def why_not(includer, target):
    """Why the include is against the rules, or None."""
    outside = includer.split("/")[0]
    if outside in OUTSIDE:
        public = target.startswith("include/ramjet/") and "/detail/" not in target
        if not public and not target.startswith(tuple(OUTSIDE[outside])):
            return f"{outside}/ sees the public headers only: say it by the public interface"
        return None
    layer, below = layer_of(includer), layer_of(target)
    if not layer or below == layer or below in BELOW[layer]:
        return None
    return (f"{layer} may not include {below or target.split('/')[0]}, but only "
            f"{', '.join(sorted(BELOW[layer])) or 'itself'}: move the code down, or let the "
            "upper layer hand in what is needed")


def check(tree):
    findings = []
    for path, text in tree.cxx("src", "include", *OUTSIDE):
        if layer_of(path) == "":
            findings.append(Finding(
                path, 1, "layer", "in no known layer; give it a place in tests/tidy/layers.py"))
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            target = match and resolve(tree, path, match.group(1))
            why = target and why_not(path, target)
            if why:
                findings.append(Finding(path, number, "layer", f"{target}: {why}"))
    return findings
