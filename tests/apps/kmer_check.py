#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kmer as its users do, and compares.

counts   spectra and totals, for several numbers of ranks, against both references
errors   what is wrong is said once, the status says so too, and all ranks end
output   the forms of the report: text, bars, JSON, help
memory   little memory: the same counts, and nothing is left behind, also of a rank that is killed
"""

import gzip
import itertools
import json
import os
import pty
import random
import subprocess
import sys

import kmer_inputs
import kmer_reference as reference
from kmer_case import SEED, Case, main, options

LENGTHS = (1, 4, 21, 32, 63)
LENGTHS_OF_LARGE = (21, 33)
LENGTHS_OF_OTHER_FILES = (21, 63)  # of a text that has been counted from plain files


class Counts(Case):
    def test_spectra_are_those_of_the_references(self):
        inputs = kmer_inputs.small_inputs(self.folder, options.data, random.Random(SEED))
        numbers = itertools.cycle(options.ranks)
        for i in inputs + kmer_inputs.large_inputs(self.folder):
            for k in self.lengths(i):
                spectra = self.spectra_by_references(i, k)
                # Two numbers of ranks for each: all meet every input, and every length.
                for ranks in itertools.islice(numbers, 2):
                    with self.subTest(input=i.name, k=k, ranks=ranks):
                        self.check_run(i, k, ranks, spectra)
            next(numbers)

    def test_rough_texts_count_as_clean_ones(self):
        numbers = itertools.cycle(options.ranks)
        for i in kmer_inputs.rough_inputs(self.folder, random.Random(SEED)):
            for k in (4, 21):
                with self.subTest(input=i.name, k=k):
                    self.check_run(i, k, next(numbers), self.spectra_by_references(i, k))

    def test_pipes(self):
        """Inputs that one rank alone can open: standard input by its names, and pipes."""
        rng = random.Random(SEED)
        text = kmer_inputs.odd_fasta(rng)
        plain = kmer_inputs.write(self.folder / "piped.fa", text)
        packed = kmer_inputs.write_gzip(self.folder / "piped.fa.gz", text)
        due = self.kmer("-k", 9, "--histogram", plain)
        for ranks in (1, 3):
            for name in ("-", "/dev/stdin", "/proc/self/fd/0"):
                with open(packed, "rb") as file:
                    self.assertEqual(
                        self.kmer("-k", 9, "--histogram", name, ranks=ranks, stdin=file), due)
            for command in (f"cat {plain}", f"zcat {packed}", f"cat {packed}"):
                shell = (f"'{options.ramjet}' run -n {ranks} --timeout 60 '{options.kmer}' -k 9 "
                         f"--histogram <({command})")
                result = subprocess.run(["bash", "-c", shell], capture_output=True, text=True,
                                        check=False, timeout=120)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (0, due, ""))
            fifo = self.folder / f"fifo{ranks}"
            os.mkfifo(fifo)
            with subprocess.Popen(["cp", plain, fifo]) as writer:
                self.assertEqual(self.kmer("-k", 9, "--histogram", fifo, ranks=ranks), due)
            self.assertEqual(writer.returncode, 0)

    def lengths(self, i):
        if not i.small:
            return LENGTHS_OF_LARGE
        return LENGTHS if i.files == i.plain else LENGTHS_OF_OTHER_FILES

    def spectra_by_references(self, i, k):
        spectra = []
        if i.small:
            spectra.append(reference.spectrum(reference.count(tuple(i.plain), k)))
        if reference.jellyfish():
            spectra.append(reference.spectrum_by_jellyfish(tuple(i.plain), k, self.folder))
        return spectra

    def check_run(self, i, k, ranks, spectra):
        result = self.run_kmer("-k", k, "--json", "--histogram-max", reference.MOST, *i.files,
                               ranks=ranks)
        found = json.loads(result.stdout)
        said = "" if found["total"] > 0 else f"kmer: no {k}-mers: the input has no {k} letters"
        self.assertEqual((result.returncode, result.stderr[:len(said) or None]), (0, said), result)
        for s in spectra:
            self.assertEqual(dict(found["histogram"]), s)
            self.assertEqual(
                [found[key] for key in ("total", "distinct", "unique", "max_count")],
                [sum(c * n for c, n in s.items()), sum(s.values()), s.get(1, 0), max(s, default=0)])
        self.assertEqual([found[key] for key in ("k", "ranks", "files")],
                         [k, ranks, [str(f) for f in i.files]])
        self.assertEqual((found["histogram_max"], found["above_histogram_max"]),
                         (reference.MOST, 0))

    def test_great_counts_are_put_together_as_by_jellyfish(self):
        text = ">a\n" + kmer_inputs.wrapped("A" * 30000 + "C" * 50 + "AG" * 20, 70)
        file = kmer_inputs.write(self.folder / "great.fa", text)
        spectrum = reference.spectrum(reference.count((file,), 31))
        for most in (1, 7, 10, 10000, 40000):
            above = sum(n for c, n in spectrum.items() if c > most)
            lines = [(c, n) for c, n in spectrum.items() if c <= most]
            lines += [(most + 1, above)] if above else []
            expected = "".join(f"{c} {n}\n" for c, n in lines)
            if reference.jellyfish():
                self.assertEqual(
                    reference.jellyfish_histogram((file,), 31, self.folder, most), expected)
            for ranks in options.ranks:
                arguments = ("-k", 31, "--histogram-max", most, file)
                self.assertEqual(self.kmer("--histogram", *arguments, ranks=ranks), expected)
                found = json.loads(self.kmer("--json", *arguments, ranks=ranks))
                self.assertEqual((found["above_histogram_max"], found["max_count"]),
                                 (above, max(spectrum)))


class Errors(Case):
    def fails_with(self, status, pattern, *arguments):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks, arguments=arguments):
                result = self.run_kmer(*arguments, ranks=ranks)
                said = [line for line in result.stderr.splitlines() if line.startswith("kmer: ")]
                self.assertEqual(result.returncode, status, result)
                self.assertEqual(len(said), 1, result.stderr)
                self.assertRegex(said[0], pattern)
                self.assertEqual(result.stdout, "")

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def test_command_line(self):
        good = self.file("good.fa", ">a\nACGT\n")
        for k in (64, 0, -5, "2x"):
            self.fails_with(2, f"-k {k}: k is a number from 1 to 63", "-k", k, good)
        self.fails_with(2, "say the length of the words: -k K, a number from 1 to 63", good)
        for memory in ("0", "15M", "8Q", "M", "-1G", "99999999999G"):
            self.fails_with(2, f"--memory {memory}: give a number of bytes, at least 16M", "-k",
                            21, "--memory", memory, good)
        self.fails_with(2, "--memory '': give a value", "-k", 21, "--memory", "", good)
        self.fails_with(2, "-k needs a value", good, "-k")
        self.fails_with(2, "name a FASTA or FASTQ file", "-k", 21)
        self.fails_with(2, "unknown option '--nonsense'", "-k", 21, "--nonsense", good)
        self.fails_with(2, "--json takes no value", "-k", 21, "--json=3", good)
        self.fails_with(2, "--json, --histogram and --dump exclude each other", "-k", 21,
                        "--json", "--histogram", good)
        self.fails_with(2, "--count-min 0: give a number from 1", "-k", 21, "--count-min", 0, good)
        for most in (0, "many", 10000001):
            self.fails_with(2, f"--histogram-max {most}: give a number from 1 to 10000000", "-k",
                            21, "--histogram-max", most, good)
        self.fails_with(2, r"standard input \(-\) is named twice", "-k", 21, "-", good, "-")
        self.fails_with(2, r" \(see kmer --help\)$")

    def test_a_full_disk(self):
        good = self.file("good.fa", ">a\n" + "ACGT" * 100 + "\n")
        for arguments in (["-k", "5", good], ["-k", "5", "--json", good],
                          ["-k", "5", "--histogram", good], ["--help"]):
            with self.subTest(arguments), open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([options.kmer, *arguments], stdout=full, check=False,
                                        stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual((result.returncode, result.stderr),
                                 (1, "kmer: cannot write standard output: "
                                     "No space left on device\n"))

    def test_files_that_cannot_be_read(self):
        good = self.file("good.fa", ">a\nACGT\n")
        self.fails_with(1, "absent.fa: No such file", "-k", 21, good, self.folder / "absent.fa")
        self.fails_with(1, "is a directory", "-k", 21, self.folder)
        self.fails_with(1, "neither a regular file nor a pipe", "-k", 21, "/dev/null")
        self.fails_with(1, "empty.fa: is empty", "-k", 21, self.file("empty.fa", ""))
        empty = kmer_inputs.write_gzip(self.folder / "empty.fa.gz", "")
        self.fails_with(1, "empty.fa.gz: is empty", "-k", 21, empty)
        self.fails_with(1, "empty.fa.gz: is empty", "-k", 21, good, empty)

    def test_control_characters_are_escaped(self):
        self.fails_with(1, r"/a\\x1b\[2J\\nb\\x7f\\xc2\\x85é\.fa: No such file", "-k", 21,
                        self.folder / "a\x1b[2J\nb\x7f\x85é.fa")
        self.fails_with(2, r"-k 2\\r1: k is a number", "-k", "2\r1", "a.fa")
        file = self.file("a\x1b[2Jb.fa", ">a\nACGT\n")
        self.assertIn(r"a\x1b[2Jb.fa", self.kmer("-k", 2, file).splitlines()[0])

    def test_files_of_another_kind(self):
        for content in ("ACGT\n", "\n\n", "just some text\n", b"\x7fELF\x02\x01", "BZh91AY"):
            self.fails_with(1, "neither FASTA nor FASTQ", "-k", 21, self.file("other", content))

    def test_other_encodings(self):
        for encoding, mark in {"utf-8": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe",
                               "utf-16-be": b"\xfe\xff", "utf-32-le": b"\xff\xfe\0\0"}.items():
            for text in (">a\nACGTACGT\n", "@a\nACGT\n+\nIIII\n"):
                content = text.encode(encoding)
                name = encoding.upper()[:6].rstrip("-")
                self.fails_with(1, f"begins with a byte-order mark of {name}: ", "-k", 3,
                                self.file("marked", mark + content))
                self.fails_with(1, f"begins with a byte-order mark of {name}: ", "-k", 3,
                                self.file("marked.gz", gzip.compress(mark + content)))
                if name == "UTF-16":
                    self.fails_with(1, "is text in UTF-16: ", "-k", 3,
                                    self.file("unmarked", content))

    def test_bytes_that_no_sequence_has(self):
        filler = "ACGTACGTAC\n" * 50
        for letter, said in {"\0": "the byte 0x00", "\x7f": "the byte 0x7f",
                             "\u00a0": "the byte 0xc2"}.items():
            self.fails_with(1, f"bad.fa: byte 563: {said} is no part of a sequence$", "-k", 3,
                            self.file("bad.fa", f">a\n{filler}ACGTACGTAC{letter}\n{filler}"))
        self.fails_with(1, "bad.fa: byte 563: a '>' inside of a sequence line: the line end before "
                        "it is missing$", "-k", 3,
                        self.file("bad.fa", f">a\n{filler}ACGTACGTAC>b\n{filler}"))
        self.fails_with(1, "bad.fq: byte 9: '1' is no part of a sequence$", "-k", 3,
                        self.file("bad.fq", "@a\nTGCATC1\n+\nIIIIIII\n"))
        self.fails_with(1, "bad.fa: byte 3: a line before the first header", "-k", 3,
                        self.file("bad.fa", ";a\nACGT\n>b\n" + filler))

    def test_damaged_gzip(self):
        text = kmer_inputs.odd_fasta(random.Random(SEED))
        whole = kmer_inputs.write_gzip(self.folder / "whole.fa.gz", text).read_bytes()
        for length in (3, 10, 100, len(whole) // 2, len(whole) - 9, len(whole) - 1):
            cut = self.file("cut.fa.gz", whole[:length])
            self.fails_with(1, f"cut.fa.gz: truncated: .* ends too early, at byte {length}$",
                            "-k", 21, cut)
        middle = len(whole) // 2
        for damaged in (whole[:middle] + bytes(64) + whole[middle + 64:],
                        whole[:-8] + bytes(4) + whole[-4:]):
            self.fails_with(1, r"damaged gzip data, before byte \d+ \(", "-k", 21,
                            self.file("bad.fa.gz", damaged))

    def test_what_follows_gzip(self):
        whole = kmer_inputs.write_gzip(self.folder / "whole.fa.gz", ">a\nACGTACGT\n").read_bytes()
        self.fails_with(1, f"what follows its gzip data, at byte {len(whole) + 3}, is no gzip data",
                        "-k", 3, self.file("more.fa.gz", whole + b"\0\0\0>b\nTTTT\n"))
        padded = self.file("padded.fa.gz", whole + bytes(200_000))
        self.assertEqual(self.run_kmer("-k", 3, "--histogram", padded).stdout,
                         self.run_kmer("-k", 3, "--histogram", self.folder / "whole.fa.gz").stdout)

    def test_damaged_bgzip(self):
        text = kmer_inputs.odd_fasta(random.Random(SEED))
        whole = kmer_inputs.write_bgzip(self.folder / "whole.fa.gz", text, 3000).read_bytes()
        for length in (100, len(whole) // 2, len(whole) - 29, len(whole) - 1):
            self.fails_with(1, f"cut.fa.gz: truncated: .* ends too early, at byte {length}$",
                            "-k", 21, self.file("cut.fa.gz", whole[:length]))
        self.fails_with(1, "cut.fa.gz: the empty block is missing with which bgzip ends a file, "
                        f"at byte {len(whole) - 28}: it may be cut", "-k", 21,
                        self.file("cut.fa.gz", whole[:-28]))
        self.fails_with(1, "tail.fa.gz: what follows the last block of bgzip, at byte "
                        f"{len(whole)}, is no gzip data$", "-k", 21,
                        self.file("tail.fa.gz", whole + b"more text behind the last block"))
        due = self.run_kmer("-k", 3, "--histogram", self.folder / "whole.fa.gz").stdout
        for zeros in (3, 17, 18, 100, 200_000):  # padding, as behind other gzip data
            padded = self.run_kmer("-k", 3, "--histogram",
                                   self.file("padded.fa.gz", whole + bytes(zeros)))
            self.assertEqual((padded.stdout, padded.stderr), (due, ""))
            self.fails_with(1, "more.fa.gz: what follows the last block of bgzip, at byte "
                            f"{len(whole) + zeros}, is no gzip data$", "-k", 21,
                            self.file("more.fa.gz", whole + bytes(zeros) + b"x"))
        self.fails_with(1, "cut.fa.gz: the empty block is missing", "-k", 21,
                        self.file("cut.fa.gz", whole[:-28] + bytes(28)))
        second = 1 + int.from_bytes(whole[16:18], "little")  # where its header begins
        for at in (len(whole) // 2, 200, second):
            damaged = whole[:at] + bytes(b ^ 0x55 for b in whole[at:at + 8]) + whole[at + 8:]
            self.fails_with(1, r"bad.fa.gz: damaged gzip data, in .* at byte \d+$", "-k", 21,
                            self.file("bad.fa.gz", damaged))

    def test_damaged_fastq(self):
        read = "@r\n" + "ACGT" * 20 + "\n+\n" + "I" * 80 + "\n"
        for name, text in {
                "qualities of a long record missing": "@r\nACGT\nACGT\n+\nIIII\n" + read,
                "no header": read * 3 + "r\nACGT\n+\nIIII\n" + read,
                "qualities missing": read * 3 + "@r\nACGT\n+\nIII\n" + read,
                "cut after the separator": read * 3 + "@r\nACGT\n+\n",
                "cut in the qualities": read * 3 + "@r\nACGT\n+\nIII",
                "cut in the sequence": read * 3 + "@r\nACG",
                "cut in the header": read * 3 + "@r"}.items():
            with self.subTest(name):
                self.fails_with(1, "bad.fq: byte [0-9]+: .*FASTQ record", "-k", 21,
                                self.file("bad.fq", text))
        late = read * 1000 + "@r\nACGT\nACGT\n+\nIIII\nIIII\n" + read * 1000
        self.fails_with(1, r"late.fq: byte \d+: the third line .* kmer ... - < FILE\)",
                        "-k", 21, self.file("late.fq", late))
        with open(self.folder / "late.fq", "rb") as file:
            self.kmer("-k", 21, "--json", "-", stdin=file)
        compressed = kmer_inputs.write_gzip(self.folder / "bad.fq.gz", read * 3 + "@r\nACG")
        self.fails_with(1, "bad.fq.gz: byte 507: the file ends inside", "-k", 21, compressed)


class Memory(Case):
    SEQUENCE_BYTES = 20_000_000  # two ranks must put k-mers on disk

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(SEED)
        part = kmer_inputs.letters(rng, cls.SEQUENCE_BYTES // 10)
        pieces = [part[i * 1000:] + part[:i * 1000] for i in range(10)]
        text = "".join(f">{i}\n{kmer_inputs.wrapped(p, 100)}" for i, p in enumerate(pieces))
        cls.file = kmer_inputs.write(cls.folder / "large.fa", text)
        cls.temporary_files = cls.folder / "temporary"
        cls.temporary_files.mkdir()

    def test_counts_do_not_depend_on_memory(self):
        for k in (21, 63):
            whole = json.loads(self.kmer("-k", k, "--json", self.file))
            for ranks in (1, 2):
                little = json.loads(self.kmer("-k", k, "--json", "--memory", "16M", "--temporary",
                                              self.temporary_files, self.file, ranks=ranks))
                for key in ("histogram", "total", "distinct", "unique"):
                    self.assertEqual(little[key], whole[key])
        self.assertEqual(list(self.temporary_files.iterdir()), [])

    def test_a_large_bin_on_its_way_out(self):
        """All k-mers have one least word of 9 letters, and so one bin, at one rank."""
        rng = random.Random(SEED)
        reads = (kmer_inputs.letters(rng, 54) + "AATCTAAGC" + kmer_inputs.letters(rng, 54)
                 for _ in range(12_000))
        file = kmer_inputs.write(self.folder / "one_bin.fa",
                                 "".join(f">\n{read}\n" for read in reads))
        little, much = self.folder / "little.rk", self.folder / "much.rk"
        fixed = self.peak_bytes("-k", 63, "--memory", "16M", file)
        self.assertLess(self.peak_bytes("-k", 63, "--memory", "16M", "--output", little, file),
                        fixed + 12_000_000)
        self.kmer("-k", 63, "--output", much, "--memory", "2G", file)
        self.assertEqual(*(sorted(self.kmer("dump", table).splitlines())
                           for table in (little, much)))
        text = self.kmer("-k", 63, "--memory", "16M", "--dump", "--output", little, file, ranks=2)
        self.assertEqual(sorted(text.splitlines()), sorted(self.kmer("dump", much).splitlines()))
        self.kmer("-k", 63, "--memory", "16M", "--count-min", 2, "--output", little, file)
        self.assertEqual(self.kmer("dump", little), "")

    def peak_bytes(self, *arguments):
        """By a small process in between: a new program's peak begins with that of who starts it."""
        code = ("import os, sys\n"
                "quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]\n"
                "pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)\n"
                "_, status, usage = os.wait4(pid, 0)\n"
                "print(status, usage.ru_maxrss)\n")
        result = subprocess.run([sys.executable, "-S", "-c", code, options.kmer,
                                 *map(str, arguments)],
                                capture_output=True, text=True, timeout=120, check=True)
        status, kibibytes = map(int, result.stdout.split())
        self.assertEqual((status, result.stderr), (0, ""))
        return kibibytes * 1024

    def test_a_folder_that_takes_nothing(self):
        for ranks in (1, 2):
            result = self.run_kmer("-k", 63, "--memory", "16M", "--temporary", "/nowhere",
                                   self.file, ranks=ranks)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            said = [line for line in result.stderr.splitlines() if line.startswith("kmer: ")]
            self.assertEqual(said, ["kmer: cannot make a temporary file in /nowhere: "
                                    "No such file or directory"])

    def run_on_a_small_disk(self, *arguments, ranks):
        """With a file system of a megabyte at self.disk that only this command sees; returns its
        result, and what it leaves there."""
        self.disk = self.folder / "disk"
        self.disk.mkdir(exist_ok=True)
        left = self.folder / "left"
        script = ('mount -t tmpfs -o size=1m none "$1" || exit 77; disk=$1; left=$2; shift 2\n'
                  '"$@"; status=$?; ls -A "$disk" > "$left"; exit $status')
        command = ["unshare", "--mount", "sh", "-c", script, "sh", self.disk, left, options.ramjet,
                   "run", "-n", ranks, "--timeout", 60, options.kmer, *arguments, self.file]
        try:
            result = subprocess.run([*map(str, command)], capture_output=True, text=True,
                                    timeout=120, check=False)
        except FileNotFoundError:
            self.skipTest("unshare is missing")
        if result.returncode == 77 or "unshare failed" in result.stderr:
            self.skipTest(f"no file system can be mounted here: {result.stderr.strip()}")
        return result, left.read_text()

    def check_no_space(self, said, *arguments):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                result, left = self.run_on_a_small_disk(*arguments, ranks=ranks)
                lines = [line for line in result.stderr.splitlines() if line.startswith("kmer: ")]
                self.assertEqual((result.returncode, lines), (1, [said]), result)
                self.assertEqual((result.stdout, left), ("", ""))

    def test_a_disk_that_gets_full(self):
        disk = self.folder / "disk"
        self.check_no_space(f"kmer: cannot write a temporary file in {disk}: No space left on "
                            "device (--temporary names another folder, --memory allows more)",
                            "-k", 63, "--memory", "16M", "--temporary", disk)
        self.check_no_space(f"kmer: cannot write {disk}/table.rk: No space left on device",
                            "-k", 21, "--output", disk / "table.rk")

    def test_a_rank_that_is_killed_leaves_nothing(self):
        table = self.folder / "table.rk"
        reading, writing = os.pipe()  # a text that does not end
        command = [options.kmer, "-k", "31", "--memory", "16M", "--output", str(table),
                   "--temporary", str(self.temporary_files), "-"]
        with subprocess.Popen(command, stdin=reading, stdout=subprocess.PIPE) as process:
            os.close(reading)
            with open(writing, "wb") as text:
                text.write(self.file.read_bytes())
                process.kill()
            self.assertEqual(process.wait(60), -9)
        self.assertEqual(list(self.temporary_files.iterdir()), [])
        self.assertEqual(list(self.folder.glob("table.rk*")), [])

    def test_standard_input(self):
        expected = json.loads(self.kmer("-k", 21, "--json", self.file))["histogram"]
        gz = kmer_inputs.write_gzip(self.folder / "large.fa.gz", self.file.read_text(), level=1)
        for source in (self.file, gz):
            for ranks in (1, 3):
                with open(source, "rb") as text:
                    found = json.loads(self.kmer("-k", 21, "--json", "-", ranks=ranks, stdin=text))
                self.assertEqual(found["histogram"], expected)
        result = self.run_kmer("-k", 21, "-", stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 1)
        self.assertIn("kmer: standard input: is empty", result.stderr)


