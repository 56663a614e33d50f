# SPDX-License-Identifier: Apache-2.0
"""Headers: each compiles alone, and can be included twice; a C header as C11 and as C++20.

The build itself shows it of a header that a source file of the libraries includes before all
others, and that says `#pragma once`; the others are compiled here.
"""

import concurrent.futures
import os
import re
import subprocess

from layers import IN_SPLITC, INCLUDE, resolve
from tree import Finding

PRIVATE = ("src", "launch", "languages/splitc/runtime", "languages/splitc/check",
           "languages/tam/runtime")  # the folders of the libraries
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")


def shown_by_the_build(tree):
    shown = set()
    for path, text in tree.cxx(*PRIVATE):
        first = next(filter(None, map(INCLUDE.match, text.splitlines())), None)
        header = path.endswith(".cpp") and first and resolve(tree, path, first.group(1))
        if header and "#pragma once\n" in tree.texts[header]:
            shown.add(header)
    return shown


def is_public(path):
    return path.startswith("include/") and "/detail/" not in path


def jobs_for(tree, cc, cxx, public_only=False):
    shown = shown_by_the_build(tree)
    for path, _ in tree.cxx("include", *PRIVATE):
        if path.startswith(IN_SPLITC) or (public_only and not is_public(path)):
            continue
        if path.endswith((".hpp", ".h")) and path not in shown:
            yield path, (cxx, "-x", "c++", "-std=c++20")
        if path.endswith(".h"):
            yield path, (cc, "-x", "c", "-std=c11")


def compile_alone(root, build, path, compiler):
    name = re.sub(r"^(include|src)/", "", path)
    source = f'#include "{name}"\n#include "{name}"\n'
    command = [*compiler, *WARNINGS, "-fsyntax-only",
               f"-I{root}/include", f"-I{build}/include", f"-I{root}/src",
               f"-I{root}", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, cwd=root)
    if result.returncode == 0:
        return None
    first_error = next((line for line in result.stderr.splitlines() if "error:" in line),
                       result.stderr.strip())
    return Finding(path, 1, "header",
                   f"does not compile alone ({compiler[-1]}): {first_error.strip()}")


def check(tree, build, cc="cc", cxx="c++", public_only=False):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: compile_alone(tree.root, build, *job),
                           jobs_for(tree, cc, cxx, public_only))
        return [finding for finding in results if finding]
