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
    "launch": _JOB | {"report", "trace", "trace/file"},  # a library of its own: no rank needs it
    "launch/monitor": _JOB | {"lane", "report"},  # in the same one
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
    "languages/tam/runtime": _AM | {"gas"},
    "languages/splitc/check": _AM | {"gas", "c"},
    "languages/splitc/runtime": _AM | {"gas", "c", "languages/splitc/check"},
    "languages/splitc/runtime/main": {  # a library of its own
        "c", "languages/splitc/check", "languages/splitc/runtime"},
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
    "languages/splitc/runtime": {"splitc_start.h"},
    "languages/tam/runtime": {"tam.h", "tam_call.h", "tam_heap.h", "tam_placement.h", "tam.hpp"},
}
# Headers in Split-C, for splitcc alone.
IN_SPLITC = "include/split-c/"
# The compilers are programs of their own and see nothing of the library: their parts, and what
# each of these may include besides itself. They share languages/support/.
_SUPPORT, _TL0, _ID = "languages/support/", "languages/tam/tl0/", "languages/id/"
_SPLITC = "languages/splitc/compiler/"
_SPLITC_LEX = {_SUPPORT, _SPLITC + "lex/"}
_SPLITC_TREE = _SPLITC_LEX | {_SPLITC + "tree/"}
_PASS = _SPLITC_TREE | {_SPLITC + "semantics/types.hpp"}
_TL0_PROGRAM = {_SUPPORT, _TL0 + "program/"}
_ID_TREE = {_SUPPORT, _ID + "lex/", _ID + "tree/"}
_ID_TYPES = _ID_TREE | {_ID + "infer/types.hpp"}
_ID_GRAPH = _ID_TREE | {_ID + "graph/graph.hpp", _TL0 + "program/"}
COMPILER = {
    _SUPPORT: set(),
    _SUPPORT + "toolchain/": {_SUPPORT},
    _TL0 + "program/": {_SUPPORT},
    _TL0 + "lex/": _TL0_PROGRAM,
    _TL0 + "parse/": _TL0_PROGRAM | {_TL0 + "lex/"},
    _TL0 + "verify/": _TL0_PROGRAM,
    _TL0 + "print/": _TL0_PROGRAM | {_TL0 + "verify/graph.hpp"},
    _TL0 + "run/": {_TL0 + "program/", _SUPPORT + "arguments.hpp", _SUPPORT + "number_text.hpp"},
    _TL0 + "emit/": {_TL0 + "program/", "include/ramjet/"},  # which its output includes
    _TL0 + "driver/": {_SUPPORT, _TL0},
    _SPLITC + "lex/": {_SUPPORT},
    _SPLITC + "tree/": _SPLITC_LEX,
    _SPLITC + "semantics/": _SPLITC_TREE,
    _SPLITC + "parse/": _SPLITC_TREE | {_SPLITC + "semantics/"},
    _SPLITC + "optimise/": _PASS,
    _SPLITC + "emit/": _PASS,
    _SPLITC + "driver/": {_SUPPORT, _SPLITC},
    _ID + "lex/": {_SUPPORT},
    _ID + "tree/": {_ID + "lex/"},
    _ID + "parse/": _ID_TREE,
    _ID + "names/": _ID_TREE,
    _ID + "infer/": _ID_TREE | {_ID + "names/"},
    _ID + "core/": _ID_TYPES,
    _ID + "interpret/": _ID_TYPES | {_ID + "core/core.hpp"},
    _ID + "graph/": _ID_TYPES | {_ID + "core/core.hpp", _TL0 + "program/"},
    _ID + "partition/": _ID_GRAPH,
    _ID + "emit/": _ID_GRAPH | {_ID + "partition/partition.hpp"},
    _ID + "driver/": {_SUPPORT, _ID, _TL0},
}
COMPILERS = (_SUPPORT, _TL0, _ID, _SPLITC)
# What stands outside the library sees public headers (not detail/), and what is named here.
OUTSIDE = {
    "papers/study/": {"papers/study/", "tools/cli/", _SUPPORT, _TL0},
    "tools/characterize/": {"tools/characterize/", "tools/cli/", "src/base/"},
    "tools/cli/": {"tools/cli/"},
    "tools/command/": {"src/base/", "src/node/", "src/report/", "launch/", "tools/", "bench/"},
    "tools/command/programs/": {"src/base/", "launch/", "tools/", "bench/harness/", "src/trace/",
                                "papers/study/"},
    "tools/live/": {"src/base/", "src/node/", "src/report/", "launch/", "tools/cli/",
                    "tools/command/", "tools/live/"},
    "tools/model/": {"tools/model/", "tools/cli/"},
    "tools/pages/": {"tools/pages/", "tools/cli/"},
    "tools/trace/": {"tools/trace/", "tools/pages/", "tools/cli/", "src/trace/"},
    "bench/": {"bench/", "tools/cli/"},
    "apps/": {"apps/", "tools/cli/"},
    "apps/measured/": {"apps/", "tools/cli/", "src/base/cpus.hpp"},  # what the machine leaves them
    "examples/": {"examples/"},
}
FOLDERS = ("src/", "include/", "launch/", "languages/", "papers/", "tools/", "bench/", "apps/",
           "examples/")

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^">]+)[">]')


