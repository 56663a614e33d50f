#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The completions of bash, zsh and fish offer what the command's help lists.

    completion.py bash|zsh|fish RAMJET COMPLETION_FOLDER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
SHELL, RAMJET, FOLDER = sys.argv[1], os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3])

BASH = """source {file}
COMP_WORDS=({words} '{last}'); COMP_CWORD={index}
_ramjet {ramjet} '{last}' "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
# A function of zsh's completion prints what it is given to add.
ZSH = """compadd() {{ while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@" }}
_files() {{ }}; _command_names() {{ }}
words=({ramjet} {rest} '{last}'); CURRENT={current}; PREFIX='{last}'
source {file}
"""
FISH = """source {file}
set -gx PATH {folder} $PATH
complete -C 'ramjet {rest} {last}' | string replace -r '\\t.*' ''
"""


def offered(*words):
    """What is offered for the last of these words behind `ramjet`."""
    rest, last = " ".join(words[:-1]), words[-1]
    name = {"bash": "ramjet.bash", "zsh": "_ramjet", "fish": "ramjet.fish"}[SHELL]
    script = {"bash": BASH, "zsh": ZSH, "fish": FISH}[SHELL].format(
        file=FOLDER / name, words=f"{RAMJET} {rest}", rest=rest, last=last, ramjet=RAMJET,
        index=len(words), current=len(words) + 1, folder=os.path.dirname(RAMJET))
    flags = ["-f"] if SHELL == "zsh" else ["--no-config"] if SHELL == "fish" else ["--norc"]
    done = subprocess.run([SHELL, *flags, "-c", script], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.stderr == "", done.stderr
    return {line for line in done.stdout.splitlines() if line.startswith(last)}


def help_of(*words):
    return subprocess.run([RAMJET, *words, "--help"], capture_output=True, text=True, timeout=60,
                          check=True).stdout


def expect(what, got, wanted):
    assert wanted and wanted <= got, f"{SHELL}, {what}: {sorted(wanted - got)} is not offered"


def main():
    if shutil.which(SHELL) is None:
        print(f"{SHELL} is not installed")
        sys.exit(SKIPPED)
    commands = set(re.findall(r"(?m)^  ([a-z]+)  ", help_of()))
    expect("commands", offered(""), commands)
    for command in commands - {"help"}:
        options = set(re.findall(r"(?m)^  (?:-.,)?(--[a-z-]+)", help_of(command)))
        expect(f"options of {command}", offered(command, "--"), options)
    expect("values", offered("run", "--bind", ""), {"core", "none"})
    assert "none" not in offered("run", "--bind", "c")
    listed = subprocess.run([RAMJET, "bench", "--list"], capture_output=True, text=True,
                            timeout=60, check=True).stdout
    expect("benchmarks", offered("bench", "am_"), set(re.findall(r"(?m)^am_\w+", listed)))


main()
