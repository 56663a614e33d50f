#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signals to the launcher, and launchers that signals do not obey.

    signals_test.py RAMJET VICTIM REFUSE_KILL [unittest arguments]
"""

import os
import pathlib
import signal
import subprocess
import sys

from driver import (PATIENCE_S, VICTIM, Case, Lines, Stopwatch, command, main, run, start,
                    wait_until)
from processes import ranks_with

REFUSE_KILL = os.path.abspath(sys.argv.pop(3)) if len(sys.argv) > 3 else ""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM,
          signal.SIGXCPU, signal.SIGPWR)


def says_what_comes(signals):
    """A rank that says which of the signals come, and goes on."""
    traps = " ".join(f"trap 'echo {name}' {name};" for name in signals)
    return ["sh", "-c", f"{traps} echo ready; while :; do sleep 0.01; done"]


class Signals(Case):
    def test_each_that_ends_the_job_says_so_in_a_line(self):
        for number in ENDING:
            with self.subTest(number):
                job = self.started(start("-n", 2, "--env", self.mark, "sleep", "100"), 2)
                job.send_signal(number)
                _, err = job.communicate(timeout=PATIENCE_S)
                self.assertEqual(job.returncode, 128 + number)
                self.assert_one_line(
                    err, rf"^ramjet: signal {int(number)} \(.*\) from process {os.getpid()}; "
                         r"ending the job; the ranks have 1.0 s \(--grace\), a second signal ")
                self.assert_gone()

    def test_those_that_the_launcher_was_told_to_ignore(self):
        job = self.started(start("-n", 1, "--env", self.mark, "sleep", "100", preexec_fn=lambda: (
            signal.signal(signal.SIGHUP, signal.SIG_IGN))), 1)
        job.send_signal(signal.SIGHUP)
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 128 + signal.SIGTERM)

    def test_passed_on(self):
        for name in ("USR2", "CONT", "USR1"):
            with self.subTest(name):
                job = start("-n", 2, *says_what_comes([name]))
                said = Lines(job.stdout)
                said.until("(?s)ready.*ready")
                job.send_signal(getattr(signal, f"SIG{name}"))
                said.until(f"(?s){name}.*{name}")
                job.terminate()
                job.communicate(timeout=PATIENCE_S)

    def test_to_the_program_and_not_to_the_shell_around_it(self):
        job = start("-n", 1, "sh", "-c", f"{VICTIM} stay; echo status $?")
        said = Lines(job.stdout)
        said.until("staying")
        job.send_signal(signal.SIGUSR2)
        said.until("status 140")
        job.communicate(timeout=PATIENCE_S)

    def test_the_question_kills_no_rank(self):
        job = self.started(start("-n", 2, "--env", self.mark, VICTIM, "stay"), 2)
        out, err = Lines(job.stdout), Lines(job.stderr)
        out.until("(?s)staying.*staying")
        job.send_signal(signal.SIGUSR1)
        err.until("SIGUSR1: what 2 ranks are doing")
        self.assertIsNone(job.poll())
        job.terminate()
        job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 143)

    def test_a_signal_that_ranks_do_not_expect(self):
        job = self.started(start("-n", 2, "--env", self.mark, "sleep", "100"), 2)
        job.send_signal(signal.SIGUSR2)
        _, err = job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 140)
        self.assert_one_line(err, r"rank \d .* was killed by signal 12 \(User defined signal 2\)")


class Grace(Case):
    STUBBORN = ["sh", "-c", "trap 'echo asked' TERM; echo ready; while :; do sleep 0.01; done"]

    def test_no_grace(self):
        job = start("-n", 1, "--grace", 0, *self.STUBBORN)
        self.assertEqual(job.stdout.readline(), "ready\n")
        took = Stopwatch()
        job.terminate()
        job.communicate(timeout=PATIENCE_S)
        self.assertLess(took.undisturbed(), 900)
        self.assertEqual(job.returncode, 143)

    def test_long_enough_to_clean_up(self):
        for how in ("signal", "timeout", "failure"):
            with self.subTest(how):
                clean = "trap 'sleep 2; echo clean; exit 0' TERM; echo ready; "
                script = clean + "while :; do sleep 0.01; done"
                if how == "failure":
                    script = f'[ $RAMJET_RANK = 1 ] && sleep 0.5 && exit 3; {script}'
                options = ["--timeout", 1] if how == "timeout" else []
                job = start("-n", 2, "--grace", 50, *options, "sh", "-c", script)
                self.assertEqual(job.stdout.readline(), "ready\n")
                if how == "signal":
                    self.assertEqual(job.stdout.readline(), "ready\n")
                    job.terminate()
                out, _ = job.communicate(timeout=PATIENCE_S)
                self.assertEqual(out.count("clean"), 1 if how == "failure" else 2, out)
                self.assertEqual(job.returncode, {"signal": 143, "timeout": 124, "failure": 3}[how])

    def test_wrong_words(self):
        for word in ("-1", "soon"):
            result = run("-n", 1, "--grace", word, "true")
            self.assertEqual(result.returncode, 2)
            self.assert_one_line(result.stderr, f"--grace {word}: give a number of seconds from 0")
        result = run("-n", 1, "--grace", "3", "--hosts", "a", "true")
        self.assertEqual(result.returncode, 2)
        self.assert_one_line(result.stderr, "--grace is for jobs of this machine")


class Odd(Case):
    def test_a_filter_that_refuses_kill(self):
        for words, status in ((["--timeout", 1, VICTIM, "stay"], 124), ([VICTIM, "kill", 9], 137),
                              (["--timeout", 1, "sh", "-c", f"{VICTIM} stay; true"], 124)):
            with self.subTest(words):
                job = subprocess.run(
                    [REFUSE_KILL, *command("-n", 2, "--env", self.mark, *words)],
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S,
                    check=False)
                if job.returncode == 77:
                    self.skipTest(job.stderr)
                self.assertEqual(job.returncode, status, job.stderr)
                self.assertIn("cannot kill the ranks: Operation not permitted", job.stderr)
                self.assert_gone()

    def test_a_launcher_that_is_stopped_while_a_rank_dies(self):
        job = self.started(start("-n", 2, "--nodes", 2, "--env", self.mark, VICTIM, "barriers"), 2)
        said = Lines(job.stdout)
        said.until("(?s)staying.*staying")
        ranks = ranks_with(self.mark)
        job.send_signal(signal.SIGSTOP)
        os.kill(ranks[1], signal.SIGKILL)

        def ended(pid):
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
            return stat.rsplit(")", 1)[1].split()[0] == "Z"
        wait_until(lambda: ended(ranks[0]), "rank 0 has noticed")
        job.send_signal(signal.SIGCONT)
        _, err = job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 137, err)
        self.assertRegex(err, r"rank 1 \(pid \d+\) was killed by signal 9")


if __name__ == "__main__":
    main()
