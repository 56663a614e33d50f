# SPDX-License-Identifier: Apache-2.0
"""check.py SOURCE COMPILER ARGS...: compiles SOURCE and compares with its `// expect:` line."""

import re
import subprocess
import sys


def main():
    source, command = sys.argv[1], sys.argv[2:]
    with open(source, encoding="utf-8") as file:
        match = re.fullmatch(r"// expect: (\S.*)", file.readline().rstrip())
    if not match:
        return f"{source}:1: the first line must read `// expect: REGEX` or `// expect: success`"
    expected = match.group(1)

    result = subprocess.run(command + ["-fsyntax-only", source], capture_output=True, text=True)
    compiled = result.returncode == 0
    print(result.stderr, end="")
    if expected == "success":
        return 0 if compiled else f"{source}: has to compile, and does not"
    if compiled:
        return f"{source}: has to be refused, and compiles"
    if not re.search(expected, result.stderr):
        return f"{source}: refused for another reason than /{expected}/"
    return 0


sys.exit(main())
