#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A hang explains itself: who waits for whom, counters that reconcile, and the likely reason.

    hang_report_test.py RAMJET VICTIM [unittest arguments]
"""

import os
import pathlib
import re
import signal
import time

from driver import (PATIENCE_S, VICTIM, Case, main, process_states, processes_with, run, start,
                    wait_until, with_more_time)


class HangReport(Case):
    def test_each_hang_is_explained_once(self):
        for what, sentence in (
                ("unresponsive", r"likely: rank 2 does not poll: 2 messages wait there"),
                ("sleep", r"likely: rank 2 is not in a Ramjet call while others wait: ranks 0 and"),
                ("trapped", r"likely: rank 2 is inside the handler of a message from rank [01]"),
                ("mismatch", r"likely: all ranks wait and nothing is in flight, but not in the "
                             r"same call: ranks 0 and 1 in barrier, rank 2 in wait_until")):
            with self.subTest(what):
                self.check_hang(what, sentence)

    @with_more_time
    def check_hang(self, what, sentence, stretch):
        self.assertRegex(self.told(3, what, stretch), sentence)

    def told(self, ranks, what, stretch, *words):
        """What is told of a job that hangs until it is ended."""
        if not words:
            words = ("--explain-after", 0.3 * stretch)
        result = run("-n", ranks, *words, "--timeout", 1.5 * stretch, VICTIM, what)
        self.assertEqual(result.returncode, 124, result.stderr)
        self.assertEqual(result.stderr.count("no progress for "), 1, result.stderr)
        return result.stderr

    def test_a_healthy_loop_of_barriers_is_no_hang(self):
        job = start("-n", 4, "--env", self.mark, VICTIM, "barriers")
        self.assertEqual(job.stdout.readline(), "staying\n")
        for _ in range(5):
            job.send_signal(signal.SIGUSR1)
            while "the job moves" not in (line := job.stderr.readline()):
                self.assertNotIn("likely", line)
        job.terminate()
        job.communicate(timeout=PATIENCE_S)
        self.assert_gone()

    def test_calls_have_the_names_that_the_user_wrote(self):
        for call in ("quiesce", "finalize"):
            with self.subTest(call):
                self.check_name(call)

    @with_more_time
    def check_name(self, call, stretch):
        told = self.told(3, call, stretch)
        self.assertRegex(told, rf"(?m)^  0 +\d+ +waits in {call} ")
        self.assertRegex(told, rf"(?m)^  1 +\d+ +waits in {call} ")
        self.assertRegex(told, rf"--timeout\); rank 0 was waiting .*in {call} for")

    @with_more_time
    def test_the_ranks_setting_does_as_the_option_does(self, stretch):
        self.told(3, "unresponsive", stretch, "--env", f"RAMJET_EXPLAIN_AFTER={0.3 * stretch}")

    @with_more_time
    def test_counters_reconcile(self, stretch):
        told = self.told(3, "unresponsive", stretch)
        numbers = re.search(r"in all: (\d+) sent = (\d+) received \+ (\d+) in flight; "
                            r"(\d+) received = (\d+) handled \+ (\d+) in a handler", told)
        sent, received, in_flight, again, handled, in_handler = map(int, numbers.groups())
        self.assertEqual(sent, received + in_flight)
        self.assertEqual((received, again), (again, handled + in_handler))
        self.assertEqual(in_flight, 2)

    @with_more_time
    def test_several_nodes_are_one_report(self, stretch):
        told = self.told(4, "apart", stretch, "--nodes", 2, "--explain-after", 0.3 * stretch)
        for rank in range(3):
            self.assertRegex(told, rf"(?m)^  {rank} +{rank // 2} +\d+ +waits in apart")
        self.assertRegex(told, r"(?m)^  3 +1 +\d+ +not in a Ramjet call")
        self.assertIn("in all: 3 sent = 2 received + 1 in flight; 2 received = 2 handled + 0", told)
        self.assertIn("likely: rank 3 does not poll: 1 message waits there", told)

    def test_a_stopped_rank_is_named(self):
        job = start("-n", 2, "--env", self.mark, VICTIM, "sleep")
        self.assertEqual(job.stdout.readline(), "staying\n")  # rank 1
        victims = []

        def found():
            victims[:] = [p for p in processes_with(self.mark)
                          if b"RAMJET_RANK=1\0" in pathlib.Path(f"/proc/{p}/environ").read_bytes()]
            return victims
        wait_until(found, "rank 1 lives")
        os.kill(victims[0], signal.SIGSTOP)
        wait_until(lambda: "T" in process_states(self.mark), "it is stopped")
        job.send_signal(signal.SIGUSR1)
        while "likely" not in (line := job.stderr.readline()):
            self.assertIsNone(job.poll())
        self.assertRegex(line, rf"rank 1 \(pid {victims[0]}\) is stopped by a signal")
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)
        self.assert_gone()

    @with_more_time
    def test_asked_by_signal(self, stretch):
        job = self.staying("stay", stretch)
        job.send_signal(signal.SIGUSR1)
        lines = [job.stderr.readline() for _ in range(4)]
        self.assertIn("SIGUSR1", lines[0])
        self.assertRegex(lines[2], r"^  0 +\d+ +waits in stay +any")

    @with_more_time
    def test_threads_say_what_they_wait_for(self, stretch):
        job = self.staying("threads", stretch)
        job.send_signal(signal.SIGUSR1)
        cook = "'cook' at worker 0 waits for a semaphore"
        guest = "'guest' at worker 0 waits for a thread"
        time.sleep(0.3 * stretch)
        job.send_signal(signal.SIGTERM)
        _, text = job.communicate(timeout=PATIENCE_S)
        self.assertEqual((text.count(cook), text.count(guest)), (2, 2), text)
        self.assertIn("waits in user-level threads", text)

    def staying(self, what, stretch):
        """A job of two ranks that wait, after so long, for what never comes."""
        job = start("-n", 2, VICTIM, what)
        self.addCleanup(self.end, job)
        for _ in range(2):
            self.assertEqual(job.stdout.readline(), "staying\n")
        time.sleep(0.3 * stretch)
        return job

    def end(self, job):
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)

    @with_more_time
    def test_a_working_job_is_left_alone(self, stretch):
        result = run("-n", 2, "--explain-after", 0.2 * stretch, "sh", "-c",
                     f"{VICTIM} ok; sleep {0.7 * stretch}")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    main()
