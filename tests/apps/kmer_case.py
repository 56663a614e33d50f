# SPDX-License-Identifier: Apache-2.0
"""What the checks of kmer share: how they run it, and their own command line."""

import argparse
import pathlib
import subprocess
import tempfile
import unittest

SEED = 20
options = argparse.Namespace()


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="kmer-test-")
        cls.folder = pathlib.Path(cls.temporary.name)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_kmer(self, *arguments, ranks=1, **keywords):
        command = [options.ramjet, "run", "-n", str(ranks), "--timeout", "60", options.kmer]
        return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True,
                              timeout=120, **keywords)

    def kmer(self, *arguments, ranks=1, **keywords):
        result = self.run_kmer(*arguments, ranks=ranks, **keywords)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.args)
        return result.stdout


def main(description, checks):
    """Runs one of these test cases, by name."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=list(checks))
    parser.add_argument("--ramjet", required=True, help="the launcher")
    parser.add_argument("--kmer", required=True, help="the program")
    parser.add_argument("--data", required=True, type=pathlib.Path, help="its sequences")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4, 8])
    parser.parse_args(namespace=options)
    print(f"seed {SEED}")
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(checks[options.check])
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1
