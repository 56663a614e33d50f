#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A rank of a compiled Id program is killed while all ranks work: the job ends and names it.

    kill_test.py RAMJET FOLDER [unittest arguments]    FOLDER has id_fib_AM, id_gauss_seidel_MD, ...

The programs would run for ever, as far as a test can tell. A look by `ramjet top` says when they
are under way: no moment depends on a clock.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "fault"))

from driver import PATIENCE_S, RAMJET, VICTIM, Case, main, start, wait_until  # noqa: E402

KILLED = 128 + signal.SIGKILL


def is_computing(rank):
    """It has had messages, an activation of another rank's first of all, and works on something."""
    return rank["state"] == "computing" and rank["handled"] > 0


def exchanges(rank):
    """It is amid the messages about elements of other ranks' rows, wherever it waits for one."""
    return rank["handled"] > 1000


# Calls that are anywhere, of which each rank has years to compute and no messages; rows of which
# each waits for those of other ranks.
COMPUTING = ("id_fib", ("60",), is_computing)
EXCHANGING = ("id_gauss_seidel", ("20", "1000000"), exchanges)


class Killed(Case):
    """By both schedulers: they look at the network at different moments."""

    def begin(self, scheduler, program, ranks, *words):
        name, arguments, is_under_way = program
        mark, value = self.mark.split("=")
        job = start("-n", ranks, *words, os.path.join(VICTIM, f"{name}_{scheduler}"), *arguments,
                    env={**os.environ, mark: value})
        self.addCleanup(self.end, job)
        wait_until(lambda: all(map(is_under_way, self.look(job, ranks))), f"{job.args} works")
        return job

    @staticmethod
    def end(job):
        if job.poll() is None:
            job.kill()
        job.communicate(timeout=PATIENCE_S)

    def look(self, job, ranks):
        if job.poll() is not None:
            raise AssertionError(f"it has ended: {job.communicate(timeout=PATIENCE_S)}")
        done = subprocess.run([RAMJET, "top", str(job.pid), "--once", "--json", "--interval",
                               "0.05"], capture_output=True, text=True, timeout=PATIENCE_S,
                              check=False)
        if done.returncode != 0:  # it has not begun
            return [{"state": "starting", "handled": 0}]
        self.pids = {rank["rank"]: rank["pid"] for rank in json.loads(done.stdout)["ranks"]}
        self.assertEqual(sorted(self.pids), list(range(ranks)))
        return json.loads(done.stdout)["ranks"]

    def kill(self, job, rank):
        os.kill(self.pids[rank], signal.SIGKILL)
        out, err = job.communicate(timeout=PATIENCE_S)
        self.assert_gone()
        self.assertEqual(job.returncode, KILLED, out + err)
        self.assertRegex(err, rf"ramjet: rank {rank} \(pid {self.pids[rank]}\) was killed by "
                              r"signal 9")
        self.assertEqual(out, "")  # no result
        return err

    def check(self, scheduler):
        for program, ranks, rank, words in ((COMPUTING, 2, 1, ()), (COMPUTING, 4, 0, ()),
                                            (EXCHANGING, 2, 0, ()), (EXCHANGING, 4, 3, ()),
                                            (COMPUTING, 4, 2, ("--nodes", "2"))):
            with self.subTest(program=program[0], ranks=ranks, rank=rank, words=words):
                self.kill(self.begin(scheduler, program, ranks, *words), rank)
        with self.subTest("the others find it out by themselves"):
            job = self.begin(scheduler, EXCHANGING, 4, "--on-failure=continue")
            self.assertRegex(self.kill(job, 2), "ramjet: rank [013]: (rank 2|a rank) has died")

    def test_am(self):
        self.check("AM")

    def test_md(self):
        self.check("MD")


if __name__ == "__main__":
    main()
