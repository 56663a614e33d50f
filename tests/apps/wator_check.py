#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs wator as its users do, and compares with a reference that knows nothing of it.

results  the sea after every step, for several numbers of ranks and all ways of reading
errors   what is wrong is said once, the status says so too, and all ranks end
film     the frames, and the pictures made of them
compare  the table of all ways of answering reads
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import wator_reference as reference
from kernels_check import available_bytes

SHAPES = (
    {"width": 1, "height": 6, "seed": 1, "shoal": 2},
    {"width": 2, "height": 7, "seed": 5, "fish": 50, "sharks": 20, "shoal": 1},
    {"width": 37, "height": 23, "seed": 2**64 - 1},
    {"width": 24, "height": 40, "seed": 3, "fish": 60, "sharks": 10, "shoal": 5, "fish_breed": 2,
     "shark_breed": 4, "starve": 3},
)
WAYS = ([], ["--reads", "gas"], ["--poll-every", "7", "--work", "50"])
options = argparse.Namespace()


class Case(unittest.TestCase):
    def run_wator(self, *arguments, ranks=1, progress="main"):
        command = [options.ramjet, "run", "-n", str(ranks), "--timeout", "60",
                   f"--progress={progress}", options.wator, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    def output(self, *arguments, **how):
        result = self.run_wator(*arguments, **how)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.args)
        return result.stdout


class Results(Case):
    STEPS = 30
    SHARK_WORK = 7
    RANKS = (1, 2, 3, 5)

    def check(self, shape, more, expected, **how):
        words = [word for key, value in shape.items()
                 for word in ("--" + key.replace("_", "-"), value)]
        with self.subTest(shape=shape, more=more, **how):
            found = json.loads(self.output("--json", "--steps", self.STEPS, "--work", 0,
                                           "--shark-work", self.SHARK_WORK, *words, *more, **how))
            fish, sharks, checksum, busiest = expected
            self.assertEqual((found["fish"], found["sharks"], found["checksum"]),
                             (fish, sharks, checksum))
            self.assertEqual((found["work"], found["work_busiest"]),
                             (busiest[1], busiest[how["ranks"]]))
            self.assertEqual(found["fish"][0] + found["fish_born"] - found["fish_eaten"],
                             found["fish"][-1])
            self.assertEqual(found["sharks"][0] + found["sharks_born"] - found["sharks_starved"],
                             found["sharks"][-1])
            self.assertEqual(found["ranks"], how["ranks"])
            self.assertEqual(found["reads"] > 0, how["ranks"] > 1)
            if found["reads"] > 0:
                self.assertGreater(found["wait_ns"], 0)
                self.assertLessEqual(found["wait_ns_median"], found["wait_ns_p99"])
                self.assertLessEqual(found["wait_ns_p99"], found["wait_ns_max"])

    def test_the_sea_is_that_of_the_reference(self):
        for shape in SHAPES:
            expected = reference.run(self.STEPS, self.RANKS, self.SHARK_WORK, **shape)
            self.assertGreater(max(expected[0]), min(expected[0]))
            for ranks in self.RANKS:
                self.check(shape, [], expected, ranks=ranks, progress="main")
        for progress in ("main", "coproc"):
            for more in WAYS:
                self.check(shape, more, expected, ranks=2, progress=progress)

    def test_text(self):
        text = self.output("--width", 8, "--height", 8, "--steps", 3, ranks=2)
        self.assertRegex(text, r"^8 x 8 cells on 2 ranks, 3 steps, seed 1\n")
        self.assertRegex(text, r"\n  computed +\d+\.\d+ s on average, \d+\.\d+ s by the busiest")
        self.assertRegex(text, r"\n  reads +\d+ by message\n  wait, us +\d.* at most\n$")
        text = self.output("--width", 8, "--height", 8, "--steps", 3)
        self.assertIn("no cell of another rank was read", text)

    def test_help(self):
        text = self.output("--help", ranks=3)
        self.assertEqual(text.count("Usage: wator [options]"), 1)
        self.assertIn("--poll-every N", text)


class Errors(Case):
    def fails(self, pattern, *arguments, ranks=2, status=2):
        with self.subTest(arguments=arguments):
            result = self.run_wator(*arguments, ranks=ranks)
            said = [line for line in result.stderr.splitlines() if line.startswith("wator")]
            self.assertEqual((result.returncode, len(said), result.stdout), (status, 1, ""), result)
            self.assertRegex(said[0], pattern)

    def test_command_line(self):
        self.fails("--width 0: give a whole number from 1 to 65536", "--width", 0)
        self.fails("--reads often: write message or gas", "--reads", "often")
        self.fails("--fish and --sharks are over 100 together", "--fish", 60, "--sharks", 50)
        self.fails("--height 2: 3 ranks need a row each", "--height", 2, ranks=3)
        self.fails("--starve 256: give", "--starve", 256)
        self.fails("--shoal 0: give", "--shoal", 0)

    def test_sizes_beyond_memory(self):
        if available_bytes() < 60e9:  # the sea takes 51e9
            for ranks in (1, 3):
                self.fails("^wator: not enough memory for 65536 x 65536 cells: a rank needs at "
                           "least .* by --width or --height$", "--width", 65536, "--height",
                           65536, status=1, ranks=ranks)

    def test_files(self):
        for ranks in (1, 3):
            self.fails("^wator: cannot write /nowhere/sea.film: No such file or directory$",
                       "--frames", "/nowhere/sea.film", status=1, ranks=ranks)
            self.fails("^wator: cannot write /tmp: Is a directory$", "--frames", "/tmp", status=1,
                       ranks=ranks)
            self.fails("^wator: cannot write /dev/full: No space left on device$", "--frames",
                       "/dev/full", "--work", 0, status=1, ranks=ranks)


