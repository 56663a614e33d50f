#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the editors' files say of sample.sc.  editors_test.py [unittest arguments]

A test whose editor is not installed is skipped, and the status is 77 if all were."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import grammar

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
EDITORS = ROOT / "packaging" / "editors"
GRAMMAR = EDITORS / "vscode" / "syntaxes" / "splitc.tmLanguage.json"
SAMPLE = HERE / "sample.sc"
LINES = SAMPLE.read_text(encoding="utf-8").splitlines()
SKIPPED = 77

# A line, a text in it, and what its first character is: in TextMate, Vim, Emacs.
PLACES = (
    ("#define GET", ":=", "keyword.operator.assignment.split-phase", "splitcAssignment",
     "font-lock-keyword-face"),
    ("int *global const", "global const", "storage.modifier.reach", "splitcQualifier",
     "font-lock-keyword-face"),
    ("int *global const", "spread s", "storage.modifier.reach", "splitcQualifier",
     "font-lock-keyword-face"),
    ("int *global const", "global, spread", "source", "", "font-lock-variable-name-face"),
    ("int A[4]", "::", "keyword.operator.spread", "splitcSpread", "font-lock-keyword-face"),
    ("/* global", "global", "comment.block", "cComment", "font-lock-comment-face"),
    ("/* global", ":=", "comment.block", "cComment", "font-lock-comment-face"),
    ("splitc_main", "splitc_main", "entity.name.function.main", "splitcMain", None),
    ("  int *const", "global q", "storage.modifier.reach", "splitcQualifier",
     "font-lock-keyword-face"),
    ("  int *const", "MYPROC", "constant.language", "splitcConstant", "font-lock-constant-face"),
    ("  int *const", ":-", "keyword.operator.ternary", "", None),
    ("  char *text", ":=", "string.quoted.double", "cCppString", "font-lock-string-face"),
    ("  for_my_1d", "for_my_1d", "keyword.control", "splitcRepeat", "font-lock-keyword-face"),
    ("  x := *g", ":=", "keyword.operator.assignment.split-phase", "splitcAssignment",
     "font-lock-keyword-face"),
    ("  *g :- x", ":-", "keyword.operator.assignment.store", "splitcStore",
     "font-lock-keyword-face"),
    ("  if (x)", ":-", "keyword.operator.assignment.store", "splitcStore",
     "font-lock-keyword-face"),
    ("  if (x)", "global", "storage.modifier.reach", "splitcQualifier", "font-lock-keyword-face"),
    ("  on_one", "on_one", "keyword.control", "splitcStatement", "font-lock-keyword-face"),
    ("  on_one", "barrier", "support.function", "splitcFunction", "font-lock-builtin-face"),
    ("  all_reduce", "all_reduce", "support.function", "splitcFunction", "font-lock-builtin-face"),
    ("  return", "return", "keyword.control", "cStatement", "font-lock-keyword-face"),
)


def position(start, text):
    """(index of the line, of the column)"""
    line = next(i for i, each in enumerate(LINES) if each.startswith(start))
    return line, LINES[line].index(text)


class Places(unittest.TestCase):
    def compare(self, column, found_at):
        """`found_at(line, column)` beside that column of the table."""
        for place in PLACES:
            if place[column] is None:
                continue
            with self.subTest(place=place[:2]):
                line, at = position(*place[:2])
                self.assertEqual(found_at(line, at), place[column])


class Grammar(Places):
    def test_places(self):
        scopes = grammar.Grammar(GRAMMAR).scopes("\n".join(LINES))
        self.compare(2, lambda line, at: scopes[line][at].removesuffix(".splitc"))

    def test_files(self):
        package = json.loads((EDITORS / "vscode" / "package.json").read_text())["contributes"]
        for path in (package["grammars"][0]["path"], package["languages"][0]["configuration"]):
            json.loads((EDITORS / "vscode" / path).read_text(encoding="utf-8"))
        self.assertEqual(package["grammars"][0]["scopeName"], "source.splitc")
        pattern = package["problemMatchers"][0]["pattern"]["regexp"]
        self.assertEqual(re.match(pattern, "a/b.sc:3:14: error: no")[4], "error")

    def test_the_library(self):
        """What the header declares is known to the three of them."""
        header = (ROOT / "include" / "split-c" / "split-c.h").read_text(encoding="utf-8")
        names = re.findall(r"(?m)^[^#\n]*\b(\w+)\([^()]*\) (?:__asm__|SPLITC_ACCESS)\b", header)
        names += ["MYPROC", "on_one"]
        self.assertGreater(len(names), 50)
        scopes = grammar.Grammar(GRAMMAR)
        for editor in ("vim/syntax/splitc.vim", "emacs/splitc-mode.el"):
            words = (EDITORS / editor).read_text(encoding="utf-8")
            lost = [name for name in names if not re.search(rf"\b{name}\b", words)
                    and not name.startswith(("all_reduce_to_", "all_scan_")) and name != "exit"]
            self.assertEqual(lost, [], editor)
        lost = [name for name in names if name != "exit" and
                not re.match("support|constant|keyword", scopes.scopes(f"{name}(1)")[0][0])]
        self.assertEqual(lost, [])


