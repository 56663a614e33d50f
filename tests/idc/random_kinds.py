# SPDX-License-Identifier: Apache-2.0
"""Random programs: kinds of bindings, each with what Python makes of it.

A binding defines an int, a float, or a value of one of the program's types, by some that were made
before it. M-structures are taken from and put into in orders of which the result is the same: by
updates that commute, and where a value of what comes first says at which index the next one is.
"""

import math

import random_types
from random_types import literal, number_text, wrapped

LARGE = 1e9  # floats stay below, so that they are ints of 64 bits, and squares are no infinities

FUNCTIONS = """def mix p q = p * 3 - q;
def swap (p, q) = (q, p);
def first (p, q) = p;
def apply f p = f p;
def total xs = {s = 0 in {for x <- xs do next s = s + x finally s}};
def tree n x = if n < 1 then x else tree (n - 1) x + tree (n - 2) (x + n);
def corner n x y = {m = {matrix ((0, n), (0, n))
   | [0, j] = x + j || j <- 0 to n
   | [i, 0] = y - i || i <- 1 to n
   | [i, j] = m[i - 1, j] - m[i, j - 1] + i || i <- 1 to n & j <- 1 to n}
   in m[n, n]};
typeof blend = float -> float -> float;
def blend p q = (p - q) / 4.0 + q * 0.5;
typeof summed = list float -> float;
def summed xs = {s = 0.0 in {for x <- xs do next s = s + x finally s}};
def smooth n x y = {m = {matrix ((0, n), (0, n))
   | [i, 0] = x - float i || i <- 0 to n
   | [0, j] = y / float (j + 1) || j <- 1 to n
   | [i, j] = (m[i - 1, j] + m[i, j - 1]) / 2.0 || i <- 1 to n & j <- 1 to n}
   in m[n, n]};
type bag *0 = Leaf | Node (bag *0) *0 (bag *0);
def into x Leaf = Node Leaf x Leaf
  | into x (Node l y r) = if x < y then Node (into x l) y r else Node l y (into x r);
def collected nil = Leaf
  | collected (x:xs) = into x (collected xs);
def entries Leaf = 0
  | entries (Node l _ r) = entries l + 1 + entries r;
def flat Leaf xs = xs
  | flat (Node l x r) xs = flat l (x : flat r xs);
def by_rank f Leaf = Leaf
  | by_rank f (Node l x r) = Node (by_rank f r) (f x) (by_rank f l);
def bump h j x = {old = h![j]; h![j] = old + x in old - old + 1};
def scale h j x = {old = h![j]; h![j] = old * x in old - old + 1};
def raise_to h j x = {old = h![j]; h![j] = max old x in old - old + 1};
def bumps h n k = if n < 1 then bump h (k mod 3) (n + 2)
                  else bumps h (n - 1) (k + 1) + bumps h (n - 2) (k + 2);
def counted h i j x = {old = h![i, j]; h![i, j] = old - x in old - old + 1};
"""


def tree(n, x):
    return x if n < 1 else wrapped(tree(n - 1, x) + tree(n - 2, x + n))


