#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How jobs start, or do not, and how a rank ends a whole job.

    start_test.py RAMJET VICTIM END_JOB [unittest arguments]
"""

import os
import pathlib
import shutil
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
                     "calls ramjet::init, and does it get the environment that the launcher "
                     "sets?)\n")


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


class Between(Case):
    """Programs between the launcher and a rank: harnesses, debuggers, profilers."""

    CLOSING = [sys.executable, "-c",
               "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"]

    def test_one_that_closes_descriptors(self):
        for nodes in (1, 2):
            with self.subTest(nodes):
                result = run("-n", 4, "--nodes", nodes, "--env", self.mark, *self.CLOSING, VICTIM,
                             "ok")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assert_gone()

    def test_one_that_gives_the_numbers_to_other_files(self):
        reuse = ("import os, subprocess, sys; number = int(os.environ['RAMJET_JOB_FD']); "
                 "os.dup2(os.open('/etc/passwd', os.O_RDONLY), number); "
                 "sys.exit(subprocess.call(sys.argv[1:], pass_fds=[number]))")
        result = run("-n", 2, sys.executable, "-c", reuse, VICTIM, "ok")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_one_whose_starting_thread_ends(self):
        begin = ("import subprocess, sys, threading; child = []; "
                 "t = threading.Thread(target=lambda: child.append(subprocess.Popen(sys.argv[1:]"
                 "))); threading.Thread(target=threading.Event().wait, daemon=True).start(); "
                 "t.start(); t.join(); sys.exit(child[0].wait() and 9)")
        result = run("-n", 2, sys.executable, "-c", begin, "sh", "-c",
                     f"sleep 0.2; exec {VICTIM} ok")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_tools(self):
        for tool in (["strace", "-f", "-o", "/dev/null"], ["timeout", "50"], ["nice"],
                     ["setsid", "-w"], ["sh", "-c", '"$@"; exit $?', "sh"], ["env", "A=1"],
                     ["gdb", "-q", "-batch", "-ex", "run", "-ex", "quit $_exitcode", "--args"],
                     ["perf", "stat", "-o", "/dev/null"]):
            if shutil.which(tool[0]) is None:
                continue
            with self.subTest(tool[0]):
                result = run("-n", 2, "--env", self.mark, *tool, VICTIM, "ok")
                self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
                self.assert_gone()

    def test_a_wrapper_that_dies_takes_its_program_along(self):
        wrapper = ("import os, signal, subprocess, sys, threading\n"
                   "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
                   "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)\n"
                   "if os.environ['RAMJET_RANK'] == '1':\n"
                   "    assert child.stdout.readline() == b'staying\\n'\n"
                   "    os.kill(os.getpid(), signal.SIGKILL)\n"
                   "sys.exit(child.wait() and 9)")
        result = run("-n", 2, "--on-failure=continue", "--timeout", 20, "--env", self.mark,
                     sys.executable, "-c", wrapper, VICTIM, "sleep", 0, 1)
        self.assertEqual(result.returncode, 137, result.stderr)
        self.assert_gone()

    def test_a_lost_environment(self):
        result = run("-n", 2, "env", "-i", VICTIM, "ok")
        self.assertEqual(result.returncode, 70)
        self.assertIn("none of the variables that say which rank it is (RAMJET_RANK", result.stderr)

    def test_a_lone_job_beside_a_rank(self):
        result = run("-n", 2, "sh", "-c", f"env -u RAMJET_JOB_FD {VICTIM} ok && exec {VICTIM} ok")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_an_environment_of_another_job(self):
        result = run("-n", 1, "env", "RAMJET_LAUNCHER_PID=1", *self.CLOSING, VICTIM, "ok")
        self.assertEqual(result.returncode, 70)
        self.assertRegex(result.stderr, r"name no job: descriptor \d+ is not the job's here, and "
                                        r"neither is /proc/1/fd/\d+")

    def test_two_that_claim_a_rank(self):
        result = run("-n", 2, "--timeout", 20, "sh", "-c",
                     f"{VICTIM} ok & {VICTIM} ok; here=$?; wait $!; exit $(($? | here))")
        self.assertEqual(result.returncode, 70)
        self.assertRegex(result.stderr, r"rank \d has already joined as process \d+; a rank may "
                                        "start one Ramjet program only")


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
