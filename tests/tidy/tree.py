# SPDX-License-Identifier: Apache-2.0
"""The files under test, and what a rule says about them."""

import dataclasses
import pathlib
import re
import subprocess

CXX_SUFFIXES = (".cpp", ".hpp", ".c", ".h")


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    why: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.why}"


class Tree:
    """Text files by their path below the root. Binary files are left out."""

    def __init__(self, texts, root=None):
        self.texts = texts
        self.root = root

    @staticmethod
    def of_repository():
        root = pathlib.Path(__file__).resolve().parents[2]
        listed = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "-z",
             "--cached", "--others", "--exclude-standard"],
            cwd=root, capture_output=True, text=True, check=True).stdout
        texts = {}
        for path in filter(None, listed.split("\0")):
            try:
                texts[path] = (root / path).read_text(encoding="utf-8")
            except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
                continue
        return Tree(texts, root)

    def cxx(self, *folders):
        """(path, text) of the C and C++ files below the folders, or of all of them."""
        prefixes = tuple(f"{folder}/" for folder in folders) or ("",)
        for path, text in sorted(self.texts.items()):
            if path.endswith(CXX_SUFFIXES) and path.startswith(prefixes):
                yield path, text


_NOT_CODE = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)" """
    r"""| "(?:\\.|[^"\\\n])*" | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+' """,
    re.DOTALL | re.VERBOSE)


def code_only(text):
    """The text with comments and literals blanked; lines and columns stay where they are."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
