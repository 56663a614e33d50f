#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills a rank of each of these programs in the middle of a run that would last for minutes: the
job ends, the rank is named, and no rank stays. kmer_check.py has kmer, which keeps files.

near   ranks share memory
far    on two nodes, some of them
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))

import hang_watch  # noqa: E402
from kernels_check import Case, options, run_check  # noqa: E402

PATIENCE_S = 120
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
}


def rank_of(pid):
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return next((int(w[12:]) for w in words if w.startswith(b"RAMJET_RANK=")), None)


class Killed(Case):
    where, names = (), tuple(PROGRAMS)

    def rank_at_work(self, job, rank):
        """The process of this rank, once it has worked for a while."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if job.poll() is not None:
                self.fail(f"the job has ended by itself: {job.communicate()}")
            for pid, ticks in hang_watch.tree_of(job.pid).items():
                if ticks >= AT_WORK and rank_of(pid) == rank:
                    return pid
            time.sleep(0.05)
        self.fail(f"rank {rank} did not begin")

    def check_killed(self, name, rank):
        command = [options.ramjet, "run", "-n", "3", *self.where, options.apps / name,
                   *map(str, PROGRAMS[name])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as job:
            try:
                pid = self.rank_at_work(job, rank)
                processes = hang_watch.tree_of(job.pid)
                os.kill(pid, signal.SIGKILL)
                _, said = job.communicate(timeout=PATIENCE_S)
            except BaseException:
                job.kill()
                raise
        self.assertEqual(job.returncode, 128 + signal.SIGKILL, said)
        self.assertIn(f"rank {rank} (pid {pid}) was killed by signal 9", said)
        self.assertEqual([p for p in processes if rank_of(p) is not None], [])

    def test_programs(self):
        for number, name in enumerate(self.names):
            with self.subTest(name):
                self.check_killed(name, number % 3)


class Far(Killed):
    where, names = ("--nodes", "2"), ("bfs", "pagerank", "gups", "transpose", "matmul")


if __name__ == "__main__":
    sys.exit(run_check(__doc__, {"near": Killed, "far": Far}))