class Output(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.genome = options.data / "lambda_virus.fa.gz"

    def test_help(self):
        for ranks in (1, 3):
            text = self.kmer("--help", ranks=ranks)
            self.assertEqual(text.count("Usage: kmer"), 1)
            for word in ("--length K", "--json", "--histogram", "--histogram-max N", "--dump",
                         "--output FILE", "--memory BYTES", "--temporary FOLDER", "FILES"):
                self.assertIn(word, text)
            self.assertNotRegex(text, "REQUIRED|Excludes|=10000")

    def test_help_of_the_lookups(self):
        for command, words in (("query", ["[KMER...]", "standard input, one a line"]),
                               ("dump", ["jellyfish dump -c"])):
            for arguments in ([command, "--help"], [command, "table.rk", "-h"]):
                text = self.kmer(*arguments, ranks=2)
                self.assertEqual(text.count(f"Usage: kmer {command} TABLE"), 1)
                for word in [*words, "Example", "--help"]:
                    self.assertIn(word, text)

    def test_text(self):
        text = self.kmer("-k", 21, self.genome, ranks=2)
        for pattern in (r"21-mers of .*lambda_virus.fa.gz", r"total +48,482 ", r"distinct +\d\d,",
                        r"by 2 ranks", r"max count +\d+", r"\n +1 +48,\d\d\d  #+\n"):
            self.assertRegex(text, pattern)
        self.assertTrue(text.isascii())

    def test_columns_are_aligned(self):
        lines = self.kmer("-k", 5, self.genome).splitlines()
        first = next(i for i, line in enumerate(lines) if "occurs" in line)
        ends = {line.rstrip(" #").__len__() for line in lines[first + 1:]}
        self.assertEqual(len(ends), 1, lines)

    def test_nothing_to_count(self):
        file = kmer_inputs.write(self.folder / "none.fa", ">a\nACGT\n>b\nNNNNNNNNNN\n")
        said = "kmer: no 21-mers: the input has no 21 letters A, C, G or T in a row\n"
        for form, due in {"--linear": r"total +0 ", "--histogram": "^$",
                          "--json": r'"histogram":\[\]'}.items():
            for ranks in (1, 2):
                result = self.run_kmer("-k", 21, form, file, ranks=ranks)
                self.assertEqual((result.returncode, result.stderr), (0, said))
                self.assertRegex(result.stdout, due)

    def on_terminal(self, locale):
        """The report of one rank, without a launcher, on a terminal."""
        near, far = pty.openpty()
        with subprocess.Popen([options.kmer, "-k", "11", str(self.genome)], stdout=far,
                              env={**os.environ, "LC_ALL": locale}) as process:
            os.close(far)
            text = b""
            try:
                while chunk := os.read(near, 65536):
                    text += chunk
            except OSError:
                pass  # the terminal's way to say that the program is gone
        os.close(near)
        self.assertEqual(process.returncode, 0)
        return text.decode()

    def test_bars_on_a_terminal(self):
        self.assertIn("█", self.on_terminal("C.UTF-8"))
        self.assertNotIn("#", self.on_terminal("C.UTF-8"))
        self.assertIn("###", self.on_terminal("C"))
        self.assertTrue(self.on_terminal("C").isascii())


if __name__ == "__main__":
    sys.exit(main(__doc__, {"counts": Counts, "errors": Errors, "output": Output,
                            "memory": Memory}))
