# SPDX-License-Identifier: Apache-2.0
"""Sizes: functions of at most 60 lines, files of at most 500, lines of at most 100 columns."""

import re

from tree import Finding, code_only

FUNCTION_LINES_MAX = 60
FILE_LINES_MAX = 500
LINE_COLUMNS_MAX = 100
MEASURED = (".cpp", ".hpp", ".c", ".h", ".in", ".py", ".sh", ".cmake", "CMakeLists.txt", "Makefile")

_NOT_A_FUNCTION = re.compile(
    r"\s*(?:(?:inline\s+)?namespace|class|struct|union|enum|extern\s*$|if|for|while|switch|catch|do"
    r"|else|try|return|template\s*<[^{}]*>\s*(?:class|struct|union)|concept)\b")


def without_directives(code):
    """Blanks preprocessor lines, and the alternatives after #else, which would unbalance braces."""
    lines, skipping, depth, continued = [], None, 0, False
    for line in code.split("\n"):
        directive = re.match(r"\s*#\s*(\w+)", line)
        if directive:
            word = directive.group(1)
            if word in ("if", "ifdef", "ifndef"):
                depth += 1
            elif word in ("else", "elif") and skipping is None:
                skipping = depth
            elif word == "endif":
                if skipping == depth:
                    skipping = None
                depth -= 1
        hidden = directive or continued or skipping is not None
        continued = bool(directive or continued) and line.rstrip().endswith("\\")
        lines.append("" if hidden else line)
    return "\n".join(lines)


def functions(text):
    """(first, last) line numbers of every function body with its signature; lambdas are inside."""
    code = without_directives(code_only(text))
    stack, head_start, found = [], 0, []
    for match in re.finditer(r"[{};]", code):
        position, mark = match.start(), match.group()
        if mark == "{":
            head = code[head_start:position]
            inside = any(kind == "function" for kind, _ in stack)
            is_table = head.rstrip().endswith("=")
            is_function = (")" in head and not inside and not is_table
                           and not _NOT_A_FUNCTION.match(head))
            start = head_start + len(head) - len(head.lstrip())
            stack.append(("function" if is_function else "other", start))
        elif mark == "}" and stack:
            kind, start = stack.pop()
            if kind == "function":
                found.append((code.count("\n", 0, start) + 1, code.count("\n", 0, position) + 1))
        head_start = position + 1
    return found


def check_file(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES_MAX:
        yield Finding(path, len(lines), "long-file",
                      f"{len(lines)} lines, {FILE_LINES_MAX} at most: split off the second concept")
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_COLUMNS_MAX:
            yield Finding(path, number, "long-line",
                          f"{len(line)} columns, {LINE_COLUMNS_MAX} at most: break it")


def check_functions(path, text):
    for first, last in functions(text):
        count = last - first + 1
        if count > FUNCTION_LINES_MAX:
            yield Finding(path, first, "long-function",
                          f"{count} lines, {FUNCTION_LINES_MAX} at most: find the seam")


def check(tree):
    findings = []
    for path, text in tree.texts.items():
        if path.endswith(MEASURED):
            findings += check_file(path, text)
    for path, text in tree.cxx():
        findings += check_functions(path, text)
    return findings
