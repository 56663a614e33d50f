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

from driver import PATIENCE_S, VICTIM, Case, main, processes_with, run, start, wait_until


class HangReport(Case):
    def test_each_hang_is_explained_once(self):
        for what, sentence in (
                # One may have come while it still started, and been answered.
                ("deaf", r"likely: rank 2 does not poll: (1 message waits|2 messages wait) there"),
                ("sleep", r"likely: rank 2 is not in a Ramjet call while others wait: ranks 0 and"),
                ("trapped", r"likely: rank 2 is inside the handler of a message from rank [01]"),
                ("mismatch", r"likely: all ranks wait and nothing is in flight, but not in the "
                             r"same call: ranks 0 and 1 in barrier, rank 2 in wait_until")):
            with self.subTest(what):
                result = run("-n", 3, "--explain-after", 0.3, "--timeout", 1.5, VICTIM, what)
                self.assertEqual(result.returncode, 124)
                self.assertEqual(result.stderr.count("no progress for 300 ms"), 1, result.stderr)
                self.assertRegex(result.stderr, sentence)

    def test_calls_have_the_names_that_the_user_wrote(self):
        for call in ("quiesce", "finalize"):
            with self.subTest(call):
                result = run("-n", 3, "--explain-after", 0.3, "--timeout", 1.5, VICTIM, call)
                self.assertEqual(result.returncode, 124)
                self.assertRegex(result.stderr, rf"(?m)^  0 +\d+ +waits in {call} ")
                self.assertRegex(result.stderr, rf"(?m)^  1 +\d+ +waits in {call} ")
                self.assertRegex(result.stderr, rf"--timeout\); rank 0 was waiting .*in {call} for")

    def test_the_ranks_setting_does_as_the_option_does(self):
        result = run("-n", 3, "--env", "RAMJET_EXPLAIN_AFTER=0.3", "--timeout", 1.5, VICTIM, "deaf")
        self.assertEqual(result.stderr.count("no progress for 300 ms"), 1, result.stderr)

    def test_counters_reconcile(self):
        result = run("-n", 3, "--explain-after", 0.3, "--timeout", 1, VICTIM, "deaf")
        numbers = re.search(r"in all: (\d+) sent = (\d+) received \+ (\d+) in flight; "
                            r"(\d+) received = (\d+) handled \+ (\d+) in a handler", result.stderr)
        sent, received, in_flight, again, handled, in_handler = map(int, numbers.groups())
        self.assertEqual(sent, received + in_flight)
        self.assertEqual((received, again), (again, handled + in_handler))
        self.assertEqual(in_flight, 2)

    def test_several_nodes_are_one_report(self):
        result = run("-n", 4, "--nodes", 2, "--explain-after", 0.3, "--timeout", 1.5, VICTIM,
                     "apart")
        self.assertEqual(result.returncode, 124)
        self.assertEqual(result.stderr.count("no progress for 300 ms"), 1, result.stderr)
        for rank in range(3):
            self.assertRegex(result.stderr, rf"(?m)^  {rank} +{rank // 2} +\d+ +waits in apart")
        self.assertRegex(result.stderr, r"(?m)^  3 +1 +\d+ +not in a Ramjet call")
        self.assertIn("in all: 3 sent = 2 received + 1 in flight; 2 received = 2 handled + 0",
                      result.stderr)
        self.assertIn("likely: rank 3 does not poll: 1 message waits there", result.stderr)

    def test_a_stopped_rank_is_named(self):
        job = start("-n", 2, "--env", self.mark, "--explain-after", 0.3, VICTIM, "sleep")
        victims = []

        def found():
            victims[:] = [p for p in processes_with(self.mark)
                          if b"RAMJET_RANK=1\0" in pathlib.Path(f"/proc/{p}/environ").read_bytes()]
            return victims
        wait_until(found, "rank 1 lives")
        time.sleep(0.1)
        os.kill(victims[0], signal.SIGSTOP)
        while "likely" not in (line := job.stderr.readline()):
            self.assertIsNone(job.poll())
        self.assertRegex(line, rf"rank 1 \(pid {victims[0]}\) is stopped by a signal")
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)
        self.assert_gone(0.2)

    def test_asked_by_signal(self):
        job = start("-n", 2, VICTIM, "stay")
        for _ in range(2):
            self.assertEqual(job.stdout.readline(), "staying\n")
        time.sleep(0.2)
        job.send_signal(signal.SIGUSR1)
        lines = [job.stderr.readline() for _ in range(4)]
        self.assertIn("SIGUSR1", lines[0])
        self.assertRegex(lines[2], r"^  0 +\d+ +waits in stay +any")
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)

    def test_threads_say_what_they_wait_for(self):
        job = start("-n", 2, VICTIM, "threads")
        for _ in range(2):
            self.assertEqual(job.stdout.readline(), "staying\n")
        time.sleep(0.3)
        job.send_signal(signal.SIGUSR1)
        cook = "'cook' at worker 0 waits for a semaphore"
        guest = "'guest' at worker 0 waits for a thread"
        text = ""
        while text.count(cook) < 2 or text.count(guest) < 2:  # the test's time limit ends it
            text += job.stderr.readline()
        self.assertIn("waits in user-level threads", text)
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=PATIENCE_S)

    def test_a_working_job_is_left_alone(self):
        result = run("-n", 2, "--explain-after", 0.2, "sh", "-c", f"{VICTIM} ok; sleep 0.7")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    main()
