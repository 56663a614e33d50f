#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs with a trace: what stands in the file, and what `ramjet trace` says of it.

    trace_test.py RAMJET TRACED MESSAGE_THREADS [CLASS]
"""

import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

import perfetto_file

RAMJET, TRACED, MESSAGE_THREADS = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
LIMIT_S = 900
QUESTIONS, PAYLOADS, PAYLOAD_BYTES, PUTS = 200, 10, 1000, 5  # of traced.cpp
ROOMY = {"RAMJET_TRACE_BYTES": "8M"}


def ramjet(*words, **variables):
    return subprocess.run([RAMJET, *words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=LIMIT_S, check=False,
                          env={**os.environ, **variables})


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trace-test-")
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "job.trace")

    def run_traced(self, *words, ranks=2, options=(), program=TRACED, status=0, **variables):
        done = ramjet("run", "-n", str(ranks), "--trace", self.file, *options, program, *words,
                      **variables)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def flows(self, trace, category):
        """(what sent, the handler) of each handler of that category, which all have to be there."""
        senders = {flow: s for s in trace.slices for flow in s.flows}
        pairs = []
        for handler in trace.of(category):
            self.assertEqual(len(handler.ends), 1)
            self.assertIn(handler.ends[0], senders, handler)
            pairs.append((senders[handler.ends[0]], handler))
        self.assertEqual(len({id(sent) for sent, _ in pairs}), len(pairs), "one arrow, one sender")
        return pairs

    def check_flows(self, trace):
        """Sends and handlers are joined, each at its time."""
        error = trace.clock_error_ns()
        requests = self.flows(trace, "handler")
        for sent, handler in requests:
            self.assertEqual((sent.category, sent.name, sent.numbers["bytes"]),
                             ("send", handler.name, handler.numbers["bytes"]))
            self.assertLessEqual(sent.begin, handler.begin + error)
            self.assertTrue(trace.track_name(sent).startswith(f"rank {handler.numbers['rank']},"))
        for sent, handler in self.flows(trace, "reply"):
            self.assertEqual(sent.category, "handler")
            self.assertLessEqual(sent.begin, handler.begin + error)
        self.assertEqual(len(requests), len(trace.of("send")), "what was sent was handled")

    def check_all_have_ended(self, trace):
        for s in trace.slices:
            self.assertIsNotNone(s.end, s)


def count(slices, name):
    return sum(1 for s in slices if s.name.endswith(name))


class Events(Case):
    def check(self, ranks, *options, far=0, **variables):
        self.run_traced("all", ranks=ranks, options=options, **ROOMY, **variables)
        trace = perfetto_file.Trace(self.file)
        self.assertEqual(trace.lost(), 0)
        self.check_flows(trace)
        self.check_all_have_ended(trace)
        for category in ("send", "handler"):
            self.assertEqual(count(trace.of(category), "on_question"), ranks * QUESTIONS)
            self.assertEqual(count(trace.of(category), "on_bytes"), ranks * PAYLOADS)
        self.assertEqual(count(trace.of("reply"), "on_answer"), ranks * QUESTIONS)
        payloads = [s for s in trace.of("handler") if s.name.endswith("on_bytes")]
        self.assertEqual({s.numbers["bytes"] for s in payloads}, {PAYLOAD_BYTES})
        self.assertEqual(count(trace.of("access"), "put"), far * PUTS)
        self.check_collectives(trace, ranks)
        for rank in range(ranks):
            self.assertIn(f"rank {rank}", [name for name, _ in trace.tracks.values()])
        return trace

    def check_collectives(self, trace, ranks):
        """Each call has one slice on every rank, and they overlap but for the clocks' error."""
        calls = collections.defaultdict(list)
        for s in trace.of("collective"):
            calls[s.numbers["team"], s.numbers["call"]].append(s)
        names = {slices[0].name for slices in calls.values()}
        self.assertLessEqual({"all_gather", "barrier", "finalize"}, names)
        for slices in calls.values():
            self.assertEqual(len({trace.track_name(s) for s in slices}), ranks, slices)
            if slices[0].name == "barrier":
                last = max(s.begin for s in slices)
                for s in slices:
                    self.assertLessEqual(last, s.end + trace.clock_error_ns())

    def test_one_node(self):
        self.check(3)

    def test_one_rank(self):
        self.check(1)

    def test_two_nodes(self):
        self.check(4, "--nodes", "2", far=2)

    def test_a_node_that_is_ready_later(self):
        self.run_traced("-c", 'test "$RAMJET_NODE" = 0 || sleep 0.3; exec "$0" all', TRACED,
                        program="sh", ranks=4, options=("--nodes", "2"), **ROOMY)
        self.check_flows(perfetto_file.Trace(self.file))

    def test_what_found_no_room_is_no_send(self):
        done = self.run_traced("fill", **ROOMY)
        trace = perfetto_file.Trace(self.file)
        self.check_flows(trace)
        self.assertEqual(count(trace.of("send"), "on_bytes"), int(done.stdout))

    def test_a_pause_behind_a_poll_is_no_handlers_time(self):
        """A poll leaves requests that are there; the rank sleeps for a second before it goes on."""
        done = self.run_traced("pause", **ROOMY)
        self.assertRegex(done.stdout, r"\A[1-9]\d of 100\n\Z")
        handlers = [s for s in perfetto_file.Trace(self.file).of("handler")
                    if s.name.endswith("on_number")]
        self.assertEqual(len(handlers), 100)
        self.assertLess(max(s.end - s.begin for s in handlers), 500_000_000)

    def test_names_of_waits_are_taken_as_they_are_then(self):
        self.run_traced("names", **ROOMY)
        names = [s.name for s in perfetto_file.Trace(self.file).of("wait")]
        self.assertEqual((names.count("first wait"), names.count("other wait")), (2, 2))

    def test_near_accesses(self):
        """Told where that is wanted; they are in the memory of the same node."""
        trace = self.check(3, "--trace-near", far=3)
        self.assertEqual({s.numbers["bytes"] for s in trace.of("access") if s.name == "put"}, {8})
        self.check(4, "--nodes", "2", "--trace-near", far=4)

    def test_coprocessors(self):
        trace = self.check(2, "--progress", "coproc")
        self.assertFalse(any(s.name == "co-processor" for s in trace.of("wait")))

    def test_far_accesses_of_one_node(self):
        self.check(2, far=2, RAMJET_FAR="1")

    def test_samples_are_the_same_at_both_ends(self):
        self.run_traced("flood", "4000", options=("--trace-sample", "8"), **ROOMY)
        trace = perfetto_file.Trace(self.file)
        self.assertEqual(trace.lost(), 0)
        self.check_flows(trace)
        told = count(trace.of("send"), "on_number")
        self.assertTrue(4000 / 16 < told < 4000 / 4, told)
        self.assertEqual(trace.of("job")[0].numbers["one message of"], 8)


