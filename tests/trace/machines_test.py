#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of jobs that no launcher of ours watches, on machines of their own as Ramjet sees them
(tests/launchers/machine.py), whose clocks differ: parts, one on each, that become one file.

    machines_test.py RAMJET TRACED MESSAGE_THREADS [CLASS]

Ends with status 77 and one line where mpirun or namespaces cannot be had.
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

import perfetto_file
import trace_test
from trace_test import PAYLOADS, PUTS, QUESTIONS, RAMJET, ROOMY, TRACED, Case, count

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINE = os.path.join(HERE, "..", "launchers", "machine.py")
CLOCKS = os.path.join(HERE, "other_clock.sh")
PLAIN = {name: value for name, value in os.environ.items()
         if not re.match("(PMIX|PMI|OMPI|SLURM|RAMJET)_", name)}
PLAIN |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# Where the address sanitizer watches: libpmix is not ours.
PLAIN["LSAN_OPTIONS"] = ":".join(
    (f"suppressions={os.path.join(HERE, 'libpmix.supp')}", "print_suppressions=0"))
# A process that is the first of its machine cannot kill itself.
AS_A_CHILD = (sys.executable, MACHINE, "sh", "-c", '"$0" "$@"; exit $?')
SKIPPED = 77


def why_not():
    if shutil.which("mpirun") is None:
        return "mpirun is not installed"
    done = subprocess.run(["unshare", "-T", "--monotonic", "5", "true"], check=False,
                          capture_output=True)
    return None if done.returncode == 0 else "time namespaces are not permitted here"


