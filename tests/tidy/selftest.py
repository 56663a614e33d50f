#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows tidy every rule broken, and every rule kept: a rule that stays silent fails here."""

import pathlib
import sys
import tempfile
import unittest

import headers
import layers
from tidy import SOURCE_RULES
from tree import Tree, code_only

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
RELEASE = "x.store(1, std::memory_order_release);"
ACQUIRE = "x.load(std::memory_order_acquire);"


def findings(texts):
    """{path: text} -> {(path, line, rule)}; every text gets the licence line, as line 1."""
    tree = Tree({path: SPDX + text for path, text in texts.items()})
    return {(f.path, f.line, f.rule) for rule in SOURCE_RULES for f in rule(tree)}


FULL = "std::atomic_thread_fence(std::memory_order_seq_cst);"
LIGHT = "std::atomic_signal_fence(std::memory_order_seq_cst);"


def function_of(lines, head="void f() {"):
    return head + "\n" + "  g();\n" * (lines - 2) + "}\n"


class Layers(unittest.TestCase):
    def include(self, includer, included, name):
        return findings({includer: f'#include "{name}"\n', included: "\n"})

    def test_every_pair_of_layers_passes_or_is_flagged(self):
        for includer, below in layers.BELOW.items():
            for included in layers.BELOW:
                with self.subTest(f"{includer} {included}"):
                    path = f"{layers.folder_of(includer)}/a.cpp"
                    found = self.include(path, f"{layers.folder_of(included)}/b.hpp",
                                         f"{included}/b.hpp")
                    is_allowed = included == includer or included in below
                    self.assertEqual(found, set() if is_allowed else {(path, 2, "layer")})

    def test_upward_and_sideways_includes_are_flagged(self):
        cpu = "detail/base/cpu.hpp"
        for includer, included, name in (
                ("src/base/a.cpp", "include/ramjet/am.hpp", "ramjet/am.hpp"),
                ("src/node/a.cpp", "src/job/b.hpp", "job/b.hpp"),
                ("src/job/a.cpp", "src/mesh/b.hpp", "mesh/b.hpp"),
                ("src/job/a.cpp", "src/lane/b.hpp", "lane/b.hpp"),
                ("src/job/a.cpp", "src/report/b.hpp", "report/b.hpp"),
                ("src/job/pmix/a.cpp", "src/job/b.hpp", "job/b.hpp"),
                ("src/channel/a.cpp", "src/channel/net/b.hpp", "channel/net/b.hpp"),
                ("src/channel/net/a.cpp", "src/channel/shm/b.hpp", "channel/shm/b.hpp"),
                ("src/channel/shm/a.cpp", "src/am/b.hpp", "../../am/b.hpp"),
                ("src/am/a.cpp", "src/am/collectives/b.hpp", "collectives/b.hpp"),
                ("src/am/a.cpp", "launch/b.hpp", "launch/b.hpp"),
                ("src/am/a.cpp", "tools/cli/b.hpp", "tools/cli/b.hpp"),
                ("src/node/a.cpp", "include/ramjet/detail/lane/b.hpp", "ramjet/detail/lane/b.hpp"),
                ("include/ramjet/am.hpp", "src/gas/b.hpp", "gas/b.hpp"),
                ("include/ramjet/detail/am/a.hpp", "include/ramjet/detail/gas/b.hpp",
                 "ramjet/detail/gas/b.hpp"),
                (f"include/ramjet/{cpu}", "include/ramjet/am.hpp", "ramjet/am.hpp"),
                ("include/ramjet/ult/a.hpp", "include/ramjet/am.hpp", "ramjet/am.hpp"),
                ("tools/command/a.cpp", "src/am/b.hpp", "am/b.hpp"),
                ("tools/command/a.cpp", f"include/ramjet/{cpu}", f"ramjet/{cpu}"),
                ("apps/x/a.cpp", "src/base/b.hpp", "base/b.hpp"),
                ("apps/x/a.cpp", f"include/ramjet/{cpu}", f"ramjet/{cpu}"),
                ("examples/x/a.c", "src/base/b.h", "base/b.h"),
                ("bench/micro/a.cpp", "src/job/b.hpp", "job/b.hpp")):
            with self.subTest(f"{includer} {included}"):
                self.assertEqual(self.include(includer, included, name),
                                 {(includer, 2, "layer")})

    def test_parts_of_the_compiler_keep_their_order(self):
        compiler, support = "languages/splitc/compiler/", "languages/support/"
        parts = [part.removeprefix(compiler).strip("/") for part in layers.COMPILER
                 if part.startswith(compiler)]
        below = {"lex": "", "tree": "lex", "semantics": "lex tree", "parse": "lex tree semantics",
                 "optimise": "lex tree", "emit": "lex tree", "driver": " ".join(parts)}
        for includer in parts:
            for included in parts:
                path, name = f"{compiler}{includer}/a.cpp", f"{compiler}{included}/b.hpp"
                allowed = included == includer or included in below[includer].split()
                with self.subTest(f"{includer} {included}"):
                    self.assertEqual(self.include(path, name, name),
                                     set() if allowed else {(path, 2, "layer")})
        lexer, header = f"{compiler}lex/a.cpp", f"{compiler}lex/b.hpp"
        shared, types = f"{support}b.hpp", f"{compiler}semantics/types.hpp"
        self.assertEqual(self.include(lexer, shared, shared), set())
        self.assertEqual(self.include(f"{support}a.cpp", header, header),
                         {(f"{support}a.cpp", 2, "layer")})
        self.assertEqual(self.include(f"{compiler}emit/a.cpp", types, types), set())
        self.assertEqual(self.include(lexer, "src/base/b.hpp", "base/b.hpp"),
                         {(lexer, 2, "layer")})
        self.assertEqual(findings({f"{compiler}misc/a.cpp": "\n"}),
                         {(f"{compiler}misc/a.cpp", 1, "layer")})

    def test_downward_includes_pass(self):
        cpu = "detail/base/cpu.hpp"
        for includer, included, name in (
                ("src/am/a.cpp", "src/am/b.hpp", "b.hpp"),
                ("src/am/a.cpp", "include/ramjet/am.hpp", "ramjet/am.hpp"),
                ("src/channel/a.cpp", f"include/ramjet/{cpu}", f"ramjet/{cpu}"),
                ("src/channel/net/a.cpp", f"include/ramjet/{cpu}", f"ramjet/{cpu}"),
                ("include/ramjet/am.hpp", f"include/ramjet/{cpu}", f"ramjet/{cpu}"),
                ("include/ramjet/detail/gas/a.hpp", "include/ramjet/am.hpp", "ramjet/am.hpp"),
                ("src/am/a.cpp", "include/ramjet/ult/detail/b.hpp", "ramjet/ult/detail/b.hpp"),
                ("tools/command/a.cpp", "src/node/b.hpp", "node/b.hpp"),
                ("tools/command/a.cpp", "bench/harness/b.hpp", "harness/b.hpp"),
                ("apps/x/a.cpp", "include/ramjet/am.hpp", "ramjet/am.hpp"),
                ("tests/unit/a_test.cpp", "src/am/b.hpp", "am/b.hpp")):
            with self.subTest(f"{includer} {included}"):
                self.assertEqual(self.include(includer, included, name), set())

    def test_a_file_in_no_layer_is_flagged(self):
        for path in ("src/misc/a.cpp", "src/a.cpp", "src/channel/misc/a.cpp",
                     "include/ramjet/surprise.hpp", "include/ramjet/detail/a.hpp",
                     "include/ramjet/detail/misc/a.hpp", "include/a.hpp"):
            with self.subTest(path):
                self.assertEqual(findings({path: "\n"}), {(path, 1, "layer")})

    def test_layers_in_a_circle_are_flagged(self):
        self.assertIsNone(layers.circle(layers.BELOW))
        for below in ({"job": {"mesh"}, "mesh": {"job"}},
                      {"am": {"am/collectives"}, "am/collectives": {"am"}},
                      {"a": {"b", "d"}, "b": {"c"}, "c": {"a"}, "d": set()}):
            with self.subTest(below):
                self.assertIsNotNone(layers.circle(below))
                found = layers.check(Tree({}), below)
                self.assertEqual([f.rule for f in found], ["layer"])
        crossed = {**layers.BELOW, "job": layers.BELOW["job"] | {"report"}}
        self.assertEqual(set(layers.circle(crossed)), {"job", "report"})

    def test_every_room_of_the_repository_is_a_layer(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        rooms = {str(p.parent.relative_to(root)).removeprefix("src/")
                 for folder in ("src", "launch", "languages/splitc/runtime",
                                "languages/splitc/check", "languages/tam/runtime")
                 for p in (root / folder).rglob("*") if p.suffix in (".cpp", ".hpp", ".c")}
        self.assertEqual(rooms, set(layers.BELOW))


class Pairs(unittest.TestCase):
    def test_an_order_without_a_tag_is_flagged(self):
        for line in (RELEASE, ACQUIRE, "x.load(std::memory_order::acquire);",
                     "__atomic_store_n(p, 1, __ATOMIC_RELEASE);"):
            with self.subTest(line):
                self.assertEqual(findings({"src/am/a.cpp": line + "\n"}),
                                 {("src/am/a.cpp", 2, "pairs")})

    def test_a_tag_with_one_side_is_flagged(self):
        for line in (RELEASE, ACQUIRE):
            with self.subTest(line):
                self.assertEqual(findings({"src/am/a.cpp": line + "  // pairs: am.x\n"}),
                                 {("src/am/a.cpp", 2, "pairs")})

    def test_a_tag_without_an_order_is_flagged(self):
        self.assertIn(("src/am/a.cpp", 2, "pairs"),
                      findings({"src/am/a.cpp": "x = 1;  // pairs: am.x\n"}))

    def test_a_declaration_may_carry_the_tag_but_is_no_side(self):
        text = "std::atomic<int> x;  // pairs: am.x\n"
        self.assertEqual(findings({"src/am/a.hpp": text}), {("src/am/a.hpp", 2, "pairs")})
        text += f"{RELEASE}  // pairs: am.x\n{ACQUIRE}  // pairs: am.x\n"
        self.assertEqual(findings({"src/am/a.hpp": text}), set())

    def test_a_misspelt_tag_is_flagged(self):
        text = "x.fetch_add(1, std::memory_order_acq_rel);  // pairs: someday\n"
        self.assertEqual(findings({"src/am/a.cpp": text}), {("src/am/a.cpp", 2, "pairs")})

    def test_both_sides_pass_across_files(self):
        self.assertEqual(findings({
            "src/am/a.cpp": f"{RELEASE}  // pairs: am.x\n",
            "include/ramjet/am.hpp": f"// Reads it.\n// pairs: am.x\n// Always.\n{ACQUIRE}\n"}),
            set())

    def test_acq_rel_is_both_sides(self):
        text = "x.fetch_add(1, std::memory_order_acq_rel);  // pairs: am.x\n"
        self.assertEqual(findings({"src/am/a.cpp": text}), set())

    def test_an_implied_order_names_its_side(self):
        self.assertEqual(findings({
            "src/am/a.cpp": f"store16(p);  // pairs: am.x (release)\n{ACQUIRE}  // pairs: am.x\n"}),
            set())

    def test_a_tag_at_too_many_places_is_flagged(self):
        for count, expected in ((8, set()), (9, {("src/am/a.cpp", 3, "pairs")})):
            text = f"{ACQUIRE}  // pairs: am.x\n" + f"{RELEASE}  // pairs: am.x\n" * count
            self.assertEqual(findings({"src/am/a.cpp": text}), expected)

    def test_a_full_fence_names_its_pair_and_side(self):
        for line in (FULL, LIGHT, "base::global_barrier();"):
            with self.subTest(line):
                self.assertEqual(findings({"src/am/a.cpp": line + "\n"}),
                                 {("src/am/a.cpp", 2, "pairs")})

    def fences(self, *lines):
        text = "\n".join(f"{line}  // store-load: am.x ({side})" for line, side in lines)
        return findings({"src/am/a.cpp": text + "\n"})

    def test_a_store_load_pair_has_two_sides(self):
        one_side = {("src/am/a.cpp", 2, "pairs")}
        self.assertEqual(self.fences((FULL, "waker")), one_side)
        self.assertEqual(self.fences((FULL, "waker"), (FULL, "waker")), one_side)
        self.assertEqual(self.fences((FULL, "a"), (FULL, "b"), (FULL, "c")), one_side)
        self.assertEqual(self.fences((FULL, "waker"), (FULL, "sleeper")), set())
        self.assertEqual(self.fences((FULL, "both")), set())

    def test_a_light_side_wants_a_heavy_one(self):
        heavy = "base::global_barrier();"
        self.assertEqual(self.fences((LIGHT, "a"), (FULL, "b")), {("src/am/a.cpp", 2, "pairs")})
        self.assertEqual(self.fences((LIGHT, "a"), (heavy, "b")), set())
        self.assertEqual(
            self.fences((LIGHT, "a, compiler only"), (LIGHT, "b, compiler only")), set())

    def test_comments_and_strings_are_no_orders(self):
        text = '// std::memory_order_release\nputs("memory_order_acquire");\n'
        self.assertEqual(findings({"src/am/a.cpp": text}), set())


class Sizes(unittest.TestCase):
    PATH = "src/am/a.cpp"

    def test_a_long_function_is_flagged(self):
        for head in ("void f() {", "int g(std::vector<int> v) noexcept {", "c::c() : x_(1) {",
                     "template <class T>\nvoid f(T t)\n{"):
            with self.subTest(head):
                self.assertEqual(findings({self.PATH: function_of(61, head)}),
                                 {(self.PATH, 2, "long-function")})

    def test_a_long_method_is_flagged(self):
        text = "namespace n {\nclass c {\n" + function_of(61) + "};\n}\n"
        self.assertEqual(findings({self.PATH: text}), {(self.PATH, 4, "long-function")})

    def test_a_long_table_passes_but_not_a_long_function_in_it(self):
        head = "const std::map<int, std::function<void()>> kCases = {"
        self.assertEqual(findings({self.PATH: function_of(90, head) + ";\n"}), set())
        text = head + "\n{1, " + function_of(61, "[] () {") + "}};\n"
        self.assertEqual(findings({self.PATH: text}), {(self.PATH, 3, "long-function")})

    def test_a_function_at_the_limit_passes(self):
        self.assertEqual(findings({self.PATH: function_of(60)}), set())

    def test_a_long_class_or_namespace_passes(self):
        for head in ("namespace n {", "struct s {", "class alignas(64) c {", "enum class e {"):
            with self.subTest(head):
                text = head + "\n" + "int x;\n" * 80 + "};\n"
                self.assertEqual(findings({self.PATH: text}), set())

    def test_braces_in_alternatives_literals_and_comments_do_not_count(self):
        text = ("#if A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n"
                "  puts(\"}\");  // }\n  char c = '}';\n" + "  g();\n" * 70 + "}\n")
        self.assertEqual(findings({self.PATH: text}), {(self.PATH, 3, "long-function")})

    def test_a_long_file_is_flagged(self):
        self.assertEqual(findings({self.PATH: "int x;\n" * 500}), {(self.PATH, 501, "long-file")})
        self.assertEqual(findings({self.PATH: "int x;\n" * 499}), set())

    def test_a_long_line_is_flagged(self):
        for path in (self.PATH, "tests/CMakeLists.txt", "x.py"):
            with self.subTest(path):
                self.assertEqual(findings({path: "x" * 101 + "\n"}), {(path, 2, "long-line")})
        self.assertEqual(findings({self.PATH: "x" * 100 + "\n"}), set())


class Weight(unittest.TestCase):
    START = "include/ramjet/ramjet.hpp"

    def included(self, line):
        return findings({self.START: '#include "ramjet/am.hpp"\n', "include/ramjet/am.hpp": line})

    def test_costly_headers_below_the_first_are_flagged(self):
        self.assertEqual(self.included("#include <vector>\n"),
                         {("include/ramjet/am.hpp", 2, "weight")})
        self.assertEqual(findings({self.START: "#include <memory>\n"}),
                         {(self.START, 2, "weight")})

    def test_others_pass(self):
        self.assertEqual(self.included("#include <span>\n"), set())
        self.assertEqual(findings({self.START: "\n",
                                   "include/ramjet/coroutine.hpp": "#include <vector>\n"}), set())


class Words(unittest.TestCase):
    def test_forbidden_words_are_flagged(self):
        for text in ("/wo" "rk/main/x", "in /ho" "me/me/x", "from an earlier " "session",
                     "this " "session", "see issue" " #12", "sha" "red/design.md",
                     "(Paper" " 000, section 2.2)"):
            with self.subTest(text):
                self.assertEqual(findings({"docs/a.md": text + "\n"}), {("docs/a.md", 2, "words")})

    def test_the_same_words_in_other_senses_pass(self):
        text = "a TLS session; network/home/x; the issue of 2 ranks; ${prefix}/root/x\n"
        self.assertEqual(findings({"docs/a.md": text}), set())

    def test_white_space_is_flagged(self):
        for text in ("int x; \n", "\tint x;\n", "int x;"):
            with self.subTest(text):
                self.assertEqual(findings({"src/am/a.cpp": text}),
                                 {("src/am/a.cpp", 2, "white-space")})

    def test_a_missing_licence_line_is_flagged(self):
        for path in ("src/am/a.cpp", "include/ramjet/ramjet.h", "x.py", "tests/CMakeLists.txt"):
            with self.subTest(path):
                tree = Tree({path: "\n\n\n" + SPDX})
                found = [f.rule for rule in SOURCE_RULES for f in rule(tree)]
                self.assertEqual(found, ["licence"])


class Headers(unittest.TestCase):
    def check(self, texts):
        with tempfile.TemporaryDirectory() as root:
            for path, text in texts.items():
                (pathlib.Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
                (pathlib.Path(root) / path).write_text(text, encoding="utf-8")
            return {f.path for f in headers.check(Tree(texts, root), root)}

    def test_headers_that_need_another_are_flagged(self):
        self.assertEqual(self.check({
            "include/ramjet/bad.hpp": "#pragma once\ninline std::size_t f() { return 1; }\n",
            "include/ramjet/twice.hpp": "struct s {};\n",
            "include/ramjet/cxx_only.h": "#pragma once\nnamespace n {}\n",
            "src/am/bad.hpp": "#pragma once\nextern missing x;\n",
            "include/ramjet/good.hpp": "#pragma once\n#include <ramjet/good.h>\n",
            "include/ramjet/good.h": "#pragma once\nint f(void);\n"}),
            {"include/ramjet/bad.hpp", "include/ramjet/twice.hpp", "include/ramjet/cxx_only.h",
             "src/am/bad.hpp"})

    def test_public_headers_are_those_that_users_include(self):
        once = "#pragma once\n"
        tree = Tree(dict.fromkeys(("include/ramjet/a.hpp", "include/ramjet/ult/b.hpp",
                                   "include/ramjet/detail/c.hpp", "src/am/d.hpp"), once))
        compiled = [path for path, _ in headers.jobs_for(tree, "cc", "c++", public_only=True)]
        self.assertEqual(compiled, ["include/ramjet/a.hpp", "include/ramjet/ult/b.hpp"])

    def test_what_the_build_shows_is_not_compiled_again(self):
        once = "#pragma once\n"
        tree = Tree({"src/am/a.cpp": '#include "am/a.hpp"\n', "src/am/a.hpp": once,
                     "src/am/b.cpp": '#include <atomic>\n\n#include "am/b.hpp"\n',
                     "src/am/b.hpp": once,
                     "src/am/c.cpp": '#include "am/c.hpp"\n', "src/am/c.hpp": "struct s {};\n",
                     "src/c/d.cpp": '#include <ramjet/d.h>\n', "include/ramjet/d.h": once})
        compiled = [(path, compiler[-1]) for path, compiler in headers.jobs_for(tree, "cc", "c++")]
        self.assertEqual(compiled, [("include/ramjet/d.h", "-std=c11"),
                                    ("src/am/b.hpp", "-std=c++20"), ("src/am/c.hpp", "-std=c++20")])


class CodeOnly(unittest.TestCase):
    def test_it_keeps_lines_and_columns(self):
        text = "a /* b\nc */ d \"e\\\"f\" 'g' R\"x(h)\")x\" 1'000'000 // i\nj"
        blanked = code_only(text)
        self.assertEqual(len(blanked), len(text))
        self.assertEqual(blanked.split(), ["a", "d", "1'000'000", "j"])


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
