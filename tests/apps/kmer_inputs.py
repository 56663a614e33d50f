# SPDX-License-Identifier: Apache-2.0
"""Sequences to count k-mers of: made up by a seeded generator to hold every oddity of the formats,
taken from the repository, and from packages of real data where those are installed."""

import dataclasses
import gzip
import pathlib
import struct
import zlib

GENOME = pathlib.Path("/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz")
READS = pathlib.Path("/usr/share/doc/bowtie2/examples/reads")


@dataclasses.dataclass
class Input:
    """Files to give to kmer, and the same text as plain files with LF line ends."""
    name: str
    files: list
    plain: list
    small: bool = True  # the slow reference can take it


def letters(rng, count, alphabet="ACGT"):
    return "".join(rng.choices(alphabet, k=count))


def wrapped(sequence, width):
    return "".join(sequence[i:i + width] + "\n" for i in range(0, len(sequence), width))


def odd_fasta(rng):
    """Records of all lengths, widths and cases; gaps; headers that look like sequence."""
    repeat = letters(rng, 300)
    text = ">empty\n>also empty\n\n\n>short\nACGT\n>one letter\nA\n"
    for i in range(12):
        sequence = letters(rng, rng.randrange(1, 3000)) + repeat + letters(rng, 50, "ACGTN")
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(sequence))
            gap = rng.choice(["N", "N" * 40, "n" * 5, "RYK", "-", "*", "acgt", "@", "U"])
            sequence = sequence[:at] + gap + sequence[at:]
        if i % 3 == 0:
            sequence = sequence.lower() if i % 2 else sequence.swapcase()
        header = f">record {i} ACGTACGTACGTACGTACGTACGTACGTACGT >{letters(rng, 8 * i)} @x"
        text += header + "\n" + wrapped(sequence, rng.choice([1, 7, 60, 70, 71, 100000]))
        if i % 4 == 0:
            text += "\n" * rng.randrange(1, 4)
    text += ">long header " + "ACGTTGCAAT" * 300 + "\n" + letters(rng, 100) + "\n"
    return text + ">tandem\n" + wrapped("ACAG" * 500 + "A" * 1500, 80) + ">last\n" + repeat


def odd_fastq(rng):
    """Reads of a small genome, from both strands; qualities that look like headers."""
    genome = letters(rng, 3000)
    other = genome[::-1].translate(str.maketrans("ACGT", "TGCA"))
    text = ""
    for i in range(300):
        strand = rng.choice([genome, other])
        at = rng.randrange(len(strand))
        read = strand[at:at + rng.choice([0, 1, 20, 35, 100, 100, 150])]
        read = "".join(rng.choice("Nn" + c * 150 + c.lower() * 50) for c in read)
        quality = "".join(chr(rng.randrange(33, 127)) for _ in read)
        if read and i % 3 == 0:
            quality = rng.choice("@+>") + quality[1:]
        plus = "+" if i % 2 else f"+read {i}"
        text += f"@read {i} @+\n{read}\n{plus}\n{quality}\n" + "\n" * (i % 50 == 49)
    return text


def rough_fasta(rng, text, line_ends):
    """The same sequences: with blanks, numbers of bases, comments, and any of these line ends."""
    lines = [rng.choice(["", "; a comment ACGT >", " \t"]) for _ in range(3)]
    for line in text.split("\n"):
        if not line.startswith(">") and line:
            form = rng.randrange(4)
            if form == 0:
                line += rng.choice([" ", "\t", "  \f", "\v", " 60"])
            elif form == 1:
                groups = [line[i:i + 10] for i in range(0, len(line), 10)]
                line = f"{rng.randrange(10**6):9} " + " ".join(groups)
            elif form == 2:
                at = rng.randrange(len(line) + 1)
                line = line[:at] + rng.choice([" ", "\t", "\f"]) + line[at:]
        lines.append(line)
        if rng.randrange(9) == 0:
            lines.append(rng.choice(["; ACGTACGT", ";", "", "   "]))
    return "".join(line + rng.choice(line_ends) for line in lines)


def rough_fastq(rng, text, line_ends, width=None):
    """The same sequences: with blanks, any of these line ends, and lines of at most `width`."""
    rest = iter(text.split("\n"))
    lines = []
    for header in rest:
        if not header.startswith("@"):
            continue
        sequence, plus, quality = next(rest), next(rest), next(rest)
        parts = [[part[i:i + (width or 1000)] for i in range(0, len(part), width or 1000)] or [""]
                 for part in (sequence, quality)]
        for part in parts:
            part[-1] += rng.choice(["", " ", "\t", "  "])
        lines += [header, *parts[0], plus, *parts[1]]
    return "".join(line + rng.choice(line_ends) for line in lines)


