#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs compiled with `splitcc -fcheck` report, at several numbers of processors.

    checked.py --compiler C --ramjet R --work FOLDER [options] PROGRAM.sc

--configurations 'C'  1 2 3 2x2: processors, or NODESxPROCESSORS
--flags 'F'           more options of the compiler

Lines in a program say what is expected of it:

    //! report: {mark} REGEX  this, of the line that ends in /* mark */
    //! note: {mark} REGEX    the report above has this note, of the line of that mark; in order
    //! status: N             the exit status; 86 unless it is said
    //! also: FILE...         further files of the program, compiled without -fcheck
    //! processors: C...      of the configurations, only these

Each report and note that is expected must come, of its line, and no other may. A program that
expects none must say `ok PROGRAM.sc`, once.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys

from run import run_job

FOUND = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+): (?P<kind>check|note): (?P<text>.*)$")
LOST = re.compile(r"^\S+: (check|note): ")


class Program:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.marks = {mark: number for number, line in enumerate(text.splitlines(), 1)
                      for mark in re.findall(r"/\* (\w+) \*/\s*$", line)}
        self.expected, self.status, self.only, self.also = [], 86, [], []
        for key, value in re.findall(r"(?m)^//! (\w+): ?(.*)$", text):
            self.take(key, value)
        if not self.expected:
            self.status = 0

    def take(self, key, value):
        if key in ("report", "note"):
            mark, pattern = re.fullmatch(r"\{(\w+)\} (.*)", value).groups()
            what = (self.marks[mark], re.compile(pattern))
            if key == "report":
                self.expected.append([what])
            else:
                self.expected[-1].append(what)
        elif key == "status":
            self.status = int(value)
        elif key == "processors":
            self.only = value.split()
        elif key == "also":
            folder = os.path.dirname(os.path.abspath(self.path))
            self.also = [os.path.join(folder, name) for name in value.split()]
        else:
            sys.exit(f"checked.py: {self.path}: no line is called {key}")

    def compile(self, options):
        output = os.path.join(options.work, self.name + ".out")
        units = []
        for source, flags in [(self.path, ["-fcheck"]), *((other, []) for other in self.also)]:
            units.append(f"{output}.{len(units)}.o")
            done = subprocess.run([options.compiler, *shlex.split(options.flags), *flags, "-w",
                                   "-c", source, "-o", units[-1]], check=False)
            if done.returncode != 0:
                sys.exit(f"{self.name}: does not compile")
        subprocess.run([options.compiler, "-o", output, *units], check=True)
        return output

    def wrong(self, status, text):
        """What is wrong with a run, or nothing."""
        if status != self.status:
            return f"exit status {status}, where {self.status} is right"
        reports = reports_in(text)
        if isinstance(reports, str):
            return reports
        for report in reports:
            if not any(self.is_one(report, expected) for expected in self.expected):
                return f"not expected: {report}"
        for expected in self.expected:
            if not any(self.is_one(report, expected) for report in reports):
                return f"missing: {expected}"
        if not self.expected and text.splitlines().count(f"ok {self.name}") != 1:
            return f"it does not say `ok {self.name}`, once"
        return ""

    def is_one(self, report, expected):
        return len(report) == len(expected) and all(
            os.path.basename(file) == self.name and line == wanted and pattern.fullmatch(text)
            for (file, line, text), (wanted, pattern) in zip(report, expected))


def reports_in(text):
    """Lists of (file, line, text): a report and its notes. A string says what is wrong."""
    reports = []
    for line in text.splitlines():
        found = FOUND.match(line)
        if not found:
            if LOST.match(line):
                return f"without file and line: {line}"
            continue
        what = (found["file"], int(found["line"]), found["text"])
        if found["kind"] == "check":
            reports.append([what])
        else:
            reports[-1].append(what)
    return reports


def run(options, program, output, configuration):
    command, status, text = run_job(options.ramjet, configuration, [output])
    wrong = program.wrong(status, text)
    print(f"{program.name}, {configuration}: {wrong or 'as expected'}", flush=True)
    if wrong:
        print(shlex.join(command), flush=True)
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("compiler", "ramjet", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--configurations", default="1 2 3 2x2")
    parser.add_argument("--flags", default="")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    right = True
    for path in options.program:
        program = Program(path)
        output = program.compile(options)
        for configuration in options.configurations.split():
            if not program.only or configuration in program.only:
                right &= run(options, program, output, configuration)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
