#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The output of ranks that are ended: nothing that a rank has printed is lost, and lines come out
when they are printed.

    ended_output_test.py RAMJET PROGRAM PROGRAM_IN_C SPLITCC [unittest arguments]
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from driver import PATIENCE_S, RAMJET, VICTIM, Case, Lines, main, run, start

PROGRAM = VICTIM  # the driver's second argument
PROGRAM_IN_C, SPLITCC = (sys.argv.pop(3) for _ in range(2)) if len(sys.argv) > 4 else ("", "")
PYTHON = """
import os, signal
print("rank", "0:", "whole")
print("rank", "0:", "half", end="")
os.kill(os.getpid(), signal.SIGSEGV)
"""


class EndedOutput(Case):
    def assert_all_is_out(self, text, ranks=2):
        expected = [f"rank {rank}: {what}" for rank in range(ranks) for what in ("half", "whole")]
        self.assertEqual(sorted(text.splitlines()), expected)

    def test_however_a_rank_ends(self):
        for how, status in (("fault", 139), ("abort", 134), ("misuse", 134),
                            ("refused", 70), ("end_job", 0),
                            (str(int(signal.SIGTERM)), 143), (str(int(signal.SIGFPE)), 136),
                            (str(int(signal.SIGALRM)), 142), (str(int(signal.SIGUSR2)), 140)):
            for options in ([], ["--nodes", 2]):
                with self.subTest(how=how, options=options):
                    result = run("-n", 2, *options, PROGRAM, how)
                    self.assertEqual(result.returncode, status, result.stderr)
                    self.assert_all_is_out(result.stdout)

    def test_after_the_time_out(self):
        result = run("-n", 2, "--timeout", 2, PROGRAM, "stay")
        self.assertEqual(result.returncode, 124)
        self.assert_all_is_out(result.stdout)

    def test_lines_come_when_they_are_printed(self):
        job = start("-n", 2, PROGRAM, "stay")
        said = Lines(job.stdout)
        said.until("(?s)(rank 0: whole\n.*rank 1: whole|rank 1: whole\n.*rank 0: whole)\n")
        Lines(job.stderr).until("(?s)printed.*printed")  # the unfinished lines, too
        job.terminate()
        job.wait(timeout=PATIENCE_S)
        said.rest()
        self.assert_all_is_out(said.text)
        job.communicate()

    def test_a_rank_whose_output_is_a_file(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        result = run("-n", 2, "sh", "-c", f"exec {PROGRAM} fault > {folder}/$RAMJET_RANK")
        self.assertEqual(result.returncode, 139, result.stderr)
        self.assert_all_is_out("\n".join(file.read_text(encoding="ascii")
                                         for file in folder.iterdir()))

    def test_in_c(self):
        result = run("-n", 2, PROGRAM_IN_C)
        self.assertEqual(result.returncode, 139, result.stderr)
        self.assert_all_is_out(result.stdout)

    def test_in_split_c(self):
        if not os.path.exists(SPLITCC):
            self.skipTest("splitcc is not built here")
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        source = pathlib.Path(__file__).parent / "ended_output.sc"
        subprocess.run([SPLITCC, source, "-o", folder / "program"], check=True)
        result = run("-n", 2, folder / "program")
        self.assertEqual(result.returncode, 139, result.stderr)
        self.assert_all_is_out(result.stdout)

    def test_in_python(self):
        result = run("-n", 1, sys.executable, "-c", PYTHON)
        self.assertEqual(result.returncode, 139, result.stderr)
        self.assert_all_is_out(result.stdout, ranks=1)

    def test_python_may_buffer_where_the_user_says_so(self):
        show = "import sys; print(sys.stdout.write_through)"
        result = run("-n", 1, sys.executable, "-c", show)
        self.assertEqual(result.stdout, "True\n")
        result = run("-n", 1, "--env", "PYTHONUNBUFFERED=", sys.executable, "-c", show)
        self.assertEqual(result.stdout, "False\n")

    def test_on_a_terminal(self):
        result = subprocess.run(
            ["script", "-qec", f"{RAMJET} run -n 2 {PROGRAM} fault", "/dev/null"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S,
            check=False)
        words = [line for line in result.stdout.replace("\r", "").splitlines()
                 if not line.startswith("ramjet: ")]
        self.assert_all_is_out("\n".join(words))


if __name__ == "__main__":
    main()