class Film(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.film = self.folder / "sea.film"

    def animate(self, *arguments):
        return subprocess.run([sys.executable, options.animate, *map(str, arguments)],
                              capture_output=True, text=True, timeout=60, check=False)

    def make(self, ranks):
        self.output("--width", 9, "--height", 11, "--steps", 4, "--work", 0, "--frames", self.film,
                    ranks=ranks)
        return self.film.read_bytes()

    def test_frames_are_those_of_the_reference(self):
        sea = reference.Sea(9, 11)
        expected = b"wator 9 11\n"
        for step in range(5):
            if step:
                sea.step()
            expected += bytes(ord("0") + cell[0] for cell in sea.cells)
        for ranks in (1, 3):
            self.assertEqual(self.make(ranks), expected)

    def test_a_film_that_is_cut_is_not_there(self):
        """An older one stays where a signal ends the program between two steps."""
        self.film.write_text("older")
        with subprocess.Popen([options.wator, "--steps", "1000000", "--work", "0", "--frames",
                               self.film]) as process:
            descriptors = pathlib.Path(f"/proc/{process.pid}/fd")
            while process.poll() is None and not self.has_open_film(descriptors):
                time.sleep(0.01)
            process.terminate()
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual([path.name for path in self.folder.iterdir()], [self.film.name])
        self.assertEqual(self.film.read_text(), "older")

    def has_open_film(self, descriptors):
        """Whether one of these is a file in the folder that already has frames."""
        for path in descriptors.iterdir():
            try:
                if os.readlink(path).startswith(str(self.folder)) and path.stat().st_size > 1000:
                    return True
            except FileNotFoundError:  # it was closed meanwhile
                pass
        return False

    def test_pictures(self):
        self.make(2)
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("Pillow is missing: install python3-pil")
        for name, size, frames in (("sea.gif", (18, 22), 5), ("sea.png", (62, 48), 1)):
            result = self.animate(self.film, "-o", self.folder / name, "--scale", 2)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            with Image.open(self.folder / name) as image:
                self.assertEqual((image.size, getattr(image, "n_frames", 1)), (size, frames))

    def test_what_is_no_film(self):
        for content in (b"", b"wator 2 2\n", b"wator 2 2\n00", b"wator 2 2\n0003", b"other"):
            self.film.write_bytes(content)
            result = self.animate(self.film)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, "^animate.py: .* is not what wator --frames writes\n$")
        self.assertEqual(self.animate(self.film, "-o", "sea.mp4").returncode, 2)
        self.assertEqual(self.animate(self.folder / "none").returncode, 1)


class Compare(Case):
    def compare(self, *arguments, folder=None):
        return subprocess.run([sys.executable, options.compare, "--bin",
                               folder or options.wator.parent, *map(str, arguments)],
                              capture_output=True, text=True, timeout=240, check=False)

    def test_table(self):
        result = self.compare("--ranks", "2,3", "--repeats", 2, "--", "--width", 12, "--height", 9,
                              "--steps", 2, "--work", 100)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"^medians of 2, taken in turn on \d+ processors")
        titles, _, *rows = [[word.strip() for word in line.strip("|").split("|")]
                            for line in result.stdout.splitlines() if line.startswith("|")]
        self.assertEqual(titles[:3], ["ranks", "variant", "time, s"])
        self.assertEqual([row[0] for row in rows],
                         [where for where in ("2", "2 on 2 nodes", "3", "3 on 2 nodes")
                          for _ in range(5)])
        self.assertEqual({row[1] for row in rows},
                         {"main program, no polls", "main program, polls in the loop",
                          "co-processor", "through global pointers",
                          "global pointers, co-processor"})
        for row in rows:
            self.assertTrue(all(float(word) >= 0 for word in row[2:]), row)
            if row[1] == "main program, no polls":
                self.assertEqual(row[3], "1.00")

    def test_errors(self):
        for arguments, pattern, status in (
                (["--ranks", "1"], "--ranks 1: give numbers of ranks, at least 2", 2),
                (["--repeats", "0"], "--repeats 0: give a number, at least 1", 2),
                (["--", "--width", "0"], "wator: --width 0: give a whole number", 1)):
            result = self.compare(*arguments)
            self.assertEqual((result.returncode, result.stdout), (status, ""))
            self.assertIn(pattern, result.stderr)
        result = self.compare(folder=pathlib.Path("/nowhere"))
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "^compare.py: no program /nowhere/ramjet: build it, or name"
                                        " its folder by --bin\n$")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("check", choices=("results", "errors", "film", "compare"))
    for name in ("ramjet", "wator", "animate", "compare"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.parse_args(namespace=options)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(
        {"results": Results, "errors": Errors, "film": Film, "compare": Compare}[options.check])
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
