#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A hang explains itself: who waits for whom, counters that reconcile, and the likely reason.

    hang_report_test.py RAMJET VICTIM [unittest arguments]
"""

import os
import re
import signal
import time

from driver import (PATIENCE_S, VICTIM, Case, Lines, main, process_states, ranks_with, run,
                    start, wait_until)


class HangReport(Case):
    def setUp(self):
        super().setUp()
        # Ranks that share a core meet at a counter: no message waits at the one that does not come.
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        self.addCleanup(os.sched_setaffinity, 0, cores)

    def test_each_hang_is_explained_once(self):
        for what, sentence in (
                ("unresponsive", r"likely: rank 2 does not poll: 2 messages wait there"),
                ("sleep", r"likely: rank 2 is not in a Ramjet call while others wait: "
                          r"ranks 0 and 1 in barrier$"),
                ("trapped", r"likely: rank 2 is inside the handler of a message from rank [01]"),
                ("mismatch", r"likely: all ranks wait and nothing is in flight, but not in the "
                             r"same call: ranks 0 and 1 in barrier, rank 2 in wait_until")):
            with self.subTest(what):
                self.check_hang(what, sentence)

    def check_hang(self, what, sentence):
        self.report_of(3, what, sentence)

    def report_of(self, ranks, what, sentence, *words):
        """The report of a job that hangs, which holds the sentence; it is the last one."""
        job = self.start(ranks, *(words or ("--explain-after", 0.3)), VICTIM, what)
        lines = Lines(job.stderr)
        # Before it there are others, if the start itself took long.
        lines.until(rf"(?m){sentence}.*\n")
        report = lines.text[lines.text.rindex("no progress for "):]
        time.sleep(1)  # it hangs on, and has been explained
        job.send_signal(signal.SIGTERM)
        _, rest = job.communicate(timeout=PATIENCE_S)
        self.assertNotIn("no progress for ", rest or "")
        return report + (rest or "")

    def start(self, ranks, *words):
        job = start("-n", ranks, *words)
        self.addCleanup(self.end, job)
        return job

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
                report = self.report_of(3, call, "likely: rank 2 is not in a Ramjet call while "
                                                 f"others wait: ranks 0 and 1 in {call}$")
                self.assertRegex(report, rf"(?m)^  0 +\d+ +waits in {call} ")
                self.assertRegex(report, rf"(?m)^  1 +\d+ +waits in {call} ")
                result = run("-n", 3, "--timeout", 4, VICTIM, call)
                self.assertRegex(result.stderr,
                                 rf"--timeout\); rank 0 was waiting .*in {call} for")

    def test_members_that_may_run_ahead_no_further(self):
        for nodes in (1, 3):
            with self.subTest(nodes=nodes):
                report = self.report_of(
                    3, "ahead", "likely: all ranks wait and nothing is in flight, but not in the "
                    "same call: ranks 0 and 1 in reduce, rank 2 in wait_until$",
                    "--nodes", nodes, "--explain-after", 0.3)
                for rank in (0, 1):
                    self.assertRegex(report, rf"(?m)^  {rank} .*waits in reduce +rank 2 ")

    def test_a_quiesce_whose_rounds_find_nothing_new_is_a_hang(self):
        for nodes in (1, 3):  # by the counter, and by messages
            with self.subTest(nodes=nodes):
                report = self.report_of(
                    3, "in_vain", "likely: all ranks wait and nothing is in flight, but some with "
                    "user-level threads that wait, too: ranks 0 and 1 in quiesce, rank 2 in "
                    "quiesce of a user-level thread$",
                    "--nodes", nodes, "--explain-after", 0.3)
                for rank in (0, 1):
                    self.assertRegex(report, rf"(?m)^  {rank} .*waits in quiesce ")

    def test_the_ranks_setting_does_as_the_option_does(self):
        self.report_of(3, "unresponsive", "likely: rank 2 does not poll", "--env",
                       "RAMJET_EXPLAIN_AFTER=0.3")

    def test_counters_reconcile(self):
        told = self.report_of(3, "unresponsive",
                              "likely: rank 2 does not poll: 2 messages wait there")
        numbers = re.search(r"in all: (\d+) sent = (\d+) received \+ (\d+) in flight; "
                            r"(\d+) received = (\d+) handled \+ (\d+) in a handler", told)
        sent, received, in_flight, again, handled, in_handler = map(int, numbers.groups())
        self.assertEqual(sent, received + in_flight)
        self.assertEqual((received, again), (again, handled + in_handler))
        self.assertEqual(in_flight, 2)

    def test_several_nodes_are_one_report(self):
        told = self.report_of(4, "apart", "likely: rank 3 does not poll: 1 message waits there",
                              "--nodes", 2, "--explain-after", 0.3)
        for rank in range(3):
            self.assertRegex(told, rf"(?m)^  {rank} +{rank // 2} +\d+ +waits in apart")
        self.assertRegex(told, r"(?m)^  3 +1 +\d+ +not in a Ramjet call")
        self.assertIn("in all: 3 sent = 2 received + 1 in flight; 2 received = 2 handled + 0", told)

    def test_a_stopped_rank_is_named(self):
        job = start("-n", 2, "--env", self.mark, VICTIM, "sleep")
        self.assertEqual(job.stdout.readline(), "staying\n")  # rank 1
        wait_until(lambda: 1 in ranks_with(self.mark), "rank 1 lives")
        pid = ranks_with(self.mark)[1]
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: "T" in process_states(self.mark), "it is stopped")
        job.send_signal(signal.SIGUSR1)
        while "likely" not in (line := job.stderr.readline()):
            self.assertIsNone(job.poll())
        self.assertRegex(line, rf"rank 1 \(pid {pid}\) is stopped by a signal")
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)
        self.assert_gone()

    def test_asked_by_signal(self):
        job = self.start(2, VICTIM, "stay")
        self.await_stay(job)
        self.ask(job, r"  0 +\d+ +waits in stay +any")

    def test_the_call_of_a_thread_is_named(self):
        job = self.start(2, VICTIM, "thread_in_barrier")
        self.await_stay(job)
        self.ask(job, r"  0 +\d+ +waits in barrier of a user-level thread +any ")

    def test_threads_say_what_they_wait_for(self):
        job = self.start(2, VICTIM, "threads")
        self.await_stay(job)
        for thread in ("'cook' at worker 0 waits for a semaphore",
                       "'guest' at worker 0 waits for a thread"):
            self.ask(job, f"(?s){thread}.*{thread}")

    def test_a_rank_that_was_killed_does_not_wait(self):
        job = self.start(3, "--on-failure=continue", "--env", self.mark, VICTIM, "threads")
        self.await_stay(job, 3)
        self.ask(job, r"  1 +\d+ +waits in user-level threads")
        os.kill(ranks_with(self.mark)[1], signal.SIGKILL)
        Lines(job.stderr).until(r"rank 1 .* was killed by signal 9 .*; the others go on\n")
        self.ask(job, r"(?m)^  1 +\d+ +failed$")

    def await_stay(self, job, ranks=2):
        for _ in range(ranks):
            self.assertEqual(job.stdout.readline(), "staying\n")

    def ask(self, job, pattern):
        """Asks for reports until one holds the pattern: the ranks say that they stay before they
        wait."""
        lines, end = Lines(job.stderr), time.monotonic() + PATIENCE_S
        while not re.search(pattern, lines.text):
            self.assertLess(time.monotonic(), end, lines.text)
            lines.text = ""
            job.send_signal(signal.SIGUSR1)
            lines.until(r"SIGUSR1(.*\n)+  1 .*\n")
            lines.rest()

    def end(self, job):
        if job.returncode is None:
            job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)

    def test_a_working_job_is_left_alone(self):
        result = run("-n", 2, "--explain-after", 2, "sh", "-c", f"{VICTIM} ok; sleep 4")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    main()
