#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Broken contracts of tasks, futures, and calls without an endpoint: each ends with one line.

    job_misuse_test.py RAMJET PROGRAM [unittest arguments]
"""

import os
import subprocess
import sys
import unittest

RAMJET = sys.argv.pop(1)
# The program, behind an emulator's words where there is one: a CMake list.
PROGRAM = [word for word in sys.argv.pop(1).split(";") if word]
SPEAKERS = "ramjet" if len(PROGRAM) == 1 else "ramjet|qemu"  # which says that the program aborts
LIMIT_S = 60
ABORTED = 134


def run(*words, ranks=2, options=()):
    return subprocess.run([RAMJET, "run", "-n", str(ranks), "--timeout", str(LIMIT_S), *options,
                           *PROGRAM, *words], capture_output=True, text=True, timeout=2 * LIMIT_S,
                          stdin=subprocess.DEVNULL, check=False)


class JobMisuse(unittest.TestCase):

    def expect(self, sentence, *words, ranks=2, options=()):
        with self.subTest(" ".join(words)):
            result = run(*words, ranks=ranks, options=options)
            self.assertEqual(result.returncode, ABORTED, result.stdout + result.stderr)
            self.assertRegex(result.stderr, rf"(?m)^ramjet: rank \d+: .*{sentence}")
            self.assertEqual(result.stdout, "")
            for line in result.stderr.splitlines():
                self.assertRegex(line, f"^({SPEAKERS}): ")

    def test_tasks(self):
        self.expect("one coroutine awaits a task", "two_await_one_task")
        self.expect("a task is awaited at the worker where it was started",
                    "await_at_another_worker")
        for name in ("get_twice", "get_after_await", "await_after_get"):
            self.expect("the result of a task is taken once", name)
        for name in ("get_of_a_moved_task", "ready_of_a_moved_task", "await_of_a_moved_task"):
            self.expect("this task refers to no coroutine", name, ranks=1)
        result = run("moved_task_is_not_valid", ranks=1)
        self.assertEqual((result.returncode, result.stdout), (0, "done\n"), result.stderr)

    def test_futures(self):
        for name in ("get", "wait", "ready", "then", "await", "ended"):
            self.expect("this future refers to no call", f"{name}_of_no_future", ranks=1)
        for name in ("future_in_another_thread", "future_in_another_thread_of_threads"):
            self.expect("the wait for a future by a thread without an endpoint", name)
        if "RAMJET_SANITIZED" not in os.environ:  # it is a race, too
            self.expect("the wait for a future at a worker without an endpoint",
                        "future_at_worker_1")
        self.expect("a future is waited for in the thread of its endpoint",
                    "future_at_another_endpoint")

    def test_calls_without_an_endpoint(self):
        names = {"barrier": "a collective", "quiesce": "a collective", "spawn_call": "call",
                 "spawn_request": "request", "coroutine": "call", "chain": "request",
                 "chain_medium": "request_medium"}
        for call in ("request", "request_medium", "request_long", "chain", "chain_medium", "call",
                     "spawn_call", "spawn_request", "poll", "wait_until", "wait_for", "barrier",
                     "quiesce", "coroutine"):
            said = names.get(call, call)
            self.expect(f"{said} by a thread without an endpoint: make a ramjet::endpoint",
                        "thread", call, ranks=1)
            self.expect(f"{said} at a worker without an endpoint: bind the user-level thread",
                        "worker", call, ranks=1)

    def test_calls_without_a_worker(self):
        calls = {"spawn": "ult::spawn", "task_group": "ult::task_group",
                 "worker": "ult::this_thread::worker", "set_name": "ult::this_thread::set_name",
                 "bind": "a wait for a move to another worker",
                 "sleep_for": "a wait for a condition", "semaphore": "a wait for a semaphore",
                 "latch": "a wait for a latch", "barrier": "a wait for a barrier",
                 "shared_mutex": "a wait for a shared mutex"}
        for call, said in calls.items():
            self.expect(f"{said}: the co-processor's system thread is not a worker; a coproc_safe "
                        "handler neither starts", "coprocessor", call, ranks=1,
                        options=["--progress=coproc"])
            self.expect(f"{said}: this system thread is not a worker; user-level threads run on",
                        "foreign", call, ranks=1)

    def test_calls_before_init(self):
        for call, said in (("request", "request"), ("call", "call"), ("poll", "poll"),
                           ("wait_until", "wait_until"), ("barrier", "a collective")):
            with self.subTest(call):
                result = run("outside", call, ranks=1)
                self.assertEqual(result.returncode, ABORTED, result.stderr)
                self.assertRegex(result.stderr,
                                 rf"(?m)^ramjet: {said} outside a job: call ramjet::init first")


if __name__ == "__main__":
    unittest.main()
