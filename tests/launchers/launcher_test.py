# SPDX-License-Identifier: Apache-2.0
"""Jobs under the launchers of the system, as docs/launchers.md tells users to start them.

  launcher_test.py FOLDER-OF-PROGRAMS FOLDER-OF-TEST-PROGRAMS DIES_IN_START CLASS

Ends with status 77 and one line where the launcher is not installed or may not run.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
import slurm  # noqa: E402
from processes import processes_with, programs_with  # noqa: E402

PROGRAMS, TESTS, DIES_IN_START = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
HELLO, SURVIVORS = PROGRAMS / "hello", PROGRAMS / "survivors"
CONFORMANCE, VICTIM = TESTS / "conformance", TESTS / "victim"
RAMJET, TRACED = PROGRAMS / "ramjet", TESTS / "traced"
LATE_LEAVER, END_JOB = TESTS / "late_leaver", TESTS / "end_job"
MACHINE = pathlib.Path(__file__).resolve().parent / "machine.py"
PATIENCE_S = 60
SKIPPED = 77
SETUP = 70  # status of a rank that cannot start, or that ends for another's death
# Cases of these groups want options of their own.
NOT_HERE = {"endpoints", "stress"}


# This test may itself be run by a launcher.
PLAIN = {name: value for name, value in os.environ.items()
         if not re.match("(PMIX|PMI|OMPI|SLURM|RAMJET)_", name)}


class Jobs:
    """What holds under every launcher. A subclass says how to call it."""

    environment = PLAIN

    def command(self, ranks, words, keep_going=False):
        raise NotImplementedError

    def setUp(self):
        self.mark = f"LAUNCHER_TEST_MARK={uuid.uuid4().hex}"
        self.shm_before = set(os.listdir("/dev/shm"))
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ramjet-launchers-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(self.end_what_is_left)  # after the cleanups of the test itself

    def end_what_is_left(self):
        """Of a test that failed in its middle; the launcher first, which ends its job in order."""
        for name in (signal.SIGTERM, signal.SIGKILL):
            for process in processes_with(self.mark):
                os.kill(process, name)
            end = time.monotonic() + 8
            while processes_with(self.mark) and time.monotonic() < end:
                time.sleep(0.05)

    def start(self, ranks, *words, keep_going=False, **variables):
        environment = {**self.environment, **variables, "TMPDIR": str(self.folder)}
        environment.update([self.mark.split("=")])
        return subprocess.Popen(
            self.command(ranks, [str(word) for word in words], keep_going), text=True,
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def run_job(self, ranks, *words, **options):
        """Runs a job to its end, and sees that nothing is left of it."""
        job = self.start(ranks, *words, **options)
        try:
            output, errors = job.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            job.kill()
            output, errors = job.communicate()
            self.fail(f"{words} did not end:\n{output}\n{errors}")
        finally:
            self.assert_nothing_left()
        return subprocess.CompletedProcess(job.args, job.returncode, output, errors)

    def assert_nothing_left(self, within_s=8.0):
        end = time.monotonic() + within_s
        while left := processes_with(self.mark):
            if time.monotonic() > end:
                for process in left:
                    os.kill(process, signal.SIGKILL)
                self.fail(f"processes left behind: {left}")
            time.sleep(0.02)
        # Of ours: a launcher may be quick to end and slow to clear up its own.
        new = {name for name in os.listdir("/dev/shm") if "ramjet" in name} - self.shm_before
        self.assertEqual(new, set())
        self.assertEqual([p for p in self.folder.rglob("*") if "ramjet" in p.name], [])

    def test_all_ranks_meet(self):
        for ranks in (1, 2, 5):
            with self.subTest(ranks=ranks):
                result = self.run_job(ranks, HELLO)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(sorted(re.findall(r"hears from rank (\d+)", result.stdout)),
                                 [str(r) for r in range(ranks)], result.stdout)

    def test_nothing_touches_the_file_system(self):
        job = self.start(2, VICTIM, "stay")
        self.assertEqual(job.stdout.readline(), "staying\n")
        self.assertEqual(
            {name for name in os.listdir("/dev/shm") if "ramjet" in name} - self.shm_before, set())
        self.assertEqual([p for p in self.folder.rglob("*") if "ramjet" in p.name], [])
        job.terminate()
        job.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(job.returncode, 0)
        self.assert_nothing_left()

    def ramjet(self, *words):
        done = subprocess.run([RAMJET, *words], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE_S, env=PLAIN)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_top_sees_it(self):
        job = self.start(3, VICTIM, "stay")
        self.addCleanup(self.end, job)
        self.assertEqual(job.stdout.readline(), "staying\n")
        rank = programs_with(self.mark, "victim")[0]
        told = json.loads(self.ramjet("top", str(rank), "--once", "--json", "--interval", "0.2"))
        self.assertEqual([r["rank"] for r in told["ranks"] if r["seen"]], [0, 1, 2])

    def test_it_is_traced(self):
        file = self.folder / "job.trace"
        result = self.run_job(3, TRACED, "all", RAMJET_TRACE=str(file))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(list(self.folder.glob("*node*")), [])
        told = self.ramjet("trace", str(file))
        self.assertIn("on 3 ranks", told)
        self.assertRegex(told, "on_question +600 ")

    def test_conformance(self):
        listed = subprocess.run([CONFORMANCE, "--list"], capture_output=True, text=True, check=True,
                                env=PLAIN).stdout.splitlines()
        groups = sorted({line.split(".")[0] for line in listed} - NOT_HERE)
        self.assertGreater(len(groups), 10)
        result = self.run_job(3, CONFORMANCE, "--scale=0.05", *groups)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?m)^\d+ cases passed, \d+ skipped, 3 ranks$")

    def test_the_status_of_a_rank_is_the_job_s(self):
        self.assertEqual(self.run_job(3, VICTIM, "late", 0, 1).returncode, 0)
        self.assertEqual(self.run_job(3, VICTIM, "late", 7, 1).returncode, 7)

    def test_end_job_ends_every_rank(self):
        for status in (3, 255, 0):
            with self.subTest(status=status):
                # What a rank wrote before is flushed. Launchers may lose it on its way to theirs.
                written = self.folder / f"written{status}"
                result = self.run_job(3, "sh", "-c", f"exec {END_JOB} {status} >>{written}")
                self.assertEqual(result.returncode, self.status_of_end(status), result.stderr)
                self.assertIn("rank 2\n", written.read_text(encoding="utf-8"))

    @staticmethod
    def status_of_end(status):
        """What the launcher makes of the status that the job ends itself with."""
        return status

    def test_a_death_ends_the_job(self):
        result = self.run_job(4, VICTIM, "kill", int(signal.SIGKILL), 2)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"(?i)rank 2\b|task 2:.*Killed")
        self.assertNotIn("launcher did not end", result.stderr)

    def test_an_exit_without_finalize_is_a_death(self):
        result = self.run_job(3, VICTIM, "exit", 0, 0)
        self.assertNotEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stderr, r"rank \d: rank 0 died .process \d+.; this ends the job")
        self.assertEqual(len(re.findall("rank 0 died", result.stderr)), 1, result.stderr)

    def test_a_job_goes_on_without_a_rank(self):
        result = self.run_job(4, SURVIVORS, keep_going=True, RAMJET_ON_FAILURE="continue")
        self.assertIn("rank 1 died", result.stdout)
        self.assertIn("sum of the first 100 squares is 328350", result.stdout, result.stderr)
        self.assertNotIn("this ends the job", result.stderr)

    def test_ranks_end_by_themselves_where_the_launcher_keeps_them(self):
        started = time.monotonic()
        result = self.run_job(4, VICTIM, "kill", int(signal.SIGKILL), 1, keep_going=True)
        self.assertIn("rank 1 died", result.stderr)
        self.assertNotIn("rank 0:", result.stdout)  # no wait has returned the death
        self.assertLess(time.monotonic() - started, 20)

    STUCK = "likely: rank 1 does not poll: 2 messages wait there"

    def start_stuck(self, ranks, why, *wrapper, **variables):
        """Rank 1 computes, the others wait for it. Returns the job and, once it stands still, what
        it has told, up to the line that says why. A rank that was slow to get there may have made
        another report before."""
        job = self.start(ranks, *wrapper, VICTIM, "stuck", 0, 1, RAMJET_EXPLAIN_AFTER="0.3",
                         **variables)
        self.addCleanup(self.end, job)
        for _ in range(ranks):
            self.assertEqual(job.stdout.readline(), "staying\n")
        report = self.read_report(job)
        while not re.search(why, report):
            report = self.read_report(job)
        return job, report

    def end(self, job):
        job.terminate()
        job.communicate(timeout=PATIENCE_S)
        self.assert_nothing_left()

    def read_until(self, job, *patterns):
        text = ""
        while not all(re.search(pattern, text) for pattern in patterns):
            line = job.stderr.readline()
            self.assertNotEqual(line, "", text)
            text += line
        return text

    def read_report(self, job):
        return self.read_until(job, "  likely: ")

    def assert_explained(self, report, why):
        self.assertRegex(report, rf"(?m)ramjet: {why}: what ranks 0-2 are doing$")
        for rank in (0, 2):
            self.assertRegex(report, rf"(?m)^  {rank} +\d+ +waits in call +rank 1 ")
        self.assertRegex(report, r"(?m)^  1 +\d+ +not in a Ramjet call \(computing")
        self.assertIn(self.STUCK, report)

    def test_a_standstill_explains_itself(self):
        job, report = self.start_stuck(3, self.STUCK)
        self.assert_explained(report, "no progress for 300 ms")
        computing = re.search(r"  1 +(\d+) +not in a", report).group(1)
        os.kill(int(computing), signal.SIGUSR1)  # any rank may be asked
        self.assert_explained(self.read_report(job), "SIGUSR1")

    def test_the_launcher_hands_the_question_on(self):
        job, _ = self.start_stuck(3, self.STUCK)
        job.send_signal(signal.SIGUSR1)
        self.assert_explained(self.read_report(job), "SIGUSR1")
        job.terminate()
        _, errors = job.communicate(timeout=PATIENCE_S)
        self.assertNotIn("SIGUSR1: what", errors)  # every rank was asked, and one has answered

    def test_threads_say_what_they_wait_for(self):
        patterns = ("no progress for", "waits in user-level threads", "rank 0: user-level threads",
                    "rank 1: user-level threads", "'cook' at worker 0 waits for a semaphore",
                    "SIGUSR1: what ranks 0 and 1 are doing")
        for patience_s in (0.4, 4):  # a rank that is late by more is not asked
            job = self.start(2, VICTIM, "threads", RAMJET_EXPLAIN_AFTER=str(patience_s))
            self.addCleanup(self.end, job)
            for _ in range(2):
                self.assertEqual(job.stdout.readline(), "staying\n")
            time.sleep(2 * patience_s)
            job.send_signal(signal.SIGUSR1)
            time.sleep(patience_s)
            job.terminate()
            _, errors = job.communicate(timeout=PATIENCE_S)
            if all(pattern in errors for pattern in patterns):
                return
        self.fail(errors)

    def test_a_bad_setting_is_one_sentence(self):
        result = self.run_job(2, HELLO, RAMJET_ON_FAILURE="perhaps")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn('RAMJET_ON_FAILURE is "perhaps"', result.stderr)

    def test_different_programs(self):
        result = self.run_job(2, "sh", "-c", f'[ "$PMIX_RANK" = 1 ] && exec {VICTIM}; exec {HELLO}')
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, "rank [01] runs a different program")

    def test_two_programs_after_each_other(self):
        result = self.run_job(2, "sh", "-c", f"{HELLO} && {HELLO}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(re.findall("hears from", result.stdout)), 4, result.stdout)

    def test_two_programs_after_each_other_where_a_rank_leaves_late(self):
        for late in (0, 1):
            with self.subTest(late=late):
                left = self.folder / f"left{late}"
                result = self.run_job(2, "sh", "-c", f"{LATE_LEAVER} {late} {left} && "
                                                     f"{LATE_LEAVER} -1 {left}")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertEqual(len(re.findall("takes part", result.stdout)), 4, result.stdout)


class Mpirun(Jobs, unittest.TestCase):
    environment = {**PLAIN, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def command(self, ranks, words, keep_going=False):
        keep = ["--enable-recovery"] if keep_going else []
        return ["mpirun", "--oversubscribe", *keep, "-n", str(ranks), *words]

    def test_a_death_in_the_start_ends_it(self):
        for step, victim in (("begin", 2), ("1", 2), ("2", 2), ("memory", 0)):
            with self.subTest(step=step):
                started = time.monotonic()
                result = self.run_job(
                    3, "sh", "-c", '[ "$DIE_AT $PMIX_RANK" = "begin 2" ] && kill -9 $$; '
                    f"LD_PRELOAD={DIES_IN_START} {HELLO}; s=$?; echo status $s; exit $s",
                    keep_going=True, RAMJET_ON_FAILURE="continue", DIE_AT=step,
                    DIE_RANK=str(victim))
                self.assertLess(time.monotonic() - started, 20)
                self.assertEqual(result.stdout.count(f"status {SETUP}\n"), 2, result.stdout)
                died = re.findall(r"rank (\d) died before the job had started\n", result.stderr)
                self.assertEqual(died, [str(victim)] * 2, result.stderr)

    def test_ranks_do_not_outlive_the_launcher(self):
        errors = self.folder / "errors"  # what goes through the launcher is lost with it
        job = self.start(3, "sh", "-c", f"exec {VICTIM} stay 2>>{errors}")
        for _ in range(3):
            self.assertEqual(job.stdout.readline(), "staying\n")
        job.kill()
        job.communicate(timeout=PATIENCE_S)
        self.assert_nothing_left()
        self.assertRegex(errors.read_text(encoding="utf-8"),
                         r"rank \d: the launcher that started this rank has gone")


    @unittest.skipIf(os.geteuid() != 0, "only root makes process namespaces")
    def test_each_machine_explains_its_own_ranks(self):
        job, report = self.start_stuck(2, "likely: rank 0 waits in call for rank 1 on node 1",
                                       sys.executable, MACHINE, RAMJET_INTERFACE="lo")
        self.assertRegex(report, r"no progress for 300 ms: what rank 0 on node 0 \(.+\) is")
        self.assertRegex(report, r"(?m)^  0 +0 +\d+ +waits in call +rank 1 ")
        self.assertRegex(report, r"(?m)^  1 +1 +not seen from this node$")
        job.send_signal(signal.SIGUSR1)
        self.read_until(job, r"SIGUSR1: what rank 0 on node 0 \(",
                        r"SIGUSR1: what rank 1 on node 1 \(", r"(?m)^  0 +0 +\d+ +waits in call",
                        r"(?m)^  1 +1 +\d+ +not in a Ramjet call")


class Prterun(Jobs, unittest.TestCase):
    program = os.environ.get("RAMJET_TEST_PRTERUN") or shutil.which("prterun")
    environment = {**PLAIN, "PRTE_ALLOW_RUN_AS_ROOT": "1",
                   "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def command(self, ranks, words, keep_going=False):
        keep = ["--runtime-options", "recoverable"] if keep_going else []
        return [self.program, "--map-by", ":oversubscribe", *keep, "-n", str(ranks), *words]


class Srun(Jobs, unittest.TestCase):
    slurm = None

    @classmethod
    def setUpClass(cls):
        cls.slurm = slurm.Slurm(PLAIN).__enter__()
        cls.environment = cls.slurm.environment

    @classmethod
    def tearDownClass(cls):
        cls.slurm.__exit__()

    def command(self, ranks, words, keep_going=False, mpi="pmix"):
        keep = ["--kill-on-bad-exit=0"] if keep_going else []
        return ["srun", f"--mpi={mpi}", *keep, "-n", str(ranks), *words]

    @staticmethod
    def status_of_end(status):
        return status or 128 + signal.SIGKILL  # the step was cancelled, and no task says why

    def test_without_pmix_it_says_how(self):
        result = subprocess.run(self.command(2, [str(HELLO)], mpi="none"), capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False, env=self.environment)
        self.assertEqual(result.returncode, SETUP, result.stderr)
        self.assertIn("srun --mpi=pmix -n N PROGRAM", result.stderr)


def why_not(name):
    if name == "Srun":
        return slurm.why_not()
    if name == "Prterun":
        named = os.environ.get("RAMJET_TEST_PRTERUN")
        # A test runs in a folder of ctest's choice, so a relative path means nothing to its user.
        if named and not (os.path.isabs(named) and os.access(named, os.X_OK)):
            sys.exit(f"RAMJET_TEST_PRTERUN={named}: give the absolute path of a program")
        return None if Prterun.program else (
            "not installed: prterun (RAMJET_TEST_PRTERUN may name it; see docs/launchers.md)")
    return None if shutil.which("mpirun") else "not installed: mpirun (scripts/setup test)"


if __name__ == "__main__":
    if reason := why_not(sys.argv[4].split(".")[0]):
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
