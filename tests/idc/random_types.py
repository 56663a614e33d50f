# SPDX-License-Identifier: Apache-2.0
"""Random algebraic types, functions by patterns on them, and what Python makes of both.

A value is (number of the constructor, fields). Fields are of these kinds: int, real, list (of int),
pair (of int and real), a type that was made before, or the type itself. A pattern is a tuple that
begins with what it is; all variables of a clause get numbers.
"""

SELF = "self"


def wrapped(n):
    return (n + 2**63) % 2**64 - 2**63


def number_text(x):
    """A float as programs print it."""
    return next(text for text in (f"{x:.{digits}g}" for digits in (15, 16, 17))
                if float(text) == x)


def literal(x):
    """A constant of the program: those have no sign of their own."""
    return f"(-{-x!r})" if x < 0 else repr(x)


def match(pattern, value, to):
    """Whether the value matches; its parts go to `to`, by the numbers of variables."""
    what, *of = pattern
    if what == "any":
        return True
    if what == "name":
        to[of[0]] = value
        return True
    if what == "int":
        return value == of[0]
    if what == "nil":
        return value == []
    if what == "cell":
        return value != [] and match(of[0], value[0], to) and match(of[1], value[1:], to)
    if what == "pair":
        return all(match(p, v, to) for p, v in zip(of, value))
    constructor, fields = of
    return value[0] == constructor.number and all(
        match(p, v, to) for p, v in zip(fields, value[1]))


def text_of(pattern):
    """In parentheses where it needs some."""
    what, *of = pattern
    if what == "any":
        return "_"
    if what == "name":
        return f"x{of[0]}"
    if what == "int":
        return str(of[0])
    if what == "nil":
        return "nil"
    if what == "cell":
        return f"({text_of(of[0])} : {text_of(of[1])})"
    if what == "pair":
        return f"({text_of(of[0])}, {text_of(of[1])})"
    constructor, fields = of
    words = [constructor.name, *map(text_of, fields)]
    return words[0] if len(words) == 1 else f"({' '.join(words)})"


class Constructor:
    def __init__(self, number, name, fields):
        self.number, self.name, self.fields = number, name, fields


