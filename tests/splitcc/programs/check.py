#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program of apps/splitc with small problems, at several numbers of processors and on two
nodes. Every program checks its own result; here it is also compared between numbers of processors
where it must not depend on them, and with what knows nothing of the program.

    check.py --bin FOLDER bitonic | ... | wator     one program; --checked: built with -fcheck
    check.py --bin FOLDER command_lines             what is wrong is said once, and the status is so
    check.py --bin FOLDER --script S table          the script that makes the table
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

ANYWHERE = ("1", "2", "3", "4", "2x2", "2x4")
POWERS = ("1", "2", "4", "2x2", "2x4")
KEYS = (["--keys", 3001, "--repeats", 2], ["--keys", 500, "--bits", 3, "--repeats", 1],
        ["--keys", 3, "--repeats", 1])
# Where a program runs, and the problems that it gets.
PROGRAMS = {
    "bitonic": (POWERS, KEYS), "radix": (ANYWHERE, KEYS), "radixb": (ANYWHERE, KEYS),
    "sample": (ANYWHERE, KEYS),
    "sampleb": (ANYWHERE, (*KEYS, ["--keys", 3001, "--samples", 1, "--repeats", 1])),
    "shell": (ANYWHERE, KEYS),
    "cannon": (ANYWHERE, (["--tile", 4, "--repeats", 2],)),
    "mm": (ANYWHERE, (["--tile", 8, "--repeats", 2],)),
    "matmul": (ANYWHERE, (["--rows", 37, "--columns", 3, "--terms", 200, "--repeats", 2],)),
    "fft": (POWERS, (["--log-points", 4, "--repeats", 2], ["--log-points", 11, "--repeats", 1])),
    "fftb": (POWERS, (["--log-points", 4, "--repeats", 2], ["--log-points", 12, "--repeats", 1])),
    "wator": (ANYWHERE, (["--fish", 37, "--segments", 3, "--steps", 3, "--repeats", 1],)),
    "em3d": (ANYWHERE, (["--nodes", 26, "--degree", 3, "--iterations", 2, "--repeats", 1,
                         "--remote", "0,30,100"],)),
    "p-ray": (ANYWHERE, (["--width", 33, "--height", 17, "--depth", 1, "--samples", 1],)),
}
MARKS_OF_PNG = b"\x89PNG\r\n\x1a\n"
options = argparse.Namespace()


def command(where, program, *arguments):
    nodes, _, processors = where.rpartition("x")
    if options.checked and program.startswith("splitc_"):
        program += "_checked"
    return [str(word) for word in
            (options.bin / "ramjet", "run", "-n", processors, "--nodes", nodes or 1,
             options.bin / program, *arguments)]