class Job(Case):
    ranks = 3

    def mpirun(self, *words, wrapper=(sys.executable, MACHINE), options=(), **variables):
        """`wrapper`: before the program, what makes a machine of its own for the rank."""
        return subprocess.run(
            ["mpirun", "--oversubscribe", "-n", str(self.ranks), *options, *wrapper, *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=trace_test.LIMIT_S, env={**PLAIN, "RAMJET_TRACE": self.file, **variables})

    def parts(self):
        return sorted(glob.glob(self.file + "*node-*"))

    def check(self, trace, far):
        self.assertEqual(trace.lost(), 0)
        self.check_flows(trace)
        self.check_all_have_ended(trace)
        for category in ("send", "handler"):
            self.assertEqual(count(trace.of(category), "on_question"), self.ranks * QUESTIONS)
            self.assertEqual(count(trace.of(category), "on_bytes"), self.ranks * PAYLOADS)
        self.assertEqual(count(trace.of("access"), "put"), far * PUTS)
        self.assertNotIn("trace_gathering", " ".join({s.name for s in trace.slices}))


class Whole(Job):
    def check_joined(self, done, far):
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.parts(), [])
        trace = perfetto_file.Trace(self.file)
        self.check(trace, far)
        return trace

    def test_machines(self):
        trace = self.check_joined(self.mpirun(TRACED, "all", **ROOMY), self.ranks)
        self.assertGreater(trace.clock_error_ns(), 1000)
        said = trace_test.ramjet("trace", self.file)
        self.assertIn("on 3 ranks of 3 nodes", said.stdout)

    def test_clocks_that_differ(self):
        """By 1000 s and more; what is told is right within the error that the file states."""
        wrapper = (sys.executable, MACHINE, "sh", CLOCKS)
        trace = self.check_joined(self.mpirun(TRACED, "all", wrapper=wrapper, **ROOMY), self.ranks)
        trace_test.Events.check_collectives(self, trace, self.ranks)
        self.assertLess(trace.clock_error_ns(), 50_000_000)
        self.assertLess(max(s.begin for s in trace.slices), 600_000_000_000)

    def test_one_machine(self):
        self.check_joined(self.mpirun(TRACED, "all", wrapper=()), 0)

    def test_no_launcher(self):
        self.ranks = 1
        done = subprocess.run([TRACED, "all"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, env={**PLAIN, "RAMJET_TRACE": self.file})
        self.check_joined(done, 0)

    def test_hosts(self):
        self.ranks = 2
        done = subprocess.run(
            [RAMJET, "run", "-n", "2", "--hosts", "localhost", "--trace",
             os.path.basename(self.file), sys.executable, MACHINE, TRACED, "all"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=PLAIN,
            cwd=os.path.dirname(self.file))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.parts(), [])
        self.check(perfetto_file.Trace(self.file), 2)

    def test_a_program_that_changes_its_folder(self):
        """A relative name is meant where the job started."""
        folder, self.file = os.path.dirname(self.file), os.path.basename(self.file)
        self.ranks = 1
        done = subprocess.run([TRACED, "moves"], cwd=folder, stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, text=True,
                              env={**PLAIN, "RAMJET_TRACE": self.file})
        self.file = os.path.join(folder, self.file)
        self.check_joined(done, 0)

    def test_a_limit(self):
        """What is lost is counted."""
        self.ranks = 2
        done = self.mpirun(TRACED, "flood", "100000", RAMJET_TRACE_LIMIT="1M")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"the trace \S+ has the last of \d+ events; \d+ were "
                                      r"overwritten, or are over --trace-limit")
        self.assertLess(os.path.getsize(self.file), 1 << 20)
        trace = perfetto_file.Trace(self.file)
        self.assertGreater(trace.lost(), 100000)
        self.assertGreater(len(trace.of("handler")), 1000)

    def test_the_ramjet_that_runs_it_takes_the_variable(self):
        done = trace_test.ramjet("run", "-n", "2", TRACED, "all", RAMJET_TRACE=self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.ranks = 2
        self.check(perfetto_file.Trace(self.file), 0)


class Death(Job):
    """Rank 1 kills itself in the middle of a message; the rest is there, and so is what it did."""

    ranks, messages = 2, 30000

    def check_told(self):
        trace = perfetto_file.Trace(self.file)
        taken = [s for s in trace.of("handler") if s.name.endswith("on_number")]
        self.assertGreater(len(taken), 100)
        self.assertGreater(count(trace.of("send"), "on_number"), 100)
        return trace, taken

    def test_the_job_ends(self):
        """The launcher that has started it joins what is left."""
        done = subprocess.run(
            [RAMJET, "run", "-n", "2", "--hosts", "localhost", "--trace", self.file,
             TRACED, "die", str(self.messages)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=PLAIN)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("1 parts that were left are joined in it", done.stderr)
        self.assertEqual(self.parts(), [])
        _, taken = self.check_told()
        last = max(taken, key=lambda s: s.begin)
        self.assertIsNone(last.end, "the handler in which it died has not ended")

    def test_the_job_ends_and_says_where_its_parts_are(self):
        """Nobody is left to join them: one line of the machine whose rank has died, or of each."""
        for wrapper, ranks, machines in (((), 3, 1), (AS_A_CHILD, 3, 3)):
            with self.subTest(machines=machines):
                self.ranks = ranks
                done = self.mpirun(TRACED, "die", str(self.messages), wrapper=wrapper)
                self.assertNotEqual(done.returncode, 0)
                said = [line for line in done.stderr.splitlines() if "so it stays in parts" in line]
                nodes = sorted(re.search(r"here (\S+);", line).group(1) for line in said)
                self.assertEqual(len(set(nodes)), len(nodes), done.stderr)
                self.assertLessEqual(set(nodes), set(self.parts()))
                self.assertGreaterEqual(len(nodes), 1, done.stderr)
                self.assertIn(f"the trace {self.file}: a rank has died", said[0])
                joined = trace_test.ramjet("trace", "--join", self.file)
                self.assertEqual(joined.returncode, 0, joined.stderr)
                perfetto_file.Trace(self.file)
                for part in self.parts():
                    os.remove(part)

    def test_a_rank_of_a_machine(self):
        """The other one takes what its ring has."""
        done = self.mpirun(TRACED, "die", str(self.messages), options=("--enable-recovery",),
                           wrapper=(), RAMJET_ON_FAILURE="continue")
        self.assertIn("so it stays in parts", done.stderr)
        said = trace_test.ramjet("trace", "--join", self.file)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        _, taken = self.check_told()
        self.assertIsNone(max(taken, key=lambda s: s.begin).end)

    def test_a_whole_machine(self):
        """Its memory is gone: what it did is there but for the last moment."""
        done = self.mpirun(TRACED, "die_told", self.file + ".node-1",
                           options=("--enable-recovery",), wrapper=AS_A_CHILD,
                           RAMJET_ON_FAILURE="continue", RAMJET_TRACE_LIMIT="4M")
        self.assertIn("so it stays in parts", done.stderr)
        parts = self.parts()
        self.assertEqual(len(parts), 2, done.stderr)
        said = trace_test.ramjet("trace", "--join", self.file)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        trace, _ = self.check_told()
        for rank in range(2):
            self.assertIn(f"rank {rank}", [name for name, _ in trace.tracks.values()])

    def test_parts_that_are_not_good(self):
        self.mpirun(TRACED, "die", "100000", options=("--enable-recovery",),
                    wrapper=AS_A_CHILD, RAMJET_ON_FAILURE="continue",
                    RAMJET_TRACE_LIMIT="512K")
        first, second = self.parts()
        with open(second, "rb") as file:
            whole = file.read()
        for bytes_left in (0, 10, 304, 330, len(whole) // 2, len(whole) - 1):
            with open(second, "wb") as file:
                file.write(whole[:bytes_left])
            said = trace_test.ramjet("trace", "--join", self.file)
            self.assertEqual(said.returncode, 0, said.stderr)
            if bytes_left < 400:
                self.assertIn(second, said.stderr)
                self.assertIn("has 1 of the job's 2 machines", said.stderr)
            perfetto_file.Trace(self.file)
        with open(second, "wb") as file:  # 10 GB of nothing
            file.truncate(10 << 30)
        said = trace_test.ramjet("trace", "--join", self.file)
        self.assertIn(f"{second} is not part of a trace, or of another version", said.stderr)
        trace_bytes = os.path.getsize(self.file)
        for parts, why in (((second,), "is not part of a trace"),
                           ((self.file,), "is a part itself"),
                           ((self.file + ".gone",), "cannot be read: No such file")):
            said = trace_test.ramjet("trace", "--join", self.file, *parts)
            self.assertEqual(said.returncode, 1, said.stderr)
            self.assertIn(why, said.stderr)
            self.assertEqual(os.path.getsize(self.file), trace_bytes)
        first_bytes = os.path.getsize(first)
        said = trace_test.ramjet("trace", "--join", first, self.file + ".gone")
        self.assertEqual(said.returncode, 1, said.stderr)
        self.assertIn("is a part itself: the trace that is to be made comes first", said.stderr)
        self.assertEqual(os.path.getsize(first), first_bytes)
        os.remove(second)
        os.remove(first)
        said = trace_test.ramjet("trace", "--join", self.file)
        self.assertEqual(said.returncode, 2)
        self.assertIn("there is no part of it", said.stderr)


class Refusals(Job):
    def test_a_folder_that_is_not_there(self):
        """One line of each machine, and the job is as good as without."""
        self.ranks = 2
        self.file = "/nowhere/job.trace"
        done = self.mpirun(TRACED, "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        for node in range(2):
            self.assertEqual(done.stderr.count(f"cannot write the trace's part {self.file}."
                                               f"node-{node}: No such file"), 1, done.stderr)
        self.assertNotIn("is not part", done.stderr)
        done = subprocess.run([TRACED, "all"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, env={**PLAIN, "RAMJET_TRACE": self.file})
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1), done.stderr)

    def test_a_trace_that_cannot_be_made(self):
        """Each machine keeps its part, of which it can be made later."""
        os.mkdir(self.file)
        done = self.mpirun(TRACED, "all", **ROOMY)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"the trace {self.file}: cannot be written: Is a directory", done.stderr)
        self.assertEqual(done.stderr.count("so it stays in parts"), self.ranks)
        parts, self.file = self.parts(), self.file + ".later"
        self.assertEqual(len(parts), self.ranks)
        said = trace_test.ramjet("trace", "--join", self.file, *parts)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.check(perfetto_file.Trace(self.file), self.ranks)

    def test_a_disk_without_room(self):
        """One right line of each file that is cut, and no empty files."""
        part = r"cannot write the trace's part /mnt/job.trace.node-0: No space left on device.*\n"
        # A part that had its second clock already, as on a busy machine, is worth joining.
        trace = r".*/mnt/job.trace: cannot be written to its end: No space left on device\n"
        for pages in (0, 1, 2):
            done = subprocess.run(
                ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt && "
                 f"head -c {65536 - pages * 4096} /dev/zero >/mnt/filler && "
                 f"RAMJET_TRACE=/mnt/job.trace {TRACED} all; "
                 "find /mnt -type f -name 'job*'; find /mnt -type f -empty"],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                env={**PLAIN, **ROOMY})
            self.assertEqual(done.returncode, 0, done.stderr)
            with self.subTest(pages=pages):
                said = re.fullmatch(f".*{part}({trace})?", done.stderr)
                self.assertIsNotNone(said, done.stderr)
                left = [line for line in done.stdout.splitlines() if line.startswith("/mnt/")]
                self.assertEqual(left, ["/mnt/job.trace.node-0"] if said.group(1) else [])

    def test_a_full_disk(self):
        self.ranks = 1
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt && "
             f"RAMJET_TRACE=/mnt/job.trace exec {TRACED} all"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            env={**PLAIN, **ROOMY})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "cannot be written to its end: No space left on device|"
                                      "cannot write the trace's part .*: No space left on device")


if __name__ == "__main__":
    REASON = why_not()
    if REASON is not None:
        print(f"skipped: {REASON}")
        sys.exit(SKIPPED)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    unittest.main(verbosity=2)
