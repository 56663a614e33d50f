# SPDX-License-Identifier: Apache-2.0
"""Hosts for tests: network namespaces, each with an interface eth0, at one switch.

    with Hosts(4) as hosts:
        hosts.run(2, "ip", "link", "set", "eth0", "down")

A helper process removes them when its input ends: whatever becomes of the test, nothing is left.
The names are this run's own.
"""

import os
import signal
import subprocess
import sys
import time

SKIPPED = 77


def quietly(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def must(*words):
    done = quietly(*words)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def why_not():
    """Why no hosts can be made here; None if they can."""
    for tool in ("ip", "tc", "nft"):
        if quietly("sh", "-c", f"command -v {tool}").returncode != 0:
            return f"the command {tool} is not installed"
    name = f"rjprobe{os.getpid()}"
    done = quietly("ip", "netns", "add", name)
    if done.returncode != 0:
        return "making network namespaces is not permitted here"
    done = quietly("ip", "netns", "exec", name, "sh", "-c",
                   "ip link set lo up && ip link add rjb type bridge"
                   " && ip link add rja type veth peer name rjc"
                   " && tc qdisc add dev rja root tbf rate 1gbit burst 64k latency 50ms"
                   " && nft add table inet rj")
    quietly("ip", "netns", "del", name)
    return None if done.returncode == 0 else "this system lacks bridges, veth, tbf or nftables"


def namespaces(prefix):
    names = [line.split()[0] for line in quietly("ip", "netns", "list").stdout.splitlines()]
    return [name for name in names if name.startswith(prefix)]


def sweep(prefix):
    """Removes the namespaces, once their processes are dead."""
    for name in namespaces(prefix):
        for pid in quietly("ip", "netns", "pids", name).stdout.split():
            try:
                os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
    for name in namespaces(prefix):
        quietly("ip", "netns", "del", name)


class Hosts:
    def __init__(self, count):
        self.prefix = f"rj{os.getpid():x}{time.monotonic_ns() & 0xfff:x}-"
        self.wrapper = [sys.executable, os.path.abspath(__file__), "enter", self.prefix]
        self.sweeper = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "sweep", self.prefix],
            stdin=subprocess.PIPE, start_new_session=True)
        self.count = count
        try:
            self.make()
        except BaseException:
            self.close()
            raise

    def name(self, host):
        return f"{self.prefix}{host}"

    def make(self):
        switch = self.name("sw")
        must("ip", "netns", "add", switch)
        must("ip", "-n", switch, "link", "add", "br0", "type", "bridge")
        must("ip", "-n", switch, "link", "set", "br0", "up")
        for host in range(self.count):
            name, port = self.name(host), f"p{host}"
            must("ip", "netns", "add", name)
            must("ip", "-n", switch, "link", "add", port, "type", "veth", "peer", "name", "eth0",
                 "netns", name)
            must("ip", "-n", switch, "link", "set", port, "master", "br0", "up")
            must("ip", "-n", name, "addr", "add", f"10.77.0.{host + 1}/24", "dev", "eth0")
            must("ip", "-n", name, "link", "set", "lo", "up")
            must("ip", "-n", name, "link", "set", "eth0", "up")

    def run(self, host, *words):
        return must("ip", "netns", "exec", self.name(host), *map(str, words))

    def cut(self, host):
        self.run(host, "ip", "link", "set", "eth0", "down")

    def drop(self, host, rule=""):
        """Lets packets of the host vanish: all, or those of TCP that the nft rule names."""
        which = f"meta l4proto tcp {rule}" if rule else "meta l4proto { tcp, udp }"
        self.run(host, "nft", "add", "table", "inet", "t")
        for hook in ("input", "output"):
            self.run(host, "nft", "add", "chain", "inet", "t", hook,
                     f"{{ type filter hook {hook} priority 0; }}")
            self.run(host, "nft", f"add rule inet t {hook} {which} drop")

    def mute(self, host):
        """Lets all that the host sends vanish, of whatever kind; it still hears the others."""
        self.run(host, "nft", "add", "table", "inet", "t")
        self.run(host, "nft", "add", "chain", "inet", "t", "output",
                 "{ type filter hook output priority 0; }")
        self.run(host, "nft", "add rule inet t output oifname eth0 drop")

    def limit(self, host, rate):
        self.run(host, "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", rate, "burst",
                 "64k", "latency", "100ms")

    def heal(self, host):
        """Undoes cut, drop, mute and limit."""
        name = self.name(host)
        quietly("ip", "netns", "exec", name, "nft", "delete", "table", "inet", "t")
        quietly("ip", "netns", "exec", name, "tc", "qdisc", "del", "dev", "eth0", "root")
        self.run(host, "ip", "link", "set", "eth0", "up")

    def close(self):
        self.sweeper.stdin.close()
        self.sweeper.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def enter(prefix, command):
    """Becomes the command on the host that is this rank's node."""
    name = prefix + os.environ["RAMJET_NODE"]
    os.execvp("ip", ["ip", "netns", "exec", name, *command])


if __name__ == "__main__":
    if sys.argv[1] == "enter":
        enter(sys.argv[2], sys.argv[3:])
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    sys.stdin.buffer.read()  # until its other end is closed, by whomever
    sweep(sys.argv[2])
    sys.exit(1 if namespaces(sys.argv[2]) else 0)
