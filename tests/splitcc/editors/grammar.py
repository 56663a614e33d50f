# SPDX-License-Identifier: Apache-2.0
"""A tokeniser for the TextMate grammars that we write: `match` with captures, `begin` and `end`,
`include` of the repository; patterns that Python and Oniguruma read alike."""

import json
import re


class Grammar:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.json = json.load(file)
        self.root = {"patterns": self.json["patterns"], "name": self.json["scopeName"]}

    def rules(self, patterns):
        for pattern in patterns:
            if "include" in pattern:
                yield from self.rules(self.json["repository"][pattern["include"][1:]]["patterns"])
            else:
                yield pattern

    def next_match(self, rule, line, at):
        """(match, rule): the first in the line; the end of `rule`, then the order of rules."""
        found = []
        if "end" in rule and (m := re.compile(rule["end"]).search(line, at)):
            found.append((m, None))
        for each in self.rules(rule["patterns"] if "patterns" in rule else []):
            if m := re.compile(each.get("match", each.get("begin"))).search(line, at):
                found.append((m, each))
        return min(found, key=lambda pair: pair[0].start(), default=None)

    def line_scopes(self, line, stack):
        """The innermost scope of each character; the stack is left as the line's end has it."""
        def outer():
            return next(rule["name"] for rule in reversed(stack) if "name" in rule)

        scopes, at = [], 0
        while found := self.next_match(stack[-1], line, at):
            match, rule = found
            scopes += [outer()] * (match.start() - at)
            key = "endCaptures" if rule is None else "captures"
            owner = stack[-1] if rule is None else rule
            if rule and "begin" in rule:
                stack.append(rule)
                key = "beginCaptures"
            inside = [owner.get("name", outer())] * len(match.group())
            for number, capture in owner.get(key, {}).items():
                start, end = (p - match.start() for p in match.span(int(number)))
                if end > start:
                    inside[start:end] = [capture["name"]] * (end - start)
            scopes += inside
            if rule is None:
                stack.pop()
            if match.end() == at and rule is not None:
                raise ValueError(f"an empty match of {rule}")
            at = match.end()
        return scopes + [outer()] * (len(line) - at)

    def scopes(self, text):
        stack = [self.root]
        return [self.line_scopes(line, stack) for line in text.splitlines()]
