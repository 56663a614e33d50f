#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How soon pages are seen: the first contentful paint, and when timelines have been drawn, in
milliseconds since the browser began to load; medians and ranges of several loads, each in a new
tab. Fails if a first paint's median is over the limit.

    first_paint.py [--limit MS] [--loads N] PAGE...
"""

import argparse
import os
import pathlib
import statistics
import sys

import browser


def loaded(chromium, page):
    """(first paint, all timelines drawn or None) of one load."""
    tab = browser.Tab(chromium, page)
    timelines = tab.value("document.querySelectorAll('figure.timeline').length")
    drawn = None
    if timelines:
        tab.wait(f"document.documentElement.dataset.timelines === '{timelines}'")
        drawn = tab.value(f"performance.getEntriesByName('timeline{timelines - 1}')[0].startTime")
    painted = tab.first_paint_ms()
    tab.close()
    return painted, drawn


def said(name, values):
    return (f"{name} after {statistics.median(values):.0f} ms "
            f"({min(values):.0f} to {max(values):.0f})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=1000)
    parser.add_argument("--loads", type=int, default=7)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    if browser.find() is None:
        sys.exit("there is no Chromium here; scripts/setup check installs it")
    late = False
    with browser.Browser() as chromium:
        for page in options.pages:
            loads = [loaded(chromium, page) for _ in range(options.loads)]
            painted = [load[0] for load in loads]
            words = [f"{page.name}, {page.stat().st_size / 1e6:.2f} MB: " +
                     said("first paint", painted)]
            if loads[0][1] is not None:
                words.append(said("timelines", [load[1] for load in loads]))
            print("; ".join(words))
            late = late or statistics.median(painted) > options.limit
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    sys.exit(1 if late else 0)


if __name__ == "__main__":
    main()
