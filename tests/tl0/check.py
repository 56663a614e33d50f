#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tl0 makes of programs.

    check.py --tl0 COMMAND run FILE...           what each prints, for the arguments that it names
    check.py --tl0 COMMAND failing FILE...       how each ends that must fail as it is executed
    check.py --tl0 COMMAND print --golden DIR FILE...   the canonical form is the one in DIR, and is
                                                 printed again as itself, and runs as the program
    check.py --tl0 COMMAND dot --golden DIR FILE...     the same for the graph
    check.py --tl0 COMMAND command --manual FILE FILE...   the command line; programs of the manual
    check.py --tl0 COMMAND programs --ramjet COMMAND FILE...   the first as a program for ramjet run

A program's file says in its head, a line each, what it prints for which arguments:

    //! ARGUMENTS => FIRST LINE      (any further lines: in golden/NAME.ARGUMENTS.out)

and one that must fail, what its messages hold:

    //! ARGUMENTS => LINE: TEXT
    //! more: TEXT

With --update golden files are written.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT_S = 300


class Wrong(Exception):
    pass


def run(words, status=0, text="", variables=None):
    done = subprocess.run(words, input=text.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=TIMEOUT_S,
                          env={**os.environ, **(variables or {})})
    out, errors = done.stdout.decode(), done.stderr.decode()
    if done.returncode != status:
        raise Wrong(f"{' '.join(words)}: exit status {done.returncode}\n{out}{errors}")
    return out, errors


