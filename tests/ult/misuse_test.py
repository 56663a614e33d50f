#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the library of user-level threads says of broken contracts, deadlocks, overflowed stacks,
and of itself when it is asked.

    misuse_test.py PROGRAM [unittest arguments]
"""

import os
import re
import select
import signal
import subprocess
import sys
import time
import unittest

# The program, behind an emulator's words where there is one: a CMake list.
PROGRAM = [word for word in sys.argv.pop(1).split(";") if word]
PATIENCE_S = 60
ABORTED = -signal.SIGABRT
SANITIZED = "RAMJET_SANITIZED" in os.environ


def run(name, **environment):
    return subprocess.run([*PROGRAM, name], capture_output=True, text=True, timeout=PATIENCE_S,
                          stdin=subprocess.DEVNULL, check=False,
                          env={**os.environ, **environment})


class Misuse(unittest.TestCase):
    """One clear sentence, and the end."""

    def expect(self, name, sentence, status=ABORTED):
        with self.subTest(name):
            result = run(name)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertRegex(result.stderr, f"(?m)^ramjet: .*{sentence}")

    def test_scheduler(self):
        self.expect("start_twice", "ult::start: workers run already")
        self.expect("start_late", "ult::start: threads are alive")
        self.expect("stop_elsewhere", "ult::stop belongs to thread 1")
        self.expect("spawn_outside", "ult::spawn: this system thread is not a worker")
        self.expect("wait_outside", "a wait for a condition: this system thread is not a worker")
        self.expect("start_in_a_test", "a condition's test may not start workers")
        self.expect("loop_below_zero", "parallel_for: a bound below 0 of a loop whose index has no")
        self.expect("wait_in_a_test", "a condition's test may not wait .for a semaphore.")

    def test_locks(self):
        self.expect("lock_twice", "mutex: this thread holds it already")
        self.expect("unlock_free", "mutex: unlock by a thread that does not hold it")
        self.expect("unlock_anothers", "mutex: unlock by a thread that does not hold it")
        self.expect("unlock_unowned_free", "unowned_mutex: unlock of a mutex that is free")
        self.expect("unlock_recursive_free", "recursive_mutex::unlock by a thread that does not")
        self.expect("unlock_shared_free", "shared_mutex: unlock by a thread that does not hold")
        self.expect("wait_without_mutex", "condition_variable: the mutex is not held")
        self.expect("latch_below_zero", "latch: counted down below 0")
        self.expect("latch_below_zero_at_first", "a latch counts down from 0 or more")
        self.expect("barrier_of_nobody", "a barrier is of at least one thread")
        self.expect("barrier_after_all_dropped", "barrier: all of its threads have dropped out")
        self.expect("channel_of_nothing", "a channel holds at least one value")

    def test_threads(self):
        self.expect("null_name", "set_name: the name is null")
        self.expect("join_nobody", "join of no thread")
        self.expect("join_itself", "a thread may not join itself")
        self.expect("no_such_worker", "attributes::worker: there is no such worker")
        self.expect("bind_nowhere", "bind: there is no such worker")
        self.expect("bind_main", "bind: thread 1 stays at worker 0")
        self.expect("huge_stack", "a thread's stack is at most 1 GiB")
        self.expect("throw_detached", r"an exception left the detached thread \d+ lost")

    def test_c(self):
        self.expect("c_spawn_without_words", "ramjet_ult_spawn: the words are null")
        self.expect("c_join_null", "join of no thread")
        self.expect("c_detach_null", "detach of no thread")
        self.expect("c_cancel_null", "cancel of no thread")
        self.expect("c_null_test", "ramjet_ult_wait_test: the test is null")
        self.expect("c_null_variable", "ramjet_ult_wait: the variable is null")
        self.expect("c_null_loop", "ramjet_ult_parallel_for: no function")
        for name in ("c_null_mutex", "c_null_barrier"):
            self.expect(name, "a mutex, semaphore, condition, barrier or lock is null")
        self.expect("c_no_such_worker", "attributes::worker: there is no such worker")

    def test_no_misuse(self):
        result = run("lock_first")
        self.assertEqual((result.returncode, result.stdout), (0, "done\n"), result.stderr)

    def test_pages(self):
        self.expect("large_pages", "pages of 4 KiB are needed, and this kernel's have 64 KiB",
                    status=1)

    def test_environment(self):
        self.assertEqual(run("environment", RAMJET_ULT_WORKERS="3").stdout, "3 workers\n")
        result = run("environment", RAMJET_ULT_WORKERS="some")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, 'RAMJET_ULT_WORKERS is "some"; it takes a whole number')

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one processor")
    def test_a_mask_of_the_programs_own_choice(self):
        first = min(os.sched_getaffinity(0))
        result = run("own_mask")
        self.assertEqual(result.stdout, f"0: {first}\n1: {first}\n", result.stderr)
        spare = sorted(os.sched_getaffinity(0))[1:]
        result = run("bound_before")
        self.assertEqual(result.stdout, f"0: {first}\n1: {' '.join(map(str, spare))}\n",
                         result.stderr)

    def test_more_processors_than_workers(self):
        result = run("many_processors")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^([1-9]|\d\d|1\d\d|2[0-4]\d|25[0-6]) workers$")


class Deadlock(unittest.TestCase):

    def expect_cycle(self, name):
        result = run(name)
        self.assertEqual(result.returncode, ABORTED, result.stderr)
        at = dict(re.findall(r"(\w+) (0x[0-9a-f]+)", result.stdout))
        ids = dict(re.findall(r"(\w+) (\d+)(?!x)\b", result.stdout.splitlines()[1]))
        said = result.stderr
        self.assertRegex(said, "(?m)^ramjet: deadlock: each of the 3 threads waits for another ")
        for who, other, where in (("alice", "bob", "second"), ("bob", "alice", "first")):
            self.assertRegex(said, rf"(?m)^  thread {ids[who]} '{who}' at worker \d waits for a "
                                   rf"mutex at {at[where]}, held by thread {ids[other]}$")
        self.assertRegex(said, rf"(?m)^  thread 1 'main' at worker 0 waits for a thread at "
                               rf"0x[0-9a-f]+, held by thread {ids['alice']}$")

    def test_cycle(self):
        self.expect_cycle("deadlock")

    def test_cycle_of_workers(self):
        self.expect_cycle("deadlock_of_workers")

    def test_alone(self):
        for name in ("self_deadlock", "deadlock_after_stop"):
            result = run(name)
            self.assertEqual(result.returncode, ABORTED, result.stderr)
            self.assertRegex(result.stderr, "thread 1 'main' at worker 0 waits for a semaphore")

    def test_lent_stack(self):
        result = run("deadlock_on_a_lent_stack")
        self.assertEqual(result.returncode, ABORTED, result.stderr)
        self.assertRegex(result.stderr, "'below' at worker 0 waits for a thread at 0x")
        self.assertRegex(result.stderr, "'above' at worker 0 waits for a semaphore at 0x")

    def test_lender_holds(self):
        said = run("deadlock_with_a_lender").stderr
        below = re.search(r"(?m)^  thread (\d+) 'below' at worker 0 waits for a thread at 0x", said)
        self.assertTrue(below, said)
        self.assertRegex(said, r"(?m)^  thread \d+ 'above' at worker 0 waits for a mutex at 0x\w+, "
                               rf"held by thread {below.group(1)}$")

    def test_none(self):
        result = run("no_deadlock")
        self.assertEqual((result.returncode, result.stdout), (0, "done\n"), result.stderr)


class Overflow(unittest.TestCase):

    def test_overflow(self):
        for name, who, size in (("overflow", "deep", range(100, 129)),
                                ("overflow_at_worker_1", "far", range(100, 129)),
                                ("overflow_in_steps", "steps", range(100, 129)),
                                ("overflow_by_a_leap", "leaps", range(100, 129))):
            with self.subTest(name):
                result = run(name)
                self.assertNotEqual(result.returncode, 0)
                said = re.search(rf"(?m)^ramjet: thread \d+ '{who}' has overflowed its stack of "
                                 rf"(\d+) KiB; give it more", result.stderr)
                self.assertTrue(said, result.stderr)
                self.assertIn(int(said[1]), size)

    def test_other_fault(self):
        result = run("other_fault")
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("ramjet", result.stderr.replace(PROGRAM[-1], ""))


class Segv(unittest.TestCase):
    """SIGSEGV does what it did before the library took it."""

    def expect_end(self, name, said=""):
        with self.subTest(name):
            result = run(name)
            self.assertEqual(result.returncode, -signal.SIGSEGV, result.stderr)
            self.assertEqual(result.stdout, said)

    def test_sent(self):
        if SANITIZED:  # whose run-time ends the process in its own way
            self.skipTest("the sanitizer's handler was there before")
        for name in ("sent_segv", "sent_segv_in_a_thread", "sent_segv_at_worker_1",
                     "fault_while_ignored"):
            self.expect_end(name)
        self.expect_end("sent_segv_to_a_handler_once", "1 seen\n")

    def test_sent_elsewhere(self):
        for name, said in (("sent_segv_to_a_handler", "3 seen\n"),
                           ("sent_segv_ignored", "survived\n" * 2),
                           ("recover_from_faults", "3 recovered\n")):
            with self.subTest(name):
                result = run(name)
                self.assertEqual((result.returncode, result.stdout), (0, said), result.stderr)

    def test_overflow(self):
        result = run("overflow_with_a_handler")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertRegex(result.stderr, "(?m)^ramjet: thread .* 'deep' has overflowed its stack")


def said_within(seconds, file):
    said, end = b"", time.monotonic() + seconds
    while select.select([file], [], [], max(0, end - time.monotonic()))[0]:
        part = os.read(file.fileno(), 65536)
        if not part:
            break
        said += part
    return said.decode()


class Dump(unittest.TestCase):

    LINES = [re.compile(f"(?m)^{line}$") for line in (
        "ramjet: user-level threads:",
        "  thread 1 'main' at worker 0 waits for a condition",
        r"  thread \d+ 'locker' at worker \d waits for a mutex at 0x\w+, held by thread 1",
        r"  thread \d+ 'taker' at worker \d waits for a semaphore at 0x\w+",
        r"  thread \d+ 'poller' at worker \d waits for a condition",
        r"  thread \d+ 'joiner' at worker \d waits for a thread at 0x\w+, held by thread \d+")]

    def test_dump(self):
        with subprocess.Popen([*PROGRAM, "look"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as program:
            try:
                self.assertEqual(program.stdout.readline(), "ready\n")
                said = ""
                for _ in range(50):  # until all of them wait: there are fewer lines before
                    program.send_signal(signal.SIGUSR1)
                    said += said_within(0.1, program.stderr)
                    if all(line.search(said) for line in self.LINES):
                        break
                self.assertIsNone(program.poll())
            finally:
                program.kill()
        for line in self.LINES:
            self.assertRegex(said, line)

    def test_dump_while_threads_end(self):
        result = run("look_while_threads_end")
        self.assertEqual((result.returncode, result.stdout), (0, "done\n"), result.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