def corner(n, x, y):
    """The last element of a matrix whose first row and column are given."""
    rows = [[wrapped(x + j) if i == 0 else wrapped(y - i) if j == 0 else 0 for j in range(n + 1)]
            for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            rows[i][j] = wrapped(rows[i - 1][j] - rows[i][j - 1] + i)
    return rows[n][n]


def smooth(n, x, y):
    rows = [[x - float(i) if j == 0 else y / float(j + 1) if i == 0 else 0.0
             for j in range(n + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            rows[i][j] = (rows[i - 1][j] + rows[i][j - 1]) / 2.0
    return rows[n][n]


def bumps(h, n, k):
    """How many calls there are of bump."""
    if n < 1:
        h[k % 3] += n + 2
        return 1
    return bumps(h, n - 1, k + 1) + bumps(h, n - 2, k + 2)


def quotient(x, y):
    """As div: it rounds towards zero."""
    return wrapped(abs(x) // abs(y) * (-1 if (x < 0) != (y < 0) else 1))


def remainder(x, y):
    return wrapped(x - quotient(x, y) * y)


class Program:
    """Binding i uses bindings below i only; the order in the text is another one."""

    def __init__(self, rng, size):
        self.rng = rng
        self.types = []
        for number in range(2):
            self.types.append(random_types.Type(rng, number, self.types[:]))
        self.lines = ["box = I_array (0, 100)"]
        self.ints, self.reals, self.data = [], [], []  # (name, value), of data (name, type, value)
        deck = []
        for number in range(size):
            deck = deck or rng.sample(KINDS, len(KINDS))  # each once before any comes again
            deck.pop()(self, number)

    def int(self):
        """The text and value of a name, or of a constant."""
        if not self.ints or self.rng.random() < 0.2:
            constant = self.rng.randint(0, 9)
            return str(constant), constant
        return self.rng.choice(self.ints)

    def real(self):
        if not self.reals or self.rng.random() < 0.3:
            constant = self.rng.choice((0.0, 0.1, 1.5, 2.25, 1e-3, 100.0, -7.75))
            return literal(constant), constant
        return self.rng.choice(self.reals)

    def small(self):
        return self.rng.randint(1, 5)

    def define(self, number, text, value):
        """A binding of an int."""
        self.lines.append(text.replace("NAME", f"v{number}") if "NAME" in text
                          else f"v{number} = {text}")
        self.ints.append((f"v{number}", wrapped(value)))

    def define_real(self, number, text, value):
        """One of a float, made smaller where it is large."""
        if abs(value) >= LARGE:
            text, value = f"({text}) / 1.0e20", value / 1e20
        if abs(value) >= LARGE:
            text, value = "0.5", 0.5
        self.lines.append(f"f{number} = {text}")
        self.reals.append((f"f{number}", value))

    def text(self):
        lines = self.lines[:]
        self.rng.shuffle(lines)
        body = ";\n   ".join(lines)
        used = ", ".join(name for name, *_ in self.ints + self.reals + self.data)
        types = "".join(f"{t.declaration()}\n{t.weight_text()}\n{t.change_text()}\n"
                        for t in self.types)
        return f"{FUNCTIONS}{types}def main =\n  {{{body}\n   in ({used})}};\n"

    def result(self):
        values = [str(value) for _, value in self.ints]
        values += [number_text(value) for _, value in self.reals]
        values += [of.printed(value) for _, of, value in self.data]
        return f"({', '.join(values)})\n"


KINDS = []


def kind(make):
    KINDS.append(make)
    return make


def ints(make):
    """A kind that gives the text and the value of an int, of three others and a small number."""
    def define(p, number):
        p.define(number, *make(*p.int(), *p.int(), *p.int(), p.small()))
    KINDS.append(define)


ints(lambda a, x, b, y, c, z, small: (f"{a} + {b} * {c}", x + wrapped(y * z)))
ints(lambda a, x, b, y, c, z, small: (f"if {a} < {b} then {c} - 1 else {c} + 1",
                                      z - 1 if x < y else z + 1))
ints(lambda a, x, b, y, c, z, small: (f"mix {a} {b}", wrapped(x * 3) - y))
ints(lambda a, x, b, y, c, z, small: (f"{{g = mix {a} in g {b}}}", wrapped(x * 3) - y))
ints(lambda a, x, b, y, c, z, small: (f"(NAME, _) = swap ({a}, {b})", y))
ints(lambda a, x, b, y, c, z, small: (
    f"total {{: {a} + i * {b} || i <- 1 to {small} :}}",
    sum(wrapped(x + wrapped(i * y)) for i in range(1, small + 1))))
ints(lambda a, x, b, y, c, z, small: (
    f"{{s = {a} in {{for i <- 1 to {small} do next s = s + {b} finally s}}}}", x + small * y))
ints(lambda a, x, b, y, c, z, small: (f"apply {{fun p = p - {a}}} {b}", y - x))
ints(lambda a, x, b, y, c, z, small: (
    f"{{case ({a}, {b}) of | (0, q) = q | (p, 1) = p | (p, q) = p + q}}",
    y if x == 0 else x if y == 1 else x + y))
ints(lambda a, x, b, y, c, z, small: (
    f"{{w = {{array (0, {small}) | [0] = {a} | [i] = w[i - 1] + {b} || i <- 1 to {small}}} "
    f"in w[{small}]}}", x + small * y))
# What ranks share.
ints(lambda a, x, b, y, c, z, small: (
    f"total {{: mix i {a} || i <- 1 to {9 * small} :}}",
    sum(3 * i - x for i in range(1, 9 * small + 1))))
ints(lambda a, x, b, y, c, z, small: (f"tree {small + 3} {a}", tree(small + 3, x)))
ints(lambda a, x, b, y, c, z, small: (f"corner {2 * small} {a} {b}", corner(2 * small, x, y)))
ints(lambda a, x, b, y, c, z, small: (
    f"{{w = {{array (1, {7 * small}) | [i] = mix i {a} || i <- 1 to {7 * small}}} "
    f"in w[{small}] - w[{7 * small}]}}", -18 * small))


@kind
def element(p, number):
    (a, x), (b, y) = p.int(), p.int()
    p.define(number, f"box[{number}] = {a} + {b}; NAME = box[{number}]", x + y)


ints(lambda a, x, b, y, c, z, small: (
    f"{{def go i s = if i > {small} then s else go (i + 1) (s * 2 + i * {a}) in go 1 {b}}}",
    wrapped(y * 2**small + x * sum(i * 2**(small - i) for i in range(1, small + 1)))))
ints(lambda a, x, b, y, c, z, small: (
    f"{{xs = {a} : ys; ys = {b} : {c} : xs in nth xs {small}}}", (x, y, z)[(small - 1) % 3]))
ints(lambda a, x, b, y, c, z, small: (
    f"if {b} <> 0 and {a} div {b} < {c} or not ({a} <= {b}) then 1 else {a} div {small}",
    1 if y != 0 and quotient(x, y) < z or x > y else quotient(x, small)))
ints(lambda a, x, b, y, c, z, small: (
    f'{{s = if {a} < {b} then "low" else if {a} == {b} then "same" else "high" in {{case s of '
    f'| "high" = {c} | "low" = {small} | _ = 0 - {small}}}}}',
    z if x > y else small if x < y else -small))
ints(lambda a, x, b, y, c, z, small: (
    f"total {{: i * j + {a} || i <- {small + 6} downto 1 by 2 when i mod 3 <> 0 & j <- i to 7 :}}",
    sum(i * j + x for i in range(small + 6, 0, -2) if i % 3 != 0 for j in range(i, 8))))


@kind
def handed_up(p, number):
    """Elements of which each waits for one that is written further behind."""
    (a, x), n = p.int(), p.small()
    for i in range(n, 0, -1):
        x = wrapped(x * 3 - i)
    stores = "; ".join(f"w[{i}] = w[{i + 1}] * 3 - {i}" for i in range(1, n + 1))
    p.define(number, f"{{w = I_array (1, {n + 1}); {stores}; w[{n + 1}] = {a} in w[1]}}", x)


# Loops

@kind
def while_loop(p, number):
    """It ends by what it computes, or after some rounds."""
    (a, x), (b, y), most, rest = p.int(), p.int(), 2 * p.small(), p.rng.randint(0, 4)
    value, k = x, 0
    while k < most and remainder(value, 5) != rest:
        k, value = k + 1, wrapped(wrapped(value * 3) + y)
    p.define(number, f"{{x = {a}; k = 0 in {{while k < {most} and x mod 5 <> {rest} do "
                     f"next k = k + 1; next x = x * 3 + {b} finally x - k}}}}", value - k)


@kind
def while_that_stores(p, number):
    """Each round does what the next one does not wait for; the test calls something."""
    (a, x), most = p.int(), 3 + p.small()
    found = [wrapped(x * (k + 1) + k) for k in range(most)]
    p.define(number, f"{{w = I_array (0, {most}); n = {{k = 0; x = {a} in {{while tree 1 k < "
                     f"{2 * most + 1} do w[k] = x + k; next x = x + {a}; next k = k + 1 "
                     f"finally k}}}} in w[n - 1] - w[0] + n}}",
             found[most - 1] - found[0] + most)


@kind
def nested(p, number):
    """Loops in a round, in a test and in what comes behind the last round."""
    (a, x), (b, y), n, m = p.int(), p.int(), p.small(), p.small()
    s = x
    for i in range(1, n + 1):
        s = wrapped(s + sum(range(1, i + 1)) * y)
    p.define(number,
             f"{{s = {a} in {{for i <- 1 to {n} do next s = {{t = s in {{for j <- 1 to i do "
             f"next t = t + j * {b} finally t}}}} finally {{u = s in {{for k <- {m} downto 1 do "
             f"next u = u + k finally u}}}}}}}}", s + sum(range(1, m + 1)))


# Floats

def reals(make):
    def define(p, number):
        p.define_real(number, *make(*p.real(), *p.real(), *p.int(), p.small()))
    KINDS.append(define)


reals(lambda a, x, b, y, c, z, small: (f"{a} + {b} * 0.3", x + y * 0.3))
reals(lambda a, x, b, y, c, z, small: (f"{a} * {b} - {a}", x * y - x))
reals(lambda a, x, b, y, c, z, small: (
    f"blend {a} {b}", (x - y) / 4.0 + y * 0.5))
reals(lambda a, x, b, y, c, z, small: (
    f"if {a} <= {b} then float {c} / 8.0 else - {a}", float(z) / 8.0 if x <= y else -x))
reals(lambda a, x, b, y, c, z, small: (f"sqrt (abs {a}) + 0.1", math.sqrt(abs(x)) + 0.1))
reals(lambda a, x, b, y, c, z, small: (f"max {a} {b} - min {a} 2.5", max(x, y) - min(x, 2.5)))
reals(lambda a, x, b, y, c, z, small: (f"{b} / (abs {a} + 0.25)", y / (abs(x) + 0.25)))
reals(lambda a, x, b, y, c, z, small: (f"smooth {small + 1} {a} {b}", smooth(small + 1, x, y)))


@kind
def truncated(p, number):
    (a, x), (b, y) = p.real(), p.int()
    p.define(number, f"trunc {a} + {b} div 3", math.trunc(x) + quotient(y, 3))


@kind
def sum_of_reals(p, number):
    (a, x), (b, y), n = p.real(), p.real(), p.small()
    value = 0.0
    for i in range(1, n + 1):
        value = value + (x * float(i) + y)
    p.define_real(number, f"summed {{: {a} * float i + {b} || i <- 1 to {n} :}}", value)


# Types of the program

def weighed(of, p, number):
    """A value of the type, changed, and what it weighs."""
    text, value = of.value(p)
    k, times = p.rng.randint(-1, 3), p.rng.randint(0, 2)
    for _ in range(times):
        text, value = f"(change{of.number} {text})", of.change(value)
    p.lines.append(f"d{number} = {text}")
    p.data.append((f"d{number}", of, value))
    p.define(number, f"weight{of.number} {literal(k)} d{number}", of.weigh(k, value))


@kind
def of_the_first_type(p, number):
    weighed(p.types[0], p, number)


@kind
def of_the_second_type(p, number):
    weighed(p.types[1], p, number)


@kind
def matched(p, number):
    """A choice by patterns in patterns, of a name or a value on the spot."""
    if p.data and p.rng.random() < 0.5:
        text, of, value = p.rng.choice(p.data)
    else:
        of = p.rng.choice(p.types)
        text, value = of.value(p)
    p.define(number, *of.case(text, value, p))


@kind
def bag(p, number):
    """A polymorphic type: of ints, and of what functions make of these."""
    (a, x), n = p.int(), 3 + 2 * p.small()
    values = sorted(wrapped(x + remainder(i * 7, 5) * i) for i in range(1, n + 1))
    p.define(number, f"{{b = collected {{: {a} + (i * 7) mod 5 * i || i <- 1 to {n} :}}; "
                     f"c = by_rank {{fun q = float (q - {a}) / 2.0}} b; (x:xs) = flat b nil "
                     f"in x * entries c + total xs + trunc (summed (flat c nil))}}",
             wrapped(values[0] * n) + sum(values[1:])
             + int(sum((wrapped(v - x)) / 2.0 for v in values)))


# M-structures

def histogram(p, number, name, update, calls):
    """Elements that the rounds of a loop, or calls on any rank, change in any order; in the end it
    is known that all have taken what they change."""
    (a, x), (b, y), n, k = p.int(), p.int(), 3 * p.small() + 2, p.rng.randint(0, 3)
    held = [x] * (k + 1)
    for i in range(1, n + 1):
        at = i * 3 % (k + 1)
        held[at] = wrapped(update(held[at], wrapped(y + i)))
    made = f"{name} h (i * 3 mod {k + 1}) ({b} + i)"
    done = (f"total {{: {made} || i <- 1 to {n} :}}" if calls else
            f"{{s = 0 in {{for i <- 1 to {n} do next s = s + {made} finally s}}}}")
    look = p.rng.choice(("!", "!!"))
    p.define(number, f"{{h = M_array (0, {k}); {{for i <- 0 to {k} do h![i] = {a}}}; n = {done} "
                     f"in total {{: h{look}[j + n - {n}] * (j + 1) || j <- 0 to {k} :}}}}",
             sum(wrapped(v * (j + 1)) for j, v in enumerate(held)))


@kind
def sums(p, number):
    histogram(p, number, "bump", lambda old, x: old + x, False)


@kind
def products(p, number):
    histogram(p, number, "scale", lambda old, x: old * x, True)


@kind
def most(p, number):
    histogram(p, number, "raise_to", max, p.rng.random() < 0.5)


@kind
def by_a_tree(p, number):
    (a, x), n = p.int(), p.small() + 3
    held = [x] * 3
    calls = bumps(held, n, 0)
    p.define(number, f"{{h = M_array (0, 2); h![0] = {a}; h![1] = {a}; h![2] = {a}; "
                     f"n = bumps h {n} 0 in h![n - {calls}] - h!![n - {calls} + 1] * "
                     f"h![n - {calls} + 2]}}", held[0] - held[1] * held[2])


@kind
def of_two_dimensions(p, number):
    (a, x), n, m = p.int(), p.small(), p.small()
    p.define(number, f"{{h = M_matrix ((1, {n}), (1, 2)); {{for i <- 1 to {n} do h![i, 1] = {a}; "
                     f"h![i, 2] = i}}; s = 0; n = {{for i <- 1 to {n} do next s = s + total "
                     f"{{: counted h i (j mod 2 + 1) j || j <- 1 to {m} :}} finally s}} "
                     f"in h!![{n}, n - {n * m} + 1] * 7 + h![1, n - {n * m} + 2]}}",
             (x - sum(j for j in range(1, m + 1) if j % 2 == 0)) * 7
             + 1 - sum(range(1, m + 1, 2)))


@kind
def handed_on(p, number):
    """One element that is taken and filled in turns: each value says where the next one goes."""
    (a, x), (b, y), n = p.int(), p.int(), p.small()
    value = x
    for i in range(1, n + 1):
        value = wrapped(value * 2 + y - i)
    p.define(number, f"{{c = M_array (0, 0); c![0] = {a}; x = c![0] in {{for i <- 1 to {n} do "
                     f"c![x - x] = x * 2 + {b} - i; next x = c![x - x] finally x}}}}", value)
