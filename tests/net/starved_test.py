#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A crowded machine: ranks that get hardly any processor time are not declared dead, and ranks that
are stopped meanwhile are.

    starved_test.py RAMJET TRAFFIC [unittest arguments]
"""

import os
import pathlib
import re
import signal
import sys
import tempfile
import time

from network_job import SLACK_S, TRAFFIC, NetworkCase, main

LIMIT_S = 1.0  # RAMJET_FAILURE_TIMEOUT
STARVED_S = 6.0
NOTICE_S = 60.0  # the watching ranks share a processor, and other programs may use it, too
RANKS, NODES = 4, 2
# Processes that compute while a file is there. Rank 0 starts them, in the session of the ranks: the
# system may share processors out by session first.
HOGS = 6
HOG = """
import os, sys, time
while not os.path.exists(sys.argv[1]): time.sleep(0.02)
os.sched_setaffinity(0, {int(sys.argv[2])})
while os.path.exists(sys.argv[1]): pass
"""
WITH_HOGS = """
[ "$RAMJET_RANK" = 0 ] && for i in $(seq $HOGS); do
  env -u RAMJET_RANK "$PYTHON" -c "$HOG" "$FLAG" "$CPU" &
done
exec "$@"
"""


class Starved(NetworkCase):
    def setUp(self):
        super().setUp()
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.flag = pathlib.Path(folder, "compute")
        self.cpu = min(os.sched_getaffinity(0))

    def schedule(self, pid, cpus, policy):
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), cpus)
            os.sched_setscheduler(int(thread.name), policy, os.sched_param(0))

    def starve(self, pid, policy=os.SCHED_IDLE):
        """All threads of the process share one processor with the hogs, which go first."""
        self.schedule(pid, {self.cpu}, policy)

    def feed(self, pid):
        """The opposite: other programs on the machine do not go first any more."""
        self.schedule(pid, os.sched_getaffinity(0), os.SCHED_OTHER)

    def longest_wait(self, pids, seconds):
        """For how long one of the threads got no processor at all; runs until the time is over."""
        threads = [path for pid in pids for path in pathlib.Path(f"/proc/{pid}/task").iterdir()]
        since, turns, longest = {}, {}, 0.0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for thread in threads:
                now = time.monotonic()
                try:
                    state = (thread / "stat").read_text().rsplit(") ", 1)[1][0]
                    count = (thread / "schedstat").read_text().split()[2]
                except OSError:  # the rank has ended
                    return longest
                if state != "R" or turns.get(thread) != count:
                    since[thread], turns[thread] = now, count
                longest = max(longest, now - since[thread])
            time.sleep(0.05)
        return longest

    def job(self, policy):
        job = self.start("-n", RANKS, "--nodes", NODES, "--timeout", 100, f"--on-failure={policy}",
                         "sh", "-c", WITH_HOGS, "sh", TRAFFIC, "check", 0, timeout_s=LIMIT_S,
                         PYTHON=sys.executable, HOG=HOG, HOGS=str(HOGS), FLAG=str(self.flag),
                         CPU=str(self.cpu))
        job.wait_for("checking")
        return job

    def check_survives(self, ranks):
        job = self.job("abort")
        pids = job.pids()
        for rank in ranks:
            self.starve(pids[rank])
        self.flag.touch()
        longest = self.longest_wait([pids[rank] for rank in ranks], STARVED_S)
        print(f"a thread got no processor for up to {longest:.1f} s, the limit is {LIMIT_S} s")
        self.flag.unlink()
        for rank in ranks:
            self.feed(pids[rank])
        self.assertEqual(job.err, "")
        os.kill(pids[0], signal.SIGUSR1)
        self.assert_right(job, RANKS, 60 + SLACK_S)

    def test_a_rank(self):
        self.check_survives([3])

    def test_all_ranks_of_a_node(self):
        self.check_survives([2, 3])

    def test_all_ranks(self):
        self.check_survives(range(RANKS))

    def check_stopped(self, stopped):
        """The others share a processor with many, and find out."""
        job = self.job("continue")
        pids = job.pids()
        for rank in set(range(RANKS)) - stopped:
            self.starve(pids[rank], os.SCHED_OTHER)
        self.flag.touch()
        for rank in stopped:
            os.kill(pids[rank], signal.SIGSTOP)
        end = time.monotonic() + NOTICE_S
        while "RAMJET_FAILURE_TIMEOUT" not in job.err:
            self.assertLess(time.monotonic(), end, "nobody has noticed")
            time.sleep(0.05)
        self.flag.unlink()
        said = job.err
        job.kill()
        given_up = re.findall(r"rank \d+: ranks? ([\d, ]+)(?: has not run|: no sign)", said)
        self.assertTrue(given_up, said)
        for ranks in given_up:
            self.assertLessEqual({int(r) for r in ranks.split(",")}, stopped, said)

    def test_a_stopped_rank(self):
        self.check_stopped({3})

    def test_a_stopped_node(self):
        self.check_stopped({2, 3})


if __name__ == "__main__":
    main()
