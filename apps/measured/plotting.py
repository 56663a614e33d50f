# SPDX-License-Identifier: Apache-2.0
"""What the measuring programs' plot.py have in common: their command line, reading what a program
printed, the look of axes, and errors of one line.

A plot.py gives run() two functions: read(data) takes what is needed out of the parsed JSON, and may
fail in any way in which data can be wrong; draw(pyplot, taken) returns the figure.
"""

import argparse
import json
import pathlib
import sys

FRAME = "#555555"
SUFFIXES = (".png", ".svg", ".pdf")


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


def load_json(name, program, read):
    """read() of the JSON in the file, or standard input for "-"."""
    try:
        with (sys.stdin if name == "-" else open(name, encoding="utf-8")) as file:
            return read(json.load(file))
    except OSError as e:
        fail(f"cannot read {name}: {e.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        fail(f"{name} is not the output of {program} --json ({type(e).__name__}: {e})")


class Unusable(Exception):
    """Raised by read: the JSON is a program's, but there is nothing in it to draw."""


def plain(axes, grid="y"):
    """Only what is needed to read the values."""
    axes.grid(axis=grid, color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["bottom", "left"]].set_color(FRAME)
    axes.tick_params(colors=FRAME)


def ranks(count):
    return f"{count} rank{'' if count == 1 else 's'}"


def run(doc, program, read, draw):
    """The whole of a plot.py; `doc` is its text, which begins with what it draws."""
    parser = argparse.ArgumentParser(
        description=doc.split("\n\n", maxsplit=1)[0], prog="plot.py",
        epilog=f"example: ramjet run -n 2 {program} --json | apps/{program}/plot.py "
               f"-o {program}.png")
    parser.add_argument("file", nargs="?", default="-",
                        help=f"output of {program} --json (default: standard input)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path(f"{program}.png"),
                        help="what to write: .png, .svg or .pdf (default: %(default)s)")
    options = parser.parse_args()
    if options.output.suffix not in SUFFIXES:
        fail(f"{options.output}: the suffix is one of {', '.join(SUFFIXES)}", 2)
    if options.file == "-" and sys.stdin.isatty():
        fail(f"name a file, or pipe the output of {program} --json here", 2)
    try:
        taken = load_json(options.file, program, read)
    except Unusable as e:
        fail(f"{options.file}{e}")
    figure = draw(load_pyplot(), taken)
    try:
        figure.savefig(options.output, dpi=150)
    except OSError as e:
        fail(f"cannot write {options.output}: {e.strerror}")
