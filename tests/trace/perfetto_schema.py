#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes traces by Perfetto's own published schema, which its Python package has, and says what
is in them. Fails if a field is not in the schema, or a name is used that was not interned.

    python3 -m venv perfetto && perfetto/bin/pip install perfetto
    perfetto/bin/python tests/trace/perfetto_schema.py FILE...
"""

import collections
import sys

from google.protobuf import unknown_fields
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema


def unknown(message):
    """How many fields of it, and of what is in it, the schema does not have."""
    found = len(unknown_fields.UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.message_type is not None:
            found += sum(map(unknown, value if hasattr(value, "__len__") else [value]))
    return found


def said(path):
    trace = schema.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    kinds, names, strangers = collections.Counter(), set(), 0
    for packet in trace.packet:
        strangers += unknown(packet)
        names.update(entry.iid for entry in packet.interned_data.event_names)
        kinds[packet.WhichOneof("data")] += 1
        if packet.HasField("track_event"):
            event = packet.track_event
            kinds[schema.TrackEvent.Type.Name(event.type)] += 1
            strangers += event.HasField("name_iid") and event.name_iid not in names
    print(f"{path}: {len(trace.packet)} packets, {dict(kinds)}; not in the schema: {strangers}")
    return strangers == 0


if __name__ == "__main__":
    sys.exit(0 if all([said(path) for path in sys.argv[1:]]) else 1)
