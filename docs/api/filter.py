#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a public header with its comments as Doxygen's: what stands above a declaration describes
it, what stands behind one on the same line does, too. The head of the file describes the file."""

import pathlib
import re
import sys

OWN_LINE = re.compile(r"^(\s*)//( ?)(.*)$")
BEHIND = re.compile(r"^(.*\S.*?)\s+// (.*)$")
RULE = re.compile(r"^\s*(//|/\*) ---")
# Words with a sense to Doxygen that are none of its commands in our comments.
SPECIAL = re.compile(r"([@<>#\\])")


def escaped(text):
    return SPECIAL.sub(r"\\\1", text)


def filtered_cxx(lines):
    """Comment lines become ///; those at the file's head also name the file."""
    for line in lines:
        own = OWN_LINE.match(line)
        if own and (line.startswith("// SPDX") or RULE.match(line)):
            yield "/// @file" if line.startswith("// SPDX") else ""
        elif own:
            yield f"{own[1]}/// {escaped(own[3])}"
        else:
            behind = BEHIND.match(line)
            if behind and '"' not in line and line.lstrip()[:1] not in "#}":
                yield f"{behind[1]}  ///< {escaped(behind[2])}"
            else:
                yield line


def filtered_c(text):
    """Comments that begin a line become /**, those behind a declaration /**<."""
    def mended(match):
        before, body = match[1], match[2]
        if "SPDX" in body:
            body = re.sub(r"SPDX[^\n]*", "@file", body, count=1)
            return f"{before}/**{body.replace('<', chr(92) + '<')}*/"
        if body.lstrip().startswith("---"):
            return before
        mark = "/**" if before.strip() == "" else "/**<"
        return f"{before}{mark}{escaped(body)}*/"
    return re.sub(r"(?m)(^[^\n/]*)/\*(.*?)\*/", mended, text, flags=re.DOTALL)


def main():
    path = pathlib.Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".h":
        sys.stdout.write(filtered_c(text))
    else:
        print("\n".join(filtered_cxx(text.splitlines())))


main()
