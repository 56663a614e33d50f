#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Eight ranks on four hosts, which are network namespaces: slow, lossy and broken networks, ranks
and hosts that die or stop.

    hosts_test.py RAMJET TRAFFIC CONFORMANCE [unittest arguments]

RAMJET_NET_KILLS    how many kills at random moments (default 4; the full number is 200)
RAMJET_NET_CUTS     how many cuts of a host's link at random moments (default 1; in full 50)
RAMJET_NET_SEED     of the moments (default 1); printed
RAMJET_NET_SLACK_S  what a loaded machine may add to the promised times
"""

import os
import random
import signal
import subprocess
import sys
import time
import unittest

import hosts as networks
from network_job import SLACK_S, TIMEOUT_S, TRAFFIC, NetworkCase

CONFORMANCE = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""
KILLS = int(os.environ.get("RAMJET_NET_KILLS", "4"))
CUTS = int(os.environ.get("RAMJET_NET_CUTS", "1"))
SEED = int(os.environ.get("RAMJET_NET_SEED", "1"))

HOSTS, RANKS, EACH = 4, 8, 2
ALL = set(range(RANKS))
KINDS = ("flood", "medium", "long", "calls", "collectives", "accesses", "mixed",
         "asleep")
# How long each rank waits after a death for news of further ones, before it tells.
SETTLE_KILL_MS, SETTLE_KILLS_MS, SETTLE_CUT_MS = 600, 2500, int(TIMEOUT_S * 1000) + 500
END_OF_RANKS_S = 5.0  # how long ranks wait for the launcher, where only they know of a death


def of_host(host):
    return set(range(host * EACH, (host + 1) * EACH))


class OnHosts(NetworkCase):
    @classmethod
    def setUpClass(cls):
        cls.hosts = networks.Hosts(HOSTS)
        cls.addClassCleanup(cls.hosts.close)

    def setUp(self):
        super().setUp()
        self.random = random.Random(f"{SEED} {self.id()}")
        self.addCleanup(self.heal)

    def heal(self):
        for host in range(HOSTS):
            self.hosts.heal(host)

    def job(self, *words, policy="continue", **options):
        program = words if words[0] != "stay" else (TRAFFIC, *words)
        return self.start("-n", RANKS, "--nodes", HOSTS, "--timeout", 100,
                          f"--on-failure={policy}", *self.hosts.wrapper, *program,
                          RAMJET_INTERFACE="eth0", **options)

    def staying(self, kind, settle_ms, **options):
        job = self.job("stay", kind, settle_ms, **options)
        job.wait_for("staying")
        time.sleep(self.random.uniform(0, 0.3))
        return job

    def checking(self, timeout_s):
        """Messages of all kinds, until rank 0 gets SIGUSR1."""
        job = self.job(TRAFFIC, "check", 0, policy="abort", timeout_s=timeout_s)
        job.wait_for("checking")
        return job

    def assert_parted(self, job, lost):
        """Those who are cut off have seen the others die, and the others them."""
        expected = {rank: ALL - lost if rank in lost else lost for rank in ALL}
        self.assert_lost(job, expected)


class Promises(OnHosts):
    """What holds on one machine holds over a network."""

    def test_conformance(self):
        listed = subprocess.run([CONFORMANCE, "--list"], capture_output=True, text=True,
                                check=True).stdout.split()
        for group in sorted({case.split(".")[0] for case in listed} - {"endpoints"}):
            cases = [case for case in listed if case.startswith(f"{group}.")]
            with self.subTest(group):
                job = self.job(CONFORMANCE, "--scale=0.02", *cases, policy="abort", timeout_s=30)
                job.end(90)
                self.assertEqual((job.process.returncode, job.err), (0, ""), job.out)
                self.assertRegex(job.out, rf"(?m)^\d+ cases passed, \d+ skipped, {RANKS} ranks$")

    def test_conformance_of_several_endpoints(self):
        job = self.job(CONFORMANCE, "--scale=0.02", "--endpoints=2", "stress",
                       policy="abort", timeout_s=30)
        job.end(100)
        self.assertEqual((job.process.returncode, job.err), (0, ""), job.out)


class Slow(OnHosts):
    """Links of a few MB/s, and links that lose packets: later, but right."""

    def test_a_slow_link(self):
        self.hosts.limit(1, "50mbit")
        job = self.job(TRAFFIC, "check", 4, policy="abort", timeout_s=30)
        self.assert_right(job, RANKS, 90)

    def test_links_that_lose_packets(self):
        for host in range(HOSTS):
            self.hosts.drop(host, "numgen random mod 1000 lt 15")
        job = self.job(TRAFFIC, "check", 2, policy="abort", timeout_s=30)
        self.assert_right(job, RANKS, 90)


class Death(OnHosts):
    """Ranks are killed: the others are told at once, by connections that close."""

    def kill(self, job, ranks):
        pids = job.pids()
        for rank in ranks:
            os.kill(pids[rank], signal.SIGKILL)

    def pid_as_it_starts(self, job, rank):
        """While a process becomes another program, nothing tells whose it is: one look decides."""
        pid = job.pids().get(rank)
        if pid is None:
            job.wait_for("staying")
            pid = job.pid(rank)
        return pid

    def check(self, kind, dead):
        settle_ms = SETTLE_KILL_MS if len(dead) == 1 else SETTLE_KILLS_MS
        job = self.staying(kind, settle_ms, timeout_s=30)
        self.kill(job, dead)
        job.end(settle_ms / 1000 + SLACK_S)
        self.assertEqual(job.process.returncode, 137, job.out + job.err)
        self.assert_lost(job, {rank: dead for rank in ALL - dead})

    def test_a_rank(self):
        print(f"RAMJET_NET_SEED={SEED}, {KILLS} kills", flush=True)
        for i in range(KILLS):
            kind, rank = KINDS[i % len(KINDS)], self.random.randrange(RANKS)
            with self.subTest(number=i, kind=kind, rank=rank):
                self.check(kind, {rank})

    def test_all_ranks_of_a_host(self):
        for i in range(max(1, KILLS // 10)):
            kind, host = self.random.choice(KINDS), self.random.randrange(HOSTS)
            with self.subTest(number=i, kind=kind, host=host):
                self.check(kind, of_host(host))

    def test_the_job_ends_by_default(self):
        for i in range(max(1, KILLS // 10)):
            kind, rank = self.random.choice(KINDS), self.random.randrange(RANKS)
            with self.subTest(number=i, kind=kind, rank=rank):
                job = self.staying(kind, SETTLE_KILL_MS, policy="abort", timeout_s=30)
                self.kill(job, {rank})
                job.end(SLACK_S)
                self.assertEqual(job.process.returncode, 137, job.out + job.err)
                self.assertRegex(job.err, rf"rank {rank} \(pid \d+\) was killed by signal 9")
                self.assertNotIn("survivor", job.out)

    def test_while_the_job_starts(self):
        for i in range(max(2, KILLS // 10)):
            rank, delay = self.random.randrange(RANKS), self.random.uniform(0, 0.5)
            with self.subTest(number=i, rank=rank, delay=delay):
                job = self.job("stay", "mixed", SETTLE_KILL_MS, timeout_s=30)
                time.sleep(delay)
                os.kill(self.pid_as_it_starts(job, rank), signal.SIGKILL)
                job.end(SETTLE_KILL_MS / 1000 + SLACK_S)
                self.assertNotEqual(job.process.returncode, 0, job.out + job.err)


class Cut(OnHosts):
    """Hosts that cannot be reached any more: silence is what tells, within the time-out."""

    def check(self, kind, host, cut):
        job = self.staying(kind, SETTLE_CUT_MS)
        cut(host)
        took = job.end(TIMEOUT_S + SETTLE_CUT_MS / 1000 + SLACK_S)
        self.assert_parted(job, of_host(host))
        self.heal()
        return took

    def test_a_link_goes_down(self):
        print(f"RAMJET_NET_SEED={SEED}, {CUTS} cuts", flush=True)
        for i in range(CUTS):
            kind, host = KINDS[i % len(KINDS)], self.random.randrange(HOSTS)
            with self.subTest(number=i, kind=kind, host=host):
                self.check(kind, host, self.hosts.cut)

    def test_packets_vanish(self):
        for i in range(max(1, CUTS // 5)):
            kind = self.random.choice(KINDS)
            with self.subTest(number=i, kind=kind):
                self.check(kind, self.random.randrange(HOSTS), self.hosts.drop)

    def test_the_job_ends_by_default(self):
        job = self.staying("mixed", SETTLE_CUT_MS, policy="abort")
        self.hosts.cut(3)
        job.end(TIMEOUT_S + END_OF_RANKS_S + SLACK_S)
        self.assertNotEqual(job.process.returncode, 0, job.out + job.err)
        self.assertIn("RAMJET_FAILURE_TIMEOUT", job.err)
        self.assertNotIn("survivor", job.out)


class Stop(OnHosts):
    """A rank that does nothing any more, with all its connections open."""

    def test_a_stopped_rank(self):
        for i in range(max(1, CUTS // 5)):
            kind, rank = self.random.choice(KINDS), self.random.randrange(RANKS)
            with self.subTest(number=i, kind=kind, rank=rank):
                job = self.staying(kind, SETTLE_CUT_MS)
                pid = job.pid(rank)
                os.kill(pid, signal.SIGSTOP)
                job.wait_for_survivors(RANKS - 1, TIMEOUT_S + SETTLE_CUT_MS / 1000 + SLACK_S)
                os.kill(pid, signal.SIGCONT)  # it learns that it was given up
                job.end(SLACK_S)
                self.assert_lost(job, {other: {rank} for other in ALL - {rank}})
                self.assertEqual(job.process.returncode, 70, job.out + job.err)
                self.assertIn("has given this rank up", job.err)

    def test_the_job_ends_by_default(self):
        if CUTS < 10:
            self.skipTest("as after a cut; only in a long run (RAMJET_NET_CUTS)")
        job = self.staying("mixed", SETTLE_CUT_MS, policy="abort")
        os.kill(job.pid(5), signal.SIGSTOP)
        job.end(TIMEOUT_S + END_OF_RANKS_S + SLACK_S)
        self.assertNotEqual(job.process.returncode, 0, job.out + job.err)
        self.assertIn("RAMJET_FAILURE_TIMEOUT", job.err)

    def test_a_short_stop_is_no_death(self):
        job = self.checking(2 * TIMEOUT_S)
        pids = job.pids()
        for _ in range(2):
            rank = self.random.choice(sorted(pids))
            os.kill(pids[rank], signal.SIGSTOP)
            time.sleep(TIMEOUT_S * 0.8)
            os.kill(pids[rank], signal.SIGCONT)
        os.kill(pids[0], signal.SIGUSR1)
        self.assert_right(job, RANKS, 90)


class Outage(OnHosts):
    """One direction fails: what a host sends vanishes, and it still hears the others."""

    def mute_for(self, host, seconds):
        """How long that host may have been mute: the commands take long on a busy machine."""
        began = time.monotonic()
        self.hosts.mute(host)
        time.sleep(seconds)
        self.hosts.heal(host)
        return time.monotonic() - began

    def test_one_that_is_shorter_than_the_limit_is_survived(self):
        # What TCP sends again comes so late by then that it would be too late.
        limit_s = 8.0
        job = self.checking(limit_s)
        while self.mute_for(1, limit_s * 0.8) > limit_s * 0.9:  # it was no shorter one
            job.kill()
            limit_s *= 2
            job = self.checking(limit_s)
        time.sleep(limit_s * 0.5)
        os.kill(job.pid(0), signal.SIGUSR1)
        self.assert_right(job, RANKS, 90)

    def test_one_that_is_longer_is_noticed_on_both_sides(self):
        job = self.job("stay", "asleep", 1000)
        job.wait_for("staying")
        self.hosts.mute(3)
        began = time.monotonic()
        while "RAMJET_FAILURE_TIMEOUT" not in job.err:
            self.assertLess(time.monotonic() - began, TIMEOUT_S + 1 + SLACK_S, job.err)
            time.sleep(0.02)
        print(f"noticed after {time.monotonic() - began:.2f} s, the limit is {TIMEOUT_S} s")
        job.end(TIMEOUT_S + 1 + SLACK_S)
        muted = of_host(3)
        self.assert_lost(job, {rank: muted for rank in ALL - muted})
        self.assertIn("has given this rank up", job.err)


class Leftovers(unittest.TestCase):
    """The hosts go even when the test is killed."""

    def test_after_a_kill(self):
        code = "import hosts, time; h = hosts.Hosts(2); print(h.prefix, flush=True); time.sleep(60)"
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                                 cwd=os.path.dirname(os.path.abspath(__file__)))
        prefix = child.stdout.readline().strip()
        self.assertEqual(len(networks.namespaces(prefix)), 3)
        child.kill()
        child.communicate()
        end = time.monotonic() + 10
        while networks.namespaces(prefix) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(networks.namespaces(prefix), [])


if __name__ == "__main__":
    if reason := networks.why_not():
        print(f"skipped: {reason}")
        sys.exit(networks.SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
