# SPDX-License-Identifier: Apache-2.0
"""User-level threads in gdb:  (gdb) source ramjet-gdb.py

    ramjet threads         every thread, and what it waits for
    ramjet backtrace ID    where a thread stands that does not run; `all` for every one
"""

import gdb

ENDED = 1


def expression(text):
    return gdb.parse_and_eval(text)


def type_named(name):
    return gdb.lookup_type(f"ramjet::ult::detail::{name}")


def descriptors():
    """Those that belong to threads which have not ended."""
    slab = expression("'ramjet::ult::detail::descriptor_slabs'")["_M_b"]["_M_p"]
    count = int(expression("'ramjet::ult::detail::kSlabBlocks'"))
    one = type_named("descriptor")
    while slab:
        for i in range(count):
            at = int(slab["blocks"]) + i * one.sizeof
            d = gdb.Value(at).cast(one.pointer()).dereference()
            if int(d["id"]) != 0 and int(d["ended"]["_M_i"]) != ENDED:
                yield d
        slab = slab["next"]


def control_of(d):
    return d["body"].cast(type_named("control").pointer()) if d["started"] else None


def running():
    """The control blocks of the threads that workers run now."""
    pool = expression("'ramjet::ult::detail::everyone'")
    return {int(pool["workers"][i]["self"]) for i in range(int(pool["count"]["_M_i"]))}


def describe(d, busy):
    control = control_of(d)
    text = f"thread {int(d['id'])}"
    if control is None:
        return text + " has not started"
    if control["name"]:
        text += f" '{control['name'].string()}'"
    text += f" at worker {int(d['home']['_M_i'])} "
    if int(control) in busy:
        return text + "runs"
    if not control["waits"]:
        return text + "is ready"
    waits = control["waits"].dereference()
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


Ramjet()
Threads()
Backtrace()
