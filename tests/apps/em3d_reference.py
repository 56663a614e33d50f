# SPDX-License-Identifier: Apache-2.0
"""EM3D in plain Python: the fields' checksum for a graph, without ranks, ghosts or versions."""

import struct

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
EDGES, VALUE = 0, 1
E, H = 0, 1


def mixed(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


class Sequence:
    """The random numbers of one node, for one purpose."""

    def __init__(self, seed, purpose, kind, rank, index):
        self.state = 0
        for word in (seed, purpose, kind, rank, index):
            self.state = mixed(self.state + STEP + word & MASK)

    def next(self):
        self.state = self.state + STEP & MASK
        return mixed(self.state)

    def below(self, bound):
        return (self.next() >> 32) * bound >> 32

    def signed_unit(self):
        bits = self.next()
        return float(bits - (1 << 64) if bits >> 63 else bits) * 2.0 ** -63


def edges_of(kind, seed, ranks, nodes, degree, percent, iterations):
    """For every node, its (global index of the node depended on, weight)."""
    step = 1.0 / (float(degree) * float(iterations))
    lists = []
    for rank in range(ranks):
        for index in range(nodes):
            random = Sequence(seed, EDGES, kind, rank, index)
            edges = []
            for _ in range(degree):
                remote = random.below(100) < percent and ranks > 1
                where = random.below(max(1, ranks - 1))
                owner = rank if not remote else where + (where >= rank)
                on = owner * nodes + random.below(nodes)
                edges.append((on, random.signed_unit() * step))
            lists.append(edges)
    return lists


def update(to, source, lists):
    for i, edges in enumerate(lists):
        value = to[i]
        for on, weight in edges:
            value = value - weight * source[on]
        to[i] = value


def checksum(fields):
    total = 0xCBF29CE484222325
    for values in fields:
        for value in values:
            bits, = struct.unpack("<Q", struct.pack("<d", value))
            total = (total ^ bits) * STEP & MASK
            total ^= total >> 29
    return f"{total:016x}"


def checksum_after(seed, ranks, nodes_per_rank, degree, percent, iterations):
    nodes = nodes_per_rank // 2
    graph = (seed, ranks, nodes, degree, percent, iterations)
    to_e, to_h = edges_of(E, *graph), edges_of(H, *graph)
    e, h = ([Sequence(seed, VALUE, kind, rank, index).signed_unit()
             for rank in range(ranks) for index in range(nodes)] for kind in (E, H))
    for _ in range(iterations):
        update(e, h, to_e)
        update(h, e, to_h)
    return checksum((e, h))
