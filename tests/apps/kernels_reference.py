# SPDX-License-Identifier: Apache-2.0
"""What histogram, indexgather and matmul must find, worked out without them."""

BITS = (1 << 64) - 1
STEP = 0x9e3779b97f4a7c15


def scrambled(x):
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9 & BITS
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb & BITS
    return x ^ (x >> 31)


def indices(seed, rank, count, below):
    state = 0
    for word in (seed, rank):
        state = scrambled((state + STEP + word) & BITS)
    for _ in range(count):
        state = (state + STEP) & BITS
        yield (scrambled(state) >> 32) * below >> 32


def hexadecimal(total):
    return f"{total & BITS:016x}"


def histogram(seed, ranks, table, updates):
    """The checksum of the counters after a round, in hexadecimal as all of them."""
    counters = [0] * table
    for rank in range(ranks):
        for i in indices(seed, rank, updates, table):
            counters[i] += 1
    return hexadecimal(sum(scrambled(i) * count for i, count in enumerate(counters)))


def indexgather(seed, ranks, table, reads):
    """The checksum of all gathered words."""
    return hexadecimal(sum(scrambled(seed ^ scrambled(i + 1)) for rank in range(ranks)
                           for i in indices(seed, rank, reads, table)))


def entry(seed, matrix, row, column):
    word = scrambled(scrambled((seed + 1) & BITS) ^ (matrix << 63 | row << 32 | column))
    return ((word >> 32) * 9 >> 32) - 4


def matmul(seed, n, terms, columns):
    """The checksum of C = A B, of n x terms and terms x columns numbers."""
    a = [[entry(seed, 0, i, j) for j in range(terms)] for i in range(n)]
    b = [[entry(seed, 1, j, k) for j in range(terms)] for k in range(columns)]
    c = (sum(x * y for x, y in zip(row, column)) for column in b for row in a)
    return hexadecimal(sum(scrambled(at) * number for at, number in enumerate(c)))
