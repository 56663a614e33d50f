# SPDX-License-Identifier: Apache-2.0
"""Two references for k-mer counts: a slow one in plain Python, and jellyfish."""

import collections
import functools
import re
import shutil
import subprocess

MOST = 10**5  # no k-mer of the inputs occurs so often
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def sequences(text):
    """The sequences of a FASTA or FASTQ text with LF line ends."""
    lines = text.split("\n")
    if text.lstrip("\n").startswith("@"):
        at = 0
        while at < len(lines):
            if lines[at] == "":
                at += 1
                continue
            yield lines[at + 1]
            at += 4
        return
    sequence = ""
    for line in lines:
        if line.startswith(">"):
            yield sequence
            sequence = ""
        else:
            sequence += line
    yield sequence


@functools.cache
def count(paths, k):
    """A Counter of the canonical k-mers of a tuple of plain files."""
    counts = collections.Counter()
    for path in paths:
        for sequence in sequences(path.read_bytes().decode()):
            for run in re.findall("[ACGT]+", sequence.upper()):
                other = run.translate(COMPLEMENT)[::-1]
                n = len(run)
                counts.update(min(run[i:i + k], other[n - i - k:n - i])
                              for i in range(n - k + 1))
    return counts


def spectrum(counts):
    """{count: number of k-mers that occur so often}"""
    return dict(sorted(collections.Counter(counts.values()).items()))


@functools.cache
def jellyfish_table(paths, k, folder):
    """The file in which jellyfish keeps the counts of a tuple of plain files."""
    table = folder / f"table{k}-{abs(hash(paths))}.jf"
    size = sum(path.stat().st_size for path in paths)
    subprocess.run([jellyfish(), "count", "-m", str(k), "-C", "-s", str(size), "-t", "2",
                    "-o", table, *paths], check=True)
    return table


def jellyfish_histogram(paths, k, folder, histogram_max):
    """Its lines 'COUNT NUMBER'."""
    table = jellyfish_table(paths, k, folder)
    result = subprocess.run([jellyfish(), "histo", "-h", str(histogram_max), table],
                            check=True, capture_output=True, text=True)
    return result.stdout


@functools.cache
def spectrum_by_jellyfish(paths, k, folder):
    """The same as spectrum(count(paths, k))."""
    lines = jellyfish_histogram(paths, k, folder, MOST).splitlines()
    return {int(count): int(number) for count, number in map(str.split, lines)}


def jellyfish():
    """The path of jellyfish; None where it is neither there nor promised by scripts/setup."""
    path = shutil.which("jellyfish")
    if path is None and shutil.which("dpkg-query"):
        raise SystemExit("jellyfish is missing: run `scripts/setup test`")
    return path
