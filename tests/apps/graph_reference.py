# SPDX-License-Identifier: Apache-2.0
"""Graphs and their breadth-first search, worked out without the applications."""

from kernels_reference import BITS, STEP, scrambled


class Words:
    """The stream of a key."""

    def __init__(self, *key):
        self.state = 0
        for part in key:
            self.state = scrambled((self.state + STEP + part) & BITS)

    def next(self):
        self.state = (self.state + STEP) & BITS
        return scrambled(self.state)


def share(p):
    return int(p * 2**32)


def kronecker(scale, edge_factor, seed):
    """The edges of a Kronecker graph, in their order."""
    mask = (1 << scale) - 1
    words = Words(seed, BITS)
    rounds = []
    for _ in range(3):
        factor = words.next() | 1
        rounds.append((factor, words.next()))

    def permuted(v):
        for factor, offset in rounds:
            v = (v * factor + offset) & mask
            v ^= v >> (scale + 1) // 2
        return v

    edges = []
    for k in range(edge_factor << scale):
        stream, a, b = Words(seed, k), 0, 0
        for level in range(scale):
            word = stream.next() if level % 2 == 0 else word >> 32
            draw = word & 0xffffffff
            quadrant = sum(draw >= share(p) for p in (0.57, 0.76, 0.95))
            a, b = a << 1 | quadrant >> 1, b << 1 | quadrant & 1
        edges.append((permuted(a), permuted(b)))
    return edges


def levels(vertices, edges, root):
    """How many vertices there are at each level, and the edges between those that are reached."""
    neighbours = [[] for _ in range(vertices)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    found, seen, now = [], {root}, [root]
    while now:
        found.append(len(now))
        following = []
        for v in now:
            for w in neighbours[v]:
                if w not in seen:
                    seen.add(w)
                    following.append(w)
        now = following
    return found, sum(a in seen for a, _ in edges)
