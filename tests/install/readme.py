#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README.md is true as far as a program can tell: what it names is there.

    readme.py SOURCE_DIR BUILD_DIR
"""

import pathlib
import re
import shlex
import subprocess
import sys

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
FOREIGN = {"srun", "git", "cd"}  # commands of other packages


def commands(text):
    """The command lines of the code blocks, without what is said beside them."""
    language = None  # of the block that this line is in
    for line in text.splitlines():
        if line.startswith("```"):
            language = line[3:] if language is None else None
        elif language in ("", "sh") and line.strip():
            yield re.split(r"\s{2,}", line.strip())[0]


def complaints_about(line):
    try:
        words = shlex.split(line.replace("$(", "").replace(")", ""))
    except ValueError:
        return
    if words[0] == "make":
        known = re.findall(r"(?m)^([a-z-]+):", (SOURCE / "Makefile").read_text(encoding="utf-8"))
        yield from (f"no such target: make {word}" for word in words[1:2] if word not in known)
    elif words[0] in ("build/bin/ramjet", "ramjet"):
        yield from options_unknown(words[1], words[2:])
    elif words[0] in ("g++", "gcc"):
        paths = [word for word in words if word.startswith("build/")]
        yield from (f"{path} is not built" for path in paths
                    if not (BUILD / path.removeprefix("build/")).exists())
    elif words[0] not in FOREIGN and not words[0].startswith("#"):
        yield f"this test does not know the command {words[0]}"


def options_unknown(command, words):
    done = subprocess.run([BUILD / "bin" / "ramjet", command, "--help"], capture_output=True,
                          text=True, timeout=60, check=False)
    if done.returncode != 0:
        yield f"there is no command: ramjet {command}"
    for word in words:
        if not word.startswith("-"):
            if command == "run" and word.startswith("./"):
                return
            continue
        option = word.split("=")[0]
        if not re.search(rf"(^|[\s,]){re.escape(option)}\b", done.stdout):
            yield f"ramjet {command} has no option {option}"


def links_broken(text):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src(?:set)?=\"([^\"]+)\"", text):
        path = target[0] or target[1]
        if not (SOURCE / path).exists():
            yield f"a link leads nowhere: {path}"


def benchmarks_unknown(text):
    listed = subprocess.run([BUILD / "bin" / "ramjet", "bench", "--list"], capture_output=True,
                            text=True, timeout=60, check=True).stdout.split()
    for name in re.findall(r"(?m)^\| `([a-z][a-z0-9_]+)`", text):
        if name not in listed:
            yield f"there is no benchmark {name}"


def picture_stale():
    """The picture is what bench/plot.py makes of the figures that stand beside it."""
    drawn = subprocess.run(
        [sys.executable, SOURCE / "bench" / "plot.py", SOURCE / "docs" / "figures.json", "-o",
         "/dev/stdout"], capture_output=True, text=True, timeout=60, check=True).stdout
    if drawn != (SOURCE / "docs" / "figures.svg").read_text(encoding="utf-8"):
        yield "docs/figures.svg is not what bench/plot.py makes of docs/figures.json"


def main():
    text = (SOURCE / "README.md").read_text(encoding="utf-8")
    lines = list(commands(text))
    if not lines:
        sys.exit("README.md names no command")
    found = [f"{line}: {what}" for line in lines for what in complaints_about(line)]
    found += [*links_broken(text), *benchmarks_unknown(text), *picture_stale()]
    for each in found:
        print(each)
    print(f"{len(lines)} commands")
    sys.exit(1 if found else 0)


main()
