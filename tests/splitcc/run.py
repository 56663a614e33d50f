#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a program in the language and runs it at several numbers of processors.

    run.py --compiler C --ramjet R --work FOLDER [options] PROGRAM.sc

--compiler C          splitcc
--ramjet R            the command `ramjet`
--work FOLDER         where what is built goes
--configurations 'C'  1 2 3 4 8 2x4: processors, or NODESxPROCESSORS
--flags 'F'           more options of the compiler
--emulator 'COMMAND'  what runs the compiler and the programs, where they are another processor's
--generate 'COMMAND'  writes the program first: the command gets its path as the last argument

A program passes if its status is 0 and it has written `ok PROGRAM.sc` once. Lines in it say what is
otherwise; `also`, `flags` and `processors` are about all its runs, the others about the run above:

    //! also: FILE...         further files of the program, from the program's folder
    //! flags: F...           more options of the compiler
    //! processors: C...      of the configurations, only these
    //! run: ARGUMENTS        a run of its own, with these arguments
    //! status: N             its exit status; `failure`: any but 0
    //! says: REGEX           what it writes instead of `ok`
    //! lines: REGEX          as many lines as processors match, and each is another one
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import time


class Run:
    """What is expected of one run."""

    def __init__(self, arguments):
        self.arguments = shlex.split(arguments)
        self.status, self.says, self.lines = "0", None, None

    def verdict(self, program, status, text, processors):
        """What is wrong, or nothing."""
        if (status == 0) if self.status == "failure" else (status != int(self.status)):
            return f"exit status {status}, where {self.status} is right"
        if self.lines:
            found = {line for line in text.splitlines() if re.search(self.lines, line)}
            if len(found) != processors:
                return f"{len(found)} lines match {self.lines}, where {processors} are right"
        if self.says:
            return "" if re.search(self.says, text) else f"nothing matches: {self.says}"
        if not self.lines and text.splitlines().count(f"ok {program}") != 1:
            return f"it does not say `ok {program}`, once"
        return ""


class Program:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        self.also, self.flags, self.only, self.runs = [], [], [], []
        with open(path, encoding="utf-8") as file:
            for key, value in re.findall(r"(?m)^//! (\w+): ?(.*)$", file.read()):
                self.take(key, value)
        self.runs = self.runs or [Run("")]

    def take(self, key, value):
        if key in ("status", "says", "lines") and not self.runs:
            self.runs.append(Run(""))
        if key == "run":
            self.runs.append(Run(value))
        elif key == "also":
            folder = os.path.dirname(os.path.abspath(self.path))
            self.also += [os.path.join(folder, name) for name in value.split()]
        elif key == "flags":
            self.flags += shlex.split(value)
        elif key == "processors":
            self.only += value.split()
        elif key in ("status", "says", "lines"):
            setattr(self.runs[-1], key, value)
        else:
            sys.exit(f"run.py: {self.path}: no line is called {key}")

    def compile(self, options):
        """Whether it could be; what the compiler says is shown if it could not."""
        output = os.path.join(options.work, self.name + ".out")
        command = [*shlex.split(options.emulator), options.compiler, *shlex.split(options.flags),
                   *self.flags, "-o", output, self.path, *self.also]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            print(f"{self.name}: does not compile: {shlex.join(command)}\n{done.stderr}")
            return None
        return output

    def check(self, options, output):
        failures = 0
        for configuration in options.configurations.split():
            if self.only and configuration not in self.only:
                continue
            for run in self.runs:
                failures += not self.passes(options, output, configuration, run)
        return failures

    def passes(self, options, output, configuration, run):
        began = time.monotonic()
        words = [*shlex.split(options.emulator), output, *run.arguments]
        command, status, text = run_job(options.ramjet, configuration, words)
        processors = int(configuration.rpartition("x")[2])
        wrong = run.verdict(self.name, status, text, processors)
        what = shlex.join([self.name, *run.arguments]) + f", {configuration}"
        if wrong:
            print(f"{what}: {wrong}\n{shlex.join(command)}", flush=True)
            return False
        print(f"{what}: {time.monotonic() - began:.2f} s", flush=True)
        return True


def run_job(ramjet, configuration, words):
    """(command, status, output) of N or NODESxN processors. Each line is passed on as it comes: the
    watch sees what a job that hangs reports."""
    nodes, _, processors = configuration.rpartition("x")
    command = [ramjet, "run", "-n", processors, "--nodes", nodes or "1", *words]
    text = ""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as job:
        for line in job.stdout:
            text += (line := line.decode(errors="replace"))
            print(line, end="", flush=True)
    return command, job.returncode, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("compiler", "ramjet", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--configurations", default="1 2 3 4 8 2x4")
    parser.add_argument("--flags", default="")
    parser.add_argument("--emulator", default="")
    parser.add_argument("--generate")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    failures = 0
    for path in options.program:
        if options.generate:
            subprocess.run([*shlex.split(options.generate), path], check=True)
        program = Program(path)
        began = time.monotonic()
        output = program.compile(options)
        if output is None:
            failures += 1
            continue
        print(f"{program.name}: compiled in {time.monotonic() - began:.2f} s", flush=True)
        failures += program.check(options, output)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
