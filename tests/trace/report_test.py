#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet report` of traces: what its page has, against what the file and `ramjet trace` say.

    report_test.py RAMJET TRACED MESSAGE_THREADS [CLASS]
"""

import base64
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zlib

import perfetto_file

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "pages"))
from page_parser import Page  # pylint: disable=wrong-import-position

RAMJET, TRACED, MESSAGE_THREADS = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
LIMIT_S = 900
PAGE_BYTES_MAX = 3_000_000
KINDS = ["handler", "wait", "collective", "thread", "send", "access"]
Shown = collections.namedtuple("Shown", "kind row name begin end peer bytes open sender")


def ramjet(*words, status=0, **variables):
    done = subprocess.run([RAMJET, *map(str, words)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=LIMIT_S, check=False,
                          env={**os.environ, **variables})
    if done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Timeline:
    """A timeline of a page, unpacked."""

    def __init__(self, page, number):
        self.says = json.loads(page.scripts[f"timeline{number}"])
        data = zlib.decompress(base64.b64decode(page.scripts[f"columns{number}"], validate=True))
        parts, at = [], 0
        for size in self.says["columns"]:
            parts.append(data[at:at + size])
            at += size
        assert at == len(data)
        self.shares = parts.pop()
        columns = [self._numbers(part) for part in parts]
        self.path = columns.pop()
        self.slices = []
        rows = [row for row, count in enumerate(self.says["slices"]) for _ in range(count)]
        now = 0
        for i, row in enumerate(rows):
            begin, length, kind, name, peer, size, far = (column[i] for column in columns)
            now = begin + (now if i > 0 and rows[i - 1] == row else 0)
            sender = None if far == 0 else i - (far + 1) // 2 if far % 2 else i + far // 2
            self.slices.append(Shown(KINDS[kind >> 1], row, self.says["names"][name], now,
                                     now + length, peer - 1, size, bool(kind & 1), sender))

    @staticmethod
    def _numbers(part):
        found, at = [], 0
        while at < len(part):
            value, at = perfetto_file.varint(part, at)
            found.append(value)
        return found


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="report-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.file = self.folder / "job.trace"

    def trace(self, *words, ranks=2, options=(), program=TRACED, status=0, size="8M"):
        ramjet("run", "-n", ranks, "--trace", self.file, *options, program, *words, status=status,
               RAMJET_TRACE_BYTES=size)

    def page(self, *files):
        made = self.folder / "page.html"
        ramjet("report", *files, "-o", made)
        text = made.read_text(encoding="utf-8")
        self.assertLess(len(text), PAGE_BYTES_MAX)
        return Page(text)

    def said(self):
        return json.loads(ramjet("trace", "--json", self.file).stdout)["traces"][0]


class Whole(Case):
    def check_slices(self, trace, timeline):
        """Each event of the file is in the page, with its arrow."""
        first = min(s.begin for s in trace.slices if s.category in (*KINDS, "reply"))
        wanted = collections.Counter()
        for s in trace.slices:
            kind = "handler" if s.category == "reply" else s.category
            if kind in KINDS:
                end = timeline.says["duration"] if s.end is None else s.end - first
                wanted[kind, s.name, s.begin - first, end, s.numbers.get("bytes", 0),
                       s.end is None] += 1
        shown = collections.Counter((s.kind, s.name, s.begin, s.end, s.bytes, s.open)
                                    for s in timeline.slices)
        self.assertEqual(shown, wanted)
        arrows = [(timeline.slices[s.sender], s) for s in timeline.slices if s.sender is not None]
        flows = {flow for s in trace.slices for flow in s.flows}
        joined = [s for s in trace.slices if s.ends and s.ends[0] in flows]
        self.assertEqual(len(arrows), len(joined))
        for sent, handler in arrows:
            self.assertIn(sent.kind, ("send", "handler"))
            self.assertEqual(sent.row, handler.peer)  # rows are ranks here
            if sent.kind == "send":
                self.assertEqual((sent.name, sent.peer), (handler.name, handler.row))

    def test_every_event_of_a_small_trace(self):
        self.trace("all", ranks=3)
        page = self.page(self.file)
        timeline, said = Timeline(page, 0), self.said()
        self.check_slices(perfetto_file.Trace(self.file), timeline)
        self.assertEqual(timeline.says["rows"], ["rank 0", "rank 1", "rank 2"])
        self.assertEqual(timeline.says["exact"], [[0, said["duration_ns"]]])
        self.assertEqual(len(timeline.path), 3 * len(said["critical_path"]["parts"]))
        self.assertIn("No event is lost.", page.words)
        self.assertIn("Clocks of different ranks agree within 1 us: an arrow may point back by "
                      "that much.", page.words)

    def test_tables_say_what_ramjet_trace_says(self):
        self.trace("all", ranks=3)
        page, said = self.page(self.file), self.said()
        tables = {tuple(t[0]): t[1:] for t in page.tables}
        handlers = tables["handler", "messages", "bytes", "in the handler", "under way, mean",
                          "longest"]
        self.assertEqual([(row[0], int(row[1])) for row in handlers],
                         [(r["name"], r["messages"]) for r in said["handlers"]])
        late = tables.get(("rank", "others waited", "in waits"), [])
        self.assertEqual([(int(row[0]), int(row[2])) for row in late],
                         [(r["rank"], r["waits"]) for r in said["late"]])
        waits = [t for t in page.tables if t[0][:2] == ["for", "times"]]
        self.assertEqual([[(row[0], int(row[1])) for row in t[1:]] for t in waits],
                         [[(r["name"], r["times"]) for r in said[kind]]
                          for kind in ("waits", "collectives")])
        self.assertEqual(len(tables["from", "to 0", "to 1", "to 2"]), 3)
        shares = tables["rank", "handlers", "waits", "collectives", "the rest",
                        "on the critical path"]
        for row in shares:
            self.assertAlmostEqual(sum(float(cell.split()[0]) for cell in row[1:5]), 100, delta=.3)
        longest = max(r["longest_ns"] for r in said["waits"])
        self.assertTrue(any(w.startswith("The longest single wait was rank ") for w in page.words))
        places = Timeline(page, 0).says["places"]
        self.assertEqual(places[0]["where"][1] - places[0]["where"][0], longest)

    def test_waits_for_signals(self):
        """A near signal sends no message. The trace names its sender if it has near accesses, and
        else says how to trace them."""
        hint = "`ramjet run --trace-near` also traces accesses to memory of the same node"
        for options, is_known in ((("--trace-near",), True), ((), False)):
            self.trace("signals", options=options)
            page, said = self.page(self.file), self.said()
            text = ramjet("trace", self.file).stdout
            self.assertEqual(hint in text, not is_known, text)
            self.assertEqual(any(hint in words for words in page.words), not is_known)
            self.assertEqual(said["unexplained_signals"] == 0, is_known, text)
            signalled = sorted(row["rank"] for row in said["late"] if row["waits"] > 10)
            self.assertEqual(signalled, [0, 1] if is_known else [], text)
            longest = next(t for t in page.tables if t[0][-1] == "because of")
            causes = {row[-1] for row in longest[1:] if row[0] == "wait_signal"}
            self.assertEqual("a store to this rank's memory" in causes, not is_known, causes)

    def test_threads(self):
        self.trace(program=MESSAGE_THREADS)
        timeline = Timeline(self.page(self.file), 0)
        self.check_kinds(timeline, {"thread", "handler", "wait"})

    def check_kinds(self, timeline, kinds):
        self.assertLessEqual(kinds, {s.kind for s in timeline.slices})

    def test_several_traces_beside_results(self):
        self.trace("all", ranks=1)
        run = self.folder / "run.json"
        run.write_text('{"ranks": 2, "rows": [{"n": 1, "seconds": 1.5}, {"n": 2, "seconds": 1}]}',
                       encoding="utf-8")
        page = self.page(self.file, run, self.file)
        self.assertEqual(len([a for a in page.named("figure") if a.get("class") == "timeline"]), 2)
        self.assertEqual(page.headings[0], "Runs in run.json")
        self.assertEqual(Timeline(page, 0).slices, Timeline(page, 1).slices)


class Missing(Case):
    def test_what_is_summarised_is_said(self):
        """A part of the events, all of them in the shares and in the tables."""
        messages = 70000
        self.trace("flood", messages)
        page, said = self.page(self.file), self.said()
        timeline = Timeline(page, 0)
        self.assertEqual(said["lost"], 0)
        self.assertGreater(timeline.says["in_all"], 2 * messages)
        self.assertLess(len(timeline.slices), timeline.says["in_all"])
        self.assertGreaterEqual(len(timeline.slices), messages)  # sends take no time, and give way
        self.assertTrue(any(f"has {len(timeline.slices)} of {timeline.says['in_all']} events" in w
                            for w in page.words))
        [row] = [row for t in page.tables if t[0][:2] == ["handler", "messages"] for row in t
                 if row[0].endswith("on_number")]
        self.assertEqual(int(row[1]), messages)
        bins, rows = timeline.says["bins"], len(timeline.says["rows"])
        self.assertEqual(len(timeline.shares), 3 * bins * rows)
        busy = sum(timeline.shares[:rows * bins]) / 255 / bins * timeline.says["duration"]
        wanted = sum(row["busy_ns"] for row in said["handlers"])
        self.assertLess(abs(busy - wanted), 0.01 * timeline.says["duration"])

    def test_what_is_lost_is_said(self):
        self.trace("flood", 50000, size="64K")
        page, lost = self.page(self.file), self.said()["lost"]
        self.assertGreater(lost, 0)
        self.assertTrue(any(w.startswith(f"{lost} events are lost, ") for w in page.words))

    def test_a_killed_rank(self):
        self.trace("die", 500, status=137)
        timeline = Timeline(self.page(self.file), 0)
        died_in = [s for s in timeline.slices if s.name.endswith("on_number") and s.open]
        self.assertEqual(len(died_in), 1)
        self.assertEqual(died_in[0].end, timeline.says["duration"])

    def test_cut_and_newer_files(self):
        self.trace("flood", 200)
        whole = self.file.read_bytes()
        self.file.write_bytes(whole[:len(whole) // 2])
        self.assertTrue(any(w.startswith("The file is cut") for w in self.page(self.file).words))
        for data, sentence in (
                (whole.replace(b"(trace format 1)", b"(trace format 9)", 1), "has trace format 9"),
                (whole[:40], "is not a file of `ramjet run --trace`")):
            self.file.write_bytes(data)
            done = ramjet("report", self.file, "-o", self.folder / "no.html", status=1)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))
            self.assertIn(f"ramjet report: {self.file}: {sentence}", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
