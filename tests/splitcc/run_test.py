#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py passes on what a job says while that still runs.

    run_test.py
"""

import os
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
# Instead of `ramjet`: it says something and waits to be let go.
JOB = """#!/bin/sh
echo "who waits for whom"
read go < "$(dirname "$0")/gate"
echo "ok $go"
exit 3
"""
CALLER = """
import sys
from run import run_job
command, status, text = run_job(sys.argv[1], "2x4", ["program"])
print([command[1:], status, text])
"""


class RunJob(unittest.TestCase):
    def test_lines_are_passed_on_as_they_come(self):
        with tempfile.TemporaryDirectory() as folder:
            ramjet, gate = os.path.join(folder, "ramjet"), os.path.join(folder, "gate")
            with open(ramjet, "w", encoding="utf-8") as file:
                file.write(JOB)
            os.chmod(ramjet, stat.S_IRWXU)
            os.mkfifo(gate)
            with subprocess.Popen([sys.executable, "-B", "-c", CALLER, ramjet], cwd=HERE, text=True,
                                  stdout=subprocess.PIPE) as caller:
                self.assertEqual(caller.stdout.readline(), "who waits for whom\n")
                with open(gate, "w", encoding="utf-8") as file:  # opens once the job is there
                    file.write("then\n")
                rest = caller.stdout.read()
        result = [["run", "-n", "4", "--nodes", "2", "program"], 3, "who waits for whom\nok then\n"]
        self.assertEqual(rest, f"ok then\n{result}\n")


if __name__ == "__main__":
    unittest.main()
