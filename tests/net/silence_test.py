#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Connections between two hosts, which are network namespaces, that fall silent: packets of one
connection vanish while all others pass; a peer that computes and reads nothing for long.

    silence_test.py RAMJET TRAFFIC SILENT_PEER [unittest arguments]
"""

import os
import sys
import time
import unittest

import hosts as networks
from network_job import SLACK_S, TIMEOUT_S, TRAFFIC, NetworkCase

SILENT_PEER = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""


class BetweenTwoHosts(NetworkCase):
    @classmethod
    def setUpClass(cls):
        cls.hosts = networks.Hosts(2)
        cls.addClassCleanup(cls.hosts.close)

    def setUp(self):
        super().setUp()
        self.addCleanup(lambda: [self.hosts.heal(host) for host in range(2)])

    def job(self, *words, policy="abort", **options):
        return self.start("-n", 2, "--nodes", 2, "--timeout", 100, f"--on-failure={policy}",
                          *self.hosts.wrapper, *words, RAMJET_INTERFACE="eth0", **options)

    def busiest_connection(self):
        """(port on host 0, port on host 1): a channel sends more than signs of life."""
        lines = self.hosts.run(0, "ss", "-tinHO", "state", "established").splitlines()
        found = []
        for line in lines:
            words = line.split()
            sent = [int(w[11:]) for w in words if w.startswith("bytes_sent:")]
            if sent:
                found.append((sent[0], *(w.rsplit(":", 1)[1] for w in words[2:4])))
        self.assertGreaterEqual(len(found), 2, lines)  # the mesh's and the channel's
        return max(found)[1:]


class OneConnection(BetweenTwoHosts):
    """Packets of a channel's connection vanish; the ranks and the rest of the network are well."""

    NETWORK = "tcp"

    def blackhole(self, kind, rule, policy="abort"):
        job = self.job(TRAFFIC, "stay", kind, 500, policy=policy, RAMJET_NETWORK=self.NETWORK)
        job.wait_for("staying")
        time.sleep(0.5)  # so that there is something on the way at any time
        here, there = self.busiest_connection()
        self.hosts.run(1, "nft", "add", "table", "inet", "t")
        for hook in ("input", "output"):
            self.hosts.run(1, "nft", "add", "chain", "inet", "t", hook,
                           f"{{ type filter hook {hook} priority 0; }}")
        self.hosts.run(1, "nft", "add rule inet t " + rule.format(here=here, there=there) + " drop")
        return job, here, there

    def check_named(self, job, here, there):
        job.end(TIMEOUT_S + 5 + SLACK_S)
        self.assertNotEqual(job.process.returncode, 0, job.out + job.err)
        ends = (rf"10\.77\.0\.1 {here} to 10\.77\.0\.2 {there}",
                rf"10\.77\.0\.2 {there} to 10\.77\.0\.1 {here}")
        self.assertRegex(job.err,
                         rf"port \d \(rank \d\) to port \d \(rank \d\), ({'|'.join(ends)})")
        self.assertIn("RAMJET_FAILURE_TIMEOUT", job.err)

    def test_one_direction(self):
        self.check_named(*self.blackhole("calls", "input tcp sport {here} tcp dport {there}"))

    def test_the_other_direction(self):
        self.check_named(*self.blackhole("calls", "output tcp sport {there} tcp dport {here}"))

    def test_while_much_is_on_its_way(self):
        self.check_named(*self.blackhole("long", "input tcp sport {here} tcp dport {there}"))

    def test_survivors_are_told(self):
        job, *_ = self.blackhole("calls", "input tcp sport {here} tcp dport {there}",
                                 policy="continue")
        job.end(TIMEOUT_S + 5 + SLACK_S)
        self.assertIn("survivor 0: status 2", job.out)
        self.assertNotIn("survivor 1", job.out)
        self.assertIn("RAMJET_FAILURE_TIMEOUT", job.err)


class OneConnectionOfLibfabric(OneConnection):
    """The same where libfabric's provider has opened the connection."""

    NETWORK = "ofi"


class IdleNodes(BetweenTwoHosts):
    """Signs of life cost a datagram from node to node and period, however many ranks there are."""

    RANKS, SECONDS = 16, 5
    PERIOD_S = 0.5

    def packets(self):
        path = "/sys/class/net/eth0/statistics/tx_packets"
        return int(self.hosts.run(0, "cat", path))

    def test_what_they_send(self):
        job = self.start("-n", self.RANKS, "--nodes", 2, "--timeout", 100, *self.hosts.wrapper,
                         TRAFFIC, "stay", "asleep", 500, RAMJET_INTERFACE="eth0", timeout_s=30)
        job.wait_for("staying")
        time.sleep(2)  # what the start has sent is acknowledged
        before, began = self.packets(), time.monotonic()
        time.sleep(self.SECONDS)
        sent, took = self.packets() - before, time.monotonic() - began
        job.kill()
        print(f"{sent} packets in {took:.1f} s")
        self.assertGreater(sent, 0)
        # Some more for address resolution.
        self.assertLessEqual(sent, 2 * took / self.PERIOD_S, "more than a few packets in a period")


class APeerThatComputes(BetweenTwoHosts):
    """It reads nothing for longer than the time-out, and lives."""

    NETWORK = "tcp"

    def test_is_not_given_up(self):
        job = self.job(SILENT_PEER, int(2.5 * TIMEOUT_S * 1000), RAMJET_NETWORK=self.NETWORK)
        job.end(3 * TIMEOUT_S + SLACK_S)
        self.assertEqual((job.process.returncode, job.err), (0, ""), job.out)
        self.assertIn("all arrived", job.out)


class APeerOfLibfabricThatComputes(APeerThatComputes):
    NETWORK = "ofi"


if __name__ == "__main__":
    if reason := networks.why_not():
        print(f"skipped: {reason}")
        sys.exit(networks.SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