def expected(path):
    """(arguments, text) of each line of the head."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"(?m)^//! (.*?) ?=> (.*)$", file.read())
    if not found:
        raise Wrong(f"{path} says not what it prints")
    return [(arguments.split(), text) for arguments, text in found]


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def same_as_golden(options, name, text):
    path = os.path.join(options.golden, name)
    if options.update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    with open(path, encoding="utf-8") as file:
        if file.read() != text:
            raise Wrong(f"{name} is not what was written:\n{text}")


def check_run(options, path):
    for arguments, first in expected(path):
        out, errors = run([options.tl0, "--run", path, *arguments])
        if out.split("\n")[0] != first or errors:
            raise Wrong(f"{arguments}: expected {first!r}:\n{out}{errors}")


def check_failing(options, path):
    with open(path, encoding="utf-8") as file:
        more = re.findall(r"(?m)^//! more: (.*)$", file.read())
    for arguments, text in expected(path):
        line, words = text.split(": ", 1)
        _, errors = run([options.tl0, "--run", path, *arguments], status=1)
        for wanted in (f":{line}:", words, *more):
            if wanted not in errors:
                raise Wrong(f"{arguments}: {wanted!r} is not said:\n{errors}")


def check_print(options, path):
    out, _ = run([options.tl0, "--print", path])
    same_as_golden(options, f"{stem(path)}.tl0", out)
    again, _ = run([options.tl0, "--print", "-"], text=out)
    if again != out:
        raise Wrong(f"the canonical form is printed otherwise:\n{again}")
    for arguments, _ in expected(path):
        first, _ = run([options.tl0, "--run", path, *arguments])
        second, _ = run([options.tl0, "--run", "-", *arguments], text=out)
        if first != second:
            raise Wrong(f"{arguments}: printed, it prints {second!r} instead of {first!r}")


def check_dot(options, path):
    out, _ = run([options.tl0, "--dot", path])
    same_as_golden(options, f"{stem(path)}.dot", out)
    if shutil.which("dot"):
        drawn, _ = run([options.tl0, "--svg", path])
        if "</svg>" not in drawn:
            raise Wrong(f"no drawing:\n{drawn}")
    else:
        _, errors = run([options.tl0, "--svg", path], status=1)
        if "not installed" not in errors:
            raise Wrong(f"--svg says not that dot is missing:\n{errors}")


def manual_programs(path):
    """The programs of the manual: text in ``` that has a block main."""
    with open(path, encoding="utf-8") as file:
        parts = re.findall(r"(?ms)^```tl0\n(.*?)^```$", file.read())
    return [part for part in parts if "block main" in part]


def check_source_stays(tl0, path, folder):
    """No output is written over the source, whatever link names it."""
    source, link = os.path.join(folder, "source.tl0"), os.path.join(folder, "link.tl0")
    shutil.copy(path, source)
    os.symlink("source.tl0", link)
    for words in ([source, "-o", source], ["-S", source, "-o", link],
                  ["--print", link, "-o", source], ["--dot", source, "-o", source]):
        _, errors = run([tl0, *words], status=1)
        if "would overwrite the source" not in errors or errors.count("\n") != 1:
            raise Wrong(f"{words}: {errors}")
        with open(path, "rb") as wanted, open(source, "rb") as there:
            if wanted.read() != there.read():
                raise Wrong(f"{words}: the source is replaced")


def check_command(options):
    tl0, path = options.tl0, options.files[0]
    for words, text in (([], "no file"), (["--rum", path], "did you mean --run?"),
                        ([path, path], "one file at a time"), (["-o"], "-o wants"),
                        (["--run", "--print", path], "only one"),
                        (["-fmax-errors=x", path], "expected a number"),
                        (["--counts", path], "--counts goes with --run"),
                        (["-o", "-", path], "to a file, not to standard output"),
                        (["--scheduler=ma", "-o", "x", path], "no scheduler 'ma': it is am, "),
                        (["--schedular=md", "-o", "x", path], "did you mean --scheduler=?"),
                        (["-g", path], "-g goes with -o alone"),
                        (["--run", path], "takes"), (["--run", path, "x"], "is not an int")):
        _, errors = run([tl0, *words], status=2)
        if text not in errors:
            raise Wrong(f"{words}: {errors}")
    _, errors = run([tl0, os.path.join(os.path.dirname(path), "none.tl0")], status=1)
    if "none.tl0" not in errors:
        raise Wrong(errors)
    for control in "\0\r\033":
        program = f'block main {{ thread t {{ print "a{control}" }} }}'
        _, errors = run([tl0, "-"], status=1, text=program)
        if "a string has no control characters but tabs" not in errors:
            raise Wrong(f"{control!r} in a string: {errors}")
    if "usage: tl0" not in run([tl0, "--help"])[0] or "tl0 (Ramjet)" not in run(
            [tl0, "--version"])[0]:
        raise Wrong("--help or --version")
    page = os.path.join(os.path.dirname(options.manual), "man", "tl0.1")
    with open(page, encoding="utf-8") as file:
        manual = file.read().replace("\\-", "-")
    for option in re.findall(r"(?m)^  (--?[A-Za-z][A-Za-z-]*=?)", run([tl0, "--help"])[0]):
        if option not in manual:
            raise Wrong(f"{option} is not in {page}")
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "printed.tl0")
        run([tl0, "--print", path, "-o", output])
        with open(output, encoding="utf-8") as file:
            if file.read() != run([tl0, "--print", path])[0]:
                raise Wrong("-o")
        check_source_stays(tl0, path, folder)
    _, errors = run([tl0, "--run", "--counts", path, expected(path)[0][0][0]])
    if not re.match(r"instructions \d+, threads \d+, quanta \d+", errors):
        raise Wrong(errors)
    programs = manual_programs(options.manual)
    if not programs:
        raise Wrong("the manual has no program")
    for program in programs:
        run([tl0, "-Werror", "-"], text=program)
        for arguments, text in re.findall(r"(?m)^//! (.*?) ?=> (.*)$", program):
            out, _ = run([tl0, "--run", "-", *arguments.split()], text=program)
            if out != text + "\n":
                raise Wrong(f"a program of the manual prints {out!r}")


LARGE = """block main {
  slot n: int
  slot a: istructure(int)
  inlet args(n) post start
  thread start {
    a = ialloc int[n]
    ffree
  }
}
"""


def check_programs(options):
    """A program of each scheduler; what cannot be compiled leaves nothing behind; no memory."""
    path = options.files[0]
    _, errors = run(["sh", "-c", 'ulimit -v 1000000; exec "$@"', "sh", options.tl0, "--run", "-",
                     "4000000000"], status=1, text=LARGE)
    if ":6:5: error: no memory for a structure of 4000000000 elements" not in errors:
        raise Wrong(f"no memory: {errors}")
    arguments, first = expected(path)[0]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        for scheduler in ("am", "unenabled", "md", "hybrid"):
            run([options.tl0, path, "-o", program, f"--scheduler={scheduler}", "-O1", "-g", "-DX"])
            out, _ = run([options.ramjet, "run", "-n", "2", program, *arguments])
            if first not in out.split("\n"):
                raise Wrong(f"{scheduler}: {out!r}")
            os.remove(program)
        _, errors = run([options.tl0, path, "-o", program, "-v", "-O0"])
        if "-O0 -ffp-contract=off -DTAM_SCHEDULER=TAM_AM" not in errors:
            raise Wrong(f"-v: {errors!r}")
        os.remove(program)
        for variables, text in (({"RAMJET_CC": "absent-cc"}, "'absent-cc' cannot be run"),
                                ({"RAMJET_CC": "false"}, "the C compiler refused"),
                                ({"TMPDIR": "absent"}, "no temporary folder absent/tl0-")):
            _, errors = run([options.tl0, path, "-o", program], status=1, variables=variables)
            if text not in errors or os.listdir(folder):
                raise Wrong(f"{variables}: {errors!r}, {os.listdir(folder)}")
        absent = os.path.join(folder, "absent", "program")
        _, errors = run([options.tl0, path, "-o", absent], status=1)
        if "absent/program cannot be written" not in errors:
            raise Wrong(errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tl0", required=True)
    parser.add_argument("--golden")
    parser.add_argument("--manual")
    parser.add_argument("--ramjet")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("what", choices=("run", "failing", "print", "dot", "command", "programs"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    checks = {"run": check_run, "failing": check_failing, "print": check_print, "dot": check_dot}
    once = {"command": check_command, "programs": check_programs}
    failures = 0
    for path in options.files if options.what in checks else [options.what]:
        try:
            if options.what in checks:
                checks[options.what](options, path)
            else:
                once[options.what](options)
            print(f"{stem(path)}: ok", flush=True)
        except (Wrong, OSError, subprocess.TimeoutExpired) as wrong:
            failures += 1
            print(f"{stem(path)}: {wrong}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
