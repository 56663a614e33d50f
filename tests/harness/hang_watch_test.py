#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What hang_watch.py, under which most tests run, does with tests that pass, fail and hang.

    hang_watch_test.py RAMJET HANGING [unittest arguments]
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest
import uuid

from processes import processes_with

RAMJET, HANGING = sys.argv[1:3]
WATCH = pathlib.Path(__file__).with_name("hang_watch.py")


def watch(*words, preexec_fn=None, **settings):
    """A generous limit of its own: what ends these runs is the watch."""
    return subprocess.run([sys.executable, WATCH, *map(str, words)], capture_output=True, text=True,
                          timeout=600, check=False, env={**os.environ, **settings},
                          preexec_fn=preexec_fn)


class HangWatch(unittest.TestCase):
    def test_a_status_is_passed_on(self):
        self.assertEqual(watch("true").returncode, 0)
        failed = watch("sh", "-c", "exit 3")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("hang_watch: exit status 3, where 0 is right\n", failed.stdout)
        self.assertEqual(watch("--status", 3, "sh", "-c", "exit 3").returncode, 0)
        self.assertEqual(watch("--status", "failure", "sh", "-c", "exit 3").returncode, 0)
        self.assertEqual(watch("--status", "failure", "true").returncode, 1)
        self.assertEqual(watch("--status", 143, "sh", "-c", "kill -15 $$").returncode, 0)

    def test_signals_end_it_whatever_the_caller_ignores(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            def ignore(number=number):
                signal.signal(number, signal.SIG_IGN)
            ended = watch("--status", 128 + number, "sh", "-c", f"kill -{int(number)} $$; exit 0",
                          preexec_fn=ignore)
            self.assertEqual(ended.returncode, 0, ended.stdout)

    def test_what_it_says_must_match(self):
        self.assertEqual(watch("--says", "al+ right", "echo", "all right").returncode, 0)
        self.assertEqual(watch("--says", "al+ right", "echo", "no").returncode, 1)
        # What matches does not outweigh a failure.
        self.assertEqual(watch("--says", "right", "sh", "-c", "echo right; exit 1").returncode, 1)

    def test_a_hang_fails_whatever_it_has_said(self):
        result = watch("--limit", 1, "--says", "right", "sh", "-c", "echo right; exec sleep 3600")
        self.assertEqual(result.returncode, 1)
        self.assertIn("HANGS: it did nothing for 1 s", result.stdout)

    def test_output_is_progress_but_not_for_ever(self):
        slow = watch("--limit", 3, "sh", "-c", "for i in 1 2 3 4 5; do echo; sleep 1; done")
        self.assertEqual(slow.returncode, 0, slow.stdout)
        # A line comes ten times in a limit, as a busy machine may be late by several of them.
        endless = watch("--limit", 0.5, "sh", "-c", "while echo; do sleep 0.05; done")
        self.assertIn("HANGS: it has not ended in 20 limits, though it goes on", endless.stdout)
        self.assertEqual(endless.returncode, 1)

    def test_processes_that_have_worked_and_end_are_progress(self):
        # Little work, so that it is short beside the limit on a machine that others keep busy; then
        # it stays for two looks.
        work = "import time\nwhile time.process_time() < 0.4: pass\ntime.sleep(2)"
        silent = watch("--limit", 5, "sh", "-c",
                       f"for i in 0 1 2 3 4; do {sys.executable} -S -c '{work}'; done; :")
        self.assertEqual(silent.returncode, 0, silent.stdout)
        endless = watch("--limit", 0.1, "sh", "-c", "while :; do sleep 0.2; done")
        self.assertIn("HANGS: it did nothing", endless.stdout)

    def test_a_process_left_behind_is_a_hang(self):
        result = watch("--limit", 1, "sh", "-c", "sleep 30 & exit 0")
        self.assertEqual(result.returncode, 1, result.stdout)

    def test_a_job_that_hangs_is_explained(self):
        mark = f"HANG_WATCH_MARK={uuid.uuid4().hex}"
        name, value = mark.split("=")
        # Ranks that share a core meet at a counter: no message waits at the one that sleeps.
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        self.addCleanup(os.sched_setaffinity, 0, cores)
        result = watch("--limit", 2, RAMJET, "run", "-n", 3, HANGING, RAMJET_CHANNEL="shm",
                       **{name: value})
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("seed 4711", result.stdout)
        self.assertRegex(result.stdout, "the command: .*RAMJET_CHANNEL=shm RAMJET_PROFILE=none "
                                        rf"{RAMJET} run -n 3 ")
        self.assertRegex(result.stdout, r"(?m)^  0 +\d+ +waits in barrier")
        self.assertIn("likely: rank 1 is not in a Ramjet call while others wait: "
                      "ranks 0 and 2 in barrier\n", result.stdout)
        if shutil.which("gdb"):
            self.assertIn("sleeps_for_ever", result.stdout)
            self.assertGreaterEqual(result.stdout.count("ramjet::barrier"), 2, result.stdout)
        self.assertEqual(processes_with(mark), [])


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
