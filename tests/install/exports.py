#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What libramjet.so exports: all that programs need of the library, and nothing of its rooms.

    exports.py BUILD_DIR
"""

import pathlib
import re
import subprocess
import sys

# Namespaces of the library's inside, which no public header opens; and libraries within it.
PRIVATE = re.compile(r"^(ramjet::(base|channel|gas_|job|lane|launcher|mesh|node|pmix|report)::"
                     r"|sodium_|crypto_|randombytes)")


def symbols(*words):
    lines = subprocess.run(["nm", *words], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in lines.splitlines() if line and not line.endswith(":")}


def demangled(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True,
                          text=True)
    return dict(zip(names, done.stdout.splitlines()))


def main():
    build = pathlib.Path(sys.argv[1])
    exported = {name.split("@")[0] for name in symbols("-D", "--defined-only", "--extern-only",
                                                       build / "libramjet.so")}
    readable = demangled(sorted(exported))
    inside = sorted(text for text in readable.values() if PRIVATE.match(text))
    defined = symbols("--defined-only", "--extern-only", build / "libramjet.a")
    objects = [path for folder in (build / "CMakeFiles").glob("*.dir")
               for path in folder.glob("examples/**/*.o")]
    if not objects:
        sys.exit("no example has been built: there is nothing to compare with")
    needed = set().union(*(symbols("-u", path) for path in objects)) & defined
    missing = sorted(demangled(sorted(needed - exported)).values())
    for text in inside:
        print(f"exported, but no part of the interface: {text}")
    for text in missing:
        print(f"needed by a program, but not exported: {text} (put its header's declarations "
              "between `#pragma GCC visibility push(default)` and `pop`)")
    print(f"{len(exported)} exported, {len(needed)} needed by {len(objects)} objects")
    sys.exit(1 if inside or missing else 0)


main()