def run(words, status=0):
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != status or (status == 0 and result.stderr):
        sys.exit(f"{' '.join(words)}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def report(where, program, *arguments):
    text = run(command(where, f"splitc_{program}", "--json", *arguments)).stdout
    found = json.loads(text)
    expect(text.count("\n") == 1 and found["check"] == "ok", "one line, and ok", text)
    expect(found["procs"] == int(where.rpartition("x")[2]), "the processors", text)
    return found


def expect(right, what, text):
    if not right:
        sys.exit(f"expected: {what}\nfound: {text}")


def pixels_of(png):
    """Width, height and rows of a PNG file of colours, eight bits each; checks all its sums."""
    expect(png.startswith(MARKS_OF_PNG), "a PNG file", png[:8])
    at, parts = len(MARKS_OF_PNG), {}
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        total, = struct.unpack(">I", png[at + 8 + length:at + 12 + length])
        expect(total == zlib.crc32(name + body), "the sum of its part", name)
        parts[name] = body
        at += 12 + length
    expect(list(parts) == [b"IHDR", b"IDAT", b"IEND"], "three parts", list(parts))
    width, height, *kind = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    expect(kind == [8, 2, 0, 0, 0], "colours of eight bits", kind)
    rows = zlib.decompress(parts[b"IDAT"])
    expect(len(rows) == height * (1 + 3 * width), "all its rows", len(rows))
    expect(not any(rows[::1 + 3 * width]), "rows as they are", rows[::1 + 3 * width])
    return width, height, rows


def check_picture(where, arguments):
    """The same picture by any number of processors: blue sky above, and not one colour below."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "picture.png"
        found = report(where, "p-ray", *arguments, "--output", file)
        width, height, rows = pixels_of(file.read_bytes())
    expect((width, height) == (found["width"], found["height"]), "its size", (width, height))
    red, _, blue = rows[1:4]
    expect(blue > red, "blue sky", rows[1:4])
    colours = {rows[i:i + 3] for line in range(0, len(rows), 1 + 3 * width)
               for i in range(line + 1, line + 1 + 3 * width, 3)}
    expect(len(colours) > width * height / 4, "many colours", colours)
    return found["picture"], rows


def check_em3d(where, arguments):
    """The fields of the program in C++, which has its own checks, to the last bit."""
    found = report(where, "em3d", *arguments)
    other = json.loads(run(command(where, "em3d", "--json", *arguments)).stdout)
    keys = ("version", "remote_percent", "remote_edges", "ghosts", "checksum", "check")
    these, those = ([tuple(result[key] for key in keys) for result in report_["results"]]
                    for report_ in (found, other))
    expect(sorted(these) == sorted(those), sorted(those), sorted(these))
    expect(found["serial_ns_per_edge"] > 0, "a serial time", found)


def check_program(name):
    where_it_runs, problems = PROGRAMS[name]
    pictures = set()
    for where in where_it_runs:
        for arguments in problems:
            if name == "em3d":
                check_em3d(where, arguments)
            elif name == "p-ray":
                pictures.add(check_picture(where, arguments))
            elif name in ("fft", "fftb") and int(where[-1]) ** 2 > 1 << arguments[1]:
                continue
            else:
                report(where, name, *arguments)
        print(f"{name}, {where}: ok", flush=True)
    expect(len(pictures) <= 1, "one picture", {picture for picture, _ in pictures})


def refused(where, program, *arguments, says):
    found = run(command(where, f"splitc_{program}", *arguments), 2)
    expect(says in found.stderr and not found.stdout, says, found.stderr)


def check_full_disk():
    """Without the launcher, which would say it first."""
    for words in (["--keys", "100"], ["--keys", "100", "--json"], ["--help"]):
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([options.bin / "splitc_shell", *words], stdout=full,
                                    stderr=subprocess.PIPE, text=True, check=False)
        expect((result.returncode, result.stderr) ==
               (1, "splitc_shell: cannot write standard output: No space left on device\n"),
               "a full disk", result)


def check_picture_that_is_cut():
    """On a file system of 16 KiB that only this command sees."""
    script = ('mount -t tmpfs -o size=16k none "$1" || exit 77\n'
              '"$2" --samples 1 --output "$1/picture.png"; status=$?; ls -A "$1"; exit $status')
    with tempfile.TemporaryDirectory() as folder:
        words = ["unshare", "--mount", "sh", "-c", script, "sh", folder,
                 options.bin / "splitc_p-ray"]
        result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode == 77 or "unshare failed" in result.stderr:
        print(f"not tested: no file system can be mounted here: {result.stderr.strip()}")
        return
    expect((result.returncode, result.stdout) == (1, "") and
           "picture.png cannot be written: No space left on device" in result.stderr,
           "nothing of the picture", result)


def check_command_lines():
    for name in PROGRAMS:
        found = run(command("2", f"splitc_{name}", "--help"))
        expect(found.stdout.count("usage:") == 1, "help, once", found.stdout)
        refused("2", name, "--no-such", says="--no-such: there is no such option")
        refused("1", name, "stray", says="stray: there is no such option")
    refused("2", "radixb", "--keys", says="--keys: give a value after it")
    refused("2", "radixb", "--keys", "1.5", says="give a whole number from 1 to")
    refused("2", "radixb", "--keys", "12x", says="give a whole number from 1 to")
    refused("3", "bitonic", says="3 processors: their number must be a power of two")
    refused("3", "fft", says="3 processors: their number must be a power of two")
    refused("4", "fftb", "--log-points", 3, says="4 processors need at least 4")
    refused("2", "mm", "--tile", 6, says="give a multiple of 4")
    refused("2", "mm", "--tiles", 3, says="need a multiple of")
    refused("4", "cannon", "--tiles", 5, says="give a multiple of 2")
    refused("2", "em3d", "--nodes", 3, says="must be even")
    refused("2", "em3d", "--version", "best", says="the versions are simple")
    refused("2", "em3d", "--remote", "20,10", says="ascending")
    found = run(command("2", "splitc_p-ray", "--width", 8, "--height", 6, "--output", "/no/such"),
                1)
    expect("/no/such cannot be written" in found.stderr, "what cannot be written", found.stderr)
    check_full_disk()
    check_picture_that_is_cut()
    text = run(command("2", "splitc_radixb", "--keys", "1e3", "--repeats", 1)).stdout
    expect("splitc_radixb on 2 processors\n" in text and "speedup" in text, "a report", text)


def check_table():
    words = [sys.executable, str(options.script), "--bin", str(options.bin), "--small", "--repeats",
             "1", "--processors", "1,2"]
    lines = run(words).stdout.splitlines()
    table = [line for line in lines if line.startswith("| ")]
    expect(len(table) == 19 and len({line.count("|") for line in table}) == 1, "a table", lines)
    expect([cell.strip() for cell in table[-1].split("|")[-3:-1]] == ["139", "34"],
           "the paper's times", table[-1])
    found = json.loads(run([*words, "--only", "wator,mm", "--json"]).stdout)
    expect(found["places"] == ["1", "2", "2 on 2 nodes"], "the places", found)
    expect(set(found["seconds"]) == set(found["paper"]) and len(found["paper"]) == 3, "3 rows",
           found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--script", type=pathlib.Path)
    parser.add_argument("--checked", action="store_true")
    parser.add_argument("check", choices=[*PROGRAMS, "command_lines", "table"])
    parser.parse_args(namespace=options)
    if options.check in PROGRAMS:
        check_program(options.check)
    elif options.check == "table":
        check_table()
    else:
        check_command_lines()


if __name__ == "__main__":
    main()
