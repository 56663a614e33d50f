#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs that `ramjet run --hosts` starts by mpirun on two hosts, which are network namespaces with
names of their own: traces, what characterize finds between them, profiles, top on each of them.

    launched_test.py RAMJET TRACED MESSAGE_THREADS CHATTER [unittest arguments]

Ends with status 77 and one line where mpirun or namespaces cannot be had.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import hosts as networks

HERE = os.path.dirname(os.path.abspath(__file__))
CHATTER = os.path.abspath(sys.argv.pop(4))
sys.path.insert(0, os.path.join(HERE, "..", "trace"))
import perfetto_file  # noqa: E402
import trace_test  # noqa: E402
from trace_test import QUESTIONS, RAMJET, ROOMY, TRACED, count  # noqa: E402

ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not re.match("(PMIX|PMI|OMPI|SLURM|RAMJET)_", name)}
ENVIRONMENT |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_plm": "rsh", "OMPI_MCA_plm_rsh_agent": f"{HERE}/host_agent.sh",
                "OMPI_MCA_plm_rsh_no_tree_spawn": "1", "OMPI_MCA_oob_tcp_if_include": "eth0",
                "RAMJET_INTERFACE": "eth0"}


class OnHosts(trace_test.Case):
    @classmethod
    def setUpClass(cls):
        cls.hosts = networks.Hosts(2)
        cls.addClassCleanup(cls.hosts.close)
        cls.names = f"{cls.hosts.name(0)},{cls.hosts.name(1)}"

    def words_on(self, host, *words):
        return [f"{HERE}/host_agent.sh", self.hosts.name(host), "exec", *map(str, words)]

    def on(self, host, *words, **variables):
        return subprocess.run(self.words_on(host, *words), stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, check=False, timeout=trace_test.LIMIT_S,
                              env={**ENVIRONMENT, **variables})


class Launched(OnHosts):
    def test_a_trace(self):
        done = self.on(0, RAMJET, "run", "-n", 4, "--hosts", self.names, "--trace", self.file,
                       TRACED, "all", **ROOMY)
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = perfetto_file.Trace(self.file)
        self.assertEqual(trace.lost(), 0)
        self.check_flows(trace)
        self.check_all_have_ended(trace)
        self.assertEqual(count(trace.of("handler"), "on_question"), 4 * QUESTIONS)
        trace_test.Events.check_collectives(self, trace, 4)
        said = trace_test.ramjet("trace", self.file)
        self.assertIn("on 4 ranks of 2 nodes", said.stdout)

    def test_characterize(self):
        done = self.on(0, RAMJET, "characterize", "--quick", "--json", "--hosts", self.names, "far")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["hosts"], self.names)
        self.assertNotIn("near", found)
        self.assertGreater(found["far"]["gap_ns"], 0)
        self.assertGreater(found["far"]["latency_ns"], 1000, "a network is between")

    def test_characterize_of_one_machine(self):
        done = self.on(0, RAMJET, "characterize", "--quick", "--hosts", "localhost", "far")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--hosts localhost: name two hosts, for the part far", done.stderr)
        both = f"{self.hosts.name(0)},localhost"  # by two names
        done = self.on(0, RAMJET, "characterize", "--quick", "--hosts", both, "far")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the two hosts are one machine", done.stderr)

    def test_a_broken_profile_of_the_other_host(self):
        script = os.path.join(os.path.dirname(self.file), "wrapper.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/sh
test "$(hostname)" = {self.hosts.name(0)} || export RAMJET_PROFILE=/nowhere/profile
exec "$@"
""")
        os.chmod(script, 0o755)
        done = self.on(0, RAMJET, "run", "-n", 4, "--hosts", self.names, script, TRACED, "all",
                       XDG_CACHE_HOME="/nowhere")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = [line for line in done.stderr.splitlines() if "profile" in line]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(f"on {self.hosts.name(1)}, the profile /nowhere/profile is not there",
                      said[0])

    def test_top(self):
        """On each host the ranks there."""
        job = subprocess.Popen(
            self.words_on(0, RAMJET, "run", "-n", 4, "--hosts", self.names, CHATTER),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=ENVIRONMENT)
        try:
            self.assertIn("chatting", job.stdout.readline())
            seen = []
            for host in range(2):
                pids = self.chatters_on(host)
                self.assertEqual(len(pids), 2)
                done = trace_test.ramjet("top", pids[0], "--once", "--json", "--interval", "0.5")
                self.assertEqual(done.returncode, 0, done.stderr)
                told = json.loads(done.stdout)
                seen.append([r["rank"] for r in told["ranks"] if r["seen"]])
                for rank in told["ranks"]:
                    if rank["seen"]:
                        self.assertGreater(rank["sent"], 0, rank)
            self.assertEqual(sorted(seen), [[0, 1], [2, 3]])
        finally:
            job.terminate()
            job.communicate(timeout=60)

    def chatters_on(self, host):
        """Other jobs of this machine may have chatters, too, which may end at any moment."""
        found = subprocess.run(["pgrep", "-x", "chatter"], stdout=subprocess.PIPE, text=True,
                               check=True)
        there = self.on(host, "readlink", "/proc/self/ns/net").stdout.strip()
        return [pid for pid in found.stdout.split() if namespace_of(pid) == there]


def namespace_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return None


def why_not():
    if shutil.which("mpirun") is None:
        return "mpirun is not installed"
    return networks.why_not()


if __name__ == "__main__":
    REASON = why_not()
    if REASON is not None:
        print(f"skipped: {REASON}")
        sys.exit(networks.SKIPPED)
    unittest.main(verbosity=2)