def layer_of(path):
    """The layer of a file of the library; '' where it should have one and has none; else None."""
    folder, name = posixpath.split(path.removesuffix(".in"))
    if path.startswith(IN_SPLITC):
        return None
    if folder == "include/ramjet":
        return next((layer for layer, names in HEADERS.items() if name in names), "")
    if folder == "include/ramjet/detail/tam":
        return "languages/tam/runtime"
    for start, layer in (("include/ramjet/detail/", None), ("include/ramjet/ult", "ult"),
                         ("include/", ""), ("src", None)):
        if f"{folder}/".startswith(start):
            layer = folder.removeprefix(start).strip("/") if layer is None else layer
            return layer if layer in BELOW else ""
    return folder if folder in BELOW else None


def folder_of(layer):
    """The folder of a layer of the library."""
    return layer if layer.startswith(("launch", "languages/")) else f"src/{layer}"


def compiler_of(path):
    """The folder of the compiler that a file belongs to, or None."""
    return next((folder for folder in COMPILERS if path.startswith(folder)), None)


def outside_of(path):
    """The longest folder of OUTSIDE that holds a file, or None."""
    return max((folder for folder in OUTSIDE if path.startswith(folder)), key=len, default=None)


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
    for folder in (posixpath.dirname(includer), "", "src", "include", "bench"):
        path = posixpath.normpath(posixpath.join(folder, name))
        if path in tree.texts:
            return path
    return None


def why_not_in_compiler(part, target):
    if part not in COMPILER or target.startswith((part, *COMPILER[part])):
        return None  # a part that is not known is reported as such
    return (f"{part} may not include {target}, but only "
            f"{', '.join(sorted(COMPILER[part])) or 'itself'}")


def why_not(includer, target):
    """Why the include is against the rules, or None."""
    if compiler_of(includer):
        return why_not_in_compiler(posixpath.dirname(includer) + "/", target)
    if outside := outside_of(includer):
        public = (target.startswith(("include/ramjet/", IN_SPLITC)) and
                  "/detail/" not in target)
        if not public and not target.startswith(tuple(OUTSIDE[outside])):
            return f"{outside} sees the public headers only: say it by the public interface"
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
    for path, text in tree.cxx(*(folder.rstrip("/") for folder in FOLDERS)):
        in_no_part = (posixpath.dirname(path) + "/" not in COMPILER if compiler_of(path) else
                      not layer_of(path) and not outside_of(path) and
                      not path.startswith(IN_SPLITC))
        if in_no_part:
            findings.append(Finding(
                path, 1, "layer", "in no known layer; give it a place in tests/tidy/layers.py"))
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            target = match and resolve(tree, path, match.group(1))
            why = target and why_not(path, target)
            if why:
                findings.append(Finding(path, number, "layer", f"{target}: {why}"))
    return findings
