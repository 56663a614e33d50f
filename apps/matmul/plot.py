#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `matmul --json` printed: utilisation against the columns at each rank, measured and by
the model, and the share of the time that the gets would take by themselves.

    ramjet run -n 2 matmul --json | apps/matmul/plot.py -o sweep.png
    apps/matmul/plot.py sweep.json -o sweep.svg

After Figure 5 of von Eicken et al. 1992, Active Messages.
"""

import argparse
import json
import pathlib
import sys

COMPUTING, FETCHING, FRAME = "#1f5fa8", "#c8641e", "#555555"
SUFFIXES = (".png", ".svg", ".pdf")
SHARES = ("utilisation", "utilisation_by_model", "get_share", "get_share_by_model")


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
    """The parsed JSON with its numbers as numbers, by ascending columns."""
    try:
        with (sys.stdin if name == "-" else open(name, encoding="utf-8")) as file:
            data = json.load(file)
        rows = [{"columns": int(row["columns"]), **{key: float(row[key]) for key in SHARES}}
                for row in data["rows"]]
        sweep = {"ranks": int(data["ranks"]), "n": int(data["n"]),
                 "rows": sorted(rows, key=lambda row: row["columns"])}
    except OSError as e:
        fail(f"cannot read {name}: {e.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        fail(f"{name} is not the output of matmul --json ({type(e).__name__}: {e})")
    if not rows:
        fail(f"{name} has no rows")
    if sweep["rows"][0]["columns"] < 1:
        fail(f"{name} has a row of less than one column")
    return sweep


def draw_pair(axes, rows, key, color, name):
    """What was measured, as points on a line, and what the model says, as a broken line."""
    columns = [row["columns"] for row in rows]
    measured = [100 * row[key] for row in rows]
    predicted = [100 * row[key + "_by_model"] for row in rows]
    axes.plot(columns, predicted, "--", color=color, linewidth=1.4, label=f"{name}, by the model")
    axes.plot(columns, measured, "o-", color=color, linewidth=1.8, markersize=5.5,
              label=f"{name}, measured")


def draw(pyplot, sweep, path):
    rows = sweep["rows"]
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
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
    try:
        figure.savefig(path, dpi=150)
    except OSError as e:
        fail(f"cannot write {path}: {e.strerror}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", maxsplit=1)[0], prog="plot.py",
        epilog="example: ramjet run -n 2 matmul --json | apps/matmul/plot.py -o sweep.png")
    parser.add_argument("file", nargs="?", default="-",
                        help="output of matmul --json (default: standard input)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("matmul.png"),
                        help="what to write: .png, .svg or .pdf (default: %(default)s)")
    options = parser.parse_args()
    if options.output.suffix not in SUFFIXES:
        fail(f"{options.output}: the suffix is one of {', '.join(SUFFIXES)}", 2)
    if options.file == "-" and sys.stdin.isatty():
        fail("name a file, or pipe the output of matmul --json here", 2)
    sweep = read_data(options.file)
    draw(load_pyplot(), sweep, options.output)


if __name__ == "__main__":
    main()
