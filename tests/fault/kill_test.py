#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks and launchers are killed at random moments: what the others see, how soon, what is left.

    kill_test.py RAMJET RANK_THAT_DIES [unittest arguments]

RAMJET_KILLS         about how many kills in all (default 320)
RAMJET_KILL_SEED     of the random moments (default 1); printed
RAMJET_DEATH_MS_MAX  how late a survivor may learn of a death: the promise is 100 ms with a core
                     to run on; the default allows for far fewer cores than ranks. Time in which
                     some process waited for a processor does not count
"""

import os
import pathlib
import random
import re
import signal
import time

from driver import PATIENCE_S, VICTIM, Case, Stopwatch, main, start

KILLS = int(os.environ.get("RAMJET_KILLS", "320"))
SEED = int(os.environ.get("RAMJET_KILL_SEED", "1"))
LIMIT_MS = float(os.environ.get("RAMJET_DEATH_MS_MAX", "1000"))

PLACES = ("barrier", "call", "silent_call", "full_ring", "payloads", "items", "collective",
          "long_collective", "ahead", "team", "quiesce", "agenda_master", "agenda_worker", "asleep",
          "traffic", "access", "store_sync", "all_store", "allocation", "procedure", "lock",
          "signal", "work_queue", "out_of_work", "hash_table", "thread_calls", "thread_blocked",
          "thread_waits")
# How a rank dies, and the status that its job ends with.
DEATHS = {"9": 137, "11": 139, "15": 143, "exit3": 3, "exit0": 1}


def shared_objects():
    return {p.name for p in pathlib.Path("/dev/shm").iterdir() if "ramjet" in p.name}


def distribution(name, values):
    if not values:
        return
    values = sorted(values)
    at = [values[min(len(values) - 1, int(len(values) * q))] for q in (0, 0.5, 0.9, 0.99, 1)]
    print(f"{name}: {len(values)} values, ms: least {at[0]:.2f} median {at[1]:.2f} "
          f"90 % {at[2]:.2f} 99 % {at[3]:.2f} most {at[4]:.2f}", flush=True)


class Kill(Case):
    def setUp(self):
        super().setUp()
        self.random = random.Random(f"{SEED} {type(self).__name__}")
        print(f"{type(self).__name__}: RAMJET_KILL_SEED={SEED}", flush=True)
        self.objects = shared_objects()

    def run_job(self, *words):
        name, value = self.mark.split("=")  # in the launcher's environment: its own helpers count
        settings = {"TSAN_OPTIONS": "atexit_sleep_ms=0", **os.environ, name: value}
        return start("--timeout", 10, *words, env=settings)

    def finish(self, job):
        out, err = job.communicate(timeout=PATIENCE_S)
        ended = time.monotonic_ns()
        self.assert_gone()
        self.assertEqual(shared_objects(), self.objects)
        self.assertNotIn("Sanitizer:", err)
        return out, err, ended

    def plans(self, count):
        """`count` deaths: every place, death and rank in turn, at a random moment."""
        deaths = list(DEATHS)
        for i in range(count):
            ranks = 2 + (i + i // len(PLACES)) % 3
            yield (PLACES[i % len(PLACES)], deaths[i % len(deaths)], ranks,
                   i // 3 % ranks, self.random.randrange(20_000))

    def assert_soon(self, do, limit_ms=LIMIT_MS):
        """What do() returns is no longer than the limit, disturbances apart; returns it."""
        watch = Stopwatch()
        took = do()
        disturbed = watch.ms() - watch.undisturbed()
        self.assertLess(took - disturbed, limit_ms, f"{took:.0f} ms, {disturbed:.0f} of them "
                        "while the processors were taken")
        return took

    def assert_named(self, err, rank, death):
        how = {"9": "killed by signal 9", "11": "killed by signal 11", "15": "killed by signal 15",
               "exit3": "exited with status 3", "exit0": "left the job without finalize"}[death]
        self.assertRegex(err, rf"ramjet: rank {rank} \(pid \d+\) (was )?{how}")


class Abort(Kill):
    """The default policy: the job ends, at once, and says who died of what."""

    def test_deaths_end_the_job(self):
        took = []
        for place, death, ranks, rank, delay in self.plans(KILLS * 4 // 10):
            with self.subTest(place=place, death=death, ranks=ranks, rank=rank, delay_us=delay):
                took.append(self.assert_soon(
                    lambda plan=(place, death, ranks, rank, delay): self.die(*plan),
                    LIMIT_MS + 300))
        distribution("from a death to the end of the job", took)

    def die(self, place, death, ranks, rank, delay):
        job = self.run_job("-n", ranks, VICTIM, place, rank, death, delay)
        out, err, ended = self.finish(job)
        self.assertEqual(job.returncode, DEATHS[death], out + err)
        self.assert_named(err, rank, death)
        self.assertNotIn("survivor", out)
        return (ended - int(re.search(r"dead at (\d+)", out).group(1))) / 1e6


class Continue(Kill):
    """--on-failure=continue: every survivor gets an error that names the dead, and goes on."""

    def latest(self, job, rank, death, ranks, took):
        """How late the last survivor learnt of the death, in ms."""
        out, err, _ = self.finish(job)
        self.assertEqual(job.returncode, DEATHS[death], out + err)
        self.assert_named(err, rank, death)
        number = 0 if death.startswith("exit") else int(death)
        status = int(death[4:]) if death.startswith("exit") else 0
        for other in range(ranks):
            if other == rank:
                continue
            seen = re.search(rf"survivor {other}: status 2 lost {rank} signal {number} "
                             rf"exit {status} after (-?\d+) us", out)
            self.assertIsNotNone(seen, out + err)
            took.append(int(seen.group(1)) / 1000)
            self.assertGreaterEqual(took[-1], 0, out)
            self.assertIn(f"survivor {other}: talked", out, err)
        return max(took[1 - ranks:])

    def test_survivors_are_told_and_go_on(self):
        took = []
        for place, death, ranks, rank, delay in self.plans(KILLS * 4 // 10):
            with self.subTest(place=place, death=death, ranks=ranks, rank=rank, delay_us=delay):
                words = ("-n", ranks, "--on-failure=continue", VICTIM, place, rank, death, delay)
                self.assert_soon(lambda words=words, plan=(rank, death, ranks):
                                 self.latest(self.run_job(*words), *plan, took))
        distribution("from a death to the survivor's error", took)
        print(f"later than the promised 100 ms: {sum(t > 100 for t in took)} of {len(took)}")


class Start(Kill):
    """A rank dies somewhere between its first instruction and the first barrier."""

    def test_the_job_ends(self):
        for i in range(KILLS // 10):
            death, ranks = list(DEATHS)[i % len(DEATHS)], 2 + i % 3
            policy = ("--on-failure=abort", "--on-failure=continue")[i // 2 % 2]
            delay = self.random.randrange(4000)
            with self.subTest(death=death, ranks=ranks, policy=policy, delay_us=delay):
                words = ("-n", ranks, policy, VICTIM, "start", i % ranks, death, delay)
                self.assert_soon(lambda words=words: self.die(*words), LIMIT_MS + 300)

    def die(self, *words):
        job = self.run_job(*words)
        out, err, ended = self.finish(job)
        self.assertNotIn("--timeout", err)
        self.assertNotEqual(job.returncode, 0, out + err)
        return (ended - int(re.search(r"dead at (\d+)", out).group(1))) / 1e6


class Launcher(Kill):
    """The launcher is killed: nothing of the job outlives it."""

    def test_nothing_is_left(self):
        took = []
        for i in range(KILLS // 10):
            place, ranks = PLACES[i % len(PLACES)], 2 + i % 3
            delay = self.random.randrange(60_000)
            with self.subTest(place=place, ranks=ranks, delay_us=delay):
                took.append(self.assert_soon(
                    lambda plan=(place, ranks, delay): self.orphan(*plan)))
        distribution("from the launcher's death to the last rank's", took)

    def orphan(self, place, ranks, delay):
        job = self.run_job("-n", ranks, VICTIM, place, 0, "9", 30_000_000)
        time.sleep(delay / 1e6)
        job.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        self.assert_gone()
        took = (time.monotonic() - killed) * 1000
        job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, -9)
        self.assertEqual(shared_objects(), self.objects)
        return took


if __name__ == "__main__":
    main()
