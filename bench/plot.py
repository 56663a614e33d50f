#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/figures.svg, the figures of the README, from the output of `ramjet bench --json`: for
each benchmark with a raw limit, how Ramjet compares with it. Legible on light and dark pages.

    ramjet bench --json > bench.json && bench/plot.py bench.json -o docs/figures.svg
"""

import argparse
import html
import json
import pathlib
import sys

# Of all records those that show the engine best by kind, and what they are called in the picture.
SHOWN = (
    ("am_round_trip", "short request and reply"),
    ("am_rate", "one-way short messages"),
    ("am_medium_64k", "64 KiB payloads"),
    ("am_long_1m", "1 MiB into a segment"),
    ("barrier_2", "barrier of two ranks"),
    ("gas_bulk_get_1m", "1 MiB fetched from a neighbour"),
    ("gas_fetch_add_node", "fetch-and-add on a neighbour's counter"),
    ("histogram_1e6", "random atomic adds (histogram)"),
    ("em3d", "EM3D, bulk, 20 % remote edges"),
)
WIDTH, LEFT, RIGHT, ROW, TOP = 860, 330, 190, 30, 62
STYLE = """
  text { font: 14px system-ui, 'DejaVu Sans', sans-serif; fill: #24292f; }
  .title { font-size: 16px; font-weight: 600; }
  .small { font-size: 12px; fill: #57606a; }
  .bar { fill: #2f6fde; }
  .limit { stroke: #24292f; stroke-width: 1.5; stroke-dasharray: 4 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9aa4af; }
    .bar { fill: #5b93f5; }
    .limit { stroke: #e6edf3; }
  }
"""


def speed_of(record):
    """How fast the record is beside its limit: 1 is as fast, 2 twice as fast."""
    ratio = record["ratio_to_limit"]
    return 1 / ratio if record["better"] == "lower" else ratio


def number(value):
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f}"


def value_text(record):
    return f"{number(record['value'])} {record['unit']}"


def text(x, y, what, style="", anchor="start"):
    style = f' class="{style}"' if style else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{style}>{html.escape(what)}</text>'


def picture(rows, provenance):
    height = TOP + ROW * len(rows) + 46
    most = max(1.25, *(speed_of(record) for _, record in rows))
    scale = (WIDTH - LEFT - RIGHT) / most
    one = LEFT + scale
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Ramjet beside the raw limit of the machine">',
        f"<style>{STYLE}</style>",
        text(16, 26, "Speed beside the same thing by bare loads and stores", "title"),
        text(one, TOP - 10, "bare code = 1", "small", "middle"),
    ]
    for index, (name, record) in enumerate(rows):
        y = TOP + ROW * index
        speed = speed_of(record)
        parts += [
            text(LEFT - 12, y + 19, name, anchor="end"),
            f'<rect class="bar" x="{LEFT}" y="{y + 4}" width="{speed * scale:.1f}" '
            f'height="{ROW - 8}" rx="3"/>',
            text(max(LEFT + speed * scale, one) + 10, y + 19,
                 f"{speed:.2f} ({value_text(record)})"),
        ]
    bottom = TOP + ROW * len(rows)
    parts += [
        f'<line class="limit" x1="{one:.1f}" y1="{TOP - 4}" x2="{one:.1f}" y2="{bottom + 4}"/>',
        text(16, bottom + 30, provenance, "small"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file",
                        help="output of ramjet bench --json; the README's: docs/figures.json")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    records = json.loads(pathlib.Path(options.file).read_text(encoding="utf-8"))
    by_name = {}
    for record in records:
        if record["ratio_to_limit"]:
            by_name.setdefault(record["name"], record)
    rows = [(label, by_name[name]) for name, label in SHOWN if name in by_name]
    if not rows:
        sys.exit("plot.py: there is no record with a raw limit in this file")
    origin = by_name[next(name for name, _ in SHOWN if name in by_name)]["params"]["provenance"]
    provenance = f"{origin['processor']}, {origin['usable_cores']} cores; {origin['compiler']}"
    options.output.write_text(picture(rows, provenance), encoding="utf-8")


main()
