#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What idc -S writes, and what it tells of errors, is the same with any number of threads.

    threads.py --idc IDC [--limits] LINES FILE...    LINES: scripts/idc-lines, which makes a program
                                                     of several batches of code blocks

--limits: also where the system gives fewer threads than are wanted, and little memory.
"""

import argparse
import importlib.machinery
import importlib.util
import pathlib
import resource
import subprocess
import sys
import tempfile

COPIES = 4  # of the programs of apps/id/: some 870 code blocks


MIB = 1 << 20
# Threads' stacks are as large as RLIMIT_STACK: of the first kind there is room for one or two, of
# the second for none.
LIMITS = (
    {resource.RLIMIT_STACK: 900 * MIB, resource.RLIMIT_AS: 2200 * MIB},
    {resource.RLIMIT_STACK: MIB * MIB * 64},
    {resource.RLIMIT_AS: 200 * MIB},
)


def run(*command, limits=None):
    def limit():
        for which, most in (limits or {}).items():
            resource.setrlimit(which, (most, resource.getrlimit(which)[1]))
    return subprocess.run(command, capture_output=True, text=True, timeout=600, preexec_fn=limit)


def large_program(script):
    loader = importlib.machinery.SourceFileLoader("idc_lines", script)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("idc_lines", loader))
    loader.exec_module(module)
    copies, calls = module.program(COPIES)
    return "".join(copies) + calls


def same(idc, path, *words):
    alone = run(idc, "-j1", "-S", *words, path)
    if alone.returncode != 0 or not alone.stdout.startswith("#line"):
        return [f"{path}: {alone.returncode} {alone.stderr}"]
    wrong = []
    for threads in ("-j2", "-j3", "-j8", None):
        got = run(idc, *([threads] if threads else []), "-S", *words, path)
        if (got.returncode, got.stdout, got.stderr) != (0, alone.stdout, ""):
            wrong.append(f"{path} {words}: {threads} is not -j1: {got.returncode} {got.stderr}")
    return wrong


def told(idc, path):
    wrong = []
    for words, status, text in ((("-j0", "-S", path), 2, "from 1 to 64"),
                                (("-j65", "-S", path), 2, "from 1 to 64"),
                                (("-jx", "-S", path), 2, "takes a number"),
                                (("-j2", "--run", path), 2, "goes with -S"),
                                (("-j2", "-S", "-o", "/absent/out.tl0", path), 1, "/absent")):
        got = run(idc, *words)
        if got.returncode != status or text not in got.stderr:
            wrong.append(f"{words}: {got.returncode} {got.stderr}")
    return wrong


def broken(text):
    """Texts with errors: in one of the pieces that threads parse, between two, in names."""
    lines = text.split("\n")
    definitions = [at for at, line in enumerate(lines) if line.startswith("def ")]
    for at in definitions[len(definitions) // 2], definitions[-1]:
        yield "\n".join([*lines[:at], "def q ( = ;", *lines[at:]])
        yield "\n".join([*lines[:at], '"no end', *lines[at:]])
        yield "\n".join([*lines[:at], "def none_such x = no_name x;", *lines[at:]])
    yield text.replace(";\ndef ", "\ndef ")


def told_alike(idc, path, text):
    wrong = []
    for each in broken(text):
        path.write_text(each, encoding="utf-8")
        alone = run(idc, "-j1", "-S", str(path))
        if alone.returncode != 1 or "error:" not in alone.stderr:
            wrong.append(f"not told: {alone.returncode} {alone.stderr}")
        for threads in "-j2", "-j8":
            got = run(idc, threads, "-S", str(path))
            if (got.returncode, got.stdout, got.stderr) != (1, "", alone.stderr):
                wrong.append(f"{threads} is not -j1: {got.returncode}\n{got.stderr}{alone.stderr}")
    return wrong


def limited(idc, path):
    """The program is so long that idc would like to have more pages than the last limit allows."""
    alone = run(idc, "-j1", "-S", path)
    wrong = [] if alone.stdout.startswith("#line") else [f"{path}: {alone.stderr}"]
    for limits in LIMITS:
        got = run(idc, "-j8", "-S", path, limits=limits)
        if (got.returncode, got.stdout, got.stderr) != (0, alone.stdout, ""):
            wrong.append(f"{path} {limits}: not as -j1: {got.returncode} {got.stderr}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idc", required=True)
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("lines")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    wrong = told(options.idc, options.files[0])
    for path in options.files:
        wrong += same(options.idc, path)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "large.id")
        text = large_program(options.lines)
        wrong += told_alike(options.idc, source, text)
        source.write_text(text, encoding="utf-8")
        wrong += same(options.idc, str(source))
        wrong += same(options.idc, str(source), "--loop-bound=2")
        if options.limits:
            with source.open("a", encoding="utf-8") as file:
                file.write(" " * 4_000_000)
            wrong += limited(options.idc, str(source))
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
