#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py against small programs that stand in for Ramjet and the peers."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

COMPARE = pathlib.Path(__file__).with_name("compare.py")

# Notes that it ran, and prints one record whose value may depend on how often it ran.
FAKE = """#!{python}
import json, pathlib, sys
log = pathlib.Path({log!r})
runs = log.read_text().split() if log.exists() else []
log.write_text(" ".join(runs + [{name!r}]))
if sys.argv[1:] in (["bench", "--help"], ["bench", "--list"]):
    log.write_text(" ".join(runs))
    print({listed!r})
    sys.exit()
count = runs.count({name!r})
{body}
"""
PRINT = 'print(json.dumps([dict(name={row!r}, value={value}, unit={unit!r}, limit={limit})]))'
FAKE_MPIRUN = """#!/bin/sh
while [ "${1##*/}" != mpi_peer ]; do shift; done
exec "$@"
"""


def record(value, unit="ns", limit=100, row="am_round_trip"):
    return PRINT.format(row=row, value=value, unit=unit, limit=limit)


@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "compare.py needs two cores")
class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "peers").mkdir()
        self.log = self.folder / "log"
        self.install("mpirun", FAKE_MPIRUN)
        self.fake("peers/raw_limit", record(100, limit=None))
        self.fake("ramjet", record(80))
        self.fake("peers/mpi_peer", record(300))
        self.fake("peers/ucx_peer", record(250))

    def install(self, path, text):
        target = self.folder / path
        target.write_text(text)
        target.chmod(0o755)

    def fake(self, path, body, listed=""):
        self.install(path, FAKE.format(python=sys.executable, log=str(self.log), name=path,
                                       body=body, listed=listed))

    def command(self, *arguments):
        return [sys.executable, str(COMPARE), "--bin", str(self.folder), *arguments]

    def environment(self):
        return dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}",
                    TMPDIR=str(self.folder))

    def compare(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=60,
                              env=self.environment())

    def row(self, output, name):
        return next(line.split() for line in output.splitlines() if line.split()[:1] == [name])

    def test_shows_every_system_with_its_ratio(self):
        result = self.compare("--rounds", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.row(result.stdout, "am_round_trip"),
                         ["am_round_trip", "ns", "100", "80.0", "x0.80", "300", "x3.00", "250",
                          "x2.50"])

    def test_systems_take_turns(self):
        self.compare("--rounds", "2")
        turns = self.log.read_text().split()
        of_one_round = turns[:len(turns) // 2]
        self.assertEqual(turns, of_one_round * 2)
        self.assertEqual(list(dict.fromkeys(of_one_round)),
                         ["peers/raw_limit", "ramjet", "peers/mpi_peer", "peers/ucx_peer"])

    def test_shows_medians(self):
        self.fake("ramjet", record("[10, 90, 50][count]"))
        result = self.compare("--rounds", "3")
        self.assertEqual(self.row(result.stdout, "am_round_trip")[3:5], ["50.0", "x0.50"])

    def test_converts_units(self):
        self.fake("ramjet", record(0.08, unit="us", limit=0.1))
        self.assertEqual(self.row(self.compare("--rounds", "1").stdout, "am_round_trip")[3:5],
                         ["80.0", "x0.80"])

    def test_refuses_an_unknown_unit(self):
        self.fake("ramjet", record(80, unit="furlong"))
        result = self.compare("--rounds", "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("am_round_trip is in furlong", result.stderr)

    def test_takes_the_raw_limit_where_a_program_has_none(self):
        self.fake("ramjet", record(70, limit=None))
        result = self.compare("--rounds", "1")
        self.assertEqual(self.row(result.stdout, "am_round_trip")[4], "x0.70")

    def test_shows_the_better_layer_of_open_mpi(self):
        self.fake("peers/mpi_peer",
                  "import os\n" + record("{'ob1': 300, 'ucx': 200}[os.environ['OMPI_MCA_pml']]"))
        result = self.compare("--rounds", "1")
        self.assertEqual(self.row(result.stdout, "am_round_trip")[5:7], ["200", "x2.00"])
        self.assertIn("ucx for am_round_trip", result.stdout)

    def test_shows_the_peers_of_the_threads_beside_the_limit_of_ramjet(self):
        messages, threads = (record(value, row=row, limit=limit) for value, row, limit in
                             ((80, "am_round_trip", 100), (4, "ult_mutex", 2)))
        self.fake("ramjet", f"if 'ult_mutex' in sys.argv: {threads}\nelse: {messages}",
                  listed="ult_mutex  ns  lock and unlock")
        self.fake("peers/fiber_peer", record(20, row="ult_mutex", limit=None))
        self.fake("peers/pthread_peer", record(6, row="ult_mutex", limit=None))
        self.fake("peers/tbb_peer", record(50, row="ult_fan_2w", limit=None))
        self.fake("peers/openmp_llvm_peer", record(70, row="ult_fan_2w", limit=None))
        result = self.compare("--rounds", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.row(result.stdout, "ult_mutex"),
                         ["ult_mutex", "ns", "2.00", "4.00", "x2.00", "20.0", "x10.0", "6.00",
                          "x3.00", "-", "-", "-"])
        self.assertEqual(self.row(result.stdout, "ult_fan_2w"),
                         ["ult_fan_2w", "ns", "-", "-", "-", "-", "50.0", "-", "70.0"])
        self.assertEqual(self.row(result.stdout, "am_round_trip")[3], "80.0")

    def test_shows_whole_programs_beside_the_serial_one(self):
        messages, programs = (record(value, row=row, limit=limit, unit=unit)
                              for value, row, limit, unit in ((80, "am_round_trip", 100, "ns"),
                                                              (60, "bfs_18", 50, "ms")))
        self.fake("ramjet", f"if 'bfs_18' in sys.argv: {programs}\nelse: {messages}",
                  listed="bfs_18  ms  a search")
        self.fake("peers/openmp_programs_peer", record(0.1, row="bfs_18", limit=None, unit="s"))
        result = self.compare("--rounds", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.row(result.stdout, "bfs_18"),
                         ["bfs_18", "ms", "50.0", "60.0", "x1.20", "100", "x2.00", "-"])

    def test_shows_the_peers_of_the_network(self):
        near, far = (record(value, row=row, limit=limit, unit=unit) for value, row, limit, unit in
                     ((80, "am_round_trip", 100, "ns"), (9, "net_round_trip", 6, "us")))
        self.fake("peers/raw_limit", record(6000, row="net_round_trip", limit=None))
        self.fake("ramjet", f"if 'net_round_trip' in sys.argv: {far}\nelse: {near}",
                  listed="net_round_trip  ns  there and back")
        for program, row in (("mpi_peer", 12), ("ucx_peer", 18)):
            self.fake(f"peers/{program}", "import os\nif 'network' not in sys.argv: print([])\n"
                      "elif 'tcp,self' in (os.getenv('OMPI_MCA_btl'), os.getenv('UCX_TLS')): "
                      + record(row, row="net_round_trip", limit=6, unit="us"))
        result = self.compare("--rounds", "1")
        self.assertEqual(self.row(result.stdout, "net_round_trip"),
                         ["net_round_trip", "ns", "6000", "9000", "x1.50", "12000", "x2.00",
                          "18000", "x3.00"])

    def test_asks_ramjet_only_for_rows_that_it_lists(self):
        self.fake("ramjet", "assert 'ult_mutex' not in sys.argv\n" + record(80))
        self.assertEqual(self.compare("--rounds", "1").returncode, 0)

    def test_names_what_is_missing(self):
        for path in ("ramjet", "peers/ucx_peer"):
            (self.folder / path).unlink()
        result = self.compare("--rounds", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Ramjet is missing", result.stdout)
        self.assertIn("UCX is missing", result.stdout)
        self.assertIn("oneTBB is missing", result.stdout)

    def test_fails_if_a_program_fails_but_shows_the_others(self):
        self.fake("peers/ucx_peer", "sys.exit('check failed: it is wrong')")
        result = self.compare("--rounds", "2")
        self.assertEqual(result.returncode, 1)
        self.assertIn("check failed: it is wrong", result.stderr)
        self.assertEqual(self.row(result.stdout, "am_round_trip")[3], "80.0")

    def test_saves_records(self):
        saved = self.folder / "saved.json"
        self.compare("--rounds", "2", "--json", str(saved))
        records = {each["params"]["system"]: each for each in json.loads(saved.read_text())}
        self.assertEqual(set(records), {"raw", "ramjet", "openmpi-ob1", "openmpi-ucx",
                                        "openmpi-tcp", "ucx", "ucx-tcp"})
        self.assertEqual(records["ramjet"]["ratio_to_limit"], 0.8)
        self.assertEqual(records["ramjet"]["better"], "lower")

    def test_an_interrupt_ends_what_was_started(self):
        pid_file = self.folder / "pid"
        self.fake("ramjet", f"import os, time\npathlib.Path({str(pid_file)!r}).write_text("
                            "str(os.getpid()))\ntime.sleep(100)")
        running = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment())
        deadline = time.monotonic() + 30
        while not (pid_file.exists() and pid_file.read_text()) and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=30)
        self.assertEqual(running.returncode, 130)
        self.assertEqual(list(self.folder.glob("peers-*")), [])
        with self.assertRaises(ProcessLookupError):
            os.kill(int(pid_file.read_text()), 0)


if __name__ == "__main__":
    unittest.main()
