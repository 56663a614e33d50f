#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Misuse and hostile surroundings: every one ends in one clear sentence, or does no harm.

    misuse_test.py RAMJET MISUSE OTHER_PROGRAM [unittest arguments]
"""

import os
import subprocess
import sys

OTHER = os.path.abspath(sys.argv.pop(3))

from driver import (PATIENCE_S, RAMJET, VICTIM, Case, is_sanitized, limited,  # noqa: E402
                    main, run)

ABORTED = 134
SETUP = 70


def alone(*words, **environment):
    return subprocess.run([VICTIM, *words], capture_output=True, text=True, timeout=PATIENCE_S,
                          stdin=subprocess.DEVNULL, check=False,
                          env={**os.environ, **environment})


class Contract(Case):
    """A broken contract aborts, and one line says which."""

    def expect(self, what, sentence, status=ABORTED, ranks=2, nodes=1, **environment):
        with self.subTest(what):
            pairs = [word for k, v in environment.items() for word in ("--env", f"{k}={v}")]
            result = run("-n", ranks, "--nodes", nodes, "--timeout", 10, *pairs, VICTIM, what)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertRegex(result.stderr, rf"(?m)^ramjet: rank \d+: .*{sentence}")
            for line in result.stderr.splitlines():
                self.assertRegex(line, "^ramjet: ")

    def test_handlers(self):
        self.expect("request_in_handler",
                    "a handler may not send a request; it can reply, or chain")
        self.expect("poll_in_handler", "a handler may not poll or wait")
        self.expect("wait_in_handler", "a handler may not poll or wait")
        self.expect("barrier_in_handler", "a handler may not enter a collective")
        self.expect("quiesce_in_handler", "a handler may not enter a collective|may not poll")
        self.expect("finalize_in_handler", "finalize inside a handler")
        self.expect("reply_twice", "a request is replied to at most once")
        self.expect("endpoint_in_handler", "a handler may not open an endpoint")
        self.expect("start_in_handler", "a handler or a condition's test may not start workers")
        self.expect("stop_in_handler", "a handler or a condition's test may not stop workers")
        self.expect("large_reply", r"65537 bytes are over medium_bytes_max \(65536\)")

    def test_addresses_and_sizes(self):
        self.expect("wrong_rank", "request<.*on_nothing>: there is no rank 99, endpoint 0: the "
                                  "ranks are 0 to 1,")
        self.expect("negative_rank", "there is no rank -1, endpoint 0: the ranks are 0 to 1,")
        self.expect("wrong_endpoint", "there is no rank 0, endpoint 5: .* endpoints 0 to 1 "
                                      ".options::endpoints.")
        self.expect("oversized", r"70000 bytes are over medium_bytes_max \(65536\)")
        self.expect("wild_address", "4 bytes there do not lie in that rank's segment")
        for what in ("null_payload", "null_data", "null_reply"):
            self.expect(what, "a message's payload or data is null, and its length is not 0")
        self.expect("wrong_root", "broadcast: the root is not a member")
        self.expect("lengths_disagree", "ranks disagree about a collective's length")
        self.expect("chain_limit", "chained messages fill RAMJET_CHAIN_LIMIT .262144 bytes.",
                    SETUP, RAMJET_CHAIN_LIMIT="256K")
        for what in ("long_replies_without_end", "puts_without_end"):
            self.expect(what, "what handlers write to other nodes fills RAMJET_CHAIN_LIMIT "
                              ".1048576 bytes.", SETUP, nodes=2, RAMJET_CHAIN_LIMIT="1M")

    def test_late_replies(self):
        for what in ("late_reply", "late_reply_in_handler", "late_reply_in_thread"):
            self.expect(what, "the request_token of .*on_question.*, which rank 0 requested"
                              ", was used after its handler had returned: reply inside")
        self.expect("late_reply_in_c", "a token was used after its handler had returned")

    def test_threads_that_do_not_answer(self):
        for what, who in (("dropped_token", "on_dropped"),
                          ("moved_token_dropped", "on_moved_and_dropped"),
                          ("token_dropped_by_an_exception", "on_dropped_by_a_caught_exception"),
                          ("token_dropped_by_a_coroutine", "on_dropped_by_a_coroutine")):
            self.expect(what, f"the thread of .*{who}, which rank 0 requested, dropped its "
                              "thread_token.* without a reply: the requester would wait for ever")
        for what, who in (("throwing_thread", "on_throwing"), ("throwing_call", "throws")):
            self.expect(what, f"the thread of .*{who}, which rank 0 requested threw "
                              r"std::runtime_error \(lost\); it may not throw")

    def test_arguments(self):
        self.expect("too_large_for_a_short", "an argument's value does not fit the narrower int")
        self.expect("no_flag", "an argument is neither 0 nor 1, and sent as a bool")

    def test_long_messages(self):
        for what in ("long_to_local", "c_long_to_local"):
            self.expect(what, r"4 bytes there do not lie in that rank's segment .*local\(\) of a "
                              "global pointer gives, .* pass the global pointer itself")
        self.expect("long_to_another_rank", "4 bytes there do not lie in that rank's segment")

    def test_collectives(self):
        for ranks in (2, 3, 5, 33):  # other ways for more ranks, and where they outnumber cores
            for what in ("lengths_disagree_short", "lengths_disagree_long"):
                self.expect(what, "ranks disagree about a collective's length", ranks=ranks)
            self.expect("different_collectives", "ranks call different collectives of one team, or "
                                                 "in another order", ranks=ranks)
        self.expect("counts_disagree", "all_gather: the result's length is not that of all")
        self.expect("empty_team", "a collective of an empty team: this rank is not a member")
        self.expect("no_member", "world_rank: no such member of the team")
        self.expect("team_of_another_endpoint", "a team is used by the endpoint that split it off")
        self.expect("notify_twice", "a barrier of this team is under way: barrier_wait comes first")
        for what in ("wait_without_notify", "try_without_notify"):
            self.expect(what, "barrier_wait or barrier_try without barrier_notify")

    def test_agendas(self):
        self.expect("agenda_without_granularity", "run_agenda: the granularity is at least 1")
        self.expect("agenda_of_nobody", "run_agenda: no rank does any work: the concurrency is 0 "
                                        "everywhere")
        self.expect("agendas_disagree", "run_agenda: the ranks do not agree on the number of items")
        self.expect("agenda_of_no_rank", "run_agenda: the master is not a rank")
        self.expect("agenda_in_an_agenda", "run_agenda inside an agenda's work")

    def test_global_pointers(self):
        self.expect("read_no_rank", "read: there is no rank 2: the ranks are 0 to 1")
        self.expect("write_negative_rank", "write: there is no rank 65535: the ranks are 0 to 1")
        self.expect("get_null", r"get through a null pointer \(of rank 0\)")
        self.expect("put_null", r"put through a null pointer \(of rank 1\)")
        self.expect("assign_null", "write through a null pointer")
        self.expect("read_wild", "read: address 0x[0-9a-f]+ is not in the segment of rank 1")
        self.expect("read_before_segment", "read: address .* is not in the segment of rank 1")
        self.expect("element_before_segment", "read: address .* is not in the segment of rank 1")
        self.expect("element_behind_segment", "write: address .* is not in the segment of rank 0")
        self.expect("element_of_null", "write: address 0xc is not in the segment of rank 0")
        self.expect("store_behind_segment", "store: address .* is not in the segment of rank 0")
        self.expect("read_across_end", "read: 8 bytes from .* past the end of the segment of rank "
                                       "0, which has 4 more")
        self.expect("odd_counter",
                    "fetch_add: address 0x[0-9a-f]+ at rank 1 is not a multiple of 4")
        self.expect("atomic_no_rank", "compare_swap: there is no rank 1000")

    def test_bulk(self):
        self.expect("bulk_past_end", "bulk_write: 100 bytes from .* past the end of the segment "
                                     "of rank 1, which has 40 more")
        self.expect("bulk_of_everything", "bulk_get: 4611686018427387904 bytes from .* past the "
                                          "end of the segment of rank 1")
        self.expect("rectangle_past_end", "bulk_put: [0-9]+ bytes from .* past the end")
        self.expect("rows_overlap", "a rectangle's rows overlap at their target")
        self.expect("null_array", "this spread_array is null")
        self.expect("endless_rectangle", "bulk_read: 18446744073709551615 bytes from .* past")
        self.expect("store_sync_in_handler", "a handler may not wait for stores")

    def test_bulk_from_and_to_no_memory(self):
        null = "the pointer to this rank's memory is null"
        for nodes in (1, 2):
            for call in ("read", "write", "get", "put", "get_future", "put_future"):
                self.expect(f"bulk_{call}_null", f"bulk_{call}: {null}", nodes=nodes)
            self.expect("rectangle_to_null", f"bulk_read: {null}", nodes=nodes)
            self.expect("rectangle_of_null", f"bulk_write: {null}", nodes=nodes)
            self.expect("bulk_get_member_of_null",
                        "bulk_get: there is no memory at 0x10 of this rank", nodes=nodes)

    def test_symmetric_memory(self):
        self.expect("sizes_disagree", "all_spread_malloc: the ranks ask for different sizes")
        self.expect("stacks_disagree", "all_spread_malloc: the ranks' symmetric stacks or heaps")
        self.expect("spread_free_of_nothing", "all_spread_free: not what all_spread_malloc")
        self.expect("frames_out_of_order", "spread_frame: frames end in the order opposite")
        self.expect("huge_frame", "spread_frame: the symmetric part .* is used up")
        self.expect("frame_without_room", "a spread_frame needs memory that segment_allocate has "
                                          "given out")
        self.expect("array_out_of_bounds", "spread_array: a subscript is out of bounds")

    def test_locks(self):
        self.expect("lock_in_handler", "a handler may not wait for a lock")
        self.expect("lock_twice", "global_mutex: this endpoint holds the lock already")
        self.expect("lock_by_two_threads",
                    "global_mutex: another thread of this endpoint waits for the lock already")
        self.expect("unlock_of_others", "global_mutex: this endpoint does not hold the lock")
        self.expect("destroy_while_held", "global_mutex: a lock that is held cannot be destroyed")
        self.expect("no_lock", "lock through a null pointer")
        self.expect("no_lock_there", "global_mutex: this memory is not a lock")
        self.expect("odd_lock", "lock: address 0x[0-9a-f]+ at rank 1 is not a multiple of 64")

    def test_procedures_and_signals(self):
        self.expect("procedure_in_handler", "a handler may not send a request")
        self.expect("procedure_at_null", "call_atomic through a null pointer")
        self.expect("procedure_at_odd",
                    "call_atomic: address 0x[0-9a-f]+ at rank 1 is not a multiple")
        self.expect("endless_store_sync", "store_sync: more bytes than can ever be stored")
        self.expect("sync_in_handler", "a handler may not wait for atomic procedures")
        self.expect("signal_elsewhere", "wait_signal: the counter is another rank's")
        self.expect("bulk_request_past_end", "bulk_put_request: 100 bytes from .* past the end")

    def test_containers(self):
        self.expect("index_out_of_bounds", "block_array: an index is out of bounds")
        self.expect("huge_blocks", "spread_array: a block is too large")
        self.expect("empty_blocks", "block_array: a block has at least one element")
        self.expect("queue_without_room", r"work_queue: the capacity is from 1 to 2\^32 items")
        self.expect("queue_of_no_rank", "work_queue: there is no such rank")
        self.expect("null_queue", "this work_queue is null")
        self.expect("push_after_the_end", "work_queue: a push when this rank holds no unfinished")
        self.expect("finish_of_nothing", "work_queue: finish is for an item that try_pop or try_t")
        self.expect("restart_too_early", "work_queue: all_restart before next has said that all")
        self.expect("null_table", "this hash_table is null")
        self.expect("different_tables", "hash_table: the ranks make different tables")
        self.expect("freed_table", "a message names a hash_table that is not there")
        self.expect("owners_disagree", "hash_table: a key's hash differs between processes")
        self.expect("update_in_a_walk", "hash_table: a message to a table is handled while")

    def test_segments(self):
        self.expect("foreign_free", "the memory is not of this rank's segment")
        for what in ("free_of_nothing", "free_inside_a_block", "free_twice"):
            self.expect(what, "segment_free: segment_allocate has not returned this address, or it "
                              "was given back before")
        self.expect("huge_array", "the segment is used up|larger than the segment")
        self.expect("odd_alignment", "the alignment is not a power of two")
        self.expect("no_such_segment", "no such rank")

    def test_endpoints(self):
        self.expect("without_endpoint", "request by a thread without an endpoint: make a ramjet::")
        self.expect("taken_endpoint", "this endpoint index is open or was used before")
        self.expect("endpoint_again", "this endpoint index is open or was used before")
        self.expect("poll_without_endpoint", "poll by a thread without an endpoint: make a ramjet")
        self.expect("flush_without_endpoint", "flush by a thread without an endpoint: make a ramj")
        self.expect("close_in_the_order_of_opening", "an endpoint is closed in the thread that "
                    "opened it, before those opened earlier", MISUSE_ENDPOINTS="3")
        self.expect("close_elsewhere", "an endpoint is closed in the thread that opened it")
        self.expect("invalid_future", "this future refers to no call")
        self.expect("outside_endpoint", "endpoints go from 1 to")
        self.expect("main_endpoint", "endpoints go from 1 to")

    def test_before_init(self):
        for what, sentence in (("request_before_init", "outside a job: call ramjet::init first"),
                               ("poll_before_init", "poll outside a job"),
                               ("flush_before_init", "flush outside a job: call ramjet::init"),
                               ("wait_before_init", "wait_until outside a job"),
                               ("barrier_before_init", "a collective outside a job: call ramjet"),
                               ("endpoint_before_init", "endpoint outside a job: call ramjet::in"),
                               ("allocate_before_init", "ramjet::init comes first"),
                               ("read_before_init", "read outside a job"),
                               ("null_before_init", "write outside a job"),
                               ("spread_malloc_before_init", "outside a job: call ramjet"),
                               ("frame_before_init", "outside a job: call ramjet"),
                               ("all_store_sync_before_init", "belongs to a job's main thread"),
                               ("finalize_before_init", "finalize without init")):
            with self.subTest(what):
                result = alone(what)
                self.assertEqual(result.returncode, -6, result.stderr)
                self.assertRegex(result.stderr.splitlines()[0], f"^ramjet: .*{sentence}")

    def test_init_twice_is_a_status(self):
        result = run("-n", 1, VICTIM, "init_twice")
        self.assertEqual((result.returncode, result.stdout),
                         (0, "refused: init was called twice\n"), result.stderr)


class Program(Case):
    """Ranks that do not belong together, and programs that use no Ramjet."""

    def test_different_programs(self):
        for nodes in (1, 3):
            with self.subTest(nodes=nodes):
                result = run("-n", 3, "--nodes", nodes, "--timeout", 10, "--env",
                             "MISUSE_ENDPOINTS=1", "sh", "-c",
                             f'[ "$RAMJET_RANK" = 1 ] && exec {OTHER}; exec {VICTIM}')
                self.assertEqual(result.returncode, SETUP, result.stderr)
                self.assertRegex(result.stderr, r"rank [012] runs a different program \(its "
                                                r"handlers, or its mode of progress, are not ")

    def test_different_options(self):
        for nodes in (1, 2):
            with self.subTest(nodes=nodes):
                result = run("-n", 2, "--nodes", nodes, "--timeout", 10, "sh", "-c",
                             f"MISUSE_ENDPOINTS=$((2 + RAMJET_RANK)) exec {VICTIM}")
                self.assertEqual(result.returncode, SETUP, result.stderr)
                self.assertIn("different numbers of endpoints", result.stderr)

    def test_different_modes_of_progress(self):
        mode = "[ $RAMJET_RANK = 1 ] && export RAMJET_PROGRESS=coproc; "
        as_many = "MISUSE_ENDPOINTS=$((3 - RAMJET_RANK))"  # endpoints in all, with a co-processor's
        for endpoints in ("", as_many):
            with self.subTest(endpoints):
                result = run("-n", 2, "--timeout", 10, "sh", "-c",
                             f"{mode} {endpoints} exec {VICTIM}")
                self.assertEqual(result.returncode, SETUP, result.stderr)
                self.assertIn("its mode of progress, are not those of rank", result.stderr)
                self.assertIn("with one RAMJET_PROGRESS", result.stderr)

    def test_no_ramjet_program(self):
        result = run("-n", 2, "true")
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result.stderr, "ended without joining the job")

    def test_one_rank_twice(self):
        result = run("-n", 2, "--timeout", 10, "sh", "-c", f"{VICTIM} & {VICTIM}; wait")
        self.assertRegex(result.stderr, r"rank [01] has already joined as process \d+; a rank may "
                                        "start one Ramjet program only")

    def test_a_closed_descriptor(self):
        """Ranks find their job's memory by the launcher then; without that, they find no job."""
        closed = "eval exec $RAMJET_JOB_FD'>&-';"
        result = run("-n", 2, "--timeout", 10, "bash", "-c", f"{closed} exec {VICTIM}")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        result = run("-n", 2, "--timeout", 10, "bash", "-c",
                     f"{closed} unset RAMJET_LAUNCHER_PID; exec {VICTIM}")
        self.assertEqual(result.returncode, SETUP, result.stderr)
        self.assertIn("name no job", result.stderr)

    def test_started_by_another_launcher(self):
        for name, value, who in (("OMPI_COMM_WORLD_SIZE", "2", "mpirun"),
                                 ("PMIX_RANK", "0", "PMIx"),
                                 ("PMI_SIZE", "4", "PMI"), ("SLURM_STEP_NUM_TASKS", "8", "srun")):
            with self.subTest(name):
                result = alone(**{name: value})
                self.assertEqual(result.returncode, SETUP, result.stderr)
                self.assert_one_line(result.stderr, f"started by .*{who}.*ramjet run -n N PROGRAM")
        self.assertEqual(alone(OMPI_COMM_WORLD_SIZE="1").returncode, 0)

    def test_alone(self):
        result = alone()
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Surroundings(Case):
    """Limits and settings."""

    def test_no_descriptors_for_connections(self):
        result = run("-n", 2, "--nodes", 2, "--timeout", 40, VICTIM, "no_descriptors")
        self.assertEqual(result.returncode, SETUP, result.stderr)
        self.assertRegex(result.stderr, r"rank 1: cannot connect to other ranks: Too many open "
                                        r"files; \d\d files are open, and the limit is 64")

    def test_impossible_numbers_of_ranks(self):
        for ranks in ("0", "4096", "-1", "two"):
            with self.subTest(ranks):
                result = run("-n", ranks, VICTIM)
                self.assertEqual(result.returncode, 2)
                self.assert_one_line(result.stderr, "1 to 1024")

    def test_too_many_ports(self):
        result = run("-n", 17, "--timeout", 10, "--env", "MISUSE_ENDPOINTS=64", VICTIM)
        self.assertEqual(result.returncode, SETUP, result.stderr)
        self.assertIn("17 ranks x 64 endpoints is over 1024 ports", result.stderr)
        result = run("-n", 1, "--timeout", 10, "--env", "MISUSE_ENDPOINTS=65", VICTIM)
        self.assertEqual(result.returncode, SETUP, result.stderr)
        self.assertIn("it can be 1 to 64", result.stderr)

    def test_little_address_space(self):
        if is_sanitized(VICTIM):
            self.skipTest("a sanitizer's shadow memory needs more")
        result = limited("ulimit -v 500000", "-n", 2, "--timeout", 10, VICTIM)
        self.assertEqual(result.returncode, SETUP, result.stderr)
        self.assertRegex(result.stderr, "ulimit -v.*RAMJET_SEGMENT_BYTES")
        result = limited("ulimit -v 500000", "-n", 2, "--timeout", 10, "--env",
                         "RAMJET_SEGMENT_BYTES=64M", VICTIM)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_no_locked_memory(self):
        result = limited("ulimit -l 0", "-n", 2, VICTIM)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_small_dev_shm(self):
        script = 'mount -t tmpfs -o size=64M none /dev/shm && exec "$0" "$@"'
        inside = ["unshare", "-m", "sh", "-c", script]
        if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("a mount namespace is not permitted here")
        result = subprocess.run([*inside, RAMJET, "run", "-n", "16", VICTIM], capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_settings(self):
        for setting, sentence in (
                ("RAMJET_CHANNEL=tin-cans", "RAMJET_CHANNEL is .tin-cans.; it can be"),
                ("RAMJET_CHANNEL=faulty:", "RAMJET_CHANNEL is .faulty:.; it can be"),
                ("RAMJET_CHANNEL=faulty:seven", "RAMJET_CHANNEL is .faulty:seven.; it can be"),
                ("RAMJET_SEGMENT_BYTES=5T", "is over the [0-9]+ GiB that one rank can have"),
                ("RAMJET_SEGMENT_BYTES=16000000T", "segment|shared memory|RAMJET_SEGMENT_BYTES")):
            with self.subTest(setting):
                result = run("-n", 1, "--timeout", 10, "--env", setting, VICTIM)
                self.assertEqual(result.returncode, SETUP, result.stderr)
                self.assertRegex(result.stderr,
                                 f"ramjet: rank 0: .*{sentence}|ramjet: .*{sentence}")
        result = run("-n", 2, "--env", "RAMJET_CHAIN_LIMIT=2M", "--env", "RAMJET_SEGMENT_BYTES=1M",
                     VICTIM)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_numbers_are_judged_once_for_all_ranks(self):
        for setting, sentence in (
                ("RAMJET_CHAIN_LIMIT=12Q", "RAMJET_CHAIN_LIMIT is .12Q.; it takes a number"),
                ("RAMJET_CHAIN_LIMIT=-1", "RAMJET_CHAIN_LIMIT is .-1.; it takes a number"),
                ("RAMJET_SEGMENT_BYTES=20000000000G", "RAMJET_SEGMENT_BYTES is")):
            with self.subTest(setting):
                result = run("-n", 3, "--env", setting, VICTIM)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assert_one_line(result.stderr, f"^ramjet: {sentence}")
        bad = {**os.environ, "RAMJET_SEGMENT_BYTES": "bogus"}
        result = run("-n", 3, VICTIM, env=bad)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assert_one_line(result.stderr, "^ramjet: RAMJET_SEGMENT_BYTES is .bogus.")
        result = run("-n", 2, "--env", "RAMJET_SEGMENT_BYTES=1M", VICTIM, env=bad)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    main()
