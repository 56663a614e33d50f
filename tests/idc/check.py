#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs in Id, and what idc says of them.

    check.py --idc IDC programs --oracle ORACLE FOLDER   FOLDER/*.id print what the oracle prints
    check.py --idc IDC --launcher RAMJET native FILE.id EXECUTABLE...    so do these
    check.py --idc IDC --launcher RAMJET compiled FILE.id    by -o PROGRAM
    check.py --idc IDC --launcher RAMJET native_fail FILE...    compiled ones fail on any number of
                                            ranks, and say what stands behind %!
    check.py --idc IDC memory FILE.id EXECUTABLE    it takes no more memory than it should
    check.py --idc IDC run FILE...        what a program says of itself, in comments:
                                            %args 1 2     main's arguments
                                            %> text       a line of its output, in order
                                            %! 3:5 text   a message: its line and column, and words
    check.py --idc IDC limits -           programs that are too deep are refused
    check.py --idc IDC --launcher RAMJET arguments FILE    a compiled one takes the arguments that
                                            --run takes, and refuses others in the same words
    check.py --idc IDC command FILE       what of the command line is refused
    check.py --idc IDC again FILE...      what --print gives is printed again as it is
    check.py --idc IDC golden FILE...     FILE.print, FILE.types, ...: what the options print
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What each program of apps/id/ is run with: the sizes of Spertus and Dally 1995 where it is theirs.
ARGUMENTS = {
    "fib": "18", "queens": "6", "queens_tree": "6", "mmt": "50", "quicksort": "100",
    "selection_sort": "100", "dtw": "10", "words": "10 10", "wavefront": "40",
    "paraffins": "13", "spmv": "50 4", "smith_waterman": "40", "particles": "40 16 5",
    "gauss_seidel": "20 8",
}


HOW = "--run"


def run(*command, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=cwd)


def programs(idc, oracle, folder):
    files = {path.stem: path for path in pathlib.Path(folder).glob("*.id")}
    wrong = [f"{name}: no arguments for it" for name in files.keys() - ARGUMENTS.keys()]
    for name, arguments in ARGUMENTS.items():
        got = run(idc, HOW, str(files[name]), *arguments.split())
        wanted = run(oracle, name, *arguments.split())
        if (got.returncode, got.stdout) != (0, wanted.stdout):
            wrong.append(f"{name} {arguments}: {got.stdout}{got.stderr}instead of {wanted.stdout}")
    return wrong


def one_program(idc, path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    arguments = re.findall(r"^%args (.*)$", text, re.M)
    wanted_output = "".join(line + "\n" for line in re.findall(r"^%> (.*)$", text, re.M))
    wanted = re.findall(r"^%! (\d+:\d+) (.*)$", text, re.M)
    if not wanted_output and not wanted:
        return [f"{path}: it expects nothing"]
    got = run(idc, HOW, path, *(arguments[0].split() if arguments else ()))
    wrong = []
    if got.stdout != wanted_output:
        wrong.append(f"{path}: printed {got.stdout!r} instead of {wanted_output!r}")
    if got.returncode != (1 if wanted else 0):
        wrong.append(f"{path}: exit status {got.returncode}")
    said = re.findall(r":(\d+:\d+): (?:error|note): (.*)$", got.stderr, re.M)
    if len(said) != len(wanted) or any(
            place != at or words not in message
            for (place, message), (at, words) in zip(said, wanted)):
        wrong.append(f"{path}: said\n{got.stderr}")
    return wrong


def again(idc, path):
    """What --print gives is printed again as it is, and means the same."""
    first = run(idc, "--print", path)
    second = subprocess.run([idc, "--print", "-"], input=first.stdout, capture_output=True,
                            text=True, timeout=600)
    core = [subprocess.run([idc, "--types", "-"], input=text, capture_output=True, text=True,
                           timeout=600).stdout
            for text in (pathlib.Path(path).read_text(encoding="utf-8"), first.stdout)]
    if first.returncode == 0 and first.stdout == second.stdout and core[0] == core[1]:
        return []
    return [f"{path}: --print gives\n{first.stdout}{first.stderr}and then\n{second.stdout}"
            f"{second.stderr}"]


GOLDEN = "print", "types", "core", "graph", "threads", "tl0"


def golden(idc, path):
    wrong = []
    limited = [("in_turn_" + option, option) for option in ("threads", "tl0")]
    for suffix, option in (*((option, option) for option in GOLDEN), *limited):
        kept = pathlib.Path(path).with_suffix(f".{suffix}")
        if not kept.exists():
            continue
        limit = ["--loop-bound=1"] if suffix != option else []
        got = run(pathlib.Path(idc).resolve(), *limit, "-S" if option == "tl0" else f"--{option}",
                  pathlib.Path(path).name, cwd=pathlib.Path(path).parent)
        if got.stderr or got.stdout != kept.read_text(encoding="utf-8"):
            wrong.append(f"{kept} is not\n{got.stdout}{got.stderr}")
    return wrong


# Smaller ones, for all schedulers and numbers of ranks.
SMALL = {
    "fib": "14", "queens": "5", "queens_tree": "5", "mmt": "8", "quicksort": "40",
    "selection_sort": "12", "dtw": "8", "words": "4 3", "wavefront": "10",
    "paraffins": "9", "spmv": "12 3", "smith_waterman": "10", "particles": "10 8 3",
    "gauss_seidel": "6 4", "waves": "9 150",
}


PLACES = ("1",), ("2",), ("3",), ("4",), ("4", "--nodes", "2")


def native(idc, launcher, source, executables):
    """What the compiled programs print on any number of ranks is what the interpreter does."""
    arguments = SMALL.get(pathlib.Path(source).stem, "").split()
    wanted = run(idc, "--run", source, *arguments)
    wrong = [] if wanted.returncode == 0 else [f"{source}: {wanted.stderr}"]
    for executable in executables:
        for ranks in PLACES:
            got = run(launcher, "run", "-n", *ranks, executable, *arguments)
            if (got.returncode, got.stdout) != (0, wanted.stdout):
                wrong.append(f"{executable} on {' '.join(ranks)}: {got.stdout}{got.stderr}"
                             f"instead of {wanted.stdout}")
    return wrong


# What needs little memory if activations run in the order of calls, and more than 100 MiB if all
# rounds of a loop have begun before the first one is over.
LARGE = {"wavefront": "600", "gauss_seidel": "60 60", "smith_waterman": "600", "dtw": "600"}
MEMORY_MIB = 35  # the programs take 11 or less, and this interpreter, where they begin, some 15


def memory(source, executable):
    command = [executable, *LARGE[pathlib.Path(source).stem].split()]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    taken = usage.ru_maxrss / 1024
    if process.returncode == 0 and taken <= MEMORY_MIB:
        return []
    return [f"{' '.join(command)}: exit status {process.returncode}, {taken:.1f} MiB"]


def compiled(idc, launcher, source):
    """A program by `idc FILE -o PROGRAM`, and what cannot be made one."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        made = run(idc, source, "-o", program, "--scheduler=md", "-O1", "-v")
        # Floats as by --run, also where products and sums could be one instruction.
        wrong = [] if made.returncode == 0 and all(
            word in made.stderr for word in ("TAM_MD", "-ffp-contract=off")) else [made.stderr]
        wrong += native(idc, launcher, source, [program])
        for words, status, text in (
                ((source, "-o", program, "--scheduler=x"), 2, "it is am, unenabled, md or hybrid"),
                ((source, source, "-o", program), 2, "one file at a time"),
                (("--types", "-g", source), 2, "-g goes with -o alone"),
                ((source, "-o", folder + "/absent/program"), 1, "cannot be written")):
            got = run(idc, *words)
            if got.returncode != status or text not in got.stderr:
                wrong.append(f"{words}: {got.returncode} {got.stderr}")
    return wrong


# An int, a float, and a bool; those of which one is wrong.
TAKEN = ("5 1.5 true", "-9223372036854775808 -1e-310 false", "9223372036854775807 .5 true",
         "007 5. true", "0 1e22 true", "-0 inf true", "3 4.9e-324 true", "3 -nan true")
REFUSED = ("9223372036854775808 1 true", "-9223372036854775809 1 true", "+5 1 true", "0x10 1 true",
           "5x 1 true", "- 1 true", "1.5 1 true", "5 1e400 true", "5 -1e400 true", "5 1e-400 true",
           "5 0x10 true", "5 0x1p3 true", "5 +5 true", "5 1e true", "5 . true", "5 1 True")


def arguments(idc, launcher, path):
    words = [case.split() for case in TAKEN + REFUSED]
    words += [["", "1", "true"], [" 3", "1", "true"], ["3 ", "1", "true"], ["3", "", "true"],
              ["3", " 1", "true"], ["3", "1", "true", "4"], ["3"], []]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        made = run(idc, path, "-o", program, "-O0")
        if made.returncode != 0:
            return [made.stderr]
        for number, given in enumerate(words):
            wanted = run(idc, "--run", path, *given)
            got = run(launcher, "run", "-n", "1", program, *given)
            said = re.findall("error: (the .*?)(?: \\(see idc.*)?$", wanted.stderr, re.M)
            if wanted.returncode != (0 if number < len(TAKEN) else 2):
                wrong.append(f"--run {given}: {wanted.stdout}{wanted.stderr}")
            if (got.returncode, got.stdout) != (wanted.returncode, wanted.stdout) or any(
                    f"error: {text}\n" not in got.stderr for text in said):
                wrong.append(f"{given}: {got.returncode} {got.stdout}{got.stderr}instead of "
                             f"{wanted.returncode} {wanted.stdout}{wanted.stderr}")
    return wrong


def native_fail(idc, launcher, path):
    """What a compiled program does wrong is told by index, line, column and rank."""
    source = pathlib.Path(path)
    text = source.read_text(encoding="utf-8")
    arguments = " ".join(re.findall(r"^%args (.*)$", text, re.M)).split()
    wanted = re.findall(r"^%! (.*)$", text, re.M)
    wrong = [] if wanted else [f"{path}: it expects nothing"]
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "program")
        made = run(pathlib.Path(idc).resolve(), source.name, "-o", program, "-O0",
                   cwd=source.parent)
        if made.returncode != 0:
            return [f"{path}: {made.stderr}"]
        for ranks in PLACES:
            got = run(launcher, "run", "-n", *ranks, program, *arguments)
            # A rank for which nothing waits does not speak, where another one does.
            if "0 frames and 0 fetches" in got.stderr or got.returncode == 0 or any(
                    not re.search(words, got.stderr) for words in wanted):
                wrong.append(f"{path} on {' '.join(ranks)}: {got.returncode} {got.stderr}")
    return wrong


def command(idc, path):
    """No output is written over the source, whatever link names it."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        source, link = pathlib.Path(folder) / "source.id", pathlib.Path(folder) / "link.id"
        text = pathlib.Path(path).read_bytes()
        source.write_bytes(text)
        link.symlink_to(source)
        for words in ((source, "-o", source), ("-S", source, "-o", link), (link, "-o", source)):
            got = run(idc, *words)
            if (got.returncode, got.stderr.count("\n"), source.read_bytes()) != (1, 1, text) or \
                    "would overwrite the source" not in got.stderr:
                wrong.append(f"{words}: {got.returncode} {got.stderr}")
    return wrong


IN_A_ROW = "more than 1500 operators, arguments, clauses, patterns or generators in a row"
# What is repeated how often, and what the message says.
LIMITS = (
    ("(", "1", ")", 100000, "nested more than 400 levels deep"),
    ("{case 1 of | x = ", "1", "}", 100000, "nested more than 400 levels deep"),
    ("", "1", " + 1", 100000, IN_A_ROW),
    ("", "f", " 1", 100000, IN_A_ROW),
    ("", "a", "[1]", 100000, IN_A_ROW),
    ("(", "1", " + 1" * 40 + ")", 200, IN_A_ROW),
    ("", "{case 1 of | 1 = 1", " | 1 = 1", 100000, "more than 1000 clauses"),
    ("{case 1 of" + " | 1 = 1" * 900 + " | 2 = ", "1", "}", 40, IN_A_ROW),
    ("", "{: 1 || i <- 1 to 2", " when true", 20000, IN_A_ROW),
    ("", "{array (1, 1) | [i] = 1 || i <- 1 to 1", " & j <- 1 to 1", 20000, IN_A_ROW),
    ("", "{case 1 of | (1", ", 1", 50000, IN_A_ROW),
    ("", "{fun a = 1} + {fun", " a", 100000, IN_A_ROW),
    ("1 : ", "nil", "", 100000, "nested more than 400 levels deep"),
    ("- ", "1", "", 100000, "nested more than 400 levels deep"),
)


def limits(idc):
    wrong = []
    for before, middle, behind, count, words in LIMITS:
        source = f"def main = {before * count}{middle}{behind * count};\n"
        got = subprocess.run([idc, "-fsyntax-only", "-"], input=source, capture_output=True,
                             text=True, timeout=600)
        if got.returncode != 1 or words not in got.stderr:
            wrong.append(f"{count} times {before}{behind}: {got.returncode} {got.stderr[:300]}")
    return wrong + deep_expression(idc) + grown_types(idc)


def grown_types(idc):
    """Each type has the one before twice: words without end, and little work for the compiler. Or
    once, many levels down."""
    wrong = []
    for first, pair, last, status, words in (
            ("def x0 = 1;", "def x{0} = (x{1}, x{1});", "def main = 3;", 0, " int), ...), ..."),
            ("def x0 a = a;", "def x{0} a = x{1} (a, a);", "def main = 3;", 0, " *0), ...), ..."),
            ("def x0 = 1; def y0 = 2;", "def x{0} = (x{1}, x{1}); def y{0} = (y{1}, y{1});",
             "def main = {z = if true then x60 else y60 in 3};", 0, " int), ...), ..."),
            ("def x0 = 1;", "def x{0} = (x{1}, x{1});", "def main = x60 + 1;", 1, "found (((("),
            ("def x0 = 1;", "def x{0} = " + "{{: " * 190 + "x{1}" + " :}}" * 190 + ";",
             "def main = 3;", 1, "this type is nested more than 10000 levels deep"),
            ("def x0 = 1; def y0 = 2;",
             "".join(f"def {x}{{0}} = {'{{: ' * 190}{x}{{1}}{' :}}' * 190};" for x in "xy"),
             "def main = {z = if true then x60 else y60 in 3};", 1,
             "this type is nested more than 10000 levels deep")):
        source = first + "".join(pair.format(i, i - 1) for i in range(1, 61)) + last
        got = subprocess.run([idc, "--types", "-"], input=source, capture_output=True, text=True,
                             timeout=60)
        if got.returncode != status or words not in got.stdout + got.stderr:
            wrong.append(f"{pair}: {got.returncode} {got.stderr[:300]} {got.stdout[-300:]}")
    return wrong


def deep_expression(idc):
    """Bindings of one line, each used by the next alone, become one expression of TL0."""
    count = 300
    bindings = "; ".join(f"x{i + 1} = x{i} * 3 + {i}" for i in range(count))
    source = f"def main n = {{x0 = n; {bindings} in x{count}}};\n"
    wanted = "n * 3 + 0"
    for i in range(1, count):
        wanted = f"({wanted}) * 3 + {i}"
    got = subprocess.run([idc, "-S", "-"], input=source, capture_output=True, text=True,
                         timeout=600)
    if got.returncode == 0 and f"    send result({wanted})\n" in got.stdout:
        return []
    return [f"a deep expression: {got.returncode} {got.stderr[:300]} {got.stdout[:300]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idc", required=True)
    parser.add_argument("--oracle")
    parser.add_argument("--launcher", help="ramjet")
    parser.add_argument("--how", default="--run", help="the option of idc that runs a program")
    parser.add_argument("what", choices=("programs", "native", "native_fail", "compiled", "run",
                                         "memory", "limits", "command", "arguments", "again",
                                         "golden"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    global HOW
    HOW = options.how
    if options.what == "programs":
        wrong = programs(options.idc, options.oracle, options.files[0])
    elif options.what == "native":
        wrong = native(options.idc, options.launcher, options.files[0], options.files[1:])
    elif options.what == "memory":
        wrong = memory(*options.files)
    elif options.what == "compiled":
        wrong = compiled(options.idc, options.launcher, options.files[0])
    elif options.what == "native_fail":
        wrong = [line for path in options.files
                 for line in native_fail(options.idc, options.launcher, path)]
    elif options.what == "arguments":
        wrong = arguments(options.idc, options.launcher, options.files[0])
    elif options.what == "command":
        wrong = command(options.idc, options.files[0])
    elif options.what == "limits":
        wrong = limits(options.idc)
    else:
        each = {"run": one_program, "again": again, "golden": golden}[options.what]
        wrong = [line for path in options.files for line in each(options.idc, path)]
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
