# SPDX-License-Identifier: Apache-2.0
"""Layering: includes go downwards only, and programs stay with the public headers.

A file's folder says its layer, sub-folders too: src/channel/net/ is a layer of its own beside
src/channel/. No file is an exception, and no two layers may include each other, on whatever way
round.
"""

import posixpath
import re

from tree import Finding

# The layers of the library, and the layers that each may include besides itself.
_BASE = {"base"}
_NODE = _BASE | {"node"}
_BOOTSTRAP = _NODE | {"job/bootstrap"}
_JOB = _BOOTSTRAP | {"job"}
_LANE = _NODE | {"lane"}
_CHANNEL = _JOB | {"lane", "mesh", "channel"}
_CHANNELS = _CHANNEL | {"channel/self", "channel/shm", "channel/faulty", "channel/net"}
_AM = _CHANNEL | {"channel/net", "ult", "report", "trace", "trace/file", "am"}
BELOW = {
    "base": set(),
    "ult": _BASE,
    "node": _BASE,
    "job/bootstrap": _NODE,
    "job/pmix": _BOOTSTRAP,
    "job": _BOOTSTRAP | {"job/pmix"},
    "mesh": _JOB,
    "lane": _NODE,
    "trace": _NODE,
    "report": _JOB | {"lane"},
    "trace/file": _JOB | {"report", "trace"},
    "launcher": _JOB | {"report", "trace", "trace/file"},  # a library of its own: no rank needs it
    "monitor": _JOB | {"lane", "report"},  # in the same one
    "channel": _JOB | {"lane"},
    "channel/self": _CHANNEL,
    "channel/shm": _CHANNEL,
    "channel/faulty": _CHANNEL,
    "channel/net": _CHANNEL,
    "channel/routes": _CHANNELS,
    "am": _AM - {"am"},
    "am/collectives": _AM,
    "gas": _AM,
    "c": _AM | {"gas"},
    "tam": _AM | {"gas"},
    "splitc/check": _AM | {"gas", "c"},
    "splitc": _AM | {"gas", "c", "splitc/check"},
    "splitc/main": {"c", "splitc/check", "splitc"},  # a library of its own
}
# A header of include/ramjet/detail/LAYER/ belongs to that layer, one of include/ramjet/ult/ to ult.
# Of those that users include, this says which layer implements them; the umbrella headers belong
# to the uppermost.
HEADERS = {
    "base": {"status.hpp", "version.h", "version.hpp"},
    "ult": {"ult.hpp"},
    "am": {"agenda.hpp", "am.hpp", "coroutine.hpp", "handler.hpp", "job.hpp", "threads.hpp",
           "collectives.hpp", "team.hpp"},
    "gas": {"segment.hpp", "global_ptr.hpp", "gas.hpp", "spread.hpp", "indexed.hpp",
            "completion.hpp",
            "procedure.hpp", "mutex.hpp", "block_array.hpp", "hash_table.hpp", "work_queue.hpp",
            "symmetric.h", "ramjet.hpp"},
    "c": {"ramjet.h", "ramjet_ult.h", "collectives.h", "splitc.h", "splitc_names.h",
          "splitc_addresses.h", "splitc_compiled.h", "splitc_checked.h"},
    "splitc": {"splitc_start.h"},
    "tam": {"tam.h", "tam_call.h", "tam_heap.h", "tam_placement.h", "tam.hpp"},
}
# Headers in Split-C, for splitcc alone.
IN_SPLITC = "include/split-c/"
# The compilers are programs of their own and see nothing of the library: their parts, and what
# each of these may include besides itself. What they share is frontend/.
_LEX = {"frontend/", "splitcc/lex/"}
_TREE = _LEX | {"splitcc/tree/"}
_PASS = _TREE | {"splitcc/semantics/types.hpp"}
_TL0 = {"frontend/", "tl0/program/"}
_ID_TREE = {"frontend/", "idc/lex/", "idc/tree/"}
COMPILER = {
    "frontend": set(),
    "frontend/toolchain": {"frontend/"},
    "tl0/program": {"frontend/"},
    "tl0/lex": _TL0,
    "tl0/parse": _TL0 | {"tl0/lex/"},
    "tl0/verify": _TL0,
    "tl0/print": _TL0 | {"tl0/verify/graph.hpp"},
    "tl0/run": {"tl0/program/", "frontend/arguments.hpp", "frontend/number_text.hpp"},
    "tl0/emit": {"tl0/program/", "include/ramjet/"},  # which its output includes
    "tl0/driver": {"frontend/", "tl0/"},
    "splitcc/lex": {"frontend/"},
    "splitcc/tree": _LEX,
    "splitcc/semantics": _TREE,
    "splitcc/parse": _TREE | {"splitcc/semantics/"},
    "splitcc/optimise": _PASS,
    "splitcc/emit": _PASS,
    "splitcc/driver": {"frontend/", "splitcc/"},
    "idc/lex": {"frontend/"},
    "idc/tree": {"idc/lex/"},
    "idc/parse": _ID_TREE,
    "idc/names": _ID_TREE,
    "idc/infer": _ID_TREE | {"idc/names/"},
    "idc/core": _ID_TREE | {"idc/infer/types.hpp"},
    "idc/interpret": _ID_TREE | {"idc/infer/types.hpp", "idc/core/core.hpp"},
    "idc/graph": _ID_TREE | {"idc/infer/types.hpp", "idc/core/core.hpp", "tl0/program/"},
    "idc/partition": _ID_TREE | {"idc/graph/graph.hpp", "tl0/program/"},
    "idc/emit": _ID_TREE | {"idc/graph/graph.hpp", "idc/partition/partition.hpp", "tl0/program/"},
    "idc/driver": {"frontend/", "idc/", "tl0/"},
}
COMPILERS = tuple(sorted({part.split("/")[0] for part in COMPILER}))
# What stands outside the library sees public headers (not detail/), and what is named here.
OUTSIDE = {
    "console": {"console/"},
    "study": {"study/", "console/", "frontend/", "tl0/"},
    "tools": {"src/base/", "src/node/", "src/report/", "src/monitor/", "src/launcher/", "tools/",
              "bench/", "characterize/report/", "console/", "pages/"},
    "tools/programs": {"src/base/", "src/launcher/", "tools/", "bench/harness/", "characterize/",
                       "console/", "loggp/", "pages/", "src/trace/", "study/", "traces/"},
    "characterize": {"characterize/", "console/", "src/base/"},
    "loggp": {"loggp/", "console/"},
    "pages": {"pages/", "console/"},
    "traces": {"traces/", "pages/", "console/", "src/trace/"},
    "bench": {"bench/", "console/"},
    "apps": {"apps/", "console/"},
    "apps/measured": {"apps/", "console/", "src/base/cpus.hpp"},  # what the machine leaves them
    "examples": {"examples/"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^">]+)[">]')


def layer_of(path):
    """The layer of a file of the library; '' where it should have one and has none; else None."""
    folder, name = posixpath.split(path.removesuffix(".in"))
    if path.startswith(IN_SPLITC):
        return None
    if folder == "include/ramjet":
        return next((layer for layer, names in HEADERS.items() if name in names), "")
    for start, layer in (("include/ramjet/detail/", None), ("include/ramjet/ult", "ult"),
                         ("include/", ""), ("src", None)):
        if f"{folder}/".startswith(start):
            layer = folder.removeprefix(start).strip("/") if layer is None else layer
            return layer if layer in BELOW else ""
    return None


def circle(below):
    """Layers each of which may include the next, and the last one the first; None: there are none.
    """
    done = set()

    def follow(layer, way):
        if layer in way:
            return way[way.index(layer):]
        if layer in done:
            return None
        found = next(filter(None, (follow(b, [*way, layer]) for b in sorted(below[layer]))), None)
        done.add(layer)
        return found

    return next(filter(None, (follow(layer, []) for layer in sorted(below))), None)


def resolve(tree, includer, name):
    """The path below the root of an included file of ours, else None."""
    for folder in (posixpath.dirname(includer), "", "src", "include", "tools", "bench"):
        path = posixpath.normpath(posixpath.join(folder, name))
        if path in tree.texts:
            return path
    return None


def why_not_in_compiler(part, target):
    if part not in COMPILER or target.startswith((f"{part}/", *COMPILER[part])):
        return None  # a part that is not known is told as such
    return (f"{part} may not include {target}, but only "
            f"{', '.join(sorted(COMPILER[part])) or 'itself'}")


def why_not(includer, target):
    """Why the include is against the rules, or None."""
    if includer.split("/")[0] in COMPILERS:
        return why_not_in_compiler(posixpath.dirname(includer), target)
    folders = (posixpath.dirname(includer), includer.split("/")[0])
    outside = next((folder for folder in folders if folder in OUTSIDE), None)
    if outside:
        public = (target.startswith(("include/ramjet/", IN_SPLITC)) and
                  "/detail/" not in target)
        if not public and not target.startswith(tuple(OUTSIDE[outside])):
            return f"{outside}/ sees the public headers only: say it by the public interface"
        return None
    layer, below = layer_of(includer), layer_of(target)
    if not layer or below == layer or below in BELOW[layer]:
        return None
    return (f"{layer} may not include {below or target.split('/')[0]}, but only "
            f"{', '.join(sorted(BELOW[layer])) or 'itself'}: move the code down, or let the "
            "upper layer hand in what is needed")


def check(tree, below=None):
    findings = []
    if found := circle(below or BELOW):
        findings.append(Finding("tests/tidy/layers.py", 1, "layer",
                                f"{' -> '.join([*found, found[0]])}: these layers include each "
                                "other in a circle; give what they share a layer below them"))
    for path, text in tree.cxx("src", "include", *COMPILERS, *OUTSIDE):
        if layer_of(path) == "" or (path.split("/")[0] in COMPILERS and
                                    posixpath.dirname(path) not in COMPILER):
            findings.append(Finding(
                path, 1, "layer", "in no known layer; give it a place in tests/tidy/layers.py"))
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            target = match and resolve(tree, path, match.group(1))
            why = target and why_not(path, target)
            if why:
                findings.append(Finding(path, number, "layer", f"{target}: {why}"))
    return findings
