# SPDX-License-Identifier: Apache-2.0
"""Graphs and what is to be found in them, worked out without the applications."""

import heapq

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


def power_permutation(scale, seed):
    """Of the numbers below 2^scale."""
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
    return permuted


def permutation(count, seed):
    """Of the numbers below any number."""
    once = power_permutation(count.bit_length(), seed)

    def permuted(v):
        v = once(v)
        while v >= count:
            v = once(v)
        return v
    return permuted


def flat(vertices, count, seed):
    """Edges that are all equally likely, in their order."""
    edges = []
    for k in range(count):
        words = Words(seed, k)
        a = (words.next() >> 32) * vertices >> 32
        edges.append((a, (words.next() >> 32) * vertices >> 32))
    return edges


def kronecker(scale, edge_factor, seed):
    """The edges of a Kronecker graph, in their order."""
    permuted = power_permutation(scale, seed)
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


def adjacent(vertices, edges):
    neighbours = [[] for _ in range(vertices)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return neighbours


def levels(vertices, edges, root):
    """How many vertices there are at each level, and the edges between those that are reached."""
    neighbours = adjacent(vertices, edges)
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


def weight(seed, most, a, b):
    """The length of an edge."""
    word = scrambled(scrambled((seed + 1) & BITS) ^ (min(a, b) << 32 | max(a, b)))
    return 1 + ((word >> 32) * most >> 32)


def distances(vertices, edges, root, most, seed):
    """With random lengths."""
    weighted = [(a, b, weight(seed, most, a, b)) for a, b in edges]
    return distances_by_lengths(vertices, weighted, root)


def distances_by_lengths(vertices, edges, root):
    """Those of the vertices that are reached (Dijkstra 1959)."""
    neighbours = [[] for _ in range(vertices)]
    for a, b, length in edges:
        neighbours[a].append((b, length))
        neighbours[b].append((a, length))
    final, reached = {}, [(0, root)]
    while reached:
        distance, v = heapq.heappop(reached)
        if v in final:
            continue
        final[v] = distance
        for w, length in neighbours[v]:
            if w not in final:
                heapq.heappush(reached, (distance + length, w))
    return final


def labels(vertices, edges):
    """The least vertex that each is connected to."""
    neighbours, found = adjacent(vertices, edges), [None] * vertices
    for least in range(vertices):
        if found[least] is not None:
            continue
        now = [least]
        found[least] = least
        while now:
            for w in neighbours[now.pop()]:
                if found[w] is None:
                    found[w] = least
                    now.append(w)
    return found


def ranks(vertices, edges, iterations, damping=0.85):
    """PageRank after some iterations; what vertices without edges have goes to all."""
    neighbours = adjacent(vertices, edges)
    scores = [1 / vertices] * vertices
    for _ in range(iterations):
        lost = sum(scores[v] for v in range(vertices) if not neighbours[v])
        base = (1 - damping + damping * lost) / vertices
        shares = [scores[v] / max(len(neighbours[v]), 1) for v in range(vertices)]
        scores = [base + damping * sum(shares[w] for w in neighbours[v]) for v in range(vertices)]
    return scores
