# SPDX-License-Identifier: Apache-2.0
"""Drives the command from outside, for the tests of this folder: RAMJET is the command under test,
VICTIM the program of victim.cpp; both are the first arguments of every test program.
"""

import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time
import unittest
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))

import hang_watch  # noqa: E402
from processes import process_states, processes_with, ranks_with  # noqa: E402,F401

RAMJET, VICTIM = (os.path.abspath(path) for path in (sys.argv[1:3] + ["", ""])[:2])
REPORT_S = 5  # for a job's report of who waits for whom
PATIENCE_S = 60  # for steps that take milliseconds on an idle machine
GONE_S = 10  # for processes to go that are dead, or killed as soon as they get a core
os.environ.pop("RAMJET_TEST_PRTERUN", None)  # another test's; some here list what the ranks have


def command(*words):
    return [RAMJET, "run", *map(str, words)]


class Job(subprocess.Popen):
    """One that hangs says where it stands before the test fails."""

    def communicate(self, input=None, timeout=None):
        try:
            return super().communicate(input, timeout)
        except subprocess.TimeoutExpired:
            self.explain()
            raise

    def explain(self):
        print(f"HANGS: {self.args}", flush=True)
        if self.args[1:2] == ["run"]:
            self.send_signal(signal.SIGUSR1)
        try:
            super().communicate(timeout=REPORT_S)
        except subprocess.TimeoutExpired as hanging:
            for text in (hanging.stdout, hanging.stderr):
                print((text or b"").decode(errors="replace"), flush=True)
        hang_watch.show_stacks(sorted(hang_watch.tree_of(self.pid)))


def run(*words, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    with Job(command(*words), text=True, **options) as job:
        try:
            out, err = job.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            job.kill()
            raise
    return subprocess.CompletedProcess(job.args, job.returncode, out, err)


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
    return Job(command(*words), text=True, start_new_session=True, **options)


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain until {what}")
        time.sleep(0.005)


class Stopwatch:
    """Milliseconds; undisturbed: without those in which some process of this machine was ready to
    run and had no processor. A sleeper that nobody wakes is not ready: that it is late shows."""

    def __init__(self):
        self.began, self.disturbed_before = time.monotonic(), self.disturbed()

    @staticmethod
    def disturbed():
        try:
            some = pathlib.Path("/proc/pressure/cpu").read_text(encoding="ascii").splitlines()[0]
            waited_ms = int(some.rsplit("total=", 1)[1]) / 1000
        except OSError:  # the kernel does not say
            waited_ms = 0
        stolen = pathlib.Path("/proc/stat").read_text(encoding="ascii").split()[8]
        return waited_ms + int(stolen) * 1000 / os.sysconf("SC_CLK_TCK")

    def ms(self):
        return (time.monotonic() - self.began) * 1000

    def undisturbed(self):
        return self.ms() - (self.disturbed() - self.disturbed_before)


class Lines:
    """What a process writes, as it comes."""

    def __init__(self, stream):
        self.text, self.stream = "", stream
        os.set_blocking(stream.fileno(), False)

    def until(self, pattern):
        """Reads on until the pattern has come; fails if that takes too long, or if it ends."""
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.text)):
            if not select.select([self.stream], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"waited in vain for: {pattern}, after:\n{self.text}")
            part = os.read(self.stream.fileno(), 1 << 16)
            if not part:
                raise AssertionError(f"it ended without: {pattern}, after:\n{self.text}")
            self.text += part.decode(errors="replace")
        return found

    def rest(self):
        """Reads on until nothing comes for half a second."""
        while select.select([self.stream], [], [], 0.5)[0]:
            part = os.read(self.stream.fileno(), 1 << 16)
            if not part:
                break
            self.text += part.decode(errors="replace")


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
