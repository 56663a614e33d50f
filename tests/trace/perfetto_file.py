# SPDX-License-Identifier: Apache-2.0
"""A small decoder of Perfetto's traces, independent of the one in the command.

It knows protocol buffers' wire format and the field numbers of perfetto/trace/*.proto, and builds
slices as Perfetto's trace processor does: a stack for each track, names by their interned numbers.
Each slice has to end. One whose end is not known is marked, and its `end` is None.
"""

import collections

Event = collections.namedtuple("Event", "type ns track name category flows ends numbers")
Slice = collections.namedtuple("Slice", "name category track begin end depth flows ends numbers")
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def as_varint(value):
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes([*data, value])


def fields(data):
    """(number, value) of each field; bytes for what has a length."""
    at, end = 0, len(data)
    while at < end:
        key, at = data[at], at + 1
        if key >= 0x80:
            key, at = varint(data, at - 1)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = data[at], at + 1
            if value >= 0x80:
                value, at = varint(data, at - 1)
        elif kind == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif kind == 2:
            size, at = data[at], at + 1
            if size >= 0x80:
                size, at = varint(data, at - 1)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "the file ends inside a packet"
        else:
            raise AssertionError(f"wire type {kind}")
        yield number, value


def first(data, number, fallback=None):
    return next((value for n, value in fields(data) if n == number), fallback)


def grouped(data):
    """The values of each field by its number, in their order."""
    groups = collections.defaultdict(list)
    for number, value in fields(data):
        groups[number].append(value)
    return groups


class Trace:
    def __init__(self, path):
        self.tracks = {}  # uuid: (name, parent)
        self.counters = set()
        self.events = []
        self._names, self._annotations = {}, {}
        with open(path, "rb") as file:
            data = file.read()
        sequences = set()
        for index, (number, packet) in enumerate(fields(data)):
            assert number == 1, "a file is a sequence of packets"
            groups = grouped(packet)
            flags = groups[13][0] if groups[13] else 0
            assert flags & (1 if index == 0 else 2), "names are of a sequence that says so"
            sequences.add(groups[10][0])
            self._take(groups)
        assert len(sequences) == 1
        self.slices = list(self._build())

    def _take(self, packet):
        for names in packet[12]:
            for kind, entry in fields(names):
                table = {2: self._names, 3: self._annotations}[kind]
                iid = first(entry, 1)
                assert iid not in table, "a name is interned once"
                table[iid] = first(entry, 2).decode()
        for track in packet[60]:
            self._take_track(track)
        for event in packet[11]:
            self._take_event(grouped(event), packet[8][0])

    def _take_track(self, track):
        uuid, process, thread = first(track, 1), first(track, 3), first(track, 4)
        name = first(track, 2)
        if process is not None:
            name = first(process, 6)
        if thread is not None:
            name = first(thread, 5)
        if first(track, 8) is not None:
            self.counters.add(uuid)
        self.tracks[uuid] = (name.decode(), first(track, 5))

    def _take_event(self, event, ns):
        notes = map(grouped, event[4])
        numbers = {self._annotations[note[1][0]]: note[3][0] for note in notes}
        track = event[11][0]
        assert track in self.tracks, "an event is on a track that was described before"
        self.events.append(Event(event[9][0], ns, track,
                                 self._names[event[10][0]] if event[10] else None,
                                 event[22][0].decode() if event[22] else None, event[47],
                                 event[48], numbers))

    def _build(self):
        stacks, latest = collections.defaultdict(list), {}
        for e in self.events:
            assert e.ns >= latest.get(e.track, 0), f"times go back on {self.tracks[e.track]}"
            latest[e.track] = e.ns
            if e.type == COUNTER:
                assert e.track in self.counters
                continue
            stack = stacks[e.track]
            if e.type == INSTANT:
                yield Slice(e.name, e.category, e.track, e.ns, e.ns, len(stack), e.flows, e.ends,
                            e.numbers)
            elif e.type == BEGIN:
                stack.append(e)
            else:
                assert stack, f"a slice ends that has not begun, on {self.tracks[e.track]}"
                b = stack.pop()
                end = None if "not ended" in e.numbers else e.ns
                yield Slice(b.name, b.category, b.track, b.ns, end, len(stack), b.flows, b.ends,
                            {**b.numbers, **e.numbers})
        for track, stack in stacks.items():
            assert not stack, f"a slice never ends, on {self.tracks[track]}"

    def of(self, category):
        return [s for s in self.slices if s.category == category]

    def track_name(self, s):
        return self.tracks[s.track][0]

    def clock_error_ns(self):
        return self.of("end")[0].numbers["clock error in ns"]

    def lost(self):
        return sum(s.numbers["lost events"] for s in self.of("ring"))


class Writer:
    """A trace of a job on one machine with one endpoint for each rank, as `ramjet run` makes it."""

    def __init__(self, program, ranks, name="solve"):
        self.events = []
        track = number(1, 1) + text(2, b"ramjet job (trace format 1)")
        names = b"".join(text(2, number(1, iid) + text(2, each.encode()))
                         for iid, each in ((1, program), (2, name)))
        job = [(5, ranks), (6, 1), (7, 1), (8, 1)]  # ranks, nodes, endpoints, one of so many
        self.head = (text(1, text(60, track)) + text(1, text(12, names)) +
                     self.event(0, INSTANT, 1, 1, "job", numbers=job))

    @staticmethod
    def event(ns, kind, track, name, category, numbers=(), flow=0, ends=0):
        data = number(9, kind) + number(11, track) + number(10, name)
        data += text(22, category.encode())
        for iid, value in numbers:
            data += text(4, number(1, iid) + number(3, value))
        for field, value in ((47, flow), (48, ends)):
            if value:
                data += as_varint(field << 3 | 1) + value.to_bytes(8, "little")
        return text(1, number(8, ns) + text(11, data))

    def slice(self, rank, begin, end, category, ends=0):
        track = rank + 1 << 32
        self.events += [(begin, self.event(begin, BEGIN, track, 2, category, ends=ends)),
                        (end, self.event(end, END, track, 0, category))]

    def instant(self, rank, ns, category, flow):
        self.events.append((ns, self.event(ns, INSTANT, rank + 1 << 32, 2, category, flow=flow)))

    def write(self, path):
        self.events.sort(key=lambda event: event[0])
        end = self.event(0, INSTANT, 1, 0, "end", numbers=[(11, 1000)])
        with open(path, "wb") as file:
            file.write(self.head + b"".join(data for _, data in self.events) + end)


def number(field, value):
    return as_varint(field << 3) + as_varint(value)


def text(field, data):
    return as_varint(field << 3 | 2) + as_varint(len(data)) + data
