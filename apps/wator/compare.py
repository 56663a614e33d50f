#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs wator with all ways of answering reads, in turn, and prints a table of medians.

    apps/wator/compare.py
    apps/wator/compare.py --ranks 2,4,8 --repeats 9 -- --steps 20 --work 50000

What follows "--" goes to wator. All runs must come to the same sea. Times are true only while the
machine does nothing else: the line above the table tells how many programs wanted processors at
first. "computed" is the least time that the computation takes, whoever answers reads: that of the
busiest rank in each half step, or of all of them on the processors that there are.

Exit status: 0; 1 if a run failed; 2 if the command line is wrong.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIANTS = (("main program, no polls", "main", []),
            ("main program, polls in the loop", "main", ["--poll-every", "1"]),
            ("co-processor", "coproc", []),
            ("through global pointers", "main", ["--reads", "gas"]),
            ("global pointers, co-processor", "coproc", ["--reads", "gas"]))
NODES = (1, 2)
TITLES = ("ranks", "variant", "time, s", "of no polls", "computed, s", "mean wait, us",
          "99 of 100 below")


def fail(message, status=1):
    print(f"compare.py: {message}", file=sys.stderr)
    sys.exit(status)


def read_command_line():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0],
                                     prog="compare.py")
    parser.add_argument("--ranks", default="2,4", metavar="N,...",
                        help="numbers of ranks (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, metavar="N",
                        help="runs of which a median is taken (default: %(default)s)")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin",
                        metavar="FOLDER", help="of ramjet and wator (default: build/bin)")
    parser.add_argument("wator_options", nargs="*", metavar="-- OPTION",
                        help="for wator, after --")
    options = parser.parse_args()
    words = options.ranks.split(",")
    if not all(word.isdecimal() and int(word) >= max(NODES) for word in words):
        fail(f"--ranks {options.ranks}: give numbers of ranks, at least {max(NODES)}", 2)
    options.ranks = [int(word) for word in words]
    if options.repeats < 1:
        fail(f"--repeats {options.repeats}: give a number, at least 1", 2)
    for name in ("ramjet", "wator"):
        if not (options.bin / name).is_file():
            fail(f"no program {options.bin / name}: build it, or name its folder by --bin", 2)
    return options


def run(options, ranks, nodes, progress, more):
    result = subprocess.run(
        [options.bin / "ramjet", "run", "-n", str(ranks), "--nodes", str(nodes),
         f"--progress={progress}", options.bin / "wator", "--json", *more, *options.wator_options],
        capture_output=True, text=True, check=False)
    if result.returncode != 0:
        fail(f"{' '.join(map(str, result.args))}:\n{result.stderr.strip()}")
    return json.loads(result.stdout)


def samples_in_turn(options):
    """The runs of each (ranks, nodes, variant)."""
    cases = [(ranks, nodes, variant) for ranks in options.ranks for nodes in NODES
             for variant in VARIANTS]
    samples = {(ranks, nodes, name): [] for ranks, nodes, (name, *_) in cases}
    for repeat in range(options.repeats):
        for at, (ranks, nodes, (name, progress, more)) in enumerate(cases):
            if sys.stderr.isatty():
                print(f"\rrepeat {repeat + 1} of {options.repeats}: {at + 1} of {len(cases)} ",
                      end="", file=sys.stderr, flush=True)
            samples[ranks, nodes, name].append(run(options, ranks, nodes, progress, more))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    seas = {found["checksum"] for runs in samples.values() for found in runs}
    if len(seas) != 1:
        fail("the runs have come to different seas: " + ", ".join(sorted(seas)))
    return samples


def computed_seconds(found, processors):
    work = max(found["work_busiest"], found["work"] / processors)
    return work * found["work_ns"] / 1e9


def short(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def row(where, name, runs, of_first, processors):
    def median(key):
        return statistics.median(found[key] for found in runs)

    return (where, name, short(median("seconds")), f"{of_first:.2f}",
            short(computed_seconds(runs[0], processors)), short(median("wait_ns") / 1e3),
            short(median("wait_ns_p99") / 1e3))


def main():
    options = read_command_line()
    processors = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    samples = samples_in_turn(options)
    print(f"medians of {options.repeats}, taken in turn on {processors} processors, load at first "
          f"{load:.1f}\n")
    print("| " + " | ".join(TITLES) + " |\n" + "|---" * len(TITLES) + "|")
    for (ranks, nodes, name), runs in samples.items():
        # The runs of one turn have met the same disturbance.
        first = samples[ranks, nodes, VARIANTS[0][0]]
        of_first = statistics.median(
            a["seconds"] / b["seconds"] for a, b in zip(runs, first))
        where = str(ranks) if nodes == 1 else f"{ranks} on {nodes} nodes"
        print("| " + " | ".join(row(where, name, runs, of_first, processors)) + " |")


if __name__ == "__main__":
    main()
