#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tools that observe ranks: sanitizers of the user's program beside the plain library, valgrind,
debuggers, tracers and profilers. Each of them runs the same program, and finds nothing wrong.

    observed_test.py BUILD_DIR TOOL

Status 77 where the tool is not installed or the machine forbids it; the reason is printed.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE_DIR = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
LIMIT_S = 300
SKIPPED = 77


class Fixture:
    """Compiles the program, runs it, and checks what it says."""

    def __init__(self, build_dir, folder):
        self.build_dir = build_dir
        self.folder = folder
        self.ramjet = os.path.join(build_dir, "bin", "ramjet")

    def compile(self, *options, compiler="c++", shared=False, name="program"):
        program = os.path.join(self.folder, name)
        library = ([f"-L{self.build_dir}", f"-Wl,-rpath,{self.build_dir}", "-lramjet"] if shared
                   else [os.path.join(self.build_dir, "libramjet.a")])
        self.check([compiler, "-std=c++20", "-O1", "-g", f"-I{SOURCE_DIR}/include",
                    f"-I{self.build_dir}/include", *options, f"{HERE}/program.cpp", "-o", program,
                    *library, "-lsodium", "-pthread"])
        return program

    def check(self, words, environment=None):
        """Runs it; it has to succeed. What it says, both streams."""
        print("+", " ".join(words), flush=True)
        result = subprocess.run(words, cwd=self.folder, text=True, timeout=2 * LIMIT_S, check=False,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
        if result.returncode != 0:
            sys.exit(f"status {result.returncode}:\n{result.stdout}")
        return result.stdout

    def run_job(self, *words, environment=None):
        """Two ranks under a tool's words."""
        said = self.check([self.ramjet, "run", "-n", "2", "--timeout", str(LIMIT_S), *words],
                          environment)
        for rank in range(2):
            if f"rank {rank} of 2 is done" not in said:
                sys.exit(f"rank {rank} has not said that it is done:\n{said}")
        return said

    def files(self, pattern):
        return glob.glob(os.path.join(self.folder, pattern))


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def need(tool):
    if shutil.which(tool) is None:
        skip(f"{tool} is not installed")


def sanitized(fixture, kinds, environment=None):
    """The program with a sanitizer, the library without: by each compiler, the archive and the
    shared library."""
    compilers = [c for c in ("g++", "clang++-19") if shutil.which(c)]
    if not compilers:
        skip("neither g++ nor clang++-19 is installed")
    for compiler in compilers:
        for shared in (False, True):
            program = fixture.compile(f"-fsanitize={kinds}", "-fno-sanitize-recover=all",
                                      compiler=compiler, shared=shared)
            fixture.run_job(program, environment=environment)
            said = fixture.check([program, "workers"], environment)
            if said != "workers are done\n":
                sys.exit(f"three workers say:\n{said}")


def address(fixture):
    sanitized(fixture, "address,undefined", {"ASAN_OPTIONS": "detect_stack_use_after_return=1"})


def thread(fixture):
    sanitized(fixture, "thread")


def leak(fixture):
    sanitized(fixture, "leak")


def undefined(fixture):
    sanitized(fixture, "undefined")


def under_valgrind(fixture, tool, *options, workers=False):
    need("valgrind")
    program = fixture.compile()
    words = ["valgrind", "-q", f"--tool={tool}", "--error-exitcode=9", *options]
    said = fixture.run_job(*words, program)
    if workers:
        said += fixture.check([*words, program, "workers"])
    if "==" in said:
        sys.exit(f"valgrind says:\n{said}")


def memcheck(fixture):
    under_valgrind(fixture, "memcheck", "--leak-check=full", "--errors-for-leak-kinds=definite",
                   "--show-leak-kinds=definite", workers=True)


def helgrind(fixture):
    under_valgrind(fixture, "helgrind")


def drd(fixture):
    under_valgrind(fixture, "drd")


def massif(fixture):
    under_valgrind(fixture, "massif", "--massif-out-file=massif.%p")


def callgrind(fixture):
    under_valgrind(fixture, "callgrind", "--callgrind-out-file=callgrind.%p")
    need("callgrind_annotate")
    for file in fixture.files("callgrind.*"):
        if "use_threads" not in fixture.check(["callgrind_annotate", "--threshold=100", file]):
            sys.exit("callgrind does not know the program's functions")


def gdb(fixture):
    """A breakpoint in a user-level thread: the stack ends where the thread began."""
    need("gdb")
    program = fixture.compile()
    said = fixture.run_job("gdb", "-q", "-batch", "-ex", "break stop_here", "-ex", "run", "-ex",
                           "backtrace", "-ex", "continue", program)
    for function in ("stop_here", "run_thread", "ramjet_ult_main"):
        if said.count(function) < 2:
            sys.exit(f"no {function} in both ranks' stacks:\n{said}")
    if "Backtrace stopped" in said or "corrupt" in said:
        sys.exit(f"gdb does not see the end of the stack:\n{said}")


def strace(fixture):
    need("strace")
    program = fixture.compile()
    fixture.run_job("strace", "-f", "-ff", "-o", "strace", program)
    if len(fixture.files("strace.*")) < 2:
        sys.exit("strace has not written a file for each rank")


def ltrace(fixture):
    need("ltrace")
    program = fixture.compile()
    fixture.run_job("sh", "-c", f"exec ltrace -f -o ltrace.$$ {program}")
    for file in fixture.files("ltrace.*"):
        with open(file, encoding="utf-8", errors="replace") as text:
            if "exited (status 0)" not in text.read():
                sys.exit("ltrace has not seen the end of a rank")


def perf(fixture):
    need("perf")
    event = ["-e", "cpu-clock:u"]
    if subprocess.run(["perf", "record", *event, "-o", os.path.join(fixture.folder, "try"), "true"],
                      capture_output=True, check=False).returncode != 0:
        skip("this machine does not let perf record")
    program = fixture.compile("-fno-omit-frame-pointer")
    fixture.run_job("sh", "-c", f"exec perf record -q -g {' '.join(event)} -o perf.$$ {program}")
    for file in fixture.files("perf.*"):
        fixture.check(["perf", "report", "--stdio", "-i", file])


def gprof(fixture):
    need("gprof")
    program = fixture.compile("-pg")
    fixture.run_job(program, environment={"GMON_OUT_PREFIX": "profile"})
    profiles = fixture.files("profile.*")
    if len(profiles) != 2:
        sys.exit(f"not a profile for each rank: {profiles}")
    if "on_ask" not in fixture.check(["gprof", "-b", program, *profiles]):
        sys.exit("gprof does not count the calls of a handler")


def gcov(fixture):
    """Both ranks add their counts to one file."""
    need("gcov")
    program = fixture.compile("--coverage", compiler="g++")
    fixture.run_job(program)
    (data,) = fixture.files("*.gcda")
    said = fixture.check(["gcov", "-t", data])
    counts = [line for line in said.splitlines() if "long twice(long x)" in line]
    if not counts or counts[0].split(":")[0].strip() != "16":
        sys.exit(f"both ranks together serve 16 calls, gcov says: {counts}")


TOOLS = {tool.__name__: tool for tool in (
    address, thread, leak, undefined, memcheck, helgrind, drd, massif, callgrind, gdb, strace,
    ltrace, perf, gprof, gcov)}


def main():
    build_dir, tool = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        TOOLS[tool](Fixture(build_dir, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
