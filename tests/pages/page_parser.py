# SPDX-License-Identifier: Apache-2.0
"""A page taken apart by Python's own parser: what its tags say, and whether they nest."""

import html.parser
import json

EMPTY = {"meta", "link", "br", "img", "hr", "input"}


class Page(html.parser.HTMLParser):
    """Raises AssertionError where tags do not nest."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.ids = set()
        self.tags = []      # (name, attributes)
        self.headings = []  # text of h2
        self.tables = []    # rows of cells, each its text
        self.scripts = {}   # text by id, or by number
        self.words = []     # all text outside scripts and styles
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), f"an attribute twice in {tag}"
        self.tags.append((tag, attributes))
        if "id" in attributes:
            assert attributes["id"] not in self.ids, f"id {attributes['id']} twice"
            self.ids.add(attributes["id"])
        if tag in EMPTY:
            return
        self.open.append((tag, attributes))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        elif tag == "h2":
            self.headings.append("")
        elif tag == "script":
            self.scripts[attributes.get("id", len(self.scripts))] = ""

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        tag, attributes = self.open[-1] if self.open else ("", {})
        if tag in ("td", "th"):
            self.tables[-1][-1][-1] += data
        elif tag == "h2":
            self.headings[-1] += data
        elif tag == "script":
            name = attributes.get("id", len(self.scripts) - 1)
            self.scripts[name] += data
        if tag not in ("script", "style"):
            self.words.append(data)

    @property
    def plots(self):
        return json.loads(self.scripts["plots"])

    def named(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]
