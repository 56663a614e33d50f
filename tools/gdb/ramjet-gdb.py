# SPDX-License-Identifier: Apache-2.0
"""User-level threads, and the pointers of Split-C, in gdb:  (gdb) source ramjet-gdb.py

    ramjet threads         every thread, and what it waits for
    ramjet backtrace ID    where a thread stands that does not run; `all` for every one
    print P                a global or spread pointer of a program that splitcc compiled:
                           processor, address, and a number's value where it can be reached
    print $at(P)           what it points to, of whatever type; $at(P, N): N elements on, on that
                           processor
    print $spread(P, N)    what the spread pointer P + N points to: block N of a spread array
    print MYPROC, PROCS    as the program has them, also in conditions: break f if MYPROC == 1
"""

import re

import gdb

ENDED = 1


def expression(text):
    return gdb.parse_and_eval(text)


def type_named(name):
    return gdb.lookup_type(f"ramjet::ult::detail::{name}")


def descriptors():
    """Those that belong to threads which have not ended."""
    slab = expression("'ramjet::ult::detail::descriptor_slabs'")["_M_b"]["_M_p"]
    one = type_named("descriptor")
    while slab:
        for i in range(int(slab["count"])):
            at = int(slab["blocks"]) + i * one.sizeof
            d = gdb.Value(at).cast(one.pointer()).dereference()
            if int(d["id"]) != 0 and int(d["ended"]["_M_i"]) != ENDED:
                yield d
        slab = slab["next"]


def control_of(d):
    return d["stack"] if d["started"] else None


def running():
    """The control blocks of the threads that workers run now."""
    pool = expression("'ramjet::ult::detail::worker_pool'")
    return {int(pool["workers"][i]["self"]) for i in range(int(pool["count"]["_M_i"]))}


def record_of(d, control):
    """What says the thread's name and wait: its control block, or a lender's on its stack."""
    record = control
    if control["who"] != d.address:
        record = control["lenders"]
        while record and record["who"] != d.address:
            record = record["below"]
    return record or control


def describe(d, busy):
    control = control_of(d)
    text = f"thread {int(d['id'])}"
    if control is None:
        return text + " has not started"
    record = record_of(d, control)
    name = record["more"]["name"]
    if name:
        text += f" '{name.string()}'"
    text += f" at worker {int(d['home']['_M_i'])} "
    if int(control) in busy and record == control:
        return text + "runs"
    if record != control:
        joined = record["joins"].dereference()
        return text + f"waits for a thread at {hex(int(record['joins']))}, held by thread " \
                      f"{int(joined['id'])}"
    if not record["waits"]:
        return text + "is ready"
    waits = record["waits"].dereference()
    text += f"waits for a {waits['what'].string()}"
    if waits["object"]:
        text += f" at {hex(int(waits['object']))}"
    if int(waits["owner"]):
        text += f", held by thread {int(waits['owner'])}"
    return text


def backtrace(control):
    """The stack of a thread that does not run, by lending its context to the selected thread."""
    names = ("rsp", "rbp", "rip") if "x86-64" in architecture() else ("sp", "x29", "pc")
    gdb.newest_frame().select()
    kept = {name: int(expression(f"(unsigned long)${name}")) for name in names}
    try:
        for name, field in zip(names, ("sp", "fp", "pc")):
            gdb.execute(f"set ${name} = {int(control[field])}")
        gdb.execute("backtrace")
    finally:
        for name, value in kept.items():
            gdb.execute(f"set ${name} = {value}")


def architecture():
    return gdb.newest_frame().architecture().name()


class Ramjet(gdb.Command):
    """Commands about Ramjet's user-level threads."""

    def __init__(self):
        super().__init__("ramjet", gdb.COMMAND_STACK, prefix=True)


class Threads(gdb.Command):
    """Every user-level thread, and what it waits for."""

    def __init__(self):
        super().__init__("ramjet threads", gdb.COMMAND_STACK)

    def invoke(self, _argument, _from_tty):
        busy = running()
        for d in descriptors():
            print(describe(d, busy))