class Threads(Case):
    def test_switches_and_waits_of_threads(self):
        self.run_traced(program=MESSAGE_THREADS, **ROOMY)
        trace = perfetto_file.Trace(self.file)
        self.assertEqual(trace.lost(), 0)
        self.check_flows(trace)
        self.check_all_have_ended(trace)
        ran = {s.name for s in trace.of("thread")}
        self.assertIn("scheduler", ran)
        self.assertGreater(len(ran), 16)


class Death(Case):
    def test_the_last_events_of_a_killed_rank_are_told(self):
        messages = 12000
        done = self.run_traced("die", str(messages), status=137, **ROOMY)
        self.assertRegex(done.stderr, r"rank 1 \(pid \d+\) was killed by signal 9")
        trace = perfetto_file.Trace(self.file)
        handlers = [s for s in trace.of("handler") if s.name.endswith("on_number")]
        self.assertEqual(len(handlers), messages)
        last = max(handlers, key=lambda s: s.begin)
        self.assertIsNone(last.end, "it died in this one")
        self.assertTrue(all(s.end is not None for s in handlers if s is not last))
        said = json.loads(ramjet("trace", "--json", self.file).stdout)["traces"][0]
        self.assertEqual(sum(r["messages"] for r in said["handlers"]
                             if r["name"].endswith("on_number")), messages)


