#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `em3d --json` found: ns per edge against the percentage of remote edges, a line for
each version, as figure 9 of Arpaci et al. 1995 does.

    ramjet run -n 4 em3d --json | apps/em3d/plot.py -o em3d.png
    apps/em3d/plot.py em3d.json -o em3d.svg
"""

import argparse
import json
import pathlib
import sys

# By version: colour and marker. The colours stay apart for colour-blind readers, too.
STYLES = {
    "simple": ("#D55E00", "o"),
    "bundle": ("#E69F00", "s"),
    "unroll": ("#009E73", "^"),
    "get": ("#0072B2", "D"),
    "put": ("#CC79A7", "v"),
    "bulk": ("#000000", "P"),
}
SUFFIXES = (".png", ".svg", ".pdf")
LOGARITHMIC_FROM = 30  # the greatest time over the least


def fail(message, status=1):
    print(f"plot.py: {message}", file=sys.stderr)
    sys.exit(status)


def load_pyplot():
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        fail(f"matplotlib is missing in {sys.executable}: install the package python3-matplotlib")
    return pyplot


def read_data(name):
    """The parsed JSON and, by version, its percentages and times."""
    try:
        with (sys.stdin if name == "-" else open(name, encoding="utf-8")) as file:
            data = json.load(file)
        lines = {}
        for r in data["results"]:
            if r["check"] != "ok":
                fail(f"{name}: the run of {r['version']} was wrong; its time means nothing")
            lines.setdefault(r["version"], []).append(
                (float(r["remote_percent"]), float(r["ns_per_edge"]["median"])))
        float(data["serial_ns_per_edge"]["median"])
        for key in ("ranks", "nodes_per_rank", "degree", "iterations"):
            int(data[key])
        str(data["machine"]["processor"])
    except OSError as e:
        fail(f"cannot read {name}: {e.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        fail(f"{name} is not the output of em3d --json ({type(e).__name__}: {e})")
    if not lines:
        fail(f"{name} has no results")
    return data, {version: sorted(points) for version, points in lines.items()}


def draw(pyplot, data, lines, path):
    figure, axes = pyplot.subplots(figsize=(8, 5.2), layout="constrained")
    for version, points in lines.items():
        colour, marker = STYLES.get(version, (None, "x"))
        axes.plot(*zip(*points), label=version, color=colour, marker=marker, markersize=5,
                  linewidth=1.8)
    serial = float(data["serial_ns_per_edge"]["median"])
    axes.axhline(serial, color="#777777", linestyle="--", linewidth=1.2, zorder=1,
                 label="serial, all local")
    axes.set_xlabel("remote edges (%)")
    axes.set_ylabel("time per edge of a rank (ns)")
    times = [ns for points in lines.values() for _, ns in points] + [serial]
    if max(times) > LOGARITHMIC_FROM * min(times):
        axes.set_yscale("log", subs=(2, 5))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("{x:g}")
    else:
        axes.set_ylim(bottom=0, top=1.06 * max(times))
    ranks = int(data["ranks"])
    figure.suptitle(f"EM3D on {ranks} rank{'s' if ranks != 1 else ''}", fontsize=14)
    axes.set_title(f"{data['nodes_per_rank']} nodes per rank, degree {data['degree']}, "
                   f"{data['iterations']} iterations; {data['machine']['processor']}",
                   fontsize=10, color="#444444")
    axes.grid(color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    try:
        figure.savefig(path, dpi=150)
    except OSError as e:
        fail(f"cannot write {path}: {e.strerror}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", maxsplit=1)[0], prog="plot.py",
        epilog="example: ramjet run -n 4 em3d --json | apps/em3d/plot.py -o em3d.png")
    parser.add_argument("file", nargs="?", default="-",
                        help="output of em3d --json (default: standard input)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("em3d.png"),
                        help="what to write: .png, .svg or .pdf (default: %(default)s)")
    options = parser.parse_args()
    if options.output.suffix not in SUFFIXES:
        fail(f"{options.output}: the suffix is one of {', '.join(SUFFIXES)}", 2)
    if options.file == "-" and sys.stdin.isatty():
        fail("name a file, or pipe the output of em3d --json here", 2)
    data, lines = read_data(options.file)
    draw(load_pyplot(), data, lines, options.output)


if __name__ == "__main__":
    main()
