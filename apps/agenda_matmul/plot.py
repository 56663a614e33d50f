#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `agenda_matmul --json` printed: speed-up over the ranks at work and execution time
over the size, both with the best granularity and concurrency, and the speed-up for each of these.

    ramjet run -n 4 agenda_matmul --json --size 256,512,1024 --ranks 1,2,3,4 --sweep > sweep.json
    apps/agenda_matmul/plot.py sweep.json -o sweep.png

There is a picture of whatever was varied. After Figures 16 and 17 of the SCALE Suite paper, 1997.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "measured"))
import plotting  # noqa: E402

# They stay apart for colour-blind readers, too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = "osD^vP"
INTEGERS = ("size", "ranks", "granularity", "concurrency")
NUMBERS = ("seconds", "alone_seconds", "speedup")


def read(data):
    """Its rows, with numbers as numbers, and the kernel's name."""
    rows = [{**{key: int(row[key]) for key in INTEGERS},
             **{key: float(row[key]) for key in NUMBERS}} for row in data["rows"]]
    if not rows:
        raise plotting.Unusable(" has no rows")
    if any(min(row.values()) <= 0 for row in rows):
        raise plotting.Unusable(" has a number that is not positive")
    if len(rows) == 1:
        raise plotting.Unusable(" has one row: vary something, by --sweep, --size or --ranks")
    return rows, str(data["kernel"])


def values(rows, key):
    return sorted({row[key] for row in rows})


def best(rows, **wanted):
    """The fastest of the rows that have these values; None if there is none."""
    those = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    return min(those, key=lambda row: row["seconds"], default=None)


def lines(axes, rows, over, each, key, name):
    """Of the best rows: `key` over `over`, a line for `each`."""
    for i, value in enumerate(values(rows, each)):
        found = [best(rows, **{each: value, over: x}) for x in values(rows, over)]
        points = [(row[over], row[key]) for row in found if row is not None]
        axes.plot(*zip(*points), marker=MARKERS[i % len(MARKERS)], markersize=5.5, linewidth=1.8,
                  color=COLOURS[i % len(COLOURS)], label=name(value))


def ticks(axis, numbers):
    axis.set_ticks(numbers, [str(n) for n in numbers])
    axis.set_ticks([], minor=True)


def draw_speedup(axes, rows):
    ranks = values(rows, "ranks")
    axes.plot(ranks, ranks, "--", color="#777777", linewidth=1.2, label="linear")
    lines(axes, rows, "ranks", "size", "speedup", lambda size: f"{size} x {size}")
    ticks(axes.xaxis, ranks)
    axes.set_ylim(0, 1.05 * max(ranks[-1], *(row["speedup"] for row in rows)))
    axes.set_xlabel("ranks at work")
    axes.set_ylabel("speed-up over the kernel alone")
    plotting.plain(axes)
    axes.legend(frameon=False, fontsize=9, loc="best")


def draw_times(axes, rows):
    alone = [(size, best(rows, size=size)["alone_seconds"] * 1e3) for size in values(rows, "size")]
    axes.plot(*zip(*alone), "--", color="#777777", linewidth=1.2, label="kernel alone")
    in_ms = [{**row, "ms": row["seconds"] * 1e3} for row in rows]
    lines(axes, in_ms, "size", "ranks", "ms", plotting.ranks)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    ticks(axes.xaxis, values(rows, "size"))
    axes.set_xlabel("rows and columns of the matrices")
    axes.set_ylabel("execution time, ms")
    plotting.plain(axes)
    axes.legend(frameon=False, fontsize=9, loc="upper left")


def draw_sweep(axes, rows):
    """A field for each granularity and concurrency, of the greatest product by the most ranks."""
    size, ranks = values(rows, "size")[-1], values(rows, "ranks")[-1]
    across, down = values(rows, "concurrency"), values(rows, "granularity")
    found = [[best(rows, size=size, ranks=ranks, granularity=g, concurrency=c) for c in across]
             for g in down]
    shown = [[row["speedup"] if row else float("nan") for row in line] for line in found]
    least, most = min(map(min, shown)), max(map(max, shown))
    axes.imshow(shown, cmap="Blues", vmin=least - 0.25 * (most - least), vmax=most, aspect="auto",
                origin="lower")
    for y, line in enumerate(shown):
        for x, speedup in enumerate(line):
            dark = speedup > least + 0.55 * (most - least)
            axes.text(x, y, f"{speedup:.2f}", ha="center", va="center", fontsize=9,
                      color="white" if dark else "black")
    axes.set_xticks(range(len(across)), across)
    axes.set_yticks(range(len(down)), down)
    axes.set_xlabel("concurrency, requests of a rank outstanding")
    axes.set_ylabel("granularity, rows a request")
    axes.set_title(f"speed-up, {size} x {size}, {plotting.ranks(ranks)}", fontsize=10)
    axes.tick_params(length=0, colors=plotting.FRAME)
    axes.spines[:].set_visible(False)


def draw(pyplot, taken):
    rows, kernel = taken
    parts = [part for part, keys in ((draw_speedup, ["ranks"]), (draw_times, ["size"]),
                                     (draw_sweep, ["granularity", "concurrency"]))
             if any(len(values(rows, key)) > 1 for key in keys)]
    figure, all_axes = pyplot.subplots(1, len(parts), figsize=(0.6 + 4.4 * len(parts), 4.2),
                                       layout="constrained", squeeze=False)
    for part, axes in zip(parts, all_axes[0]):
        part(axes, rows)
    figure.suptitle(f"Matrix product by an agenda, kernel {kernel}", fontsize=12)
    return figure


if __name__ == "__main__":
    plotting.run(__doc__, "agenda_matmul", read, draw)
