#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Broken contracts that would hang a job, or go unnoticed: each ends it with one clear line.

    contract_test.py RAMJET FOLDER_OF_PROGRAMS CLASS [unittest arguments]
"""

import concurrent.futures
import itertools
import os
import re
import subprocess

from driver import RAMJET, VICTIM as PROGRAMS, Case, main

PATIENCE_S = 60
ABORTED = 134
DIFFERENT = "ranks call different collectives of one team, or in another order"
LENGTHS = "ranks disagree about a collective's length"


def run(program, *words, ranks=2, nodes=1, network="tcp", on_failure="abort", channel="shm"):
    return subprocess.run(
        [RAMJET, "run", "-n", str(ranks), "--nodes", str(nodes), "--timeout", str(PATIENCE_S / 2),
         "--on-failure", on_failure, "--env", f"RAMJET_NETWORK={network}", "--env",
         f"RAMJET_CHANNEL={channel}", os.path.join(PROGRAMS, program), *words],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False, stdin=subprocess.DEVNULL)


class Calls(Case):
    """Ranks that call different collectives."""

    KINDS = ("barrier", "halves", "broadcast0", "broadcast1", "reduce0", "reduce1", "all_reduce",
             "long_all_reduce", "inclusive_scan", "exclusive_scan", "gather0", "all_gather",
             "all_to_all", "split", "quiesce", "finalize")
    WITHOUT_A_TEAM = ("quiesce", "finalize")

    def expect_lines(self, cases, how="", **where):
        """Several jobs at a time: most of each is waiting."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = pool.map(lambda case: run("collective_calls", *case, how, **where), cases)
            for case, result in zip(cases, results):
                with self.subTest(" ".join(case), how=how, **where):
                    self.assertEqual(result.returncode, ABORTED, result.stderr)
                    sentence = LENGTHS if set(case) == {"all_reduce", "long_all_reduce"} \
                        else rf"{DIFFERENT}: rank \d+ calls \S+.*, rank \d+ calls \S+"
                    self.assertRegex(result.stderr, rf"(?m)^ramjet: rank \d+: {sentence}")

    def pairs(self, without=()):
        kinds = [kind for kind in self.KINDS if kind not in without]
        found = list(itertools.permutations(kinds, 2))
        return [pair for pair in found if set(pair) != {"barrier", "halves"}]

    def test_where_ranks_outnumber_the_cores(self):
        self.expect_lines(self.pairs()[::2], ranks=2 + (os.cpu_count() or 1))

    def test_where_they_do_not(self):
        self.expect_lines(self.pairs()[::3], ranks=2)

    def test_on_several_machines(self):
        self.expect_lines(self.pairs()[1::4], ranks=3, nodes=3)
        self.expect_lines(self.pairs()[2::4], ranks=4, nodes=2)

    def test_in_teams(self):
        self.expect_lines(self.pairs(self.WITHOUT_A_TEAM)[::3], how="team", ranks=3)
        self.expect_lines(self.pairs(self.WITHOUT_A_TEAM)[1::6], how="team", ranks=3, nodes=2)

    def test_while_a_barrier_is_under_way(self):
        self.expect_lines(self.pairs(("barrier", "halves"))[::4], how="notify", ranks=3)

    def test_a_rank_that_comes_late(self):
        self.expect_lines(self.pairs()[::8], how="late", ranks=3)

    def test_ranks_that_run_ahead(self):
        cases = [("finalize", "reduce0"), ("barrier", "gather0"), ("all_reduce", "reduce0")]
        self.expect_lines(cases, how="ahead", ranks=3)
        self.expect_lines(cases, how="ahead", ranks=3, nodes=3)

    def test_operators_that_throw(self):
        sentence = r"the operator of a collective threw std::runtime_error \(no such sum\)"
        for ranks, nodes in ((2, 1), (3, 1), (5, 1), (3, 2)):
            for where in ("all_reduce", "long_all_reduce", "reduce", "inclusive_scan"):
                with self.subTest(where, ranks=ranks, nodes=nodes):
                    result = run("collective_calls", "throws", where, ranks=ranks, nodes=nodes)
                    if where == "inclusive_scan" and result.returncode == 0:
                        continue  # rank 0 has nothing to combine on this way
                    self.assertEqual(result.returncode, ABORTED, result.stderr)
                    self.assertRegex(result.stderr, f"(?m)^ramjet: rank 0: {sentence}")
        result = run("collective_calls", "throws", "all_reduce_int", ranks=3)
        self.assertEqual(result.returncode, ABORTED, result.stderr)
        self.assertRegex(result.stderr, "rank 0: the operator of a collective threw int; it may")
        result = run("collective_calls", "throws", "exclusive_scan", ranks=3)
        self.assertEqual(result.returncode, ABORTED, result.stderr)
        self.assertRegex(result.stderr, r"rank [12]: .* threw std::logic_error \(seven\); it may")


