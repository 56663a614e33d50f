#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How jobs start, or do not, and how a rank ends a whole job.

    start_test.py RAMJET VICTIM END_JOB [unittest arguments]
"""

import os
import pathlib
import signal
import sys
import time

from driver import PATIENCE_S, VICTIM, Case, limited, main, run, start, wait_until

END_JOB = os.path.abspath(sys.argv.pop(3)) if len(sys.argv) > 3 else ""


class Descriptors(Case):
    """A rank needs a descriptor for each rank on another machine, and more for their channels."""

    def test_a_low_soft_limit_is_raised(self):
        for limit in (30, 40, 50):
            with self.subTest(limit):
                result = limited(f"ulimit -Sn {limit}", "-n", 48, "--nodes", 2, "--timeout", 25,
                                 VICTIM, "ok")
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_low_hard_limit_is_an_error_that_names_the_number(self):
        result = run("-n", 48, "--nodes", 2, "--timeout", 25, "prlimit", "--nofile=40:40", VICTIM,
                     "ok")
        self.assertEqual(result.returncode, 70, result.stderr)
        self.assertRegex(result.stderr, r"needs up to \d+ open files to reach 24 ranks on other "
                                        r"machines, and the limit is 40; raise it \(ulimit -Hn\)")


class Start(Case):
    def test_a_death_between_the_node_and_the_other_machines(self):
        """Rank 3 has met the ranks of its node, and ends before it is connected to the others."""
        for policy, consequence in (("continue", "the job cannot start without it"),
                                    ("abort", "ending the job")):
            with self.subTest(policy):
                began = time.monotonic()
                result = run("-n", 4, "--nodes", 2, f"--on-failure={policy}", "sh", "-c",
                             "[ $RAMJET_RANK = 3 ] && exec prlimit --nofile=12:12 "
                             f"{VICTIM} ok; exec {VICTIM} ok")
                self.assertLess(time.monotonic() - began, PATIENCE_S / 2)
                self.assertEqual(result.returncode, 70, result.stderr)
                self.assertIn(f"exited with status 70; {consequence}", result.stderr.replace(
                    " before it joined the job", ""))
                self.assertNotIn("RAMJET_INTERFACE", result.stderr)
                self.assertNotIn("the others go on", result.stderr)

    def test_np_is_n(self):
        result = run("-np", 2, "--on-failure=continue", "sh", "-c", "echo $RAMJET_SIZE")
        self.assertEqual((result.stdout, result.stderr), ("2\n2\n", self.nobody_joined))
        self.assertEqual(run("-n", 1, "sh", "-c", 'echo "$@"', "sh", "-np", 3).stdout, "-np 3\n")

    nobody_joined = ("ramjet: sh ended without joining the job (is it a Ramjet program, one that "
                     "calls ramjet::init?)\n")


class EndJob(Case):
    """ramjet::end_job ends every rank, with any status, and without a word."""

    def test_any_status_on_one_node_and_on_two(self):
        for nodes in (1, 2):
            for program in ([VICTIM, "end_job"], [END_JOB]):
                for status in (0, 3, 255):
                    with self.subTest(nodes=nodes, program=program, status=status):
                        result = run("-n", 4, "--nodes", nodes, "--env", self.mark, *program,
                                     status)
                        self.assertEqual((result.returncode, result.stderr), (status, ""))
                        self.assert_gone()

    def test_what_was_written_comes_out(self):
        result = run("-n", 3, END_JOB, 0)
        self.assertIn("rank 2\n", result.stdout)  # it was in the C library's buffer

    def test_inside_a_wrapper_that_goes_on(self):
        result = run("-n", 3, "--env", self.mark, "sh", "-c", f"{END_JOB} 5; sleep 100")
        self.assertEqual((result.returncode, result.stderr), (5, ""))
        self.assert_gone()

    def test_alone(self):
        for status in (0, 7):
            self.assertEqual(os.waitstatus_to_exitcode(os.spawnl(
                os.P_WAIT, END_JOB, END_JOB, str(status)) << 8), status)


class Orphans(Case):
    def test_those_that_have_ended_are_reaped(self):
        job = start("-n", 1, "--env", self.mark, "sh", "-c",
                    "for i in 1 2 3 4 5; do (true &); done; echo started; exec sleep 100")

        def children():
            return pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text(
                encoding="ascii").split()
        self.assertEqual(job.stdout.readline(), "started\n")
        wait_until(lambda: len(children()) == 2, "the rank and the guardian are left")
        job.terminate()
        job.communicate(timeout=PATIENCE_S)
        self.assert_gone()

    def test_a_killed_launcher_leaves_no_process_without_the_jobs_environment(self):
        name = f"sleep-{os.getpid()}"
        folder = pathlib.Path(self.enterContext(__import__("tempfile").TemporaryDirectory()))
        os.symlink("/bin/sleep", folder / name)

        def orphans():
            found = []
            for entry in pathlib.Path("/proc").iterdir():
                try:
                    if entry.name.isdigit() and name.encode() in (entry / "cmdline").read_bytes(
                            ).split(b"\0")[0]:
                        found.append(int(entry.name))
                except OSError:
                    pass
            return found
        job = start("-n", 2, "--env", self.mark, "sh", "-c",
                    f"setsid env -i {folder / name} 555 & exec {VICTIM} stay")
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in orphans()])
        wait_until(lambda: len(orphans()) == 2, "both ranks have started one")
        job.kill()
        job.communicate()
        wait_until(lambda: not orphans(), "the guardian has ended them")
        self.assert_gone()


class Wrapped(Case):
    """What survivors learn of a program that dies inside a shell."""

    def test_last_failure(self):
        for script, expected in (("{}", "lost rank 2 signal 9 status 0"),
                                 ("{}; true", "lost rank 2 signal 0 status -1")):
            with self.subTest(script):
                result = run("-n", 3, "--on-failure=continue", "sh", "-c",
                             script.format(f"{VICTIM} kill 9") + "; exit $?")
                self.assertIn(expected, result.stdout, result.stderr)


if __name__ == "__main__":
    main()
