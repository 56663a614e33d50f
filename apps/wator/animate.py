#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a moving picture of what `wator --frames FILE` wrote, or one picture of some of its steps.

    ramjet run -n 2 wator --width 96 --height 64 --steps 200 --frames sea.film
    apps/wator/animate.py sea.film -o sea.gif
    apps/wator/animate.py sea.film -o sea.png
"""

import argparse
import pathlib
import sys

COLORS = ((12, 30, 60), (104, 190, 120), (232, 84, 60))  # water, fish, shark
STILLS, STILL_COLUMNS, GAP = 6, 3, 4  # in a .png


def fail(message, status=1):
    print(f"animate.py: {message}", file=sys.stderr)
    sys.exit(status)


def read_film(name):
    """Width, height, and the frames as bytes 0, 1 and 2."""
    try:
        content = pathlib.Path(name).read_bytes()
    except OSError as e:
        fail(f"cannot read {name}: {e.strerror}")
    head, _, body = content.partition(b"\n")
    try:
        word, width, height = head.split()
        cells = int(width) * int(height)
        if word != b"wator" or not body or len(body) % cells or body.strip(b"012"):
            raise ValueError
    except (ValueError, ZeroDivisionError):
        fail(f"{name} is not what wator --frames writes")
    body = body.translate(bytes.maketrans(b"012", b"\0\1\2"))
    return int(width), int(height), [body[at:at + cells] for at in range(0, len(body), cells)]


def load_pillow():
    try:
        from PIL import Image
    except ImportError:
        fail(f"Pillow is missing in {sys.executable}: install the package python3-pil")
    return Image


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0],
                                     prog="animate.py")
    parser.add_argument("film", help="what wator --frames wrote")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("sea.gif"),
                        help="what to write: .gif moves, .png shows six steps (default: "
                             "%(default)s)")
    parser.add_argument("--scale", type=int, default=4,
                        help="pixels of a cell's side (default: %(default)s)")
    options = parser.parse_args()
    if options.output.suffix not in (".gif", ".png"):
        fail(f"{options.output}: the suffix is .gif or .png", 2)
    if options.scale < 1:
        fail(f"--scale {options.scale}: give a number of pixels, at least 1", 2)
    width, height, frames = read_film(options.film)
    image_module = load_pillow()

    def picture(frame):
        image = image_module.frombytes("P", (width, height), frame)
        image.putpalette([part for color in COLORS for part in color])
        return image.resize((width * options.scale, height * options.scale),
                            image_module.NEAREST)

    try:
        if options.output.suffix == ".gif":
            first, *others = map(picture, frames)
            first.save(options.output, save_all=True, append_images=others, duration=80, loop=0)
        else:
            stills(image_module, picture, frames).save(options.output)
    except OSError as e:
        fail(f"cannot write {options.output}: {e.strerror}")


def stills(image_module, picture, frames):
    """Steps at even distances, by rows."""
    last = len(frames) - 1
    count = min(STILLS, len(frames))
    pictures = [picture(frames[last * i // max(1, count - 1)]) for i in range(count)]
    columns = min(STILL_COLUMNS, count)
    rows = -(-count // columns)
    w, h = (size + GAP for size in pictures[0].size)
    sheet = image_module.new("RGB", (columns * w - GAP, rows * h - GAP), "white")
    for i, one in enumerate(pictures):
        sheet.paste(one.convert("RGB"), (i % columns * w, i // columns * h))
    return sheet


if __name__ == "__main__":
    main()