class Backtrace(gdb.Command):
    """ramjet backtrace ID|all: where user-level threads stand that do not run.
Those that run are the system threads' own: `thread apply all backtrace`."""

    def __init__(self):
        super().__init__("ramjet backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        wanted = argument.strip()
        if not wanted:
            raise gdb.GdbError("which thread? `ramjet backtrace ID`, or `all`")
        busy = running()
        found = False
        for d in descriptors():
            if wanted not in ("all", str(int(d["id"]))):
                continue
            found = True
            print(describe(d, busy))
            control = control_of(d)
            if control is not None and int(control) not in busy:
                backtrace(control)
        if not found:
            raise gdb.GdbError(f"there is no thread {wanted}; `ramjet threads` lists them")



# --- Global and spread pointers -------------------------------------------------------------------

ADDRESS_BITS = 48
ADDRESS_MASK = (1 << ADDRESS_BITS) - 1

# The compiler names a pointer's type after what it points to, as in splitc_global_to_int.
POINTER = re.compile(r"splitc_(global|spread)_to_(\w+)$")
BASIC = {
    "_Bool": "_Bool", "unsigned": "unsigned int", "signed_char": "signed char",
    "unsigned_char": "unsigned char", "unsigned_short": "unsigned short",
    "unsigned_long": "unsigned long", "long_long": "long long",
    "unsigned_long_long": "unsigned long long", "long_double": "long double",
}


def pointee(words):
    """The type that the words stand for; None where gdb does not know it."""
    if words.startswith(("global_to_", "spread_to_")):
        return known_type("splitc_" + words)
    if words.startswith("pointer_to_"):
        target = pointee(words[len("pointer_to_"):])
        return target and target.pointer()
    array = re.match(r"array_(\d+)_of_(\w+)", words)
    if array:
        element = pointee(array[2])
        return element and element.array(int(array[1]) - 1)
    for tag in ("struct", "union", "enum"):
        if words.startswith(tag + "_"):
            return known_type(f"{tag} {words[len(tag) + 1:]}")
    return known_type(BASIC.get(words, words))


def known_type(name):
    try:
        return gdb.lookup_type(name, gdb.selected_frame().block())
    except (gdb.error, RuntimeError):
        try:
            return gdb.lookup_type(name)
        except gdb.error:
            return None


# Words of ramjet_address_space (ramjet/detail/gas/address_space.hpp).
OWN_BITS, WINDOW_BASE, SEGMENT_BYTES, RANKS, NEAR_RANKS = 0, 1, 2, 6, 12


def word(number):
    return f"((unsigned long *)&ramjet_address_space)[{number}]"


def place(bits):
    """Where this process has the byte that the bits name; None for a processor of another node, or
    one that is treated as if it were."""
    rank, address = bits >> ADDRESS_BITS, bits & ADDRESS_MASK
    if rank >= int(expression(word(RANKS))):
        return None
    if int(expression(f"((unsigned char *){word(NEAR_RANKS)})[{rank}]")) == 0:
        return None
    if not 0 <= address - int(expression(word(WINDOW_BASE))) < int(expression(word(SEGMENT_BYTES))):
        return None
    delta = int(expression(f"((unsigned long *)&ramjet_near_places)[{(1 << 16) + rank}]"))
    return (bits + delta) % (1 << 64)


class Pointer:
    """Prints a global or spread pointer."""

    def __init__(self, value, words):
        self.bits, self.words = int(value), words

    def to_string(self):
        processor, address = self.bits >> ADDRESS_BITS, self.bits & ADDRESS_MASK
        if address == 0:
            return f"null (processor {processor})"
        text = f"processor {processor}, {address:#x}"
        target, at = pointee(self.words), place(self.bits)
        if target is None or at is None:
            return text
        kind = target.strip_typedefs().code
        if kind in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY,
                    gdb.TYPE_CODE_VOID):
            return f"{text}, a {target}"
        try:
            return f"{text}: {gdb.Value(at).cast(target.pointer()).dereference()}"
        except gdb.MemoryError:
            return text + ": out of reach"


def printer_for(value):
    found = value.type.name and POINTER.match(value.type.name)
    return Pointer(value, found[2]) if found else None


def target_of(pointer, wanted="global|spread"):
    """The type that a pointer points to."""
    found = pointer.type.name and POINTER.match(pointer.type.name)
    if not found or found[1] not in wanted:
        kind = wanted.replace("|", " or ")
        raise gdb.GdbError(f"{pointer.type} is not a {kind} pointer of Split-C")
    target = pointee(found[2])
    if target is None or target.code == gdb.TYPE_CODE_VOID:
        raise gdb.GdbError(f"what {pointer.type} points to is not known here")
    return target


def value_at(bits, target):
    at = place(bits)
    if at is None:
        raise gdb.GdbError("it is not in the memory of a processor of this node")
    return gdb.Value(at).cast(target.pointer()).dereference()


class At(gdb.Function):
    """$at(POINTER [, N]): what a global or spread pointer points to, or N elements further on."""

    def __init__(self):
        super().__init__("at")

    def invoke(self, pointer, n=0):
        target = target_of(pointer)
        return value_at(int(pointer) + int(n) * target.sizeof, target)


class Spread(gdb.Function):
    """$spread(POINTER, N): what a spread pointer + N points to; block N of a spread array."""

    def __init__(self):
        super().__init__("spread")

    def invoke(self, pointer, n):
        target = target_of(pointer, "spread")
        processors = int(expression(word(RANKS)))
        rows, processor = divmod((int(pointer) >> ADDRESS_BITS) + int(n), processors)
        address = (int(pointer) & ADDRESS_MASK) + rows * target.sizeof
        return value_at(processor << ADDRESS_BITS | address & ADDRESS_MASK, target)


# They are macros of the program, which gdb does not know without -g3. `macro undef` undoes it.
gdb.execute(f"macro define MYPROC ((int)({word(OWN_BITS)} >> {ADDRESS_BITS}))")
gdb.execute(f"macro define PROCS ((int){word(RANKS)})")
gdb.execute("skip -gfi */ramjet/splitc_compiled.h", to_string=True)  # `step` leaves accesses out
gdb.pretty_printers.append(printer_for)
At()
Spread()
Ramjet()
Threads()
Backtrace()
