#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One bit of what a rank sends to another machine is turned on its way: the job ends soon, and one
line names the two ranks.

    altered_test.py RAMJET TRAFFIC ALTER_BYTES [unittest arguments]

RAMJET_NET_ALTERED  how many places for each kind of traffic (default 4)
RAMJET_NET_SEED     of the places (default 1); printed
"""

import os
import random
import socket
import sys
import unittest

from network_job import RAMJET, SLACK_S, TRAFFIC, NetworkCase, is_sanitized

ALTER_BYTES = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""
PLACES = int(os.environ.get("RAMJET_NET_ALTERED", "4"))
SEED = int(os.environ.get("RAMJET_NET_SEED", "1"))

# Bytes that the caller of a connection sends before the stream begins; the other end sends fewer.
HANDSHAKE = 96
NOWHERE = 1 << 62
CONTROL = 0  # a rank's first connections, one to each other rank; channels' come next
LINE = (r"(?m)^ramjet: rank \d: bytes (that rank \d sent to this rank|of the control connection "
        r"between rank \d and this rank) were altered on the way \(wrong checksum\)$")


def own_address():
    """Of a network that is not the loopback, by which nothing goes past our packets; "" if there
    is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return s.getsockname()[0]


class AlteredBytes(NetworkCase):
    def job(self, dice, connection, position, *words, ranks=2, policy="abort", **settings):
        self.altering = dice.randrange(2)
        return self.start(
            "-n", ranks, "--nodes", ranks, "--timeout", 60, f"--on-failure={policy}", "env",
            f"LD_PRELOAD={ALTER_BYTES}", TRAFFIC, *words, ALTER_RANK=str(self.altering),
            ALTER_CONNECTION=str(connection), ALTER_POSITION=str(position),
            ALTER_BIT=str(dice.randrange(8)), **settings)

    def check_named(self, job, within_s=SLACK_S):
        job.end(within_s)
        said = job.out + job.err
        self.assertIn("alters byte", job.err, said)
        self.assertNotEqual(job.process.returncode, 0, said)
        self.assertNotIn("did not end within", said)
        self.assertRegex(job.err, LINE, said)

    def places(self, dice, most):
        """The first head, and anywhere."""
        yield HANDSHAKE + dice.randrange(12)
        yield HANDSHAKE + 12 + dice.randrange(8)
        for _ in range(PLACES - 2):
            yield HANDSHAKE + dice.randrange(most)

    def check_traffic(self, kinds, **settings):
        print(f"RAMJET_NET_SEED={SEED}, {PLACES} places", flush=True)
        dice = random.Random(SEED)
        for kind, most in kinds:
            for position in self.places(dice, most):
                with self.subTest(kind=kind, position=position, **settings):
                    self.check_named(self.job(dice, 1, position, "stay", kind, 100,
                                              **settings))


class Channels(AlteredBytes):
    """By TCP: everything has a checksum, heads and long messages too."""

    def test_every_kind_of_traffic(self):
        self.check_traffic((("flood", 100_000), ("medium", 100_000), ("long", 1_000_000),
                            ("calls", 1000), ("collectives", 1000), ("accesses", 1000)),
                           RAMJET_NETWORK="tcp")

    def test_survivors_go_on(self):
        dice = random.Random(SEED)
        job = self.job(dice, 2, HANDSHAKE + 50, "stay", "calls", 100, ranks=3,
                       policy="continue", RAMJET_NETWORK="tcp")
        self.check_named(job)
        self.assertEqual(job.out.count(": talked"), 2, job.out + job.err)


class ChannelsOfLibfabric(AlteredBytes):
    """What we hand to the provider: the last bytes of each of its sends."""

    CALLS, HEAD = range(6, 60), 32  # not those by which the provider connects

    def test_every_kind_of_traffic(self):
        print(f"RAMJET_NET_SEED={SEED}, {PLACES} places", flush=True)
        dice = random.Random(SEED)
        for kind in ("flood", "medium", "long", "calls", "accesses"):
            for _ in range(PLACES):
                place = {"ALTER_CALL": str(dice.choice(self.CALLS)),
                         "ALTER_FROM_END": str(dice.randint(1, self.HEAD))}
                with self.subTest(kind=kind, **place):
                    self.check_named(self.job(
                        dice, 1, NOWHERE, "stay", kind, 100, RAMJET_NETWORK="ofi",
                        RAMJET_INTERFACE=own_address(), **place))


class Control(AlteredBytes):
    """The control connection, which carries signs of life where datagrams vanish."""

    def test_signs_of_life(self):
        dice = random.Random(SEED)
        for place in (0, 5, 27, 30):
            with self.subTest(place=place):
                self.check_named(self.job(dice, CONTROL, HANDSHAKE + place, "stay", "calls", 100,
                                          RAMJET_NETWORK="tcp", ALTER_NO_HEARTBEATS="1"),
                                 within_s=3 + SLACK_S)


if __name__ == "__main__":
    if is_sanitized(RAMJET):
        print("skipped: a sanitizer's library has to be loaded before all others")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
