#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/splitc.md is true: its programs are files of examples/splitc, and print what it shows.

    manual.py --compiler SPLITCC --ramjet RAMJET --root FOLDER --work FOLDER [NAME...]

A block of any language but `console` shows a whole file, without the line of its licence; the line
above the block links to the file. Each file of examples/splitc is shown. In a `console` block,
lines that begin with `$ ` are run by bash, in a folder with all these files, and the lines behind
one are what it writes. `...` there stands for anything, in a line or for lines; a block that is
marked `console unordered` is compared without the order of its lines. What `ramjet run` names is
compiled first, and run elsewhere, too, where its exit status must be the same. NAME: only blocks
with this word.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

PAGE, PROGRAMS = "docs/splitc.md", "examples/splitc"
ELSEWHERE = (["-n", "1"], ["-n", "3"], ["-n", "4", "--nodes", "2"])
LICENCE = "SPDX-License-Identifier"


@dataclasses.dataclass
class Block:
    line: int
    language: str
    text: str
    above: str  # the line of prose before it


def blocks_of(page):
    found, prose, block = [], "", None
    for number, line in enumerate(page.splitlines(), 1):
        if block is None and line.startswith("```"):
            block = Block(number, line[3:].strip(), "", prose)
        elif block is not None and line == "```":
            found.append(block)
            block = None
        elif block is not None:
            block.text += line + "\n"
        elif line.strip():
            prose = line
    if block is not None:
        sys.exit(f"{PAGE}:{block.line}: the block has no end")
    return found


def without_licence(text):
    first, _, rest = text.partition("\n")
    return rest if LICENCE in first else text


def shown_wrongly(blocks, root):
    """What the page shows otherwise than the files are, and what it does not show."""
    left = {path.relative_to(root).as_posix() for path in (root / PROGRAMS).rglob("*")
            if path.is_file() and path.name != "README.md"}
    for block in blocks:
        if block.language.startswith("console"):
            continue
        link = re.search(r"\]\(\.\./([^)]+)\)", block.above)
        if not link or not (root / link[1]).is_file():
            yield f"{PAGE}:{block.line}: the line above links to no file: {block.above}"
            continue
        left.discard(link[1])
        if without_licence((root / link[1]).read_text(encoding="utf-8")) != block.text:
            yield f"{PAGE}:{block.line}: {link[1]} is another text"
    yield from (f"{path} is not shown in {PAGE}" for path in sorted(left))


def commands_of(text):
    """(command, what it writes) of a console block."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            sys.exit(f"{PAGE}: output without a command: {line}")
    return found


def is_as_shown(shown, written, unordered):
    if unordered:
        shown, written = sorted(shown), sorted(written)
    pattern = "".join("(.*\n)*" if line == "..." else
                      ".*".join(map(re.escape, line.split("..."))) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in written)) is not None


class Shell:
    """A folder with the files, and the commands of this build."""

    def __init__(self, options):
        self.work = pathlib.Path(options.work).resolve()
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(pathlib.Path(options.root) / PROGRAMS, self.work / "files")
        (self.work / "bin").mkdir()
        for name, path in (("splitcc", options.compiler), ("ramjet", options.ramjet)):
            (self.work / "bin" / name).symlink_to(os.path.abspath(path))
        self.offer_to_cmake(options)
        (self.work / "share" / "ramjet").mkdir(parents=True)
        shutil.copy(pathlib.Path(options.root) / "tools/gdb/ramjet-gdb.py",
                    self.work / "share" / "ramjet")

    def offer_to_cmake(self, options):
        """What find_package(ramjet) finds; an installed one is tried by tests/install."""
        module = pathlib.Path(options.root).resolve() / "cmake" / "RamjetSplitC.cmake"
        (self.work / "ramjetConfig.cmake").write_text(
            f'set(RAMJET_SPLITCC "{self.work}/bin/splitcc")\ninclude("{module}")\n',
            encoding="utf-8")

    def run(self, command):
        """(status, lines)"""
        environment = {**os.environ, "PATH": f"{self.work}/bin:{os.environ['PATH']}",
                       "ramjet_DIR": str(self.work), "RAMJET_SHARE": f"{self.work}/share/ramjet",
                       "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        done = subprocess.run(["bash", "-c", command], cwd=self.work / "files", text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
                              stderr=subprocess.STDOUT, env=environment, check=False)
        return done.returncode, done.stdout.splitlines()

    def prepare(self, command):
        """Compiles what `ramjet run` names; what the compiler says, if it fails or warns."""
        program = program_of(command)
        if program and not (self.work / "files" / program).exists():
            status, lines = self.run(f"splitcc -w -o {program} {program}.sc")
            return "\n".join(lines) if status or lines else ""
        return ""


def program_of(command):
    found = re.match(r"ramjet run (?:-n \d+ |--nodes \d+ )*(?:\./)?(\w+)\b", command)
    return found and found[1]


def missing_command(command):
    word = command.split()[0]
    return word if word in ("gdb", "cmake") and not shutil.which(word) else None


def findings_of(command, shown, unordered, shell):
    """What is wrong with a command of the page."""
    if said := shell.prepare(command):
        yield f"{command}: the compiler says:\n{said}"
        return
    status, written = shell.run(command)
    if not is_as_shown(shown, written, unordered):
        yield f"$ {command}\n" + "\n".join(written) + "\n--- the page shows:\n" + "\n".join(shown)
    if not program_of(command) or ";" in command:
        return
    for where in ELSEWHERE:
        other = re.sub(r"ramjet run (-n \d+ |--nodes \d+ )*", f"ramjet run {' '.join(where)} ",
                       command)
        found, lines = shell.run(other)
        if found != status:
            yield f"$ {other}\nexit status {found}, not {status}\n" + "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("compiler", "ramjet", "root", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    root = pathlib.Path(options.root)
    blocks = blocks_of((root / PAGE).read_text(encoding="utf-8"))
    found = list(shown_wrongly(blocks, root))
    shell, ran = Shell(options), 0
    for block in blocks:
        if not block.language.startswith("console"):
            continue
        for command, shown in commands_of(block.text):
            if options.names and not any(name in command.split() for name in options.names):
                continue
            if word := missing_command(command):
                print(f"{PAGE}:{block.line}: {word} is not installed")
                continue
            print(f"{PAGE}:{block.line}: $ {command}", flush=True)
            found += [f"{PAGE}:{block.line}: {what}" for what in
                      findings_of(command, shown, "unordered" in block.language, shell)]
            ran += 1
    for each in found:
        print(each)
    print(f"{ran} commands, {len(found)} findings")
    if not found:
        shutil.rmtree(shell.work)  # the programs are large
    return 1 if found or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
