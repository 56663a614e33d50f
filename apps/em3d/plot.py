#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `em3d --json` found: ns per edge against the percentage of remote edges, a line for
each version, as figure 9 of Arpaci et al. 1995 does.

    ramjet run -n 4 em3d --json | apps/em3d/plot.py -o em3d.png
    apps/em3d/plot.py em3d.json -o em3d.svg
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "measured"))
import plotting  # noqa: E402

# By version: colour and marker. The colours stay apart for colour-blind readers, too.
STYLES = {
    "simple": ("#D55E00", "o"),
    "bundle": ("#E69F00", "s"),
    "unroll": ("#009E73", "^"),
    "get": ("#0072B2", "D"),
    "put": ("#CC79A7", "v"),
    "bulk": ("#000000", "P"),
}
LOGARITHMIC_FROM = 30  # the greatest time over the least


def read(data):
    """The data and, by version, its percentages and times."""
    lines = {}
    for r in data["results"]:
        if r["check"] != "ok":
            raise plotting.Unusable(
                f": the run of {r['version']} was wrong; its time means nothing")
        lines.setdefault(r["version"], []).append(
            (float(r["remote_percent"]), float(r["ns_per_edge"]["median"])))
    float(data["serial_ns_per_edge"]["median"])
    for key in ("ranks", "nodes_per_rank", "degree", "iterations"):
        int(data[key])
    str(data["machine"]["processor"])
    if not lines:
        raise plotting.Unusable(" has no results")
    return data, {version: sorted(points) for version, points in lines.items()}


def draw(pyplot, taken):
    data, lines = taken
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
    figure.suptitle(f"EM3D on {plotting.ranks(int(data['ranks']))}", fontsize=14)
    axes.set_title(f"{data['nodes_per_rank']} nodes per rank, degree {data['degree']}, "
                   f"{data['iterations']} iterations; {data['machine']['processor']}",
                   fontsize=10, color="#444444")
    plotting.plain(axes, grid="both")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure


if __name__ == "__main__":
    plotting.run(__doc__, "em3d", read, draw)
