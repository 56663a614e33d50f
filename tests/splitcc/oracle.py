#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a program of random pointer expressions and spread arrays, with the values that they have.

    oracle.py SEED FILE.sc

The values are computed here, by a model that is made from the definitions of the language alone,
for each number of processors that the tests run with. The program compares; it says ok NAME.sc.
"""

import os
import random
import sys

PROCESSORS = (1, 2, 3, 4, 8)
EXPRESSIONS, ARRAYS, PLACES, TEMPORARIES = 120, 8, 10, 24
TYPES = {"char": 1, "short": 2, "int": 4, "double": 8, "three": 3, "twelve": 12, "row": 20}
NUMBERS = {"char": "-3", "short": "-17", "long": "41", "unsigned": "9", "int": "6"}


class Pair:
    """A pointer's value: a processor, and bytes past the anchor."""

    def __init__(self, proc, offset):
        self.proc, self.offset = proc, offset

    def step(self, view, n, size, procs):
        if view == "global":
            return Pair(self.proc, self.offset + n * size)
        t = self.proc + n
        return Pair(t % procs, self.offset + t // procs * size)  # Python's are floored

    def minus(self, other, view, size, procs):
        rows = (self.offset - other.offset) // size
        return rows if view == "global" else rows * procs + self.proc - other.proc


class Expression:
    """Text of the language, and its value for each number of processors."""

    def __init__(self, text, view, pointee, value):
        self.text, self.view, self.pointee, self.value = text, view, pointee, value


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.temporaries = 0

    def temporary(self, view, pointee):
        """A variable that no other part of the expression assigns to."""
        self.temporaries = (self.temporaries + 1) % TEMPORARIES
        return f"{view}_{pointee}s[{self.temporaries}]"

    def number(self):
        """An integer expression and its value, a function of PROCS."""
        choice = self.random.randrange(6)
        k, c = self.random.randint(-3, 3), self.random.randint(-25, 25)
        if choice == 0:
            return f"({c})", lambda procs: c
        if choice == 1:
            return f"(PROCS * {k} + {c})", lambda procs: procs * k + c
        if choice == 2:
            return "-PROCS", lambda procs: -procs
        kind = self.random.choice(list(NUMBERS))
        return f"n_{kind}", lambda procs: int(NUMBERS[kind])

    def start(self, view=None):
        view = view or self.random.choice(("global", "spread"))
        pointee = self.random.choice(list(TYPES))
        return Expression(f"{view}_{pointee}", view, pointee,
                          lambda procs: Pair({"global": procs - 1, "spread": procs // 2}[view], 0))

    def step(self, e):
        (text, n), size = self.number(), TYPES[e.pointee]
        view, old, name = e.view, e.value, self.temporary(e.view, e.pointee)
        form, sign = self.random.choice(((f"({e.text} + {text})", 1), (f"({text} + {e.text})", 1),
                                         (f"({e.text} - {text})", -1),
                                         (f"({name} = {e.text}, {name} += {text})", 1),
                                         (f"({name} = {e.text}, {name} -= {text})", -1)))
        return Expression(form, view, e.pointee,
                          lambda procs: old(procs).step(view, sign * n(procs), size, procs))

    def address_of_element(self, e):
        (text, n), size, view, old = self.number(), TYPES[e.pointee], e.view, e.value
        return Expression(f"(&{e.text}[{text}])", "global", e.pointee,
                          lambda procs: old(procs).step(view, n(procs), size, procs))

    def increment(self, e):
        name, old, view = self.temporary(e.view, e.pointee), e.value, e.view
        size = TYPES[e.pointee]
        text, sign, after = self.random.choice((("++{}", 1, 0), ("--{}", -1, 0), ("{}++", 1, 1),
                                                ("{}--", -1, 1)))
        return Expression(f"({name} = {e.text}, {text.format(name)})", view, e.pointee,
                          lambda procs: old(procs).step(view, 0 if after else sign, size, procs))

    def cast(self, e):
        view = self.random.choice(("global", "spread"))
        pointee = self.random.choice((e.pointee, *TYPES))
        return Expression(f"(({pointee} *{view}){e.text})", view, pointee, e.value)

    def wrap(self, e):
        """Ways that do not change the value."""
        other = self.start(e.view).text if self.random.random() < 0.5 else e.text
        other = f"({e.pointee} *{e.view}){other}"
        form = self.random.choice((f"(n_int ? {e.text} : {other})",
                                   f"(n_zero ? {other} : {e.text})",
                                   f"(n_int, {e.text})", f"pass_{e.view}_{e.pointee}({e.text})",
                                   f"(holders[{self.temporaries}].{e.view}_{e.pointee} = {e.text})",
                                   f"(*(&{self.temporary(e.view, e.pointee)}) = {e.text})"))
        return Expression(form, e.view, e.pointee, e.value)

    def apart(self, e):
        name = self.temporary(e.view, e.pointee)
        return Expression(f"({name} = {e.text}, toglobal(toproc({name}), tolocal({name})))",
                          "global", e.pointee, e.value)

    def pointer(self):
        e = self.start()
        for _ in range(self.random.randint(1, 6)):
            e = self.random.choice((self.step, self.step, self.address_of_element, self.increment,
                                    self.cast, self.wrap, self.apart))(e)
        return e

    def check_pointer(self):
        e = self.pointer()
        expected = [e.value(procs) for procs in PROCESSORS]
        yield f"  is_pair({e.text}, (long[][2]){{" + ", ".join(
            f"{{{p.proc}, {p.offset}}}" for p in expected) + "});"

    def check_difference(self):
        a = self.pointer()
        b = self.step(a)
        size, view = TYPES[a.pointee], a.view
        if view != b.view:
            return
        expected = [b.value(procs).minus(a.value(procs), view, size, procs) for procs in PROCESSORS]
        first, second = self.temporary(view, a.pointee), self.temporary(view, a.pointee)
        yield f"  {first} = {a.text};\n  {second} = {b.text};"
        yield f"  is_number({second} - {first}, (long[]){{{', '.join(map(str, expected))}}});"

    # --- Spread arrays ---

    def dimension(self):
        k = self.random.randint(1, 4)
        return self.random.choice(((str(k), lambda procs: k), ("PROCS", lambda procs: procs),
                                   (f"{k} * PROCS", lambda procs: k * procs),
                                   ("PROCS + 1", lambda procs: procs + 1),
                                   ("n_int", lambda procs: 6)))

    def array(self, number):
        """A function with a spread array of its own."""
        pointee = self.random.choice(("char", "short", "int", "double"))
        spread = [self.dimension() for _ in range(self.random.randint(1, 3))]
        inner = [self.dimension() for _ in range(self.random.randint(0, 2))]
        declarator = "A" + "".join(f"[{d[0]}]" for d in spread) + "::" + "".join(
            f"[{d[0]}]" for d in inner)
        yield f"static void array_{number}(void) {{"
        names = [f"i{k}" for k in range(len(spread + inner))]
        yield f"  {pointee} {declarator}, *mine = ({pointee} *)A;"
        yield f"  int {', '.join(names)}, block, k;"
        yield "  check_word base = spread_bits(A);"
        linear = ""
        for name, dimension in zip(names, spread + inner):
            linear = f"({linear}) * ({dimension[0]}) + {name}" if linear else name
        subscripts = "".join(f"[{name}]" for name in names)
        yield "  on_one {"
        for name, dimension in zip(names, spread + inner):
            yield f"    for ({name} = 0; {name} < {dimension[0]}; {name}++)"
        yield f"      A{subscripts} = ({pointee})({linear});"
        yield "  }\n  barrier();"
        blocks = [product(d[1](procs) for d in spread) for procs in PROCESSORS]
        elements = [product(d[1](procs) for d in inner) for procs in PROCESSORS]
        yield f"  static const int blocks[] = {{{', '.join(map(str, blocks))}}};"
        yield f"  static const int elements[] = {{{', '.join(map(str, elements))}}};"
        yield "  for (block = MYPROC; block < blocks[which]; block += PROCS)"
        yield "    for (k = 0; k < elements[which]; k++)"
        yield f"      CHECK(*mine++ == ({pointee})(block * elements[which] + k));"
        for _ in range(PLACES):
            yield from self.place(pointee, spread, inner)
        yield "  barrier();\n}"

    def place(self, pointee, spread, inner):
        """The address of one element, or of a block, or of a row in one."""
        size = TYPES[pointee]
        depth = self.random.randint(0, len(inner))
        fractions = [self.random.random() for _ in spread + inner]
        texts, expected = [], []
        for fraction, (text, _) in zip(fractions, (spread + inner)[:len(spread) + depth]):
            texts.append(f"[(int)(({text}) * {fraction:.3f})]")
        for procs in PROCESSORS:
            at = [int(d[1](procs) * float(f"{f:.3f}")) for f, d in zip(fractions, spread + inner)]
            block = 0
            for d, i in zip(spread, at):
                block = block * d[1](procs) + i
            inside = 0
            for k, d in enumerate(inner):
                inside = inside * d[1](procs) + (at[len(spread) + k] if k < depth else 0)
            block_bytes = product(d[1](procs) for d in inner) * size
            expected.append((block % procs, block // procs * block_bytes + inside * size))
        yield f"  is_place(&A{''.join(texts)}, base, (long[][2]){{" + ", ".join(
            f"{{{p}, {o}}}" for p, o in expected) + "});"

    def program(self):
        yield PREAMBLE
        for pointee in TYPES:
            for view in ("global", "spread"):
                yield f"static {pointee} *{view} {view}_{pointee}, " \
                      f"*{view} {view}_{pointee}s[{TEMPORARIES}];"
                yield f"static {pointee} *{view} pass_{view}_{pointee}" \
                      f"({pointee} *{view} p) {{ return p; }}"
        yield "static struct {"
        for pointee in TYPES:
            yield f"  {pointee} *global global_{pointee}, *spread spread_{pointee};"
        yield f"}} holders[{TEMPORARIES}];"
        for kind, value in NUMBERS.items():
            yield f"static {'signed char' if kind == 'char' else kind} n_{kind} = {value};"
        functions = []
        for number in range(0, EXPRESSIONS, 10):
            yield f"static void expressions_{number}(void) {{"
            for _ in range(10):
                yield from self.random.choice((self.check_pointer, self.check_pointer,
                                               self.check_difference))()
            yield "}"
            functions.append(f"expressions_{number}")
        for number in range(ARRAYS):
            yield from self.array(number)
            functions.append(f"array_{number}")
        yield "splitc_main() {\n  which = which_row();"
        for pointee in TYPES:
            yield f"  set_bits(&global_{pointee}, pair_at(PROCS - 1, anchor));"
            yield f"  set_bits(&spread_{pointee}, pair_at(PROCS / 2, anchor));"
        yield from (f"  {function}();" for function in functions)
        yield "  DONE;\n}"


PREAMBLE = """#include "check.h"
typedef struct { char c[3]; } three;
typedef struct { int i[3]; } twelve;
typedef int row[5];
static char anchor[16];
static int which, n_zero;
static int which_row(void) {
  static const int processors[] = {""" + ", ".join(map(str, PROCESSORS)) + """};
  int i;
  for (i = 0; i < """ + str(len(PROCESSORS)) + """; i++)
    if (processors[i] == PROCS) return i;
  return 0;
}
/* What follows the expression is a table, with a row for each number of processors. */
#define is_pair(e, ...) \\
  CHECK_GLOBAL(e, pair_of((__VA_ARGS__)[which][0], (check_word)anchor + (__VA_ARGS__)[which][1]))
#define is_number(e, ...) CHECK_INT(e, (__VA_ARGS__)[which])
#define is_place(e, base, ...) \\
  CHECK_GLOBAL(e, pair_of((__VA_ARGS__)[which][0], address_of(base) + (__VA_ARGS__)[which][1]))
"""


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    seed = int(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f"/* Made by oracle.py, seed {seed}. */\n")
        file.write("\n".join(Generator(seed).program()) + "\n")
    print(f"{os.path.basename(sys.argv[2])}: seed {seed}")


if __name__ == "__main__":
    main()