def rough_inputs(folder, rng):
    fasta, fastq = odd_fasta(rng), odd_fastq(rng)
    fa, fq = write(folder / "clean.fa", fasta), write(folder / "clean.fq", fastq)
    inputs = []
    for name, ends in {"lf": ["\n"], "cr": ["\r"], "crlf": ["\r\n"],
                       "any": ["\n", "\r", "\r\n", "\n\n"]}.items():
        texts = [(fa, "fa", rough_fasta(rng, fasta, ends))]
        if name != "any":
            texts += [(fq, "fq", rough_fastq(rng, fastq, ends)),
                      (fq, "long.fq", rough_fastq(rng, fastq, ends, 40))]
        for clean, kind, text in texts:
            base = f"rough_{name}.{kind}"
            write(folder / base, text)
            write_gzip(folder / f"{base}.gz", text)
            write_bgzip(folder / f"b_{base}.gz", text, 999)
            for file in (base, f"{base}.gz", f"b_{base}.gz"):
                inputs.append(Input(file, [folder / file], [clean]))
    return inputs


def write(path, text):
    path.write_bytes(text.encode())
    return path


def write_gzip(path, *members, level=6):
    path.write_bytes(b"".join(gzip.compress(m.encode(), level, mtime=0) for m in members))
    return path


def bgzip_member(content):
    """A gzip member with its length in its header, as bgzip writes them."""
    pack = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = pack.compress(content) + pack.flush()
    return (b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" +
            struct.pack("<H", len(body) + 25) + body +
            struct.pack("<II", zlib.crc32(content), len(content)))


def write_bgzip(path, text, member_bytes=0xff00):
    content = text.encode()
    members = [content[i:i + member_bytes] for i in range(0, len(content), member_bytes)]
    path.write_bytes(b"".join(map(bgzip_member, [*members, b""])))
    return path


def unpacked(path, into):
    into.write_bytes(gzip.decompress(path.read_bytes()))
    return into


def small_inputs(folder, data, rng):
    fasta, fastq = odd_fasta(rng), odd_fastq(rng)
    lambda_gz = data / "lambda_virus.fa.gz"
    plain_lambda = unpacked(lambda_gz, folder / "lambda.fa")
    fa, fq = write(folder / "odd.fa", fasta), write(folder / "odd.fq", fastq)
    half = len(fasta) // 2  # members of a gzip file may be cut anywhere
    fa_gz = write_gzip(folder / "odd.fa.gz", fasta[:half], "", fasta[half:])
    fq_gz = write_gzip(folder / "odd.fq.gz", fastq)
    fa_bgzip = write_bgzip(folder / "bgzip.fa.gz", fasta, 777)
    fq_bgzip = write_bgzip(folder / "bgzip.fq.gz", fastq, 1234)
    mixed = folder / "mixed.fq.gz"  # as `cat` makes them of files of bgzip and gzip
    mixed.write_bytes(fq_bgzip.read_bytes() + fq_gz.read_bytes() + fq_bgzip.read_bytes())
    fq_three = write(folder / "three.fq", fastq * 3)
    fa_crlf = write(folder / "crlf.fa", fasta.replace("\n", "\r\n"))
    fq_crlf = write(folder / "crlf.fq", fastq.replace("\n", "\r\n"))
    records = [">" + r for r in fasta.split("\n>")[4:]]
    many = [write(folder / f"part{i}.fa", r + "\n") for i, r in enumerate(records)]
    many_gz = [write_gzip(folder / f"part{i}.fa.gz", r + "\n") for i, r in enumerate(records)]
    tiny = write(folder / "tiny.fa", ">\nACGTT\nA")
    return [
        Input("lambda genome", [plain_lambda], [plain_lambda]),
        Input("lambda genome, gzip", [lambda_gz], [plain_lambda]),
        Input("odd FASTA", [fa], [fa]),
        Input("odd FASTA, gzip of three members", [fa_gz], [fa]),
        Input("odd FASTA, bgzip", [fa_bgzip], [fa]),
        Input("odd FASTQ, bgzip", [fq_bgzip], [fq]),
        Input("odd FASTQ, bgzip, gzip, bgzip", [mixed], [fq_three]),
        Input("odd FASTA, CR LF", [fa_crlf], [fa]),
        Input("odd FASTQ", [fq], [fq]),
        Input("odd FASTQ, gzip", [fq_gz], [fq]),
        Input("odd FASTQ, CR LF", [fq_crlf], [fq]),
        Input("many files", many, many),
        Input("many gzip files", many_gz, many),
        Input("files of all kinds", [fa_gz, fq_bgzip, lambda_gz, tiny],
              [fa, fq, plain_lambda, tiny]),
        Input("eight letters", [tiny], [tiny]),
    ]


def large_inputs(folder):
    inputs = []
    if GENOME.exists():
        plain = unpacked(GENOME, folder / "genome.fa")
        inputs.append(Input("E. coli genome", [plain], [plain], small=False))
        inputs.append(Input("E. coli genome, gzip", [GENOME], [plain], small=False))
    reads = sorted(READS.glob("*.fq.gz"))
    if reads:
        plain = [unpacked(r, folder / r.stem) for r in reads]
        inputs.append(Input("lambda reads", plain, plain, small=False))
        inputs.append(Input("lambda reads, gzip", reads, plain, small=False))
    return inputs
