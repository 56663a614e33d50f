#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The launcher and jobs on several machines: those that it plays, and those that others start on.

    nodes_test.py RAMJET VICTIM [unittest arguments]
"""

import os
import pathlib
import re
import signal
import tempfile
import time

from driver import PATIENCE_S, VICTIM, Case, Lines, main, run, start


class Nodes(Case):
    """A job on several nodes; those tests that need no message from one to another."""

    def test_ranks_are_dealt_in_blocks(self):
        result = run("-n", 5, "--nodes", 2, "--on-failure=continue", "sh", "-c",
                     "echo $RAMJET_RANK $RAMJET_NODE/$RAMJET_NODES")
        self.assertEqual(sorted(result.stdout.splitlines()),
                         ["0 0/2", "1 0/2", "2 0/2", "3 1/2", "4 1/2"])

    def test_a_node_has_only_its_own_memory(self):
        result = run("-n", 4, "--nodes", 2, "--on-failure=continue", "sh", "-c",
                     "cd /proc/self/fd; echo $RAMJET_NODE $(stat -Lc %i $RAMJET_JOB_FD)"
                     " $(stat -Lc %i $RAMJET_DIRECTORY_FD)"
                     " $(readlink * | grep -c memfd:ramjet-job)")
        lines = set(result.stdout.splitlines())
        self.assertEqual(len(lines), 2, result.stdout)  # alike within a node
        objects, directories, counts = zip(*(line.split()[1:] for line in lines))
        self.assertEqual(len(set(objects)), 2)
        self.assertEqual(set(directories) & set(objects), set())
        self.assertEqual((len(set(directories)), set(counts)), (1, {"2"}))

    def test_one_node_is_a_plain_job(self):
        result = run("-n", 3, "--nodes", 1, VICTIM, "ok")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        result = run("-n", 1, "--nodes", 1, "sh", "-c",
                     "echo $RAMJET_NODE/$RAMJET_NODES${RAMJET_DIRECTORY_FD-}; exit 1")
        self.assertEqual(result.stdout, "0/1\n")

    def test_the_key_is_not_in_the_environment(self):
        result = run("-n", 2, "--nodes", 2, "--on-failure=continue", "sh", "-c",
                     "env | grep ^RAMJET_ | cut -d= -f1 | sort | tr '\\n' ' '; echo")
        self.assertEqual(set(result.stdout.splitlines()), {
            "RAMJET_DIRECTORY_FD RAMJET_JOB_FD RAMJET_JOB_SECRET RAMJET_LAUNCHER_PID RAMJET_NODE "
            "RAMJET_NODES RAMJET_RANK RAMJET_SIZE "})

    def test_a_rank_that_dies_before_it_joins_ends_the_wait_of_all(self):
        for words, status in ((["early", 4], 4), (["early", 0], 1)):
            for policy in ("abort", "continue"):
                with self.subTest(words=words, policy=policy):
                    began = time.monotonic()
                    result = run("-n", 4, "--nodes", 2, f"--on-failure={policy}", "--timeout", 20,
                                 "--env", self.mark, VICTIM, *words)
                    self.assertEqual(result.returncode, status, result.stderr)
                    self.assertRegex(result.stderr, r"^ramjet: rank 3 .* before it joined the job")
                    self.assertLess(time.monotonic() - began, PATIENCE_S / 2)
                    self.assert_gone()

    def test_a_rank_that_is_killed_before_it_joins(self):
        result = run("-n", 3, "--nodes", 3, "--env", self.mark, "sh", "-c",
                     f"[ $RAMJET_RANK = 1 ] || exec {VICTIM} ok; sleep 0.1; kill -9 $$")
        self.assertEqual(result.returncode, 137, result.stderr)
        self.assertRegex(result.stderr, r"rank 1 \(pid \d+\) was killed by signal 9 \(Killed\) "
                                        "before it joined the job")
        self.assert_gone()

    def test_options_are_compared_across_nodes(self):
        result = run("-n", 2, "--nodes", 2, "--timeout", 20, "sh", "-c", "[ $RAMJET_RANK = 1 ] && "
                     f"export RAMJET_SEGMENT_BYTES=1M; exec {VICTIM} ok")
        self.assertEqual(result.returncode, 70, result.stderr)
        self.assertIn("the ranks ask for different numbers of endpoints or segment sizes",
                      result.stderr)

    def test_a_death_after_joining(self):
        job = start("-n", 4, "--nodes", 2, "--env", self.mark, "--explain-after", 0.3, VICTIM,
                    "apart")
        lines = Lines(job.stderr)
        lines.until(r"(?s)  0 .* waits in apart.*\n  1 .* waits in apart.*\n  2 .* waits in apart")
        victim = lines.until(r"(?m)^  3 +1 +(\d+) +not in a Ramjet call").group(1)
        lines.until(r"likely: ")
        os.kill(int(victim), signal.SIGKILL)
        lines.until(rf"rank 3 \(pid {victim}\) was killed by signal 9 \(Killed\); "
                    r"rank \d was waiting in apart for .*; ending the job")
        self.assertEqual(job.wait(PATIENCE_S), 137, lines.text)
        job.communicate()
        self.assert_gone()

    def test_a_long_message_that_nobody_takes(self):
        """The hang report shows the sender's wait, which ends when the receiver dies.

        RAMJET_ACCESS=handlers switches off the thread that serves accesses, since that thread
        would receive the message.
        """
        job = start("-n", 2, "--nodes", 2, "--env", self.mark, "--explain-after", 0.3,
                    "--on-failure=continue", "--env", "RAMJET_SEGMENT_BYTES=64M",
                    "--env", "RAMJET_ACCESS=handlers", VICTIM, "long")
        lines = Lines(job.stderr)
        lines.until(r"(?m)^  0 +0 +\d+ +waits in request_long \(the network is")
        victim = lines.until(r"(?m)^  1 +1 +(\d+) +not in a Ramjet call").group(1)
        os.kill(int(victim), signal.SIGKILL)
        out, _ = job.communicate(timeout=PATIENCE_S)
        self.assertIn("call: a rank died\n", out)
        self.assertEqual(job.returncode, 137)
        self.assert_gone()

    def test_timeout(self):
        result = run("-n", 4, "--nodes", 2, "--timeout", 4, "--env", self.mark, VICTIM, "apart")
        self.assertEqual(result.returncode, 124)
        self.assert_one_line(result.stderr, "rank 2 was waiting in apart for .*, rank 3 was not "
                                            "in a Ramjet call; ending the job")
        self.assert_gone()


class Hosts(Case):
    """`--hosts` delegates; the launcher here is a script that shows what it was given."""

    def delegate(self, launchers, *words, **variables):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        for name in launchers:
            path = pathlib.Path(folder, name)
            path.write_text('#!/bin/sh\n'
                            '[ "$1" = --version ] && { echo "mpirun (Open MPI) 5"; exit; }\n'
                            'echo "${0##*/} $*"\n'
                            'echo "${RAMJET_ON_FAILURE-} ${A-} ${RAMJET_RANK-none}"\n'
                            'echo "${RAMJET_EXPLAIN_AFTER-never}"; exit 9\n')
            path.chmod(0o755)
        environment = {**os.environ, "PATH": folder, **variables}
        if "SLURM_JOB_ID" not in variables:
            environment.pop("SLURM_JOB_ID", None)
        return run("-n", 3, *words, env=environment)

    def test_takes_the_launcher_that_is_there(self):
        all_three = ("srun", "prterun", "mpirun")
        for launchers, variables, name in (
                (all_three, {}, "mpirun (Open MPI)"),
                (all_three, {"SLURM_JOB_ID": "1"}, "srun (Slurm)"),
                (("prterun",), {"SLURM_JOB_ID": "1"}, "prterun (PRRTE)"),
                (("srun", "mpirun"), {}, "mpirun (Open MPI)")):
            with self.subTest(name, launchers=launchers):
                result = self.delegate(launchers, "--hosts", "a,b", "./x", "-n", **variables)
                self.assertEqual(result.returncode, 9)
                self.assertEqual(result.stderr, f"ramjet: starting 3 ranks on 2 hosts by {name}\n")
                self.assertRegex(result.stdout, rf"^{name.split()[0]} .* \./x -n\n")

    def test_says_what_to_install(self):
        result = self.delegate(("srun",), "--hosts", "a", "./x")
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result.stderr, "install Open MPI .mpirun.")

    def test_another_mpirun_is_not_taken(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = pathlib.Path(folder, "mpirun")
        path.write_text("#!/bin/sh\necho HYDRA build details\n")
        path.chmod(0o755)
        result = run("-n", 3, "--hosts", "a", "./x", env={"PATH": folder})
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result.stderr, "no launcher for other hosts is installed")

    def test_the_environment_goes_along(self):
        result = self.delegate(("mpirun",), "--hosts", "a", "--on-failure=continue", "--env",
                                "A=x y", "./x", RAMJET_CHAIN_LIMIT="1M", RAMJET_RANK="5")
        words, seen, _ = result.stdout.splitlines()
        self.assertEqual(seen, "continue x y none")
        self.assertEqual(re.findall(r"-x (\S+)", words),
                         ["A", "RAMJET_CHAIN_LIMIT", "RAMJET_ON_FAILURE"])

    def test_a_hang_report_is_the_ranks_matter(self):
        result = self.delegate(("mpirun",), "--hosts", "a", "--explain-after", 2.5, "./x",
                                RAMJET_EXPLAIN_AFTER="9")
        words, _, explain_after = result.stdout.splitlines()
        self.assertIn("-x RAMJET_EXPLAIN_AFTER ", words)
        self.assertEqual(explain_after, "2.5")

    def test_a_signal_to_the_command_alone_is_passed_on(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = pathlib.Path(folder, "mpirun")
        path.write_text('#!/bin/sh\n[ "$1" = --version ] && { echo "mpirun (Open MPI) 5"; exit; }\n'
                        'for s in INT TERM; do trap "echo $s; exit 9" $s; done\n'
                        'echo up; while :; do sleep 0.01; done\n')
        path.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        environment.pop("SLURM_JOB_ID", None)
        for name in ("INT", "TERM"):
            for traced in ([], ["--trace", pathlib.Path(folder, "trace")]):
                with self.subTest(name, traced=traced):
                    job = start("-n", 1, "--hosts", "a", *traced, "./x", env=environment)
                    self.assertEqual(job.stdout.readline(), "up\n")
                    job.send_signal(getattr(signal, f"SIG{name}"))
                    out, _ = job.communicate(timeout=PATIENCE_S)
                    self.assertEqual((out, job.returncode), (f"{name}\n", 9))

    def test_a_host_file(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        file = pathlib.Path(folder, "hosts")
        file.write_text("# mine\n\na:1 # one\nb slots=2\n")
        result = self.delegate(("mpirun",), "--hostfile", str(file), "./x")
        self.assertIn("--host a:1,b:2 ", result.stdout)
        file.write_text("a\nb cores=2\n")
        result = self.delegate(("mpirun",), "--hostfile", str(file), "./x")
        self.assertEqual(result.returncode, 2)
        self.assert_one_line(result.stderr, "hosts, line 2: 'cores=2': after the host only slots=N")


if __name__ == "__main__":
    main()
