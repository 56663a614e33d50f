#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One TCP connection between two living ranks breaks: one of the two is given up, all others are
told of it, and the job's status says so.

    broken_test.py RAMJET BROKEN_CONNECTION [unittest arguments]
"""

import os
import re
import sys
import unittest

from network_job import NetworkCase, SLACK_S, TIMEOUT_S

PROGRAM = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
LOST = 70  # the status of a rank that was given up
JOBS = ((4, 2), (8, 4))  # ranks, nodes
ROUNDS = 3  # the order in which ranks notice the break is the system's


class Broken(NetworkCase):
    def run_job(self, ranks, nodes, policy, *words):
        job = self.start("-n", ranks, "--nodes", nodes, f"--on-failure={policy}", "--timeout", 30,
                         PROGRAM, *words, timeout_s=TIMEOUT_S, RAMJET_NETWORK="tcp",
                         FAR_RANKS=str(ranks - ranks // nodes))
        job.end(30 + SLACK_S)
        return job

    def check_one_victim(self, ranks, nodes, *words):
        job = self.run_job(ranks, nodes, "continue", *words)
        said = job.out + job.err
        self.assertEqual(job.process.returncode, LOST, said)
        told = {int(r): int(v)
                for r, v in re.findall(r"rank (\d+): a rank died, rank (\d+)", job.out)}
        self.assertEqual(len(set(told.values())), 1, said)
        victim = set(told.values()).pop()
        self.assertEqual(set(told), set(range(ranks)) - {victim}, said)
        self.assertRegex(job.err, rf"rank {victim}: rank \d+ has given this rank up", said)
        return job

    def check_ends_and_cause(self, job):
        self.assertRegex(job.err, r"127\.0\.0\.1 \d+ to 127\.0\.0\.1 \d+", job.out)
        self.assertRegex(job.err, r"was closed by the other end|broke: Connection reset by peer"
                                  r"|broke: Transport endpoint is not connected|broke: Broken pipe")

    def check(self, kind):
        for ranks, nodes in JOBS:
            for how in ("shutdown", "reset"):
                for breaker in (0, ranks - 1):
                    for number in range(ROUNDS):
                        with self.subTest(ranks=ranks, how=how, breaker=breaker, number=number):
                            job = self.check_one_victim(ranks, nodes, breaker, kind, how)
                            self.check_ends_and_cause(job)


class Channel(Broken):
    """A connection that carries messages."""

    def test_one_victim(self):
        self.check("channel")

    def test_the_job_ends_by_default(self):
        job = self.run_job(4, 2, "abort", 3, "channel", "reset")
        self.assertEqual(job.process.returncode, LOST, job.out + job.err)
        self.assertIn("a connection between the two", job.err)


class Control(Broken):
    """A connection of the mesh, over which ranks tell each other of deaths."""

    def test_one_victim(self):
        self.check("control")

    def test_the_job_ends_by_default(self):
        job = self.run_job(4, 2, "abort", 3, "control", "reset")
        self.assertEqual(job.process.returncode, LOST, job.out + job.err)
        self.assertIn("the control connection", job.err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
