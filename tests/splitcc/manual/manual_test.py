#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What manual.py finds wrong with a page."""

import pathlib
import tempfile
import unittest

import manual

PAGE = """Text.

[a](../examples/splitc/a.sc):
```c
int a;
```
```console unordered
$ ramjet run -n 2 a
x
```
"""


class Manual(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "examples" / "splitc").mkdir(parents=True)
        self.write("a", "/* SPDX-License-Identifier: X */\nint a;\n")

    def write(self, name, text):
        (self.root / "examples" / "splitc" / f"{name}.sc").write_text(text, encoding="utf-8")

    def wrong(self, page=PAGE):
        return list(manual.shown_wrongly(manual.blocks_of(page), self.root))

    def test_what_is_shown(self):
        self.assertEqual(self.wrong(), [])
        self.write("a", "int b;\n")
        self.assertEqual(self.wrong(), ["docs/splitc.md:4: examples/splitc/a.sc is another text"])
        self.assertIn("links to no file", self.wrong(PAGE.replace("a.sc", "c.sc"))[0])
        self.write("b", "int b;\n")
        self.assertIn("examples/splitc/b.sc is not shown in docs/splitc.md", self.wrong())

    def test_output(self):
        self.assertTrue(manual.is_as_shown(["a ... c", "...", "z"], ["a b c", "1", "2", "z"], 0))
        self.assertTrue(manual.is_as_shown(["a", "b"], ["b", "a"], True))
        for shown, written in ((["a"], ["a", "b"]), (["a.c"], ["abc"]), (["a", "b"], ["b", "a"]),
                               (["a"], []), ([], ["a"])):
            self.assertFalse(manual.is_as_shown(shown, written, False))

    def test_commands(self):
        block = manual.blocks_of(PAGE)[1]
        self.assertEqual(manual.commands_of(block.text), [("ramjet run -n 2 a", ["x"])])
        self.assertEqual(manual.program_of("ramjet run -n 4 --nodes 2 ./b c"), "b")
        self.assertIsNone(manual.program_of("splitcc b.sc"))


if __name__ == "__main__":
    unittest.main()