class Cut(Case):
    """Jobs that somebody ends: their slices end with the file (perfetto_file.Trace checks it)."""

    def check_cut_by(self, number, *options):
        with subprocess.Popen([RAMJET, "run", "-n", "2", *options, "--trace", self.file, TRACED,
                               "hold"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as job:
            self.assertEqual(job.stdout.readline(), "all hold\n")
            job.send_signal(number)
            job.communicate(timeout=LIMIT_S)
        trace = perfetto_file.Trace(self.file)
        held = [s for s in trace.of("wait") if s.name == "the end of the job"]
        self.assertGreaterEqual(len(held), 4, "two threads of each rank, and main programs")
        self.assertTrue(all(s.end is None for s in held), "nobody knows how long it would last")
        self.assertTrue(trace.of("thread"))
        self.assertTrue(all(s.end is not None for s in trace.of("thread")))
        said = json.loads(ramjet("trace", "--json", self.file).stdout)["traces"][0]
        self.assertIn("the end of the job", json.dumps(said["waits"]))

    def test_by_ctrl_c(self):
        self.check_cut_by(signal.SIGINT)

    def test_by_sigterm(self):
        self.check_cut_by(signal.SIGTERM)

    def test_a_bounded_file_has_room_for_the_ends(self):
        self.check_cut_by(signal.SIGINT, "--trace-limit", "64K")


class Loss(Case):
    def test_what_is_overwritten_is_counted(self):
        messages = 50000
        done = self.run_traced("flood", str(messages), RAMJET_TRACE_BYTES="64K")
        trace = perfetto_file.Trace(self.file)
        self.assertGreater(trace.lost(), 0)
        self.assertIn("were overwritten", done.stderr)
        rings = {s.numbers["rank"]: s.numbers for s in trace.of("ring")}
        for rank in (0, 1):  # a message is an event at both
            self.assertGreater(rings[rank]["events"] + rings[rank]["lost events"], messages)
        self.check_all_have_ended(trace)
        self.assertEqual(count(trace.of("collective"), "finalize"), 2)  # the end is there

    def test_a_bounded_file(self):
        limit = 64 * 1024
        self.run_traced("flood", "20000", options=("--trace-limit", "64K"), **ROOMY)
        self.assertLessEqual(os.path.getsize(self.file), limit)
        trace = perfetto_file.Trace(self.file)
        self.assertGreater(trace.lost(), 0)
        self.assertEqual(count(trace.of("collective"), "finalize"), 2)


class Refusals(Case):
    def test_words(self):
        for words, sentence in (
                (["--trace-sample", "4"], "--trace-sample goes with --trace FILE"),
                (["--trace-near"], "--trace-near goes with --trace FILE"),
                (["--trace", self.file, "--trace-sample", "0"], "--trace-sample 0: give a whole"),
                (["--trace", self.file, "--trace-limit", "5"], "--trace-limit 5: give a number"),
                (["--trace", self.file, "--trace-limit", "K"], "--trace-limit K: give a number")):
            with self.subTest(words):
                done = ramjet("run", "-n", "1", *words, TRACED)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertIn(sentence, done.stderr)
                self.assertFalse(os.path.exists(self.file))

    def test_a_file_that_cannot_be_made(self):
        done = ramjet("run", "-n", "1", "--trace", self.file + "/x", TRACED)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn("cannot write the trace", done.stderr)

    def test_what_the_job_reads(self):
        """A trace may not be written over the program or a file that it is given."""
        program = os.path.join(os.path.dirname(self.file), "program")
        for name in (program, self.file):
            with open(name, "w", encoding="ascii") as file:
                file.write("#!/bin/cat\n")
        os.chmod(program, 0o755)
        link = program + ".link"
        os.symlink("program", link)
        for trace, words in ((program, (program,)), (link, (program,)), (program, (link,)),
                             (self.file, ("cat", self.file)), (link, ("cat", "-n", program))):
            with self.subTest(words, trace=trace):
                done = ramjet("run", "-n", "1", "--trace", trace, *words)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertIn(f"--trace {trace} is the file {words[-1]}, which the job reads",
                              done.stderr)
                with open(trace, encoding="ascii") as file:
                    self.assertEqual(file.read(), "#!/bin/cat\n")

    def test_no_memory_for_events(self):
        done = ramjet("run", "-n", "1", "--trace", self.file, TRACED, RAMJET_TRACE_BYTES="0")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("RAMJET_TRACE_BYTES is 0", done.stderr)

    def test_a_full_disk_ends_the_trace_and_not_the_job(self):
        done = ramjet("run", "-n", "2", "--trace", "/dev/full", TRACED, "flood", "20000",
                      RAMJET_TRACE_BYTES="64K")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1), done.stderr)
        self.assertIn("the job goes on", done.stderr)

    def test_a_program_that_is_no_rank(self):
        done = ramjet("run", "-n", "1", "--trace", self.file, "false")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(
            f"the trace {self.file} is empty, and not kept: no rank has joined"), 1, done.stderr)
        self.assertFalse(os.path.exists(self.file))
        ramjet("run", "-n", "1", "--trace", self.file, "/no/such/program")
        self.assertFalse(os.path.exists(self.file))