class Type:
    def __init__(self, rng, number, others):
        self.rng, self.name, self.number = rng, f"type{number}", number
        kinds = ["int", "int", "real", "list", "pair", *others]
        self.constructors = []
        for i in range(rng.choice((1, 2, 2, 3, 4, 7))):
            fields = [rng.choice(kinds) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
            if i > 0:  # values of the first one end
                fields += [SELF] * rng.choice((0, 1, 1, 2))
                rng.shuffle(fields)
            self.constructors.append(Constructor(i, f"{'ABCDEFG'[i]}{number}", fields))
        self.weight = self.weight_clauses()
        self.steps = [rng.randint(-2, 5) for _ in self.constructors]

    def kind_of(self, field):
        return self if field is SELF else field

    def declaration(self):
        words = {"int": "int", "real": "float", "list": "(list int)", "pair": "(int, float)"}
        return f"type {self.name} = " + " | ".join(
            " ".join([c.name, *(words.get(f) or self.kind_of(f).name for f in c.fields)])
            for c in self.constructors) + ";"

    # Values

    def value(self, operands, depth=3):
        """The text, in parentheses, and the value, of what the program has."""
        least = [c for c in self.constructors if SELF not in c.fields]
        c = self.rng.choice(self.constructors if depth > 0 else least)
        parts = [self.field(f, operands, depth) for f in c.fields]
        text = " ".join([c.name, *(text for text, _ in parts)])
        return f"({text})" if parts else text, (c.number, tuple(value for _, value in parts))

    def field(self, kind, operands, depth):
        if kind == "int":
            return operands.int()
        if kind == "real":
            return operands.real()
        if kind == "pair":
            (a, x), (b, y) = operands.int(), operands.real()
            return f"({a}, {b})", (x, y)
        if kind == "list":
            parts = [operands.int() for _ in range(self.rng.randint(0, 3))]
            return ("(" + " : ".join([*(text for text, _ in parts), "nil"]) + ")",
                    [value for _, value in parts])
        return self.kind_of(kind).value(operands, depth - 1)

    def printed(self, value, is_field=False):
        c = self.constructors[value[0]]
        parts = [self.printed_field(f, v) for f, v in zip(c.fields, value[1])]
        text = " ".join([c.name, *parts])
        return f"({text})" if is_field and parts else text

    def printed_field(self, kind, value):
        if kind == "int":
            return str(value)
        if kind == "real":
            return number_text(value)
        if kind == "pair":
            return f"({value[0]}, {number_text(value[1])})"
        if kind == "list":
            return f"{{: {', '.join(map(str, value))} :}}" if value else "nil"
        return self.kind_of(kind).printed(value, True)

    # Patterns

    def pattern(self, c, variables, depth=0):
        return ("of", c, [self.field_pattern(f, variables, depth) for f in c.fields])

    def field_pattern(self, kind, variables, depth):
        """`variables` are the kinds of those that there are: new ones go behind."""
        kind = self.kind_of(kind)
        chance = self.rng.random()
        if depth > 0 and chance < 0.2:
            return ("any",)
        if depth > 0 and chance < 0.6:
            if kind == "int":
                return ("int", self.rng.randint(-1, 4))
            if kind == "pair":
                return ("pair", self.field_pattern("int", variables, depth - 1),
                        self.field_pattern("real", variables, 0))
            if kind == "list" and chance < 0.3:
                return ("nil",)
            if kind == "list":
                return ("cell", self.field_pattern("int", variables, depth - 1),
                        self.field_pattern("list", variables, depth - 1))
            if kind != "real":
                return kind.pattern(self.rng.choice(kind.constructors), variables, depth - 1)
        variables.append(kind)
        return ("name", len(variables) - 1)

    def clauses(self, count):
        """Random ones of one parameter, each the pattern and the kinds of its variables; the last
        ones match all that the others do not."""
        made = []
        for _ in range(count):
            variables = []
            made.append((self.pattern(self.rng.choice(self.constructors), variables, 2),
                         variables))
        rest = self.constructors[:]
        self.rng.shuffle(rest)
        if self.rng.random() < 0.5:
            rest = rest[:len(rest) // 2]
            last = [(("any",), [])]
        else:
            last = []
        for c in rest:
            variables = []
            made.append((self.pattern(c, variables), variables))
        return made + last

    # def weightN k value: an int, by all of the value; k changes on the way down

    def weight_clauses(self):
        made = []
        for pattern, variables in self.clauses(2):
            factors = [self.rng.randint(-3, 3) for _ in variables]
            made.append((self.rng.choice((None, None, 0, 1)) if not is_last(pattern) else None,
                         pattern, variables, factors, self.rng.randint(-9, 9)))
        # What a number in the place of k keeps from a clause, one further behind takes.
        return made + [(None, ("any",), [], [], 5)]

    def weight_text(self):
        lines = []
        for k, pattern, variables, factors, constant in self.weight:
            k = "k" if k is None else k
            terms = [f"{literal(factor)} * {self.term(kind, k, f'x{i}')}"
                     for i, (kind, factor) in enumerate(zip(variables, factors))]
            lines.append(f"weight{self.number} {k} {text_of(pattern)} = "
                         + " + ".join([literal(constant), *terms]))
        return "def " + "\n  | ".join(lines) + ";"

    @staticmethod
    def term(kind, k, name):
        words = {"int": f"({name} + {k})", "real": f"(if {name} < 1.5 then 1 else 2)",
                 "list": f"total {name}", "pair": f"first {name}"}
        return words.get(kind) or f"weight{kind.number} ({k} - 1) {name}"

    def weigh(self, k, value):
        for wanted, pattern, variables, factors, constant in self.weight:
            found = {}
            if wanted not in (None, k) or not match(pattern, value, found):
                continue
            return wrapped(constant + sum(
                factor * self.term_value(kind, k, found[i])
                for i, (kind, factor) in enumerate(zip(variables, factors))))
        raise AssertionError("no clause")

    @staticmethod
    def term_value(kind, k, value):
        if kind == "int":
            return value + k
        if kind == "real":
            return 1 if value < 1.5 else 2
        if kind == "list":
            return sum(value)
        if kind == "pair":
            return value[0]
        return kind.weigh(k - 1, value)

    # def changeN value: the same constructors, other ints

    def change_text(self):
        lines = []
        for c, step in zip(self.constructors, self.steps):
            names = [f"x{i}" for i in range(len(c.fields))]
            made = [f"({n} + {literal(step)})" if f == "int"
                    else f"(change{self.number} {n})" if f is SELF else n
                    for n, f in zip(names, c.fields)]
            pattern = " ".join([c.name, *names])
            lines.append(f"change{self.number} {f'({pattern})' if names else pattern} = "
                         + " ".join([c.name, *made]))
        return "def " + "\n  | ".join(lines) + ";"

    def change(self, value):
        c, step = self.constructors[value[0]], self.steps[value[0]]
        return c.number, tuple(
            wrapped(v + step) if f == "int" else self.change(v) if f is SELF else v
            for f, v in zip(c.fields, value[1]))

    # {case value of ...}: an int

    def case(self, text, value, operands):
        lines, result = [], None
        for pattern, variables in self.clauses(3):
            (a, x), found = operands.int(), {}
            ints = [i for i, kind in enumerate(variables) if kind == "int"]
            lines.append(f"{text_of(pattern)} = " + " - ".join([a, *(f"x{i}" for i in ints)]))
            if result is None and match(pattern, value, found):
                result = wrapped(x - sum(found[i] for i in ints))
        return f"{{case {text} of | {' | '.join(lines)}}}", result


def is_last(pattern):
    return pattern[0] == "any"
