#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `matmul --json` printed: utilisation against the columns at each rank, measured and by
the model, and the share of the time that the gets would take by themselves.

    ramjet run -n 2 matmul --json | apps/matmul/plot.py -o sweep.png
    apps/matmul/plot.py sweep.json -o sweep.svg

After Figure 5 of von Eicken et al. 1992, Active Messages.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "measured"))
import plotting  # noqa: E402

COMPUTING, FETCHING = "#1f5fa8", "#c8641e"
SHARES = ("utilisation", "utilisation_by_model", "get_share", "get_share_by_model")


def read(data):
    """Its numbers as numbers, by ascending columns."""
    rows = [{"columns": int(row["columns"]), **{key: float(row[key]) for key in SHARES}}
            for row in data["rows"]]
    sweep = {"ranks": int(data["ranks"]), "n": int(data["n"]),
             "rows": sorted(rows, key=lambda row: row["columns"])}
    if not rows:
        raise plotting.Unusable(" has no rows")
    if sweep["rows"][0]["columns"] < 1:
        raise plotting.Unusable(" has a row of less than one column")
    return sweep


def draw_pair(axes, rows, key, color, name):
    """What was measured, as points on a line, and what the model says, as a broken line."""
    columns = [row["columns"] for row in rows]
    measured = [100 * row[key] for row in rows]
    predicted = [100 * row[key + "_by_model"] for row in rows]
    axes.plot(columns, predicted, "--", color=color, linewidth=1.4, label=f"{name}, by the model")
    axes.plot(columns, measured, "o-", color=color, linewidth=1.8, markersize=5.5,
              label=f"{name}, measured")


def draw(pyplot, sweep):
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
    axes.set_title(f"Matrix product on {plotting.ranks(sweep['ranks'])}, "
                   f"columns of {sweep['n']} numbers", fontsize=11, loc="left", pad=10)
    plotting.plain(axes)
    axes.legend(frameon=False, fontsize=9, loc="center right")
    return figure


if __name__ == "__main__":
    plotting.run(__doc__, "matmul", read, draw)
