# SPDX-License-Identifier: Apache-2.0
"""Jobs on several machines for the tests of this folder: RAMJET TRAFFIC are the first arguments."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "fault"))

from driver import (  # noqa: E402,F401
    RAMJET, Case, is_sanitized, main, processes_with, ranks_with, wait_until)
from processes import contents  # noqa: E402

TRAFFIC = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
TIMEOUT_S = 3.0  # RAMJET_FAILURE_TIMEOUT of the jobs: more than a busy machine keeps one waiting
# What a loaded machine may add to any promised time.
SLACK_S = float(os.environ.get("RAMJET_NET_SLACK_S", "20" if is_sanitized(RAMJET) else "8"))


class Job:
    """`ramjet run ...` with its output in files, so that nobody waits for a reader."""

    def __init__(self, mark, *words, timeout_s=TIMEOUT_S, **environment):
        self.mark = mark
        name, value = mark.split("=")
        self.out_file, self.err_file = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        settings = {"RAMJET_FAILURE_TIMEOUT": str(timeout_s), "TSAN_OPTIONS": "atexit_sleep_ms=0",
                    name: value, **environment}
        self.process = subprocess.Popen(
            [RAMJET, "run", *map(str, words)], env={**os.environ, **settings}, text=True,
            stdin=subprocess.DEVNULL, stdout=self.out_file, stderr=self.err_file,
            start_new_session=True)

    @staticmethod
    def text(file):
        return os.pread(file.fileno(), 1 << 22, 0).decode(errors="replace")

    @property
    def out(self):
        return self.text(self.out_file)

    @property
    def err(self):
        return self.text(self.err_file)

    def wait_for(self, text, within_s=60):
        end = time.monotonic() + within_s
        while text not in self.out:
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"no '{text}':\n{self.out}{self.err}")
            time.sleep(0.01)

    def wait_for_survivors(self, count, within_s):
        """Until `count` ranks have told what they saw and talked to each other."""
        end = time.monotonic() + within_s
        while self.out.count(": talked\n") < count:
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"not {count} survivors:\n{self.out}{self.err}")
            time.sleep(0.02)

    def pids(self):
        """The process of each rank that has not ended."""
        return ranks_with(self.mark)

    def pid(self, rank):
        pids = self.pids()
        if rank not in pids:
            raise AssertionError(f"rank {rank} has ended:\n{self.out}{self.err}")
        return pids[rank]

    def end(self, within_s):
        """Seconds until the job's end; ends it by force if it hangs."""
        start = time.monotonic()
        try:
            self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            states = {pid: contents(pid, "wchan").decode() for pid in processes_with(self.mark)}
            self.kill()
            raise AssertionError(f"the job hung ({states}):\n{self.out}{self.err}") from None
        return time.monotonic() - start

    def kill(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()


def shared_objects():
    return {p.name for p in pathlib.Path("/dev/shm").iterdir() if "ramjet" in p.name}


def lost_by(out):
    """{survivor: the set of ranks that it saw die}"""
    return {int(r): {int(x) for x in lost.split(",") if x}
            for r, lost in re.findall(r"survivor (\d+): status 2 call .* lost ([\d,]*)\n", out)}


class NetworkCase(Case):
    def setUp(self):
        super().setUp()
        self.objects = shared_objects()
        self.jobs = []
        self.addCleanup(self.nothing_is_left)

    def nothing_is_left(self):
        said = ""
        for job in self.jobs:
            if job.process.poll() is None:
                job.kill()
            said += job.err
            job.out_file.close()
            job.err_file.close()
        self.assertNotIn("Sanitizer:", said)
        self.assert_gone()
        self.assertEqual(shared_objects(), self.objects)

    def start(self, *words, **options):
        self.jobs.append(Job(self.mark, *words, **options))
        return self.jobs[-1]

    def assert_right(self, job, ranks, within_s):
        job.end(within_s)
        self.assertEqual((job.process.returncode, job.err), (0, ""), job.out)
        for rank in range(ranks):
            self.assertIn(f"rank {rank}: right\n", job.out)

    def assert_lost(self, job, expected):
        """Each survivor has seen those die whom `expected` gives it, and talks to the others."""
        seen = lost_by(job.out)
        self.assertEqual(seen, expected, job.out + job.err)
        for rank in expected:
            self.assertIn(f"survivor {rank}: talked", job.out, job.err)
