#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gcc's own torture programs through the Split-C front end, beside gcc.

    torture.py --compiler C --work FOLDER [options] [NAME...]

--compiler C      splitcc
--work FOLDER     the programs are unpacked and built there
--sample N        N programs only, chosen by the seed
--seed S          of the sample (default: of the day)
--jobs J          at a time (default: the number of processors)
--syntax          only -fsyntax-only
--resume          do not try again what an earlier run has tried with the same splitcc
NAME              only these, like execute/20000112-1

The programs are those of Debian's package gcc-12-source: gcc.c-torture/execute, which are
compiled and run, and gcc.c-torture/compile, which are compiled. A program counts if gcc compiles it
here, and it runs to status 0; then splitcc must do so too. Those that may fail stand in
torture_exceptions.txt with the reason; one that stands there and passes is reported, too.
"""

import argparse
import concurrent.futures
import datetime
import glob
import hashlib
import os
import random
import re
import subprocess
import sys
import tarfile

SKIPPED = 77  # to hang_watch.py
COMPILE_S, RUN_S = 120, 60
REFUSED = "nested functions"  # on purpose: the reason of exceptions
FOLDERS = ("execute", "compile")
HERE = os.path.dirname(os.path.abspath(__file__))


def unpack(work):
    """The folder gcc.c-torture, or nothing where the package is not installed."""
    target = os.path.join(work, "gcc.c-torture")
    archives = glob.glob("/usr/src/gcc-12/gcc-12*.tar.xz")
    if not os.path.isdir(target) and archives:
        os.makedirs(work, exist_ok=True)
        was_found = ""
        with tarfile.open(archives[0], "r|xz") as archive:
            for member in archive:
                _, found, path = member.name.partition("/gcc/testsuite/gcc.c-torture/")
                if was_found and not found:
                    break  # they stand together, and the archive is large
                was_found = found
                if found and path.startswith(FOLDERS) and member.isfile():
                    member.name = path
                    archive.extract(member, target + ".part")
        os.rename(target + ".part", target)
    return target if os.path.isdir(target) else None


def options_of(text):
    """What the program's dg- lines add to the command line, on this machine."""
    flags = []
    for kind, words, rest in re.findall(r'\{\s*dg-(additional-options|options)\s+"([^"]*)"(.*)',
                                        text):
        target = re.search(r"\{\s*target\s+(.*?)\}", rest)
        if not target or re.search(r"\*-\*-\*|x86_64|lp64|int32plus", target[1]):
            flags = (flags if kind == "additional-options" else []) + words.split()
    return flags


def run(command, folder, seconds):
    """Status and output; what takes too long has the status None."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"not done after {seconds} s"
    return done.returncode, done.stdout.decode(errors="replace")


class Program:
    def __init__(self, root, name, work):
        self.name, self.source = name, os.path.join(root, name + ".c")
        self.runs = name.startswith("execute/")
        self.work = os.path.join(work, "built", name)
        with open(self.source, encoding="utf-8", errors="replace") as file:
            self.flags = options_of(file.read())

    def try_with(self, compiler, label, extra):
        """An empty text if it passes, else what went wrong."""
        os.makedirs(self.work, exist_ok=True)
        output = os.path.join(self.work, label)
        command = [*compiler, "-w", *extra, *self.flags, self.source, "-o", output]
        command += ["-s", "-lm"] if self.runs else ["-c"]  # without symbols the linker is quicker
        status, text = run(command, self.work, COMPILE_S)
        if status != 0:
            return f"does not compile, status {status}: {text}"
        if self.runs:
            status, text = run([output], self.work, RUN_S)
            os.remove(output)
            if status != 0:
                return f"runs to status {status}: {text}"
        return ""

    def passes_gcc(self):
        """Known from an earlier run, or tried."""
        mark = os.path.join(self.work, "gcc.verdict")
        if not os.path.exists(mark):
            wrong = self.try_with(["gcc"], "gcc", ["-O1"])
            with open(mark, "w", encoding="utf-8") as file:
                file.write(wrong)
        with open(mark, encoding="utf-8") as file:
            return not file.read()

    def check(self, options):
        """None if it does not count, else what is wrong."""
        if not self.passes_gcc():
            return None
        mark = os.path.join(self.work, "splitcc.verdict")
        if options.resume and os.path.exists(mark):
            with open(mark, encoding="utf-8") as file:
                made_by, _, wrong = file.read().partition("\n")
            if made_by == options.digest:
                return wrong
        wrong = self.passes_splitcc(options)
        with open(mark, "w", encoding="utf-8") as file:
            file.write(options.digest + "\n" + wrong)
        return wrong

    def passes_splitcc(self, options):
        """An empty text if it does, else what is wrong."""
        compiler = [options.compiler, "-x", "splitc"]
        if options.syntax:
            status, text = run([*compiler, "-w", "-fsyntax-only", *self.flags, self.source],
                               self.work, COMPILE_S)
            return "" if status == 0 else f"status {status}: {text}"
        return self.try_with(compiler, "splitcc", ["-O1"])


def exceptions():
    """{name: reason}"""
    with open(os.path.join(HERE, "torture_exceptions.txt"), encoding="utf-8") as file:
        rows = [line.partition(":") for line in file if line.strip() and line[0] != "#"]
    return {name.strip(): reason.strip() for name, _, reason in rows}


def first_line(text):
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or [""]
    return lines[0][:200]


def digest_of(options):
    """What a verdict depends on, but for the libraries."""
    with open(options.compiler, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() + (" syntax" if options.syntax else "")


def report(results, known, options):
    """Prints the sum, and what is stale; the number of programs that are wrong."""
    counted = {name: wrong for name, wrong in results.items() if wrong is not None}
    failed = {name: wrong for name, wrong in counted.items() if wrong}
    unknown = sorted(set(failed) - set(known))
    stale = [] if options.syntax else sorted(name for name in known if counted.get(name) == "")
    for name in stale:
        print(f"{name}: passes, though torture_exceptions.txt has it")
    refused = [name for name in failed if known.get(name, "").startswith(REFUSED)]
    good, others = len(counted) - len(failed), len(counted) - len(refused)
    print(f"{good} of {len(counted)} programs pass that gcc passes "
          f"({100 * good / max(1, len(counted)):.2f} %), of {others} without {REFUSED} "
          f"({100 * good / max(1, others):.2f} %); {len(failed) - len(unknown)} are known "
          f"exceptions, {len(unknown)} are not; {len(results) - len(counted)} do not count")
    return len(unknown) + len(stale)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=datetime.date.today().toordinal())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--syntax", action="store_true")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.compiler, work = os.path.abspath(options.compiler), os.path.abspath(options.work)
    options.digest = digest_of(options)
    root = unpack(work)
    if not root:
        print("torture.py: gcc-12-source is not installed")
        return SKIPPED
    names = options.names or sorted(
        os.path.relpath(path, root)[:-2] for folder in FOLDERS
        for path in glob.glob(f"{root}/{folder}/*.c") + glob.glob(f"{root}/{folder}/ieee/*.c"))
    if options.sample:
        names = random.Random(options.seed).sample(names, options.sample)
        print(f"seed {options.seed}")
    programs = [Program(root, name, work) for name in names]
    results, known = {}, exceptions()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, wrong in zip(names, pool.map(lambda program: program.check(options), programs)):
            results[name] = wrong
            if wrong and name not in known:
                print(f"{name}: {first_line(wrong)}", flush=True)
    return 1 if report(results, known, options) else 0


if __name__ == "__main__":
    sys.exit(main())
