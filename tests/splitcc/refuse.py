#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that the compiler must refuse, or warn of: each says what it expects, and where.

    refuse.py --compiler C FILE.sc...

Lines at the head of a file:

    //! flags: F...               options of the compiler (default: -fsyntax-only)
    //! LINE: error: TEXT         an error in that line of the file with that text in it
    //! LINE: warning: TEXT       the same for warnings
    //! LINE: note: TEXT          the same for notes
    //! LINE:COLUMN: KIND: TEXT   the message's column, too

No other error may be reported, and in a file that expects warnings no other warning. A file without
an expected error compiles. Each message has file, line, column, and shows the line with a caret.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys

MESSAGE = re.compile(r"(?m)^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): "
                     r"(?:fatal )?(?P<kind>error|warning|note): (?P<text>.*)$")


class Expected:
    def __init__(self, path):
        self.flags, self.messages = ["-fsyntax-only"], []
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            self.lines = file.read().splitlines()
        for line in self.lines:
            if match := re.match(r"//! flags: (.*)", line):
                self.flags = shlex.split(match[1])
            elif match := re.match(r"//! (\d+)(?::(\d+))?: (error|warning|note): ?(.*)", line):
                self.messages.append((int(match[1]), match[3], match[4], match[2]))
            elif line.startswith("//!"):
                sys.exit(f"refuse.py: {path}: not understood: {line}")

    def has(self, kind):
        return any(message[1] == kind for message in self.messages)


def shows_the_line(text, message, lines):
    """Whether the source line and a line with a caret follow the message."""
    rest = text[message.end():].split("\n")[1:3]
    number = int(message["line"])
    return (len(rest) == 2 and number <= len(lines) and
            " ".join(lines[number - 1].split()) in " ".join(rest[0].split()) and "^" in rest[1])


def findings(path, expected, status, text):
    """What is wrong, a line each."""
    own = [m for m in MESSAGE.finditer(text) if os.path.basename(m["file"]) ==
           os.path.basename(path)]
    left = list(expected.messages)
    for message in own:
        got = int(message["line"]), message["kind"]
        fit = [e for e in left if e[:2] == got and e[2] in message["text"] and
               e[3] in (None, message["column"])]
        if fit:
            left.remove(fit[0])
            if not shows_the_line(text, message, expected.lines):
                yield f"the line and a caret are missing: {message[0]}"
        elif message["kind"] == "error" or (message["kind"] == "warning" and
                                            expected.has("warning")):
            if not any(e[:2] == got for e in expected.messages):
                yield f"not expected: {message[0]}"
    for number, kind, words, column in left:
        yield f"missing: line {number}{':' + column if column else ''}: {kind}: {words}"
    if expected.has("error") != (status != 0):
        yield f"exit status {status}"
    if status < 0 or status > 100:
        yield f"the compiler has failed: status {status}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    failures = 0
    for path in options.files:
        expected = Expected(path)
        done = subprocess.run([options.compiler, *expected.flags, path],
                              stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                              stdout=subprocess.PIPE, check=False)
        text = done.stdout.decode(errors="replace")
        wrong = list(findings(path, expected, done.returncode, text))
        failures += bool(wrong)
        name = os.path.basename(path)
        print(f"{name}: " + ("; ".join(wrong) + "\n" + text if wrong else "ok"), flush=True)
    print(f"{len(options.files)} files, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
