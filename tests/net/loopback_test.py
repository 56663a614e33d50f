#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs over the loopback, as on several machines: kills, and strangers at the ranks' listeners.

    loopback_test.py RAMJET TRAFFIC [unittest arguments]

RAMJET_NET_KILLS  how many kills at random moments (default 4)
RAMJET_NET_SEED   of the moments (default 1); printed
"""

import os
import pathlib
import random
import resource
import signal
import socket
import struct
import time

from network_job import SLACK_S, TRAFFIC, NetworkCase, main, wait_until

KILLS = int(os.environ.get("RAMJET_NET_KILLS", "4"))
SEED = int(os.environ.get("RAMJET_NET_SEED", "1"))
KINDS = ("flood", "medium", "long", "calls", "collectives", "accesses", "mixed",
         "asleep")

# src/mesh/handshake.hpp
HELLO = struct.Struct("<QIIIIQ32s")
HELLO_MAGIC, WIRE_VERSION = 0x54454e54454a4d52, 2


def descriptors(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def listener_of(pid):
    """The TCP port on which the process listens."""
    inodes = set()
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(fd)
        except OSError:
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    for line in pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        words = line.split()
        if words[3] == "0A" and words[9] in inodes:
            return int(words[1].split(":")[1], 16)
    raise AssertionError(f"process {pid} does not listen")


class Kills(NetworkCase):
    """Ranks of a job whose machines share nothing but the loopback are killed."""

    def test_survivors_go_on(self):
        print(f"RAMJET_NET_SEED={SEED}, {KILLS} kills", flush=True)
        moments = random.Random(SEED)
        for i in range(KILLS):
            nodes = 2 + i % 3
            ranks, kind = 2 * nodes, KINDS[i % len(KINDS)]
            dead = moments.randrange(ranks)
            with self.subTest(number=i, kind=kind, nodes=nodes, rank=dead):
                job = self.start("-n", ranks, "--nodes", nodes, "--timeout", 60,
                                 "--on-failure=continue", TRAFFIC, "stay", kind, 500, timeout_s=30)
                job.wait_for("staying")
                time.sleep(moments.uniform(0, 0.2))
                os.kill(job.pid(dead), signal.SIGKILL)
                job.end(0.5 + SLACK_S)
                self.assertEqual(job.process.returncode, 137, job.out + job.err)
                self.assert_lost(job, {r: {dead} for r in range(ranks) if r != dead})


class Strangers(NetworkCase):
    """Whoever does not know the job's key gets nowhere, and disturbs nobody."""

    RANKS, NODES, CALLS = 4, 2, 1000

    def call(self, port, kind, dice):
        """One stranger; its socket, if it stays connected."""
        s = socket.create_connection(("127.0.0.1", port), timeout=10)
        s.settimeout(10)
        hello = HELLO.pack(HELLO_MAGIC, WIRE_VERSION, dice.choice((1, 2)), dice.randrange(4),
                           dice.randrange(4), dice.getrandbits(64), dice.randbytes(32))
        try:
            if kind == "garbage":
                s.sendall(dice.randbytes(dice.randrange(1, 5000)))
            elif kind == "half":
                s.sendall(hello[:dice.randrange(1, 64)])
            elif kind == "hello":  # another build: refused before any proof
                s.sendall(hello + dice.randbytes(32))
            elif kind == "reset":
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                s.sendall(hello)
                s.close()
                return None
        except OSError:  # refused while it spoke
            s.close()
            return None
        return s

    def test_a_thousand_calls_change_nothing(self):
        dice = random.Random(SEED)
        job = self.start("-n", self.RANKS, "--nodes", self.NODES, "--timeout", 100, TRAFFIC,
                         "check", 0, timeout_s=30)
        job.wait_for("checking")
        pids = job.pids()
        before = {rank: descriptors(pid) for rank, pid in pids.items()}
        ports = [listener_of(pid) for pid in pids.values()]
        began = time.monotonic()
        calls = [self.call(ports[i % len(ports)], dice.choice(
            ("silent", "garbage", "half", "hello", "reset")), dice) for i in range(self.CALLS)]
        time.sleep(0.3)  # those who keep silent stay a while
        for s in calls:
            if s is not None:
                s.close()
        try:
            wait_until(lambda: before == {rank: descriptors(pid) for rank, pid in pids.items()},
                       "the strangers' descriptors are closed")
        finally:
            os.kill(pids[0], signal.SIGUSR1)
        job.end(SLACK_S)
        self.assertEqual(job.process.returncode, 0, job.out + job.err)
        for rank in range(self.RANKS):
            self.assertIn(f"rank {rank}: right\n", job.out)
        lines = job.err.splitlines()
        self.assertGreaterEqual(len(lines), self.RANKS, "nobody told of a refusal")
        # A rank tells of refusals once a second.
        self.assertLess(len(lines), (4 + time.monotonic() - began) * self.RANKS, job.err)
        for line in lines:
            self.assertRegex(line, r"refused (a connection from 127\.0\.0\.1 \d+: |\d+ more conn)")

    def test_they_do_not_keep_the_last_descriptors(self):
        job = self.start("-n", 2, "--nodes", 2, "--timeout", 100, TRAFFIC, "check", 0,
                         timeout_s=30)
        job.wait_for("checking")
        pid = job.pids()[0]
        spare, calls = 8, 40
        most = descriptors(pid) + spare
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, most))
        port = listener_of(pid)
        silent = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(calls)]
        for s in silent[:calls - spare]:  # the oldest ones have to go
            s.settimeout(SLACK_S)
            self.assertEqual(s.recv(1), b"", job.out + job.err)
        for s in silent:
            s.close()
        os.kill(job.pids()[0], signal.SIGUSR1)
        job.end(SLACK_S)
        self.assertEqual(job.process.returncode, 0, job.out + job.err)


if __name__ == "__main__":
    main()
