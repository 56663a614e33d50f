#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `matmul --json` printed: utilisation against the columns at each rank, measured and by
the model, and the share of the time that the gets would take by themselves.

    ramjet run -n 2 matmul --json > sweep.json
    plot.py sweep.json -o sweep.png

After Figure 5 of von Eicken et al. 1992, Active Messages.
"""

import argparse
import json
import sys

COMPUTING, FETCHING, FRAME = "#1f5fa8", "#c8641e", "#555555"


def fail(why, status=1):
    print(f"plot.py: {why}", file=sys.stderr)
    sys.exit(status)


def pyplot():
    try:
        import matplotlib
    except ImportError:
        fail("matplotlib is missing: install python3-matplotlib, or pip install matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot
    return matplotlib.pyplot


def read_sweep(name):
    try:
        with sys.stdin if name == "-" else open(name, encoding="utf-8") as file:
            sweep = json.load(file)
        sweep["rows"].sort(key=lambda row: row["columns"])
        sweep["rows"][0]["utilisation"]
    except OSError as e:
        fail(f"{name}: {e.strerror}")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        fail(f"{name}: not what matmul --json prints")
    return sweep


def draw_pair(axes, rows, key, color, name):
    """What was measured, as points on a line, and what the model says, as a broken line."""
    columns = [row["columns"] for row in rows]
    measured = [100 * row[key] for row in rows]
    predicted = [100 * row[key + "_by_model"] for row in rows]
    axes.plot(columns, predicted, "--", color=color, linewidth=1.4, label=f"{name}, by the model")
    axes.plot(columns, measured, "o-", color=color, linewidth=1.8, markersize=5.5,
              label=f"{name}, measured")


def draw(plt, sweep):
    rows = sweep["rows"]
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    draw_pair(axes, rows, "utilisation", COMPUTING, "computing")
    draw_pair(axes, rows, "get_share", FETCHING, "fetching")
    axes.set_xscale("log", base=2)
    axes.set_xticks([row["columns"] for row in rows], [str(row["columns"]) for row in rows])
    axes.minorticks_off()
    axes.set_ylim(0, 100)
    axes.set_yticks(range(0, 101, 20))
    axes.set_xlabel("columns of B and C at each rank")
    axes.set_ylabel("share of the time, %")
    ranks = sweep["ranks"]
    axes.set_title(f"Matrix product on {ranks} rank{'' if ranks == 1 else 's'}, "
                   f"columns of {sweep['n']} numbers", fontsize=11, loc="left", pad=10)
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(FRAME)
    axes.tick_params(colors=FRAME)
    axes.legend(frameon=False, fontsize=9, loc="center right")
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", help="the JSON object; - is standard input")
    parser.add_argument("-o", "--output", default="matmul.png", metavar="FILE",
                        help="a name that ends in .png or .svg; default %(default)s")
    options = parser.parse_args()
    if not options.output.endswith((".png", ".svg")):
        fail(f"{options.output}: the name must end in .png or .svg", 2)
    sweep = read_sweep(options.sweep)
    figure = draw(pyplot(), sweep)
    try:
        figure.savefig(options.output, dpi=150)
    except OSError as e:
        fail(f"{options.output}: {e.strerror}")


if __name__ == "__main__":
    main()
