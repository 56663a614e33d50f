# SPDX-License-Identifier: Apache-2.0
"""Drives the command from outside, for the tests of this folder: RAMJET is the command under test,
VICTIM the program of victim.cpp; both are the first arguments of every test program.
"""

import functools
import os
import pathlib
import subprocess
import sys
import time
import unittest
import uuid

RAMJET, VICTIM = (os.path.abspath(path) for path in (sys.argv[1:3] + ["", ""])[:2])
PATIENCE_S = 30  # for steps that take milliseconds on an idle machine
GONE_S = 10  # for processes to go that are dead, or killed as soon as they get a core
os.environ.pop("RAMJET_TEST_PRTERUN", None)  # another test's; some here list what the ranks have


def command(*words):
    return [RAMJET, "run", *map(str, words)]


def run(*words, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(command(*words), capture_output=True, text=True, timeout=PATIENCE_S,
                          check=False, **options)


def is_sanitized(program):
    return b"Sanitizer" in pathlib.Path(program).read_bytes()


def limited(limit, *words):
    """Runs the command below a limit set by the shell."""
    return subprocess.run(["sh", "-c", f'{limit}; exec "$0" "$@"', *command(*words)],
                          capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def start(*words, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen(command(*words), text=True, start_new_session=True, **options)


def processes_with(mark):
    """Living processes whose environment holds the mark: all of a job, whatever became of them."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def process_states(mark):
    """The state letters of these processes, as in /proc: R, S, T, ..."""
    states = set()
    for pid in processes_with(mark):
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        except OSError:
            continue
        states.add(stat.rsplit(")", 1)[1].split()[0])
    return states


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain until {what}")
        time.sleep(0.005)


def with_more_time(check):
    """For a check that sets times, given as multiples of its last argument: on a crowded machine a
    process may stand still for a second at any moment, so one that fails gets more time, twice."""
    @functools.wraps(check)
    def checked(*arguments):
        for stretch in (1, 4):
            try:
                return check(*arguments, stretch)
            except (AssertionError, subprocess.TimeoutExpired) as e:
                print(f"{check.__name__}: once more, with more time, after: {e}", flush=True)
        return check(*arguments, 16)
    return checked


class Case(unittest.TestCase):
    def setUp(self):
        self.mark = f"LAUNCHER_TEST_MARK={uuid.uuid4().hex}"

    def assert_gone(self):
        """No process of the marked job is left, or soon none is."""
        end = time.monotonic() + GONE_S
        while left := processes_with(self.mark):
            if time.monotonic() > end:
                self.fail(f"left behind: {left}, in states {process_states(self.mark)}")
            time.sleep(0.01)

    def started(self, job, ranks):
        wait_until(lambda: len(processes_with(self.mark)) >= ranks, f"{ranks} ranks live")
        return job

    def assert_one_line(self, text, pattern):
        lines = text.splitlines()
        self.assertEqual(len(lines), 1, text)
        self.assertRegex(lines[0], pattern)


def main():
    sys.dont_write_bytecode = True
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
