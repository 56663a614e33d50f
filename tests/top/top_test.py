#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A job that is looked at while it runs, as its user sees it.

    top_test.py RAMJET VICTIM CHATTER [CLASS]
"""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))

import hang_watch  # noqa: E402
import openmetrics  # noqa: E402
from terminal import Terminal  # noqa: E402

RAMJET, VICTIM, CHATTER = (os.path.abspath(path) for path in sys.argv[1:4])
PATIENCE_S = 600
STATES = {"computing", "polling", "handling", "waiting", "asleep", "blocked", "starting"}


class Case(unittest.TestCase):
    def start(self, ranks, *words, program=(CHATTER,), **options):
        """A job that runs until the test ends; it has begun when this returns."""
        options.setdefault("stderr", subprocess.DEVNULL)
        job = subprocess.Popen([RAMJET, "run", "-n", str(ranks), *words, *program],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                               **options)
        self.addCleanup(self.end, job)
        self.assertIn(job.stdout.readline(), ("chatting\n", "staying\n"))
        return job

    @staticmethod
    def end(job):
        if job.poll() is None:
            job.terminate()
        try:
            job.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            hang_watch.show_stacks(sorted(hang_watch.tree_of(job.pid)))
            job.kill()
            raise
        for stream in (job.stdout, job.stderr):
            if stream is not None:
                stream.close()

    def top(self, *words):
        return subprocess.run([RAMJET, "top", *map(str, words)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)

    def table(self, *words):
        """The rows of --once, each a list of words."""
        done = self.top("--once", "--interval", "0.2", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^\S+ \(job \d+\): \d+ ranks")
        self.assertEqual(lines[1], "")
        self.assertRegex(lines[2], r"^ RANK")
        return lines[0], [line.split() for line in lines[3:]]

    def look(self, *words):
        done = self.top("--once", "--json", "--interval", "0.2", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("\n"), 1)
        return json.loads(done.stdout)


class Once(Case):
    def test_a_row_for_each_rank(self):
        for ranks in (1, 8, 64, 200):
            with self.subTest(ranks):
                job = self.start(ranks)
                summary, rows = self.table(job.pid)
                self.assertTrue(summary.startswith(f"chatter (job {job.pid}): {ranks} ranks: "))
                self.assertEqual([int(row[0]) for row in rows], list(range(ranks)))
                self.assertEqual(len({row[1] for row in rows}), ranks)  # processes
                self.assertLessEqual({row[2] for row in rows}, STATES)
                self.end(job)

    def test_who_sends_to_whom(self):
        job = self.start(5)
        first, second = self.look(job.pid), self.look(job.pid)
        ring = {(rank, (rank + 1) % 5) for rank in range(5)}
        for look in (first, second):
            self.assertEqual((look["job"], look["program"]), (job.pid, "chatter"))
            self.assertEqual({(p["from"], p["to"]) for p in look["pairs"] if p["sent"] > 0}, ring)
            for rank in look["ranks"]:
                self.assertGreaterEqual(rank["threads"], 1)
                self.assertGreater(rank["resident_bytes"], 0)
        sent = [{p["from"]: p["sent"] for p in look["pairs"]} for look in (first, second)]
        self.assertGreater(sum(sent[1].values()), sum(sent[0].values()))

    def test_bytes_are_those_of_records_and_payload(self):
        rounds = 20000
        job = self.start(2, program=(CHATTER, str(rounds), "stay"))
        self.assertEqual(job.stdout.readline(), "done\n")
        for pair in self.look(job.pid)["pairs"]:
            with self.subTest(pair):
                # A record has 16 to 64 bytes, and a ring of them may not have been given back.
                self.assertGreaterEqual(pair["bytes"], rounds * (2 * 16 + 1024) - 32 * 1024)
                self.assertLessEqual(pair["bytes"], rounds * (2 * 64 + 1024))

    def test_what_ranks_wait_for(self):
        job = self.start(4, program=(VICTIM, "stuck"))
        ranks = self.look(job.pid)["ranks"]
        end = 200  # looks: the ranks begin to wait after they have said that they stay
        while end and not all(rank["wait"] == "call" for rank in ranks[:3]):
            ranks, end = self.look(job.pid)["ranks"], end - 1
        for rank in ranks[:3]:
            self.assertEqual((rank["wait"], rank["waits_for"]), ("call", 3))
            self.assertIn(rank["state"], ("waiting", "asleep"))
        self.assertEqual((ranks[3]["wait"], ranks[3]["waited_ns"]), (None, 0))
        self.assertEqual(ranks[3]["queued"], 3)
        _, rows = self.table(job.pid, "--filter", "call")
        self.assertEqual([row[0] for row in rows], ["0", "1", "2"])
        self.assertEqual([row[3:5] for row in rows], [["call", "3"]] * 3)
        _, rows = self.table(job.pid, "--filter", "0-1,3")
        self.assertEqual([row[0] for row in rows], ["0", "1", "3"])
        _, rows = self.table(job.pid, "--sort", "queued")
        self.assertEqual(rows[0][0], "3")
        look = self.look(job.pid, "--sort", "queued", "--filter", "1,3")
        self.assertEqual([rank["rank"] for rank in look["ranks"]], [3, 1])
        self.assertTrue(all({pair["from"], pair["to"]} & {1, 3} for pair in look["pairs"]))

    def test_a_job_of_several_nodes(self):
        job = self.start(4, "--nodes", "2")
        look = self.look(job.pid)
        self.assertEqual((look["nodes"], [r["node"] for r in look["ranks"]]), (2, [0, 0, 1, 1]))
        self.assertTrue(all(r["seen"] for r in look["ranks"]))
        self.assertGreater(look["ranks"][1]["far_sent"], 0)
        self.assertEqual(look["ranks"][0]["far_sent"], 0)

    def test_lines_until_the_job_ends(self):
        job = self.start(3)
        watcher = subprocess.Popen([RAMJET, "top", str(job.pid), "--json", "--interval", "0.1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = [json.loads(watcher.stdout.readline()) for _ in range(3)]
        self.assertLess(lines[0]["time_ns"], lines[2]["time_ns"])
        job.send_signal(signal.SIGKILL)  # the kernel ends its ranks
        self.assertEqual(watcher.wait(PATIENCE_S), 0)
        rest, said = watcher.stdout.read(), watcher.stderr.read()  # with what readline has buffered
        self.assertEqual(said, f"ramjet top: the job of process {job.pid} has ended\n")
        for line in rest.splitlines():
            json.loads(line)

    def test_jobs_are_listed_and_named_by_any_process(self):
        job, other = self.start(2), self.start(3)
        listed = {int(line.split()[0]): line.split()[1:]
                  for line in self.top("--list").stdout.splitlines()[1:]}
        self.assertEqual(listed[job.pid], ["2", "1", "chatter"])
        self.assertEqual(listed[other.pid], ["3", "1", "chatter"])
        self.assertIn({"job": other.pid, "ranks": 3, "nodes": 1, "program": "chatter"},
                      json.loads(self.top("--list", "--json").stdout))
        rank = self.look(job.pid)["ranks"][1]["pid"]
        self.assertEqual(self.look(rank)["job"], job.pid)
        several = self.top("--once")
        self.assertEqual((several.returncode, several.stdout), (1, ""))
        self.assertRegex(several.stderr, r"^ramjet top: \d+ jobs run, say which: .*\n$")
        self.assertIn(f"{other.pid} (chatter, 3 ranks)", several.stderr)


class Refusals(Case):
    def refused(self, pattern, *words, status=1):
        done = self.top(*words)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, "^ramjet top: " + pattern)

    def test_processes_that_are_no_job(self):
        self.refused(r"process \d+ is of no Ramjet job; `ramjet top --list`", "--once", self.idle())
        gone = subprocess.Popen(["true"])
        gone.wait()
        self.refused(r"there is no process \d+", "--once", gone.pid)

    def test_wrong_words(self):
        for words, sentence in ((["x"], "JOB x: give the number of a process"),
                                (["--interval", "0"], "--interval 0: give seconds from 0.05"),
                                (["--interval", "nan"], "--interval nan: give seconds from 0.05"),
                                (["--filter", "0-1-9"], "--filter 0-1-9: give ranks as 0-7,12"),
                                (["--filter", "3-1"], "--filter 3-1: give ranks"),
                                (["--filter", "12345678901"], "--filter 12345678901: give ranks"),
                                (["--sort", "size"], "--sort size: there is no such column"),
                                (["1", "2"], "name one job; '2' is one more"),
                                ([], "this is not a terminal: use --once or --json")):
            with self.subTest(words):
                self.refused(re.escape(sentence), *words, status=2)

    def idle(self, **options):
        process = subprocess.Popen(["sleep", "600"], **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process.pid

    def test_another_user_s(self):
        stranger = self.idle(user=65534, group=65534, extra_groups=[]) if os.geteuid() == 0 else 1
        self.refused(r"process \d+ is another user's \(uid \d+\): only its owner", "--once",
                     stranger)

    def test_damaged_memory(self):
        board = self.board_of_a_job()
        for what, content, sentence in (
                ("nothing", b"", "it is too short"),
                ("a page", board[:4096], "it is too short"),
                ("noise", bytes(range(256)) * 64, "it is not a Ramjet job's memory"),
                ("newer", board[:8] + b"\xff" + board[9:], "the launcher is of another version"),
                ("ranks", board[:12] + b"\xff\xff\xff\x7f" + board[16:], "its number of ranks")):
            with self.subTest(what):
                memory = os.memfd_create("ramjet-job")
                os.write(memory, content)
                pid = self.idle(pass_fds=(memory,))
                os.close(memory)
                self.refused("the memory that process [0-9]+ holds cannot be read as a job's: "
                             + sentence, "--once", pid)

    def board_of_a_job(self):
        """The bytes of a healthy board."""
        job = self.start(2)
        for entry in pathlib.Path(f"/proc/{job.pid}/fd").iterdir():
            if os.readlink(entry).startswith("/memfd:ramjet-job"):
                with open(entry, "rb") as memory:
                    return memory.read(1 << 16)
        self.fail("the launcher holds no memory")

    def test_memory_that_goes_bad_while_it_is_looked_at(self):
        board = self.board_of_a_job()
        memory = os.memfd_create("ramjet-job")
        os.write(memory, board)
        watcher = subprocess.Popen(
            [RAMJET, "top", str(self.idle(pass_fds=(memory,))), "--json", "--interval", "0.05"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(watcher.kill)
        json.loads(watcher.stdout.readline())
        os.ftruncate(memory, 100)
        _, said = watcher.communicate(timeout=PATIENCE_S)
        os.close(memory)
        self.assertEqual(watcher.returncode, 1)
        self.assertRegex(said, r"^ramjet top: the memory of the job of process \d+ is damaged: ")


class Screen(Case):
    def show(self, *words, **options):
        terminal = Terminal([RAMJET, "top", *map(str, words)], **options)
        self.addCleanup(terminal.kill)
        return terminal

    def test_keys(self):
        job = self.start(4, program=(VICTIM, "stuck"))
        terminal = self.show(job.pid, "--interval", "0.1")
        terminal.until(r"^ RANK\* +PID STATE")
        terminal.until(r"^ +0 +\d+ (asleep|waiting) +call +3 ")
        terminal.type("r")
        terminal.until(r"(?s)RANK\^.*\n +3 .*\n +2 .*\n +1 .*\n +0 ")
        terminal.type("rsS")
        terminal.until(r"sorted by RANK  4 of 4 ranks")
        terminal.type("/call\r")
        terminal.until(r"only call  3 of 4 ranks")
        terminal.type("/" + "\x7f" * 4 + "3\r")
        terminal.until(r"only 3  1 of 4 ranks")
        terminal.type("/" + "\x7f\r")
        terminal.until(r"  4 of 4 ranks")
        terminal.type("\x1bOH\r")
        terminal.until(r"^rank 0 on node 0, process \d+")
        terminal.until(r"^ +rank 0 waits in call for rank 3, for ")
        terminal.until(r"^ +rank 3 does not wait: (computing|blocked)")
        terminal.type("\r")  # to the one that it waits for
        terminal.until(r"^rank 3 on node 0")
        terminal.type("\x1b")
        terminal.until(r"^ RANK")
        terminal.type("m")
        terminal.until(r"^messages/s from \(down\) to \(across\)")
        terminal.type("b")
        terminal.until(r"^bytes/s from")
        terminal.type("h")
        terminal.until(r"^Keys$")
        terminal.type("h ")
        terminal.until(r"PAUSED")
        terminal.type("q")
        self.assertEqual(terminal.leave(), 0)
        self.assertIsNone(job.poll())  # it goes on

    def test_two_hundred_ranks_on_a_small_terminal(self):
        job = self.start(200)
        terminal = self.show(job.pid, rows=24, columns=80)
        terminal.until(r"200 of 200 ranks")
        terminal.type("\x1bOF")  # end
        terminal.until(r"^ +199 ")
        terminal.type("m")
        found = terminal.until(r"@ is up to \S+, (\d+) ranks a cell")
        self.assertLessEqual(200 / int(found[1]), 24)
        terminal.resize(60, 230)
        terminal.until(r"@ is up to \S+, 4 ranks a cell")
        terminal.until(r"^ 196-199 +\S*.*$")
        terminal.type("mq")
        self.assertEqual(terminal.leave(), 0)

    def test_columns_sort(self):
        job = self.start(4, program=(VICTIM, "stuck"))
        terminal = self.show(job.pid, "--sort", "queued", "--interval", "0.1")
        terminal.until(r"(?m)QUEUED\*.*\n +3 ")
        terminal.type("r")
        terminal.until(r"QUEUED\^.*\n +[012] ")
        terminal.type("q")
        self.assertEqual(terminal.leave(), 0)

    def test_a_job_that_is_killed_meanwhile(self):
        job = self.start(3)
        terminal = self.show(job.pid, "--interval", "0.1")
        terminal.until(r"3 of 3 ranks")
        job.kill()
        terminal.until_written(rf"ramjet top: the job of process {job.pid} has ended")
        self.assertEqual(terminal.leave(), 0)

    def test_a_rank_that_dies_is_told(self):
        job = self.start(3, "--on-failure", "continue", program=(VICTIM, "barriers"))
        victim = self.look(job.pid)["ranks"][2]["pid"]
        terminal = self.show(job.pid, "--interval", "0.1")
        terminal.until(r"3 of 3 ranks")
        os.kill(victim, signal.SIGSTOP)
        terminal.until(r"^ +2 +\d+ stopped ")
        os.kill(victim, signal.SIGCONT)
        terminal.type("q")
        self.assertEqual(terminal.leave(), 0)

    def test_a_terminal_of_no_known_type(self):
        job = self.start(2)
        terminal = self.show(job.pid, TERM="no-such-terminal")
        terminal.until_written(r"the terminal cannot be used \(TERM is 'no-such-terminal'\)")
        self.assertEqual(terminal.leave(), 1)


class Launched(Case):
    """ramjet run --top"""

    def run_on_terminal(self, *words, **options):
        terminal = Terminal([RAMJET, "run", *map(str, words)], **options)
        self.addCleanup(terminal.kill)
        return terminal

    def test_the_screen_goes_with_the_job_and_its_output_comes(self):
        terminal = self.run_on_terminal("-n", 2, "--top", "sh", "-c",
                                        f"{CHATTER} 1000; sleep 1; exit 7")
        self.assertEqual(terminal.leave(), 7)
        self.assertEqual(terminal.raw.count("chatting"), 1)

    def test_the_user_leaves_the_screen_and_the_job_goes_on(self):
        terminal = self.run_on_terminal("-n", 2, "--top", CHATTER)
        terminal.until(r"2 of 2 ranks")
        self.assertNotIn("chatting", terminal.raw)
        terminal.type("q")
        terminal.until_written("chatting")
        terminal.type("\x03")
        self.assertEqual(terminal.leave(), 130)

    def test_signals_end_the_job_and_the_screen(self):
        for signal_number in (signal.SIGTERM, signal.SIGHUP):
            terminal = self.run_on_terminal("-n", 2, "--top", CHATTER)
            terminal.until(r" [\d.]+[kMGT] ")  # messages by the thousand: long after the output
            os.kill(terminal.pid, signal_number)
            self.assertEqual(terminal.leave(), 128 + signal_number)
            self.assertEqual(terminal.raw.count("chatting"), 1)

    def test_the_ranks_have_no_files_of_the_screen(self):
        show = 'for f in /proc/$$/fd/*; do readlink "$f"; done; exit 7'
        terminal = self.run_on_terminal("-n", 1, "--top", "sh", "-c", show)
        self.assertEqual(terminal.leave(), 7)
        self.assertIn("/dev/null", terminal.raw)  # its input
        self.assertNotIn("(deleted)", terminal.raw.replace("memfd:ramjet-job (deleted)", ""))

    def test_no_terminal(self):
        done = subprocess.run([RAMJET, "run", "-n", "1", "--top", "true"], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, start_new_session=True,
                              timeout=PATIENCE_S, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^ramjet run: --top needs a terminal; .*\n$")


class Metrics(Case):
    def serving(self, ranks, *words, **options):
        log = os.memfd_create("log")
        self.addCleanup(os.close, log)
        self.job = self.start(ranks, "--metrics-port", "0", *words, stderr=log, **options)
        said = os.pread(log, 1 << 12, 0).decode()
        found = re.fullmatch(r"ramjet: metrics at (http://\S+)/metrics\n", said)
        self.assertTrue(found, said)
        return found[1]

    def scrape(self, where):
        with urllib.request.urlopen(where + "/metrics", timeout=PATIENCE_S) as answer:
            self.assertEqual(answer.headers["Content-Type"],
                             "application/openmetrics-text; version=1.0.0; charset=utf-8")
            return openmetrics.parse(answer.read().decode())

    def test_counters_grow(self):
        where = self.serving(3)
        self.assertTrue(where.startswith("http://127.0.0.1:"))
        first, second = self.scrape(where), self.scrape(where)
        self.assertEqual(second["ramjet_job_ranks"].value(), 3)
        for name in ("ramjet_messages_sent", "ramjet_messages_handled", "ramjet_cpu_seconds"):
            for rank in range(3):
                self.assertGreaterEqual(second[name].value(rank=rank), first[name].value(rank=rank))
        for rank in range(3):
            self.assertGreater(second["ramjet_messages_sent"].value(rank=rank), 0)
            self.assertGreater(second["ramjet_resident_memory_bytes"].value(rank=rank), 0)
            states = [s for s in second["ramjet_rank_state"].samples
                      if s.labels["rank"] == str(rank)]
            self.assertEqual(sum(s.value for s in states), 1)
        pairs = {(s.labels["from"], s.labels["to"])
                 for s in second["ramjet_pair_messages_sent"].samples}
        self.assertEqual(pairs, {("0", "1"), ("1", "2"), ("2", "0")})

    def test_a_dead_rank_keeps_its_processor_time(self):
        stays = ("sh", "-c", f"{VICTIM} barriers; exec sleep 600")  # the others' job goes on
        where = self.serving(3, "--on-failure", "continue", program=stays)
        victim = self.look(self.job.pid)["ranks"][1]["pid"]
        while (before := self.scrape(where)["ramjet_cpu_seconds"].value(rank=1)) == 0:
            pass
        os.kill(victim, signal.SIGKILL)
        while self.state_of(after := self.scrape(where), 1) != "failed":
            pass
        self.assertGreaterEqual(after["ramjet_cpu_seconds"].value(rank=1), before)

    @staticmethod
    def state_of(families, rank):
        return next(s.labels["ramjet_rank_state"] for s in families["ramjet_rank_state"].samples
                    if s.labels["rank"] == str(rank) and s.value == 1)

    def test_many_ranks(self):
        families = self.scrape(self.serving(200))
        self.assertEqual(len(families["ramjet_messages_sent"].samples), 200)
        self.assertNotIn("ramjet_pair_messages_sent", families)

    def test_what_else_is_asked(self):
        where = self.serving(1)
        for request, status in ((where + "/", 404), (where + "/metrics/../etc/passwd", 404),
                                (urllib.request.Request(where + "/metrics", data=b"x"), 405)):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=PATIENCE_S)
            self.assertEqual(refused.exception.code, status)
            refused.exception.close()
        host, port = where.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as rude:
            rude.sendall(b"\x00\xff no http\r\n\r\n")
            self.scrape(where)
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as slow:
            slow.sendall(b"GET /metr")  # and nothing more
            self.scrape(where)

    def test_silent_connections_are_ended(self):
        where = self.serving(1)
        host, port = where.removeprefix("http://").split(":")
        silent = [socket.create_connection((host, int(port)), timeout=PATIENCE_S)
                  for _ in range(16)]  # as many as there may be
        for connection in silent:
            self.addCleanup(connection.close)
        self.scrape(where)
        for connection in silent:
            self.assertEqual(connection.recv(1), b"")
        self.scrape(where)

    def test_addresses(self):
        where = self.serving(1, "--metrics-address", "127.0.0.2")
        self.assertTrue(where.startswith("http://127.0.0.2:"))
        self.scrape(where)
        port = where.rsplit(":", 1)[1]
        done = subprocess.run([RAMJET, "run", "-n", "1", "--metrics-port", port,
                               "--metrics-address", "127.0.0.2", "true"], capture_output=True,
                              text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr,
                         f"ramjet run: cannot serve metrics at 127.0.0.2, port {port}: "
                         "Address already in use; choose another port\n")

    def test_wrong_words(self):
        for words, sentence in (
                (["--metrics-port", "65536"], "--metrics-port 65536: give a port from 1 to 65535"),
                (["--metrics-port", "x"], "--metrics-port x: give a port"),
                (["--metrics-port", "0", "--metrics-address", "localhost"],
                 "--metrics-address localhost: give an address as numbers"),
                (["--metrics-address", "::1"], "--metrics-address says where: give --metrics-port"),
                (["--metrics-port", "0", "--hosts", "a"], "--metrics-port serves jobs of this"),
                (["--top", "--hosts", "a"], "--top shows jobs of this machine")):
            with self.subTest(words):
                done = subprocess.run([RAMJET, "run", "-n", "1", *words, "true"], text=True,
                                      capture_output=True, timeout=PATIENCE_S, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith("ramjet run: " + sentence), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