class Files(Case):
    def refused(self, path, sentence):
        done = ramjet("trace", path)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
        self.assertIn(sentence, done.stderr)

    def write(self, data):
        with open(self.file, "wb") as file:
            file.write(data)

    def test_files_that_are_not_ours(self):
        self.refused(self.file, "cannot be read")
        self.refused(os.path.dirname(self.file), "is not a file of")
        self.refused("/dev/null", "is not a file of")
        for data in (b"", b"hello\n" * 100, b"\x0a\x02\x08\x01", b"\x0a" + b"\xff" * 30, b"\0" * 9):
            self.write(data)
            self.refused(self.file, "is not a file of")
        self.write(b"")
        os.truncate(self.file, 10 << 30)  # sparse
        self.refused(self.file, "is not a file of")

    def test_other_versions_and_files_that_are_cut(self):
        self.run_traced("flood", "200", **ROOMY)
        with open(self.file, "rb") as file:
            whole = file.read()
        self.write(whole.replace(b"(trace format 1)", b"(trace format 9)", 1))
        self.refused(self.file, "has trace format 9, and this ramjet reads 1")
        for size in (len(whole) // 2, len(whole) - 1):
            self.write(whole[:size])
            done = ramjet("trace", self.file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("the file is cut", done.stdout)
        self.write(whole[:40])
        self.refused(self.file, "is not a file of")

    def test_pipes_that_nobody_reads(self):
        os.mkfifo(self.file)
        done = ramjet("run", "-n", "1", "--trace", self.file, TRACED, "flood", "50")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write the trace", done.stderr)
        reader = os.open(self.file, os.O_RDONLY | os.O_NONBLOCK)
        done = ramjet("run", "-n", "2", "--trace", self.file, TRACED, "flood", "20000", **ROOMY)
        self.assertEqual(done.returncode, 0, done.stderr)  # the job ends; a line says what is lost
        self.assertIn("timed out", done.stderr)
        os.close(reader)

    def test_pipes_are_no_traces(self):
        os.mkfifo(self.file)
        self.refused(self.file, "is not a file of")

    def test_packets_larger_than_what_is_read_at_once(self):
        self.run_traced("flood", "50", **ROOMY)
        said = ramjet("trace", self.file).stdout
        with open(self.file, "rb") as file:
            whole = file.read()
        size, at = perfetto_file.varint(whole, 1)
        first = at + size
        large = perfetto_file.text(1, perfetto_file.text(100, bytes(5 << 20)))
        self.write(whole[:first] + large + whole[first:])
        self.assertEqual(ramjet("trace", self.file).stdout, said)
        self.write(whole + perfetto_file.text(1, bytes(80 << 20)))  # more than any of ours
        self.assertIn("the file is cut", ramjet("trace", self.file).stdout)

    def test_the_end_of_what_is_not_kept_ends_nothing_else(self):
        """A slice of an unknown name within a wait."""
        trace = perfetto_file.Writer("solve", ranks=1)
        trace.slice(0, 5000, 6000, "wait")
        trace.events += [(5001, trace.event(5001, perfetto_file.BEGIN, 1 << 32, 9, "wait")),
                         (5002, trace.event(5002, perfetto_file.END, 1 << 32, 0, "wait"))]
        trace.write(self.file)
        said = json.loads(ramjet("trace", "--json", self.file).stdout)["traces"][0]
        self.assertEqual([row["total_ns"] for row in said["waits"]], [1000])

    def test_two_jobs_in_a_file(self):
        self.run_traced("flood", "50", **ROOMY)
        with open(self.file, "rb") as file:
            whole = file.read()
        self.write(whole + whole)
        self.refused(self.file, "is damaged: it says twice what its job is")

    def test_damaged_files_do_no_harm(self):
        self.run_traced("flood", "50", **ROOMY)
        with open(self.file, "rb") as file:
            whole = file.read()
        for at in range(40, len(whole), 31):
            self.write(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
            done = ramjet("trace", self.file)
            self.assertIn(done.returncode, (0, 1), f"byte {at}: {done.stderr}")
            self.assertLessEqual(done.stderr.count("\n"), 1)


class Command(Case):
    def late_ns(self, trace):
        """Of each rank: how long others waited for messages that it had not sent."""
        late = collections.Counter()
        sent = {flow: s for s in trace.slices for flow in s.flows}
        handlers = collections.defaultdict(list)
        for category in ("handler", "reply"):
            for h in trace.of(category):
                handlers[h.track].append(h)
        for of_track in handlers.values():
            of_track.sort(key=lambda h: h.begin)
        for wait in trace.of("wait"):
            inside = [h for h in handlers[wait.track] if wait.begin <= h.begin <= wait.end
                      and sent[h.ends[0]].track != wait.track]
            if inside and wait.begin < sent[inside[-1].ends[0]].begin <= inside[-1].begin:
                cause = sent[inside[-1].ends[0]]
                rank = int(trace.track_name(cause).split(",")[0].removeprefix("rank "))
                late[rank] += cause.begin - wait.begin
        return late

    def test_what_it_says_is_what_the_file_has(self):
        self.run_traced("all", ranks=3, **ROOMY)
        trace = perfetto_file.Trace(self.file)
        done = ramjet("trace", "--json", self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        said = json.loads(done.stdout)["traces"][0]
        self.assertEqual((said["ranks"], said["nodes"], said["lost"], said["is_cut"]),
                         (3, 1, 0, False))
        self.assertEqual(said["sent"], len(trace.of("send")))
        self.assertEqual(said["handled"], len(trace.of("handler")) + len(trace.of("reply")))
        self.assertEqual(said["clock_error_ns"], trace.clock_error_ns())
        rows = {row["name"]: row for row in said["handlers"]}
        for name, row in rows.items():
            of_name = [s for s in trace.of("handler") + trace.of("reply") if s.name == name]
            self.assertEqual(row["messages"], len(of_name))
            self.assertEqual(row["joined"], len(of_name))
            self.assertEqual(row["bytes"], sum(s.numbers["bytes"] for s in of_name))
            self.assertEqual(row["busy_ns"], sum(s.end - s.begin for s in of_name))
        for row in said["waits"]:
            of_name = [s for s in trace.of("wait") if s.name == row["name"]]
            self.assertEqual(row["times"], len(of_name))
            self.assertEqual(row["total_ns"], sum(s.end - s.begin for s in of_name))
        pairs = {(row["from"], row["to"]): row["bytes"] for row in said["pairs"]}
        for rank in range(3):
            self.assertGreaterEqual(pairs[rank, (rank + 1) % 3], PAYLOADS * PAYLOAD_BYTES)
        late = {row["rank"]: row["total_ns"] for row in said["late"]}
        for rank, ns in self.late_ns(trace).items():
            self.assertGreaterEqual(late[rank], ns)  # and collectives without a message
        self.check_path(said)

    def check_path(self, said):
        """The parts follow one another; they and what is between them are the job."""
        path = said["critical_path"]
        parts = path["parts"]
        for before, after in zip(parts, parts[1:]):
            self.assertNotEqual(before["rank"], after["rank"])
            self.assertLessEqual(before["end_ns"], after["begin_ns"])
        self.assertEqual(sum(path["ns_by_rank"]) + path["flight_ns"], said["duration_ns"])
        self.assertEqual((parts[0]["begin_ns"], parts[-1]["end_ns"]),
                         (said["first_ns"], said["first_ns"] + said["duration_ns"]))

    def test_names_steer_no_terminal(self):
        trace = perfetto_file.Writer("p\x1b[2J", ranks=1, name="\x9b31m\x7f" + 20 * "\u00e9")
        trace.slice(0, 5000, 6000, "wait")
        trace.write(self.file)
        said = ramjet("trace", self.file).stdout
        self.assertIn("p\\x1b[2J on 1 rank", said)
        self.assertRegex(said, r"\n  \\xc2\\x9b31m\\x7f\u00e9+\.\.\. ")
        self.assertFalse(set("\x1b\x7f\x9b\ufffd") & set(said))

    def test_the_path_in_words(self):
        """From the job's first event on, and by the ranks with most; one of 20 after the other."""
        ms = 1_000_000
        trace = perfetto_file.Writer("solve", ranks=20)
        for rank in range(20):
            at = 1000 * ms + rank * ms
            if rank > 0:
                trace.slice(rank, at - ms, at, "wait")
                trace.slice(rank, at - 2000, at - 1000, "handler", ends=rank)
            if rank < 19:
                trace.instant(rank, at + ms - 3000, "send", flow=rank + 1)
        trace.slice(19, 1019 * ms, 1019 * ms + 50 * ms, "handler")
        trace.write(self.file)
        said = ramjet("trace", self.file)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        path = said.stdout[said.stdout.index("critical path: 19 hops"):]
        self.assertRegex(path, r"\n  rank 19 +50.0 ms\n  rank ")
        self.assertIn("\n  and 8 more\n", path)
        self.assertIn("    rank 19, 50.0 ms from 19.0 ms on, until the end\n", path)

    def test_text(self):
        self.run_traced("all", ranks=2, **ROOMY)
        done = ramjet("trace", self.file, self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("handlers", "waits", "collectives", "bytes, from", "critical path",
                      "on_question", "clocks of different ranks agree within 1000 ns"):
            self.assertEqual(done.stdout.count(words) >= 2, True, words)
        for words in ((), ("--join", "--json", self.file)):
            done = ramjet("trace", *words)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