class Textmate(Places):
    def test_places(self):
        node = shutil.which("node")
        if not node:
            self.skipTest("node is not installed")
        done = subprocess.run([node, HERE / "tokens.js", GRAMMAR, SAMPLE], capture_output=True,
                              text=True, timeout=120, check=False)
        if "Cannot find module 'vscode-" in done.stderr:
            self.skipTest("vscode-textmate and vscode-oniguruma are not in NODE_PATH")
        self.assertEqual(done.returncode, 0, done.stderr)
        tokens = [json.loads(line) for line in done.stdout.splitlines()]
        self.compare(2, lambda line, at: [t[2] for t in tokens if t[0] == line + 1 and t[1] <= at]
                     [-1].removesuffix(".splitc"))


class Vim(Places):
    def vim(self, file, *commands):
        """What the commands echo."""
        with tempfile.TemporaryDirectory() as folder:
            script, out = pathlib.Path(folder) / "script.vim", pathlib.Path(folder) / "out"
            script.write_text("\n".join([
                "set nocompatible", f"set runtimepath^={EDITORS / 'vim'}", "filetype plugin on",
                "syntax on", f"edit {file}", f"redir! > {out}", *commands, "redir END", "qall!",
                ""]), encoding="utf-8")
            subprocess.run(["vim", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", script],
                           stdin=subprocess.DEVNULL, timeout=120, check=False)
            return out.read_text(encoding="utf-8").split()

    def setUp(self):
        if not shutil.which("vim"):
            self.skipTest("vim is not installed")
        if self.vim(SAMPLE, "echo has('syntax') && has('eval')") != ["1"]:
            self.skipTest("this vim has no syntax highlighting")

    def test_places(self):
        at = [position(*place[:2]) for place in PLACES]
        said = self.vim(SAMPLE, *(
            f"echo '<' . synIDattr(synID({line + 1}, {column + 1}, 1), 'name') . '>'"
            for line, column in at))
        self.assertEqual(len(said), len(PLACES))
        groups = {where: text[1:-1] for where, text in zip(at, said)}
        self.compare(3, lambda line, column: groups[line, column])

    def test_other_languages_end_so_too(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other.sc"
            other.write_text("object Main { def f(x: Int) = x }\n", encoding="utf-8")
            self.assertNotIn("splitc", self.vim(other, "echo &filetype"))
        self.assertEqual(self.vim(SAMPLE, "echo &filetype"), ["splitc"])


class Emacs(Places):
    def test_places(self):
        if not shutil.which("emacs"):
            self.skipTest("emacs is not installed")
        at = [position(*place[:2]) for place in PLACES]
        show = "\n".join(
            f"(goto-char (point-min)) (forward-line {line}) (forward-char {column})"
            " (princ (format \"%s\\n\" (get-text-property (point) 'face)))"
            for line, column in at)
        script = (f"(progn (load-file \"{EDITORS / 'emacs' / 'splitc-mode.el'}\")"
                  f" (find-file \"{SAMPLE}\") (princ (format \"%s\\n\" major-mode))"
                  f" (font-lock-ensure) {show})")
        done = subprocess.run(["emacs", "-Q", "--batch", "--eval", script], capture_output=True,
                              text=True, timeout=120, check=False)
        mode, *faces = done.stdout.splitlines()
        self.assertEqual((mode, len(faces)), ("splitc-mode", len(PLACES)), done.stderr)
        found = dict(zip(at, faces))
        self.compare(4, lambda line, column: found[line, column])


class Repository(unittest.TestCase):
    def test_git_and_github(self):
        """GitHub shows .sc as C, and git knows where its functions begin."""
        if not (ROOT / ".git").exists():
            self.skipTest("this is not a checkout")
        done = subprocess.run(["git", "-c", "safe.directory=*", "check-attr", "-a", "--", "x.sc"],
                              cwd=ROOT, capture_output=True, text=True, check=True)
        self.assertIn("linguist-language: C\n", done.stdout)
        self.assertIn("diff: cpp\n", done.stdout)


if __name__ == "__main__":
    program = unittest.main(exit=False)
    ok, skipped = program.result.wasSuccessful(), len(program.result.skipped)
    sys.exit(1 if not ok else SKIPPED if skipped == program.result.testsRun else 0)
