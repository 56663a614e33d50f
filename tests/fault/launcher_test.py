#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The launcher from outside: exit statuses, signals, output, input, and what is left behind.

    launcher_test.py RAMJET VICTIM [unittest arguments]
"""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from driver import (PATIENCE_S, RAMJET, VICTIM, Case, Stopwatch, command, is_sanitized, limited,
                    main, process_states, processes_with, run, start, wait_until)


class CommandLine(Case):
    def test_wrong_command_lines_say_what_to_do(self):
        for words, sentence in (
                (["-n", "0", "true"], "-n 0: a job has 1 to 1024 ranks"),
                (["-n", "-3", "true"], "-n -3: a job has 1 to 1024 ranks"),
                (["-n", "1025", "true"], "-n 1025: a job has 1 to 1024 ranks"),
                (["-n", "9" * 30, "true"], "a job has 1 to 1024 ranks"),
                (["-n", "two", "true"], "-n two: not a number"),
                (["-n", "2x", "true"], "-n 2x: not a number"),
                (["-n"], "-n needs a value"),
                (["true"], "say how many ranks to start: -n N"),
                (["-n", "2"], "name the program to run"),
                (["-n", "2", "--"], "name the program to run"),
                (["-n", "2", "--wrong", "true"], "unknown option '--wrong'"),
                (["-n", "2", "--nodes", "0", "true"], "--nodes 0: give a number of nodes from 1 "
                                                      "to that of the ranks, 2"),
                (["-n", "2", "--nodes", "3", "true"], "--nodes 3: give a number of nodes from 1"),
                (["-n", "2", "--nodes", "two", "true"], "--nodes two: give a number of nodes"),
                (["-n", "2", "--hosts", "a,,b", "true"], "--hosts a,,b: '' names no host"),
                (["-n", "2", "--hosts", "a:0", "true"], "'a:0': give a number of slots from 1"),
                (["-n", "2", "--hosts", "-a", "true"], "--hosts -a: '-a' names no host"),
                (["-n", "2", "--hosts", "a", "--hostfile", "b", "true"], "not both"),
                (["-n", "2", "--hostfile", "/no/such", "true"], "--hostfile: cannot read /no/such: "
                                                           "No such file"),
                (["-n", "2", "--hosts", "a", "--nodes", "2", "true"], "leave it out where hosts"),
                (["-n", "2", "--hosts", "a:1", "true"], "2 ranks need as many slots"),
                (["-n", "2", "--env", "RAMJET_NODE=1", "true"], "set by the launcher itself"),
                (["-n", "2", "--bind", "socket", "true"], "--bind socket: write core or none"),
                (["-n", "2", "--on-failure=ignore", "true"], "write abort or continue"),
                (["-n", "2", "--timeout", "soon", "true"], "--timeout soon: give a number"),
                (["-n", "2", "--timeout", "-1", "true"], "--timeout -1: give a number"),
                (["-n", "2", "--explain-after", "0", "true"], "--explain-after 0: give a number"),
                (["-n", "2", "--env", "NOVALUE", "true"], "'NOVALUE' sets no variable"),
                (["-n", "2", "--env", "RAMJET_RANK=1", "true"], "set by the launcher itself")):
            with self.subTest(words):
                result = run(*words)
                self.assertEqual(result.returncode, 2)
                self.assert_one_line(result.stderr, re.escape(sentence))

    def test_options_end_at_the_program(self):
        result = run("-n", 1, "sh", "-c", 'echo "$0 $@"; exit 9', "--timeout", "-n", "--", "--help")
        self.assertEqual((result.stdout, result.returncode), ("--timeout -n -- --help\n", 9))
        result = run("-n1", "--timeout=20", "--", "sh", "-c", "exit 8")
        self.assertEqual(result.returncode, 8)

    def test_programs_that_cannot_run(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        plain, script = folder / "plain", folder / "script"
        plain.write_text("not a program\n")
        script.write_text("#!/no/such/interpreter\n")
        script.chmod(0o755)
        garbage = folder / "garbage"
        garbage.write_text("neither\n")
        garbage.chmod(0o755)
        for program, status, sentence in (
                ("no-such-program", 127, "cannot find the program 'no-such-program'"),
                ("./no/such/program", 127, "cannot find the program"),
                (plain, 126, "may not be executed"),
                (folder, 126, "is a directory"),
                (garbage, 126, "is not a program for this machine"),
                (script, 127, "the interpreter that it names is not there")):
            with self.subTest(program):
                result = run("-n", 3, program)
                self.assertEqual(result.returncode, status)
                self.assert_one_line(result.stderr, re.escape(sentence))

    def test_the_command_itself(self):
        def plain(*words):
            return subprocess.run([RAMJET, *words], capture_output=True, text=True, check=False)
        self.assertEqual(plain().returncode, 2)
        self.assertEqual(plain("--help").returncode, 0)
        self.assertRegex(plain("--version").stdout, r"^ramjet \d+\.\d+\.\d+\n$")
        self.assertIn("usage: ramjet run", plain("help", "run").stdout)
        self.assertIn("usage: ramjet run", plain("run", "--help").stdout)
        self.assertEqual(plain("fly").returncode, 2)
        self.assert_one_line(plain("fly").stderr, "there is no command 'fly'")
        self.assertIn("usable cores", plain("info").stdout)
        info = json.loads(plain("info", "--json").stdout)
        self.assertEqual(info["limits"]["open_files"],
                         resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        self.assertTrue(info["kernel"]["memfd"])
        self.assertEqual(plain("info", "--wrong").returncode, 2)


class Status(Case):
    def test_a_good_job(self):
        for ranks in (1, 2, 5):
            with self.subTest(ranks):
                result = run("-n", ranks, VICTIM, "ok")
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_no_ramjet_program(self):
        result = run("-n", 2, "/bin/true")
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result.stderr, "/bin/true ended without joining the job")

    def test_a_plain_program_that_fails(self):
        result = run("-n", 2, "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3)
        self.assert_one_line(result.stderr, "exited with status 3 before it joined the job; ending")

    def test_failures_while_others_wait(self):
        for words, status, sentence in (
                (["kill", 9], 137, r"rank 2 \(pid \d+\) was killed by signal 9 \(Killed\); "
                                   r"rank \d was waiting (for it )?in barrier for .*; ending"),
                (["kill", 15], 143, "was killed by signal 15"),
                (["exit", 5], 5, "exited with status 5; rank"),
                (["leave"], 1, "left the job without finalize"),
                (["early", 0], 1, "exited with status 0 before it joined the job; ending"),
                (["early", 4], 4, "exited with status 4 before it joined the job; ending"),
                (["late", 7], 7, "exited with status 7 after it left the job")):
            with self.subTest(words):
                self.check_failure(words, status, sentence)

    def check_failure(self, words, status, sentence):
        result = run("-n", 3, "--env", self.mark, VICTIM, *words)
        self.assertEqual(result.returncode, status)
        self.assertRegex(result.stderr.splitlines()[0], sentence)
        if words[0] != "early":  # ranks that are still joining tell it too
            self.assert_one_line(result.stderr, sentence)
        self.assert_gone()

    def test_many_that_fail_after_the_job_share_a_line(self):
        result = run("-n", 5, "sh", "-c", f"{VICTIM} ok; exit 2")
        self.assertEqual((result.returncode, result.stderr),
                         (2, "ramjet: 5 ranks exited with status 2\n"))
        result = run("-n", 5, "sh", "-c", f"{VICTIM} ok; exit $((RAMJET_RANK / 2))")
        self.assertIn(result.returncode, (1, 2))
        lines = result.stderr.splitlines()
        self.assertEqual((len(lines), lines[0]), (2, "ramjet: 2 ranks exited with status 1"))
        self.assertRegex(lines[1], r"^ramjet: rank 4 \(pid \d+\) exited with status 2 after it ")
        result = run("-n", 3, "sh", "-c", f"{VICTIM} ok; kill -9 $$")
        self.assertEqual(result.returncode, 137)
        self.assert_one_line(result.stderr, r"3 ranks were killed by signal 9 \(Killed\)")

    def test_survivors_go_on(self):
        result = run("-n", 3, "--on-failure=continue", VICTIM, "kill", 9, 1)
        self.assertEqual(result.returncode, 137)
        self.assert_one_line(result.stderr, "rank 1 .* was killed by signal 9 .*; the others go on")
        self.assertEqual(result.stdout.count("lost rank 1 signal 9 status 0"), 2, result.stdout)

    def test_nobody_waits_for_one_that_gave_up(self):
        result = run("-n", 3, "--on-failure=continue", "--timeout", 20, VICTIM, "give_up", 9, 2)
        self.assertEqual(result.returncode, 137, result.stderr)
        self.assertRegex(result.stdout, "call: .*died.*; request: .*died")

    def test_a_death_is_told_at_once(self):
        took = Stopwatch()
        run("-n", 2, "--bind", "none", VICTIM, "kill", 9)
        self.assertLess(took.undisturbed(), 2000)  # 300 on an idle machine

    def test_a_program_inside_a_wrapper_dies(self):
        result = run("-n", 2, "--env", self.mark, "sh", "-c", f"{VICTIM} kill 9; sleep 60")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"rank 1 \(pid \d+, started by pid \d+\) ended without "
                                        "finalize")
        self.assert_gone()

    def test_a_wrapper_passes_the_status_on(self):
        result = run("-n", 2, "sh", "-c", f"{VICTIM} exit 5; exit $?")
        self.assertEqual(result.returncode, 5)


class Ending(Case):
    def test_signals_to_the_launcher(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            for program in ([VICTIM, "stay"], ["sleep", "100"],
                            ["sh", "-c", "sleep 100; true"]):
                with self.subTest(signal=number, program=program):
                    job = self.started(start("-n", 2, "--env", self.mark, *program), 2)
                    job.send_signal(number)
                    out, err = job.communicate(timeout=PATIENCE_S)
                    self.assertEqual(job.returncode, status, out)
                    self.assert_one_line(err, f"signal {int(number)} .*; ending the job")
                    self.assert_gone()

    def test_ranks_that_ignore_sigterm_are_killed(self):
        job = start("-n", 2, "--env", self.mark, "sh", "-c",
                    "trap '' TERM INT; echo ready; while :; do sleep 0.05; done")
        self.addCleanup(job.kill)
        self.assertEqual(job.stdout.readline(), "ready\n")
        self.assertEqual(job.stdout.readline(), "ready\n")
        began = time.monotonic()
        job.send_signal(signal.SIGINT)
        job.communicate(timeout=PATIENCE_S)
        self.assertGreater(time.monotonic() - began, 0.9)
        self.assertEqual(job.returncode, 130)
        self.assert_gone()

    def test_a_second_interrupt_kills_at_once(self):
        job = start("-n", 1, "--env", self.mark, "sh", "-c",
                    "trap 'echo asked' TERM; echo ready; while :; do sleep 0.01; done")
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        self.assertEqual(job.stdout.readline(), "ready\n")
        took = Stopwatch()
        job.send_signal(signal.SIGINT)
        self.assertEqual(job.stdout.readline(), "asked\n")
        job.send_signal(signal.SIGINT)
        job.communicate(timeout=PATIENCE_S)
        self.assertLess(took.undisturbed(), 900)  # the first alone gives the ranks a second
        self.assertEqual(job.returncode, 130)

    def test_ranks_may_clean_up(self):  # they have a second
        job = start("-n", 1, "sh", "-c", "trap 'sleep 0.1; echo clean; exit 0' TERM; echo ready; "
                                         "while :; do sleep 0.01; done")
        self.assertEqual(job.stdout.readline(), "ready\n")
        job.send_signal(signal.SIGTERM)
        out, _ = job.communicate(timeout=PATIENCE_S)
        self.assertEqual((job.returncode, out), (143, "clean\n"))

    def test_timeout(self):
        result = run("-n", 2, "--timeout", 6, "--env", self.mark, VICTIM, "sleep")
        self.assertEqual(result.returncode, 124)
        self.assert_one_line(
            result.stderr, r"did not end within 6.0 s \(--timeout\); rank 0 was waiting .*in "
                           "barrier for .*, rank 1 was not in a Ramjet call; ending the job")
        self.assert_gone()

    def test_killing_the_launcher_leaves_no_process(self):
        for program in ([VICTIM, "stay"],
                        ["sh", "-c", f"{VICTIM} stay; true"],
                        ["sh", "-c", "sleep 100 & sleep 100; true"],
                        ["sh", "-c", "timeout 100 sleep 100; true"],
                        ["sh", "-c", "trap '' TERM HUP INT; sleep 100; true"]):
            with self.subTest(program):
                ranks = 3
                job = self.started(start("-n", ranks, "--env", self.mark, *program), ranks)
                time.sleep(0.1)  # the wrappers have started theirs
                job.kill()
                job.wait()
                self.assert_gone()
                job.communicate()

    def test_killing_the_launcher_during_the_start(self):
        for delay_ms in range(0, 20, 2):
            with self.subTest(delay_ms):
                job = start("-n", 8, "--env", self.mark, "sh", "-c", "sleep 100; true")
                time.sleep(delay_ms / 1000)
                job.kill()
                job.communicate()
                self.assert_gone()

    def test_background_processes_end_with_the_job(self):
        for orphan in ("sleep 100 &", "setsid sleep 100 &",
                      "(setsid sh -c 'sleep 100 & sleep 99' &)"):
            with self.subTest(orphan):
                result = run("-n", 2, "--env", self.mark, "sh", "-c", f"{orphan}\nexit 4")
                self.assertEqual(result.returncode, 4)
                self.assert_gone()

    def test_nothing_is_left_in_shared_memory(self):
        def files():
            return {str(path) for folder in ("/dev/shm", "/tmp")
                    for path in pathlib.Path(folder).iterdir()}
        before = files()
        job = self.started(start("-n", 2, "--env", self.mark, VICTIM, "stay"), 2)
        during = files()
        job.kill()
        job.communicate()
        self.assertFalse([p for p in (during | files()) - before if "ramjet" in p])


class Environment(Case):
    def test_variables(self):
        result = run("-n", 2, "--on-failure=continue", "--env", "A=1", "--env", "B=x=y", "--env",
                     "A=2", "sh", "-c", 'echo "$A $B $RAMJET_SIZE"')
        self.assertEqual(result.stdout, "2 x=y 2\n" * 2)

    def test_ranks_are_numbered(self):
        result = run("-n", 20, "--on-failure=continue", "sh", "-c", "echo $RAMJET_RANK")
        self.assertEqual(sorted(map(int, result.stdout.split())), list(range(20)))

    def test_a_core_for_each_rank(self):
        cpus = sorted(os.sched_getaffinity(0))
        show = "taskset -cp $$ | sed 's/.*: //'"

        def masks(ranks, *options):
            return sorted(run("-n", ranks, "--on-failure=continue", *options, "sh", "-c",
                              show).stdout.split())
        whole = masks(1, "--bind", "none")
        self.assertEqual(masks(2, "--bind", "none"), whole * 2)
        bound = masks(len(cpus), "--bind", "core")
        self.assertEqual(sorted(map(int, bound)), cpus)
        self.assertEqual(len(masks(2 * len(cpus), "--bind", "core")), 2 * len(cpus))
        self.assertEqual(set(masks(len(cpus) + 1)), set(whole))  # oversubscribed: not bound

    def test_cores_are_shared_out(self):
        cpus = os.sched_getaffinity(0)
        show = f"{sys.executable} -c 'import os; print(len(os.sched_getaffinity(0)))'"

        def counts(ranks, *options):
            result = run("-n", ranks, "--on-failure=continue", *options, "sh", "-c", show)
            return list(map(int, result.stdout.split())), result
        self.assertEqual(counts(1)[0], [len(cpus)])
        self.assertEqual(counts(1, "--bind", "core")[0], [1])
        self.assertEqual(counts(1, "--cores-per-rank", len(cpus))[0], [len(cpus)])
        self.assertEqual(counts(len(cpus), "--cores-per-rank", 1)[0], [1] * len(cpus))
        none, result = counts(2, "--cores-per-rank", len(cpus))
        self.assertEqual((none, result.returncode), ([], 2))
        self.assert_one_line(result.stderr, f"2 ranks with {len(cpus)} cores each need "
                                            f"{2 * len(cpus)} cores, and this process may use")
        _, result = counts(1, "--cores-per-rank", 0)
        self.assert_one_line(result.stderr, "--cores-per-rank 0: give a number of cores from 1")
        _, result = counts(1, "--cores-per-rank", 1, "--bind", "core")
        self.assert_one_line(result.stderr, "give --bind or --cores-per-rank, not both")

    def test_the_ranks_keep_the_limit_of_open_files(self):
        result = limited("ulimit -Sn 300", "-n", 2, "--on-failure=continue", "sh", "-c",
                         "ulimit -Sn")
        self.assertEqual(result.stdout, "300\n300\n")


class Limits(Case):
    def test_too_few_open_files(self):
        result = limited("ulimit -n 100", "-n", 100, VICTIM, "ok")
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result.stderr, "100 ranks need 264 open files .* is 100; raise it")

    def test_hardly_any_open_files(self):
        for count in range(6, 12):
            with self.subTest(count):
                result = limited(f"ulimit -n {count}", "-n", 1, VICTIM, "ok")
                self.assertEqual(result.returncode, 1)
                self.assert_one_line(result.stderr, "^ramjet: .*open files")

    def test_too_few_processes(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NPROC, (12, 12))
        user = {"user": 54321, "group": 54321} if os.geteuid() == 0 else {}
        try:
            result = run("-n", 64, "sleep", "100", preexec_fn=limit, **user)
        except PermissionError:
            self.skipTest("another user may not execute the command where it is")
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result.stderr, r"(started only \d+ ranks: fork|"
                                            r"cannot start a process): .*ulimit -u")

    def test_no_thread_for_other_machines(self):
        user = {"user": 54321, "group": 54321} if os.geteuid() == 0 else {}
        try:
            result = run("-n", 2, "--nodes", 2, "prlimit", "--nproc=1", VICTIM, "ok", **user)
        except PermissionError:
            self.skipTest("another user may not execute the command where it is")
        self.assertEqual(result.returncode, 70)
        self.assertRegex(result.stderr, r"rank [01]: .*cannot start the thread that talks to the "
                                        r"other machines: .*ulimit -u")

    def test_a_limit_of_file_sizes(self):
        for blocks in (1000,) if is_sanitized(VICTIM) else (0, 1000):  # sanitizers write files
            with self.subTest(blocks):
                result = limited(f"ulimit -f {blocks}", "-n", 2, VICTIM, "ok")
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("ulimit -f", result.stderr)

    def test_many_ranks(self):
        began = time.monotonic()
        result = run("-n", 200, "--on-failure=continue", "sh", "-c", "echo $RAMJET_RANK; exit 3")
        self.assertEqual(sorted(map(int, result.stdout.split())), list(range(200)))
        self.assertEqual(result.returncode, 3)
        self.assertLess(time.monotonic() - began, PATIENCE_S / 2)


if __name__ == "__main__":
    main()
