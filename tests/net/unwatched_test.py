#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A rank that cannot watch a descriptor says so and ends; nobody waits for it.

    unwatched_test.py RAMJET TRAFFIC FAILING_EPOLL [unittest arguments]
"""

import os
import re
import sys
import unittest

from network_job import SLACK_S, TRAFFIC, NetworkCase

FAILING_EPOLL = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""
AFTER_MAX = 16  # more than the calls of a rank of this job
WATCHES_MAX = 14  # one more than the launcher's calls: itself 4, for each of three ranks 3


class Unwatched(NetworkCase):
    def test_each_call(self):
        failed = 0
        for after in range(AFTER_MAX):
            with self.subTest(after=after):
                job = self.start("-n", 4, "--nodes", 2, "--timeout", 40, "--env",
                                 f"LD_PRELOAD={FAILING_EPOLL}", "--env", "FAIL_RANK=1", "--env",
                                 f"FAIL_AFTER={after}", TRAFFIC, "check", 20, timeout_s=30)
                job.end(40 + SLACK_S)
                said = job.out + job.err
                self.assertNotEqual(job.process.returncode, 124, said)
                if job.process.returncode == 0:
                    continue
                failed += 1
                self.assertIn("(epoll_ctl): No space left on device; raise "
                              "fs.epoll.max_user_watches (sysctl)", said)
        self.assertGreaterEqual(failed, 6, "the calls were not made")


class ShortOfMemory(NetworkCase):
    def test_control_connections(self):
        job = self.start("-n", 2, "--nodes", 2, "--timeout", 40, "--env",
                         f"LD_PRELOAD={FAILING_EPOLL}", "--env", "FAIL_RECV=1", TRAFFIC, "check",
                         1000, timeout_s=30)
        job.end(40 + SLACK_S)
        said = job.out + job.err
        self.assertEqual(job.process.returncode, 0, said)
        failed = [int(n) for n in re.findall(r"recv failed (\d+) times", said)]
        self.assertGreater(len(failed), 0, said)
        self.assertLess(max(failed), 200, "ranks read again without a pause")


class Launcher(NetworkCase):
    NO_SPACE = "(epoll_ctl): No space left on device; raise fs.epoll.max_user_watches (sysctl)"

    def run_job(self, *words, **variables):
        job = self.start("-n", 3, "--timeout", 40, *words, LD_PRELOAD=FAILING_EPOLL, **variables)
        job.end(20 + SLACK_S)  # every rank has ended then: see nothing_is_left
        return job

    def assert_refused(self, job, sentence):
        said = job.out + job.err
        self.assertEqual(job.process.returncode, 1, said)
        self.assertEqual(said.count(sentence), 1, said)

    def test_each_watch(self):
        # By shells around the programs, which are watched, too.
        command = ("sh", "-c", f"{TRAFFIC} check 20; sleep 1")
        failed = 0
        for after in range(WATCHES_MAX):
            with self.subTest(after=after):
                job = self.run_job(*command, FAIL_RANK="launcher", FAIL_AFTER=str(after))
                if job.process.returncode != 0:
                    failed += 1
                    self.assert_refused(job, self.NO_SPACE)
        self.assertEqual(failed, WATCHES_MAX - 1, "the calls were not made")

    def test_program_of_a_wrapper(self):
        job = self.run_job("sh", "-c", f"{TRAFFIC} check 20; sleep 2", FAIL_PIDFD="1")
        self.assert_refused(job, "(pidfd_open): Too many open files; raise the limit of open files "
                            "(ulimit -n)")

    def test_limit_of_a_rank(self):
        job = self.run_job(TRAFFIC, "check", 20, FAIL_LIMIT="1")
        self.assert_refused(job, "(setrlimit): Operation not permitted; does a filter of system "
                            "calls refuse it?")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
