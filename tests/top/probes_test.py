#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The probes of what is built.

    probes_test.py RAMJET CHATTER
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RAMJET, CHATTER = (os.path.abspath(path) for path in sys.argv[1:3])
PATIENCE_S = 600


class Probes(unittest.TestCase):
    """Most of it needs no tracer."""

    def test_every_probe_is_noted(self):
        notes = subprocess.run(["readelf", "--notes", "--wide", CHATTER], capture_output=True,
                               text=True, check=True, timeout=PATIENCE_S).stdout
        found = re.findall(r"Provider: ramjet\s+Name: (\w+)\s+Location: (0x[0-9a-f]+), "
                           r"Base: 0x[0-9a-f]+, Semaphore: 0x0+\s+Arguments: (.*)", notes)
        self.assertEqual({name for name, _, _ in found},
                         {"send", "handle", "wait", "waited", "death"})
        self.assertEqual(len({place for _, place, _ in found}), len(found))  # each its own
        sizes = {"send": ["4", "8"], "handle": ["4", "8"], "wait": ["-4", "8"],
                 "waited": ["-4", "8"], "death": ["4"]}
        for name, _, values in found:
            with self.subTest(name, values=values):
                self.assertEqual(re.findall(r"(-?\d+)@\S", values), sizes[name])

    def bpftrace(self, program):
        return subprocess.run(["bpftrace", "-e", program], stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, check=False, timeout=PATIENCE_S)

    def test_bpftrace_reads_them(self):
        """Whom each handler's message came from: each of two ranks hears of the other."""
        if shutil.which("bpftrace") is None:
            self.skipTest("bpftrace is not installed")
        if self.bpftrace("BEGIN { exit(); }").returncode != 0:
            self.skipTest("bpftrace is not permitted here")
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy(CHATTER, folder)  # its own: other jobs of the program run, too
            with subprocess.Popen([RAMJET, "run", "-n", "2", program], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, text=True) as job:
                self.assertEqual(job.stdout.readline(), "chatting\n")
                done = self.bpftrace(f"usdt:{program}:ramjet:handle {{ @[arg0] = count(); }} "
                                     "interval:s:1 { exit(); }")
                job.terminate()
        told = dict(re.findall(r"@\[(\d+)\]: (\d+)", done.stdout))
        self.assertEqual(set(told), {"0", "1"}, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