class Outside(Case):
    """Calls where there is no job, none any more, or none for this process or thread."""

    def expect(self, what, sentence, status=ABORTED, **where):
        with self.subTest(what, **where):
            result = run("outside_job", what, **where)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertRegex(result.stderr, f"(?m)^ramjet.*: {sentence}")

    def test_before_init(self):
        for call in ("rank", "size", "nodes", "node_of"):
            self.expect(f"{call}_before_init",
                        rf"{call}\(\) outside a job: call ramjet::init first")

    def test_after_finalize(self):
        for call, name in (("rank()", "rank"), ("size()", "size"), ("request", "request"),
                           ("poll", "poll"), ("a collective", "barrier"),
                           ("endpoint", "endpoint")):
            self.expect(f"{name}_after_finalize",
                        f"{call.replace('()', '[(][)]')} after finalize: this process has left")
        self.expect("finalize_twice", "finalize was called twice")
        result = run("outside_job", "init_after_finalize")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("init after finalize: a process joins a job once", result.stdout)

    def test_forked_children(self):
        for what in ("sends", "polls", "waits", "barrier", "rank", "calls", "reads", "reads_on",
                     "writes_on", "finalizes", "opens"):
            with self.subTest(what):
                result = run("outside_job", f"child_{what}")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stdout.count("its child was aborted"), 2, result.stdout)
                self.assertEqual(len(result.stderr.splitlines()), 2, result.stderr)
                self.assertRegex(result.stderr,
                                 "in a child that a rank forked: it is not a rank of")
        result = run("outside_job", "child_exits")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.count("its child exited with 0"), 2, result.stdout)

    def test_threads_without_an_endpoint(self):
        thread = "by a thread without an endpoint: make a ramjet::endpoint in it first"
        self.expect("call_in_a_thread", f"call {thread}")
        self.expect("barrier_in_a_thread", f"a collective {thread}")
        worker = "at a worker without an endpoint: bind the user-level thread to the worker of"
        self.expect("call_at_second_worker", f"call {worker}")
        self.expect("request_at_second_worker", f"request {worker}")
        self.expect("poll_at_second_worker", f"poll {worker}")
        self.expect("barrier_at_second_worker", f"a collective {worker}")
        self.expect("finalize_in_a_thread", "finalize is for the thread that called init")

    def test_closed_endpoints(self):
        closed = r"request to rank \d+, endpoint 1, which is closed: nobody may send to it any more"
        self.expect("closed_endpoint", closed)
        self.expect("closed_endpoint", closed, ranks=1)
        self.expect("try_closed_endpoint", closed)
        self.expect("chain_to_closed_endpoint", closed)
        self.expect("ahead_of_closed_endpoint", closed)
        self.expect("ahead_of_closed_endpoint", closed, ranks=2, nodes=2)
        self.expect("endpoint_closed_later", closed)
        self.expect("endpoint_closed_later", closed, ranks=2, nodes=2)
        self.expect("open_endpoint_at_the_end", "finalize while endpoint 1 of this rank is open: "
                                                "its ramjet::endpoint goes first")
        self.expect("unopened_endpoint", r"finalize: 1 messages to endpoint 1 of rank \d+ are "
                                         "lost: it was never opened")
        self.expect("unopened_endpoint_of_a_thread",
                    r"finalize: 1 messages to endpoint 2 of rank \d+ are lost: it was never opened")

    def test_closed_endpoints_of_other_machines(self):
        """The way to them is made by the first message: it may be noticed at the end."""
        lost = (r"(request to rank \d+, endpoint 1, which is closed: nobody may send to it any "
                r"more|finalize: messages to endpoint 1 of rank \d+ are lost: it is closed, or)")
        for what, network in itertools.product(
                ("closed_endpoint", "try_closed_endpoint", "chain_to_closed_endpoint",
                 "flood_closed_endpoint", "flood_of_chains_to_closed_endpoint",
                 "unopened_endpoint"), ("tcp", "ofi")):
            self.expect(what, rf"({lost}|finalize: messages of rank \d+ to endpoint 1 of this rank "
                              "are lost: it was never opened)", nodes=2, network=network)
        self.expect("closed_endpoint_of_a_thread", self.CLOSED.replace("1", "2"), nodes=2)
        self.expect("closed_endpoint_of_a_thread", self.CLOSED.replace("1", "2"), nodes=2,
                    network="ofi")

    CLOSED = r"request to rank \d+, endpoint 1, which is closed: nobody may send to it any more"
    NEVER_OPENED = (r"finalize: messages of rank (\d+) to endpoint 2 of this rank are lost: it was "
                    r"never opened")

    def test_endpoints_of_other_machines_that_nobody_opens(self):
        """The sender's endpoint closes without them; the rank that did not open names the loss."""
        for network in ("tcp", "ofi"):
            for channel in ("shm", "faulty:7"):
                self.expect("unopened_endpoint_of_a_thread", self.NEVER_OPENED, nodes=2,
                            network=network, channel=channel)
            with self.subTest(network):
                result = run("outside_job", "unopened_endpoints_of_a_thread", ranks=5, nodes=5,
                             network=network, on_failure="continue")
                self.assertEqual(result.returncode, 0, result.stderr)
                found = re.findall(f"(?m)^ramjet: rank (\\d+): {self.NEVER_OPENED}$", result.stderr)
                pairs = [(str(a), str(b)) for a in range(5) for b in range(5) if a != b]
                self.assertEqual(sorted(found), pairs, result.stderr)

    def test_endpoints_that_nobody_opens_through_a_channel_that_delays(self):
        result = run("outside_job", "unopened_endpoints", ranks=8, nodes=8, on_failure="continue",
                     channel="faulty:7")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = re.findall(r"(?m)^ramjet: rank \d+: finalize: messages to endpoint 1 of rank \d+ "
                           "are lost: it is closed, or was never opened$", result.stderr)
        self.assertEqual(len(lines), 8 * 7, result.stderr)

    def test_an_endpoint_that_nobody_opens_after_a_death(self):
        for network in ("tcp", "ofi"):
            with self.subTest(network):
                result = run("outside_job", "unopened_endpoint_after_a_death", ranks=3, nodes=3,
                             network=network, on_failure="continue")
                self.assertRegex(result.stderr, r"rank 2 .*was killed by signal 9")
                self.assertNotRegex(result.stderr, "did not end within|are lost|which is closed")

    def test_closed_endpoints_of_other_machines_where_the_job_goes_on(self):
        """There is a line, once for each receiver, whatever else is sent to it."""
        left = r"finalize: messages to endpoint 1 of rank \d+ are lost: it is closed, or was never"
        for what, sentence in (
                ("closed_endpoint", left), ("unopened_endpoint", left),
                ("endpoint_closed_later", self.CLOSED),
                ("closed_endpoint_of_a_thread", self.CLOSED.replace("1", "2")),
                ("flood_closed_endpoint", f"({self.CLOSED}|{left})"),
                ("flood_of_chains_to_closed_endpoint", f"({self.CLOSED}|{left})")):
            for network in ("tcp", "ofi"):
                with self.subTest(what, network=network):
                    result = run("outside_job", what, nodes=2, network=network,
                                 on_failure="continue")
                    self.assertEqual(result.returncode, 0, result.stderr)
                    found = re.findall(f"(?m)^ramjet: (rank \\d+): {sentence}", result.stderr)
                    senders = 1 if what.startswith("flood") else 2
                    self.assertEqual(len(found), senders, result.stderr)


if __name__ == "__main__":
    main()
