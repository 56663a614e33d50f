#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the launcher does with the ranks' output and with its own input.

    streams_test.py RAMJET VICTIM [unittest arguments]
"""

import contextlib
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import termios
import time

from driver import (
    PATIENCE_S, RAMJET, VICTIM, Case, Lines, command, main, process_states, processes_with, run,
    start, wait_until)


def state_of(pid):
    stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return stat.rsplit(")", 1)[1].split()[0]


class Output(Case):
    def test_tags(self):
        result = run("-n", 3, "--tag-output", "--on-failure=continue", "sh", "-c",
                     'echo "out $RAMJET_RANK"; echo; echo "err $RAMJET_RANK" >&2; printf tail')
        expected = sorted(f"[{r}] {text}" for r in range(3) for text in (f"out {r}", "", "tail"))
        self.assertEqual(sorted(result.stdout.splitlines()), expected)
        for r in range(3):
            self.assertIn(f"[{r}] err {r}\n", result.stderr)

    def test_lines_are_never_torn(self):
        ranks, lines = 8, 3000
        program = ("import sys, os\nr = os.environ['RAMJET_RANK']\n"
                   f"for i in range({lines}):\n"
                   "  line = f'{r}:{i}:' + r * (i % 500) + ':\\n'\n"
                   "  os.write(1, line[:7].encode()); os.write(1, line[7:].encode())\n")
        for options in ([], ["--tag-output"]):
            with self.subTest(options):
                result = run("-n", ranks, "--on-failure=continue", *options, sys.executable, "-c",
                             program)
                seen = dict.fromkeys(map(str, range(ranks)), 0)
                for line in result.stdout.splitlines():
                    if options:
                        tag, line = line.split(" ", 1)
                        self.assertEqual(tag, f"[{line[0]}]")
                    rank, number, body, end = line.split(":")
                    self.assertEqual((int(number), body, end),
                                     (seen[rank], rank * (seen[rank] % 500), ""))
                    seen[rank] += 1
                self.assertEqual(set(seen.values()), {lines})

    def test_both_streams_into_one_pipe(self):
        program = "for i in $(seq 2000); do echo out-out-out-out; echo err-err-err-err >&2; done"
        result = subprocess.run(command("-n", 4, "--on-failure=continue", "sh", "-c", program),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
        lines = [line for line in result.stdout.splitlines() if not line.startswith("ramjet: ")]
        self.assertEqual(set(lines), {"out-out-out-out", "err-err-err-err"})
        self.assertEqual(len(lines), 4 * 2 * 2000)

    def test_a_very_long_line_arrives_whole(self):
        count = 1_000_000
        result = run("-n", 2, "--on-failure=continue", sys.executable, "-c",
                     f"import os\nif os.environ['RAMJET_RANK'] == '0': print('x' * {count})")
        self.assertEqual(result.stdout, "x" * count + "\n")

    def test_an_unfinished_line_is_not_continued_by_another(self):
        result = run("-n", 2, "--on-failure=continue", "sh", "-c", "printf $RAMJET_RANK")
        self.assertEqual(sorted(result.stdout.splitlines()), ["0", "1"])

    def test_one_rank_is_forwarded_at_once(self):
        job = start("-n", 1, "sh", "-c", "printf 'name: '; sleep 100")
        self.assertEqual(os.read(job.stdout.fileno(), 100), b"name: ")
        job.send_signal(signal.SIGTERM)
        job.communicate()

    def test_much_output_reaches_a_slow_reader(self):
        job = start("-n", 2, "--on-failure=continue", "sh", "-c",
                    "head -c 5000000 /dev/zero | tr '\\0' x | fold -w 99; echo")
        time.sleep(0.5)
        out, _ = job.communicate(timeout=PATIENCE_S)
        self.assertEqual(out.count("x"), 2 * 5_000_000)

    def test_a_reader_that_leaves_ends_the_job_quietly(self):
        job = start("-n", 2, "--env", self.mark, "sh", "-c", "while :; do echo line; done")
        self.assertEqual(job.stdout.readline(), "line\n")
        job.stdout.close()
        self.assertEqual(job.wait(timeout=PATIENCE_S), 128 + signal.SIGPIPE)
        self.assertEqual(job.stderr.read(), "")
        self.assert_gone()
        job.stderr.close()

    def test_interrupt_while_nobody_reads(self):
        job = self.started(start("-n", 2, "--env", self.mark, "sh", "-c",
                                 "while :; do echo line; done"), 2)
        time.sleep(0.3)  # the pipe is full, the launcher waits for room
        job.send_signal(signal.SIGINT)
        self.assertEqual(job.wait(timeout=PATIENCE_S), 130)
        self.assert_gone()
        job.communicate()

    def test_a_full_disk_is_told(self):
        with open("/dev/full", "wb") as full:
            job = start("-n", 1, "sh", "-c", "echo line; sleep 100", stdout=full)
            _, err = job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 1)
        self.assert_one_line(err, "cannot write standard output: No space left on device")

    def test_closed_standard_streams(self):
        for closing in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            for serving in ("", "--metrics-port 0"):
                with self.subTest(closing, serving=serving):
                    line = f'exec "$0" run -n 2 {serving} "$1" ok {closing}'
                    result = subprocess.run(["sh", "-c", line, RAMJET, VICTIM],
                                            timeout=PATIENCE_S, check=False)
                    self.assertEqual(result.returncode, 0)


class Input(Case):
    def test_rank_0_reads_the_input_and_the_others_nothing(self):
        job = start("-n", 3, "--on-failure=continue", "sh", "-c",
                    'echo "$RAMJET_RANK:$(cat)"', stdin=subprocess.PIPE)
        out, _ = job.communicate("some input\n", timeout=PATIENCE_S)
        self.assertEqual(sorted(out.split()), ["0:some", "1:", "2:", "input"])

    def all_from(self, terminal):
        text = b""
        while True:
            try:
                text += os.read(terminal, 1000)
            except OSError:  # nobody has it open any more
                os.close(terminal)
                return text

    def test_a_terminal_is_passed_on(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(RAMJET, command("-n", 2, "--on-failure=continue", "sh", "-c",
                                     'echo "$RAMJET_RANK got $(head -1)"'))
        os.write(terminal, b"hello\n")
        text = self.all_from(terminal)
        os.waitpid(pid, 0)
        self.assertIn(b"0 got hello\r\n", text)
        self.assertIn(b"1 got \r\n", text)

    def test_another_sessions_terminal_is_passed_on(self):
        terminal, its_end = pty.openpty()
        self.addCleanup(os.close, terminal)
        job = start("-n", 1, "sh", "-c", "head -1; exit 3", stdin=its_end)
        os.close(its_end)
        os.write(terminal, b"hello\n")
        out, _ = job.communicate(timeout=PATIENCE_S)
        self.assertEqual((out, job.returncode), ("hello\n", 3))

    def on_shell(self, line):
        """A shell with job control on a terminal of its own, which runs the line."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["PS1"] = "prompt> "
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        said = Lines(self.enterContext(os.fdopen(terminal, "rb", buffering=0)))
        said.until("prompt> ")
        os.write(terminal, f"{line}\n".encode())
        return pid, terminal, said

    def test_what_is_typed_for_the_shell_is_left_for_it(self):
        _, terminal, said = self.on_shell(f"{RAMJET} run -n 2 --env {self.mark} {VICTIM} stay")
        said.until("(?s)staying.*staying")
        os.write(terminal, b"echo typed-$((1+1))\n")
        said.until("typed-")  # the terminal's own echo: the line waits there
        for pid in processes_with(self.mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        said.until("typed-2")

    ASKING = (f"{sys.executable} -c 'import os, sys\n"
              "if os.environ[\"RAMJET_RANK\"] == \"1\": import signal; signal.pause()\n"
              "while True:\n"
              "  print(\"name: \", end=\"\", flush=True)\n"
              "  print(\"it is\", sys.stdin.readline())\n'")

    def test_a_rank_that_asks_again_and_again(self):
        for between in ("", "timeout 60 ", "sh -c '\"$@\"; true' sh "):
            for ranks in (1, 2):
                with self.subTest(between=between, ranks=ranks):
                    _, terminal, said = self.on_shell(
                        f"{RAMJET} run -n {ranks} --env {self.mark} {between}{self.ASKING}")
                    for name in ("ann", "bob"):
                        said.until("name: $")
                        os.write(terminal, f"{name}\n".encode())
                        said.until(f"it is {name}")
                    said.until("name: $")
                    os.write(terminal, b"\x03")
                    said.until("prompt> $")
                    self.assert_gone()
                    os.write(terminal, b"echo status $?\n")
                    said.until("status 130")

    def test_stopped_while_rank_0_has_the_terminal(self):
        _, terminal, said = self.on_shell(
            f"{RAMJET} run -n 2 --env {self.mark} {self.ASKING}")
        said.until("name: $")
        os.write(terminal, b"\x1a")
        said.until("Stopped(.|\n)*prompt> $")
        os.write(terminal, b"echo in-the-$((1+1))-shell\n")
        said.until("in-the-2-shell")
        os.write(terminal, b"fg\n")
        said.until("fg\r\n(.|\n)*run -n 2")
        os.write(terminal, b"ann\n")
        said.until("it is ann")
        os.write(terminal, b"\x03")
        said.until("ending the job(.|\n)*prompt> $")
        self.assert_gone()

    def test_in_the_background_it_stops_as_other_programs_do(self):
        _, terminal, said = self.on_shell(
            f"{RAMJET} run -n 2 --env {self.mark} {self.ASKING} &")
        wait_until(lambda: len(processes_with(self.mark)) >= 2 and
                   process_states(self.mark) <= {"T"}, "the job is stopped")
        os.write(terminal, b"fg\n")
        said.until("fg\r\n(.|\n)*run -n 2")
        os.write(terminal, b"ann\n")
        said.until("it is ann")
        os.write(terminal, b"\x03")
        said.until("ending the job(.|\n)*prompt> $")
        self.assert_gone()

    def test_the_terminals_modes_are_put_back(self):
        raw = ("import os, tty; tty.setraw(0); print(chr(10) + 'raw', flush=True); "
               "os.read(0, 1)")
        _, terminal, said = self.on_shell(
            f"{RAMJET} run -n 1 {sys.executable} -c \"{raw}; os.kill(os.getpid(), 9)\"; stty -a")
        said.until("\nraw")
        os.write(terminal, b"x")
        said.until(r"\bicanon\b(.|\n)*prompt> $")
        self.assertNotIn("-icanon", said.text)

    def test_the_ranks_are_told_how_wide_the_terminal_is(self):
        show = 'echo "out=$RAMJET_STDOUT_COLUMNS err=$RAMJET_STDERR_COLUMNS."'
        for columns, options, expected in ((132, [], b"out=132 err=132."),
                                           (0, [], b"out=80 err=80."),
                                           (132, ["--env", "RAMJET_STDOUT_COLUMNS=40"],
                                            b"out=40 err=132.")):
            with self.subTest(columns=columns, options=options):
                pid, terminal = pty.fork()
                if pid == 0:
                    termios.tcsetwinsize(1, (24, columns))
                    os.execv(RAMJET, command("-n", 2, "--on-failure=continue", *options, "sh",
                                             "-c", show))
                text = self.all_from(terminal)
                os.waitpid(pid, 0)
                self.assertEqual(text.count(expected), 2, text)
        self.assertEqual(run("-n", 1, "sh", "-c", show).stdout, "out= err=.\n")

    def test_interrupt_from_the_terminal(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(RAMJET, command("-n", 2, "--env", self.mark, VICTIM, "stay"))
        text = b""
        while text.count(b"staying") < 2:
            text += os.read(terminal, 1000)
        os.write(terminal, b"\x03")
        _, status = os.waitpid(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 130)
        self.assert_gone()
        os.close(terminal)

    def on_terminal(self, by_shell, ignoring=False):
        """A job of one rank that says "up", and "continued" when it is; in its terminal's
        foreground, where a shell has put it, or nobody."""
        pid, terminal = pty.fork()
        if pid == 0:
            if ignoring:
                signal.signal(signal.SIGTSTP, signal.SIG_IGN)
            job = os.fork() if by_shell else 0
            if by_shell:
                with contextlib.suppress(PermissionError):  # it has done that itself
                    os.setpgid(job, job)
            if job == 0:
                os.execv(RAMJET, command(
                    "-n", 1, "--env", self.mark, "sh", "-c",
                    "trap 'echo continued' CONT; echo up; while :; do sleep 0.01; done"))
            os.tcsetpgrp(0, job)
            os._exit(os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]))
        self.addCleanup(os.waitpid, pid, 0)
        said = Lines(self.enterContext(os.fdopen(terminal, "rb", buffering=0)))
        said.until("up")
        if by_shell:
            wait_until(lambda: os.tcgetpgrp(terminal) != pid, "the job is in the foreground")
        job = os.tcgetpgrp(terminal)
        self.addCleanup(self.kill, job)
        return job, terminal, said

    @staticmethod
    def kill(job):
        with contextlib.suppress(ProcessLookupError):
            os.kill(job, signal.SIGKILL)

    def test_stop_and_continue(self):
        job, terminal, said = self.on_terminal(by_shell=True)

        def states():
            return process_states(self.mark)
        os.write(terminal, b"\x1a")
        wait_until(lambda: state_of(job) == "T", "the launcher is stopped")
        # A shell whose vforked child is stopped waits for it in the kernel: D.
        wait_until(lambda: states() <= {"T", "D"}, "all are stopped")
        os.kill(job, signal.SIGCONT)
        wait_until(lambda: "T" not in states(), "all go on")
        said.until("continued")

    def test_no_stop_where_nobody_would_continue_it(self):
        """The launcher leads the session, as in `ssh -t HOST ramjet run ...`."""
        job, terminal, said = self.on_terminal(by_shell=False)
        os.write(terminal, b"\x1a")
        said.until("continued")  # the ranks were stopped for a moment
        self.assertNotEqual(state_of(job), "T")

    def test_no_stop_where_it_is_ignored(self):
        job, terminal, said = self.on_terminal(by_shell=True, ignoring=True)
        os.write(terminal, b"\x1a")
        os.write(terminal, b"\x03")
        wait_until(lambda: not pathlib.Path(f"/proc/{job}").exists(), "Ctrl-C has ended it")

    def test_back_from_the_background(self):
        """As `ramjet run ... &` and then `fg`: the shell reads the line that wakes the launcher."""
        name, value = self.mark.split("=")
        pid, terminal = pty.fork()
        if pid == 0:  # the shell
            job = os.fork()
            if job == 0:
                os.setpgid(0, 0)
                os.execve(RAMJET, command("-n", 1, VICTIM, "stay"), {**os.environ, name: value})
            select.select([0], [], [])
            time.sleep(0.5)  # the launcher sees the line too
            os.read(0, 100)
            os.tcsetpgrp(0, job)
            os._exit(os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]))
        self.addCleanup(os.close, terminal)
        self.addCleanup(self.kill_marked)
        while b"staying" not in os.read(terminal, 1000):
            pass
        os.write(terminal, b"fg\n")
        wait_until(lambda: os.tcgetpgrp(terminal) != pid, "the job is in the foreground")
        time.sleep(0.7)  # it has looked at its input
        os.write(terminal, b"\x03")
        ended = []
        wait_until(lambda: ended or ended.extend(filter(any, [os.waitpid(pid, os.WNOHANG)])),
                   "the launcher has heard Ctrl-C")
        self.assertEqual(os.waitstatus_to_exitcode(ended[0][1]), 130)
        self.assert_gone()

    def kill_marked(self):
        for pid in processes_with(self.mark):
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
