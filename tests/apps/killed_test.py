#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills a rank of each of these programs in the middle of a run that would last for minutes: the
job ends, the rank is named, and no process stays. kmer_check.py has kmer, which keeps files.

    killed_test.py RAMJET FOLDER_OF_PROGRAMS CLASS    Near: ranks share memory; Far: on two nodes,
                                                      some of them
"""

import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "fault"))

from driver import (PATIENCE_S, VICTIM as PROGRAMS_FOLDER, Case, hang_watch, main,  # noqa: E402
                    ranks_with, start, wait_until)

AT_WORK = 0.2 * hang_watch.TICKS  # of processor time: it has joined the job and begun
LONG = 10**4
GRAPH = ("--scale", 14)
PROGRAMS = {
    "bfs": (*GRAPH, "--roots", LONG),
    "sssp": (*GRAPH, "--roots", LONG),
    "components": (*GRAPH, "--repeats", LONG),
    "pagerank": (*GRAPH, "--repeats", LONG),
    "exchange": ("--keys", 100000, "--repeats", LONG),
    "gups": ("--scale", 18, "--repeats", LONG),
    "keysort": ("--keys", 200000, "--repeats", LONG),
    "triangles": ("--scale", 12, "--repeats", LONG),
    "toposort": ("--rows", 100000, "--repeats", LONG),
    "transpose": ("--rows", 100000, "--repeats", LONG),
    "permutation": ("--numbers", 100000, "--repeats", LONG),
    "histogram": ("--repeats", LONG),
    "indexgather": ("--repeats", LONG),
    "matmul": ("--n", 512, "--columns", 8, "--repeats", LONG),
    "em3d": ("--repeats", 1000),
    "wator": ("--work", 1000, "--steps", LONG),
    "agenda_matmul": ("--repeats", LONG),
}


class Near(Case):
    where, names = (), tuple(PROGRAMS)

    def rank_at_work(self, job, rank):
        """The process of this rank, once it has worked for a while."""
        def is_at_work():
            if job.poll() is not None:
                self.fail(f"the job has ended by itself: {job.communicate()}")
            pid = ranks_with(self.mark).get(rank)
            return hang_watch.tree_of(job.pid).get(pid, 0) >= AT_WORK
        wait_until(is_at_work, f"rank {rank} works")
        return ranks_with(self.mark)[rank]

    def check_killed(self, name, rank):
        mark, value = self.mark.split("=")
        with start("-n", 3, *self.where, os.path.join(PROGRAMS_FOLDER, name), *PROGRAMS[name],
                   env={**os.environ, mark: value}) as job:
            try:
                pid = self.rank_at_work(job, rank)
                os.kill(pid, signal.SIGKILL)
                _, said = job.communicate(timeout=PATIENCE_S)
            except BaseException:
                job.kill()
                raise
        self.assertEqual(job.returncode, 128 + signal.SIGKILL, said)
        self.assertIn(f"rank {rank} (pid {pid}) was killed by signal 9", said)
        self.assert_gone()

    def test_programs(self):
        for number, name in enumerate(self.names):
            with self.subTest(name):
                self.check_killed(name, number % 3)


class Far(Near):
    where, names = ("--nodes", "2"), ("bfs", "pagerank", "gups", "transpose", "matmul", "em3d")


if __name__ == "__main__":
    main()
