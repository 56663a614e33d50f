#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dumps, tables and queries of kmer.

tables   those of the references; files that are no tables, or damaged; inputs are not replaced
"""

import random
import subprocess
import sys

import kmer_inputs
import kmer_reference as reference
from kmer_case import SEED, Case, main, options


class Tables(Case):
    def setUp(self):
        rng = random.Random(SEED)
        self.fasta = kmer_inputs.write(self.folder / "odd.fa", kmer_inputs.odd_fasta(rng))
        self.fastq = kmer_inputs.write(self.folder / "odd.fq", kmer_inputs.odd_fastq(rng))

    def test_dumps_and_tables_are_those_of_the_reference(self):
        table = self.folder / "counts.rk"
        for k in (1, 4, 21, 32, 33, 63):
            counts = reference.count((self.fasta, self.fastq), k)
            lines = sorted(f"{kmer} {count}" for kmer, count in counts.items())
            for ranks in options.ranks:
                with self.subTest(k=k, ranks=ranks):
                    files = (self.fasta, self.fastq)
                    dump = self.kmer("-k", k, "--dump", "--output", table, *files, ranks=ranks)
                    self.assertEqual(sorted(dump.splitlines()), lines)
                    self.assertEqual(sorted(self.kmer("dump", table).splitlines()), lines)
                    self.check_queries(table, k, counts)
            self.assertEqual([p.name for p in self.folder.glob("counts.rk*")], ["counts.rk"])

    def check_queries(self, table, k, counts):
        some = sorted(counts)[::len(counts) // 20 + 1] + ["A" * k, "C" * k]
        swapped = [w.translate(reference.COMPLEMENT)[::-1].lower() for w in some]
        expected = "".join(f"{w} {counts[w]}\n" for w in some)
        for words in (some, swapped):
            self.assertEqual(self.kmer("query", table, *words), expected)

    def test_the_least_count(self):
        counts = reference.count((self.fastq,), 21)
        lines = sorted(f"{kmer} {n}" for kmer, n in counts.items() if n >= 3)
        table = self.folder / "some.rk"
        found = self.kmer("-k", 21, "--dump", "--count-min", 3, "--output", table, self.fastq,
                          ranks=2)
        self.assertEqual(sorted(found.splitlines()), lines)
        self.assertEqual(sorted(self.kmer("dump", table).splitlines()), lines)

    def fails(self, status, pattern, *arguments):
        result = self.run_kmer(*arguments)
        self.assertEqual((result.returncode, result.stdout), (status, ""), result)
        self.assertRegex(result.stderr.splitlines()[0], pattern)

    def test_what_is_wrong_with_a_query(self):
        table = self.folder / "counts.rk"
        self.kmer("-k", 5, "--output", table, self.fasta)
        self.fails(2, r"usage: kmer query TABLE \[KMER...\] \(see kmer query --help\)", "query")
        self.fails(2, r"unknown option '--all' \(see kmer dump --help\)", "dump", "--all", table)
        self.fails(2, r"kmer: A\\x1b\[2J: 5 letters|kmer: A\\x1b\[2J: a k-mer has only", "query",
                   table, "A\x1b[2J")
        self.fails(2, r"kmer: A{63}\.\.\.: 1000 letters, but", "query", table, "A" * 1000)
        self.fails(2, "usage: kmer dump TABLE", "dump", table, table)
        self.fails(2, "ACG: 3 letters, but the table counts words of 5", "query", table, "ACG")
        self.fails(2, "ACGNT: a k-mer has only the letters", "query", table, "ACGTT", "ACGNT")
        self.fails(1, "odd.fa: is not a table of kmer", "dump", self.fasta)
        self.fails(1, "absent: No such file", "dump", self.folder / "absent")
        cut = self.folder / "cut.rk"
        cut.write_bytes(table.read_bytes()[:-3])
        self.fails(1, "cut.rk: truncated", "query", cut, "ACGTT")

    def test_a_damaged_table(self):
        table = self.folder / "bad.rk"
        for ranks in (1, 3):
            self.kmer("-k", 21, "--output", table, self.fasta, ranks=ranks)
            words = [line.split()[0] for line in self.kmer("dump", table).splitlines()]
            whole = table.read_bytes()
            for at in (len(whole) // 2, len(whole) - 1):
                table.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
                for arguments in (["dump", table], ["query", table, *words]):
                    result = self.run_kmer(*arguments)
                    said = [s for s in result.stderr.splitlines() if s.startswith("kmer: ")]
                    self.assertEqual((result.returncode, len(said)), (1, 1), result.stderr)
                    self.assertRegex(said[0], r"bad.rk: damaged: the block at bytes \d+ to \d+ ")
            for at, part in ((30, "header"), (60, "index")):
                table.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
                self.fails(1, f"bad.rk: damaged: its {part} has another checksum", "dump", table)

    def test_queries_from_standard_input(self):
        table = self.folder / "counts.rk"
        self.kmer("-k", 5, "--output", table, self.fasta)
        words = [line.split()[0] for line in self.kmer("dump", table).splitlines()]
        expected = self.kmer("query", table, *words)
        for text in ("\n".join(words), "".join(f" {w.lower()}\t\r\n\n" for w in words)):
            for ranks in (1, 3):
                self.assertEqual(self.kmer("query", table, ranks=ranks, input=text), expected)
        self.assertEqual(self.kmer("query", table, input=""), "")
        for text, problem in (("ACGTT\n\nACG\n",
                               "3: ACG: 3 letters, but the table counts words of 5"),
                              ("ACG\x07T\n", r"1: ACG\x07T: a k-mer has only the letters A, C, G "
                               "and T")):
            result = self.run_kmer("query", table, input=text)
            self.assertEqual(result.returncode, 1)
            self.assertEqual(result.stderr.splitlines()[0], f"kmer: standard input:{problem}")

    def test_a_table_that_cannot_be_written(self):
        for ranks in (1, 3):
            result = self.run_kmer("-k", 21, "--output", "/nowhere/table", self.fasta, ranks=ranks)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("kmer: cannot write /nowhere/table: No such file", result.stderr)

    def test_an_input_is_not_replaced(self):
        before = self.fasta.read_bytes()
        link, hard = self.folder / "link.rk", self.folder / "hard.rk"
        if not link.exists():
            link.symlink_to(self.fasta)
            hard.hardlink_to(self.fasta)
        for output in (self.fasta, link, hard, self.folder / "." / "odd.fa"):
            for ranks in (1, 3):
                result = self.run_kmer("-k", 21, "--output", output, self.fastq, self.fasta,
                                       ranks=ranks)
                said = [s for s in result.stderr.splitlines() if s.startswith("kmer: ")]
                self.assertEqual((result.returncode, result.stdout, said),
                                 (1, "", [f"kmer: cannot write {output}: it is the same file as "
                                          f"the input {self.fasta}"]), result)
            with open(self.fasta, "rb") as text:
                result = self.run_kmer("-k", 21, "--output", output, "-", stdin=text)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("it is the same file as the input on standard input", result.stderr)
        self.assertTrue(link.is_symlink())
        self.assertEqual((self.fasta.read_bytes(), hard.read_bytes()), (before, before))

    def test_an_input_does_not_grow_by_the_result(self):
        table = self.folder / "grown.rk"
        self.kmer("-k", 5, "--output", table, self.fasta)
        for file, arguments in ((self.fasta, ["-k", "5", "--dump", self.fasta]),
                                (table, ["dump", table])):
            before = file.read_bytes()
            with open(file, "ab") as end:
                result = subprocess.run([options.kmer, *arguments], stdout=end, check=False,
                                        stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((result.returncode, result.stderr),
                             (1, "kmer: cannot write standard output: it is the same file as the "
                                 f"input {file}\n"))
            self.assertEqual(file.read_bytes(), before)


if __name__ == "__main__":
    sys.exit(main(__doc__, {"tables": Tables}))
