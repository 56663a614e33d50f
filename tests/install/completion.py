#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The completions of bash, zsh and fish offer what the commands' help lists.

    completion.py bash|zsh|fish RAMJET SPLITCC IDC COMPLETION_FOLDER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
SHELL, FOLDER = sys.argv[1], pathlib.Path(sys.argv[5])
RAMJET, SPLITCC, IDC = map(os.path.abspath, sys.argv[2:5])

BASH = """source {file}
COMP_WORDS=({words} '{last}'); COMP_CWORD={index}
_{name} {command} '{last}' "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
# A function of zsh's completion prints what it is given to add.
ZSH = """compadd() {{ while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@" }}
_files() {{ }}; _command_names() {{ }}
words=({command} {rest} '{last}'); CURRENT={current}; PREFIX='{last}'
source {file}
"""
FISH = """source {file}
set -gx PATH {folder} $PATH
complete -C '{name} {rest} {last}' | string replace -r '\\t.*' ''
"""


def offered(*words, command=RAMJET):
    """What is offered for the last of these words behind the command."""
    rest, last, name = " ".join(words[:-1]), words[-1], os.path.basename(command)
    file = {"bash": f"{name}.bash", "zsh": f"_{name}", "fish": f"{name}.fish"}[SHELL]
    script = {"bash": BASH, "zsh": ZSH, "fish": FISH}[SHELL].format(
        file=FOLDER / file, words=f"{command} {rest}", rest=rest, last=last, command=command,
        name=name, index=len(words), current=len(words) + 1, folder=os.path.dirname(command))
    flags = ["-f"] if SHELL == "zsh" else ["--no-config"] if SHELL == "fish" else ["--norc"]
    done = subprocess.run([SHELL, *flags, "-c", script], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.stderr == "", done.stderr
    return {line for line in done.stdout.splitlines() if line.startswith(last)}


def help_of(*words, command=RAMJET):
    return subprocess.run([command, *words, "--help"], capture_output=True, text=True, timeout=60,
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
    options = set(re.findall(r"(?m)^  (--?[A-Za-z][A-Za-z-]*=?)", help_of(command=SPLITCC)))
    expect("options of splitcc", offered("-", command=SPLITCC), options)
    options = set(re.findall(r"(?m)^  (--?[A-Za-z][A-Za-z-]*=?)", help_of(command=IDC)))
    expect("options of idc", offered("-", command=IDC), options)
    expect("languages", offered("-x", "", command=SPLITCC), {"splitc", "none"})


main()
