#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ramjet report`, `ramjet papers` and `ramjet bench --compare`.

    pages_test.py RAMJET ROOT [CLASS]
"""

import copy
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from page_parser import Page
from results import CURVE, MACHINE, MACHINE_FILE, record

RAMJET = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1))
LIMIT_S = 1200
PAGE_BYTES_MAX = 3_000_000
KIB = 1024


def ramjet(*words, status=0, text=None):
    done = subprocess.run([RAMJET, *map(str, words)], input=text or "", text=True,
                          capture_output=True, timeout=LIMIT_S, check=False)
    if done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def file(self, name, what):
        path = self.folder / name
        path.write_text(what if isinstance(what, str) else json.dumps(what), encoding="utf-8")
        return path

    def page(self, *words):
        made = self.folder / "page.html"
        ramjet(*words, "-o", made)
        text = made.read_text(encoding="utf-8")
        self.assertLess(len(text), PAGE_BYTES_MAX)
        return Page(text)


class Refused(Files):
    def check(self, path, sentence):
        for words in (("report", path), ("papers", path), ("bench", "--compare", path)):
            with self.subTest(words=words[0], path=path):
                done = ramjet(*words, status=1)
                self.assertEqual(done.stdout, "")
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertRegex(done.stderr, f"^ramjet [a-z]+: {re.escape(str(path))} {sentence}")

    def test_files_that_are_none_of_ours(self):
        whole = json.dumps([record("am_rate", 2.0)])
        for text, sentence in (
                ("", "is empty"),
                ("hello", "is not JSON: it takes what ramjet"),
                ("[1, 2]", "is not one of our results: it takes what ramjet"),
                ('{"a": 1}', "is not one of our results"),
                (whole[:-20], "is not complete JSON: it is damaged, or cut"),
                ('{"ranks": 1, "seconds": 2}\n{"ranks": 2, "sec', "is not JSON in line 2"),
                ("[" * 100_000 + "]" * 100_000, "is not complete JSON"),
                ("[" + "[]," * 2_000_000 + "0]", "has too many values: more than 2000000"),
                (whole.replace('"version": 1', '"version": 2'),
                 "is of version 2, of a newer ramjet: this one reads version 1"),
                ('{"version": 7, "machine": {}, "near": {}}', "is of version 7")):
            self.check(self.file("some.json", text), sentence)

    def test_what_is_too_large_is_not_read(self):
        huge = self.folder / "huge.json"
        with open(huge, "wb") as file:
            file.truncate(10 << 30)
        self.check(huge, "is too large: more than 16 MiB")
        self.check(pathlib.Path("/dev/zero"), "is too large: more than 16 MiB")

    def test_objects_of_many_members(self):
        many = {"ranks": 1, **{f"k{i}": i for i in range(100_000)}}
        ramjet("report", self.file("many.json", json.dumps(many)))

    def test_what_cannot_be_read(self):
        self.check(self.folder, "is a folder")
        done = ramjet("report", self.folder / "none.json", status=1)
        self.assertIn("cannot read", done.stderr)
        self.assertIn("No such file or directory", done.stderr)

    def test_values_of_other_kinds(self):
        bad = record("am_rate", 2.0)
        bad["params"]["ranks"] = "two"
        for what in ([record("am_rate", -1.0)], [record("am_rate", 0)]):
            path = self.file("bad.json", what)
            done = ramjet("bench", "--compare", path, "--with", path, status=1)
            self.assertIn("has no value above 0", done.stderr)
        path = self.file("machine.json", {"machine": {}, "near": {"gets_by_group": [["a", 1]]}})
        self.assertIn("is not what it seems", ramjet("report", path, status=1).stderr)
        path = self.file("machine.json", {"machine": {}, "memory": 3})
        ramjet("report", path)

    def test_the_page_cannot_be_written(self):
        path = self.file("run.json", [record("am_rate", 2.0)])
        for where, why in (("/dev/full", "No space left on device"),
                           (self.folder / "no" / "page.html", "No such file or directory")):
            done = ramjet("report", path, "-o", where, status=1)
            self.assertEqual(done.stderr, f"ramjet report: cannot write {where}: {why}\n")

    def test_an_older_page_stays_where_there_is_no_room(self):
        path = self.file("run.json", [record("am_rate", 2.0)])
        page = self.folder / "page.html"
        page.write_text("older", encoding="utf-8")
        limited = ["sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"]
        done = subprocess.run([*limited, RAMJET, "report", path, "-o", page], check=False,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"ramjet report: cannot write {page}: File too large\n"))
        self.assertEqual(page.read_text(encoding="utf-8"), "older")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["page.html", "run.json"])

    def test_the_page_would_destroy_what_is_read(self):
        path = self.file("run.json", [record("am_rate", 2.0)])
        before = path.read_text(encoding="utf-8")
        link, hard = self.folder / "link", self.folder / "hard"
        link.symlink_to(path)
        hard.hardlink_to(path)
        other = self.file("other.json", [record("am_rate", 3.0)])
        for command in ("report", "papers"):
            for inputs, page, named in (((path,), path, path), ((other, path), link, path),
                                        ((link,), path, link), ((path,), hard, path),
                                        (("-",), path, "-")):
                with self.subTest(command, inputs=inputs, page=page), \
                        open(path, encoding="utf-8") as standard_input:
                    done = subprocess.run(
                        [RAMJET, command, *inputs, "-o", page], stdin=standard_input, text=True,
                        capture_output=True, timeout=LIMIT_S, check=False)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertEqual(
                        done.stderr, f"ramjet {command}: -o {page} is the file {named}, which is "
                        f"read: write the page to another one (see ramjet {command} --help)\n")
                    self.assertEqual(path.read_text(encoding="utf-8"), before)


class Compared(Files):
    def compare(self, old, new, *words, status=0):
        done = ramjet("bench", "--compare", self.file("old.json", old), "--with",
                      self.file("new.json", new), "--json", *words, status=status)
        return {row["name"]: row for row in json.loads(done.stdout)}

    def verdicts(self, old, new, *words, status=0):
        return {name: row["verdict"]
                for name, row in self.compare(old, new, *words, status=status).items()}

    def test_verdicts(self):
        old = [record("faster", 100), record("slower", 100), record("even", 100),
               record("rate", 100, better="higher", unit="M/s"), record("gone", 1),
               record("loose", 100, spread=2), record("few", 100, repeats=2)]
        new = [record("faster", 80), record("slower", 120), record("even", 102),
               record("rate", 80, better="higher", unit="M/s"), record("news", 1),
               record("loose", 300, spread=2), record("few", 300, repeats=2)]
        self.assertEqual(self.verdicts(old, new, status=3), {
            "faster": "better", "slower": "worse", "even": "same", "rate": "worse",
            "gone": "only before", "news": "only now", "loose": "unclear", "few": "unclear"})

    def test_exit_status(self):
        old = [record("a", 100), record("b", 100)]
        self.verdicts(old, [record("a", 50), record("b", 100)], status=0)
        self.verdicts(old, [record("a", 50), record("b", 200)], status=3)
        self.verdicts(old, [record("a", 100, processor="Other")], status=4)
        self.verdicts(old, [record("a", 108)], status=3)
        self.verdicts(old, [record("a", 108)], "--tolerance", "10", status=0)

    def test_another_machine_or_build(self):
        for what in ({"processor": "Other"}, {"usable_cores": 4}, {"compiler": "clang"},
                     {"flags": "-O2"}):
            row = self.compare([record("a", 1)], [record("a", 1, **what)], status=4)["a"]
            self.assertEqual((row["verdict"], row["why"]),
                             ("not comparable", f"another {next(iter(what))}"))
        row = self.compare([record("a", 1)], [record("a", 1, unit="us")], status=4)["a"]
        self.assertEqual(row["why"], "measured in another unit")
        self.assertEqual(self.verdicts([record("a", 1)], [record("a", 1, commit="x", kernel="7")]),
                         {"a": "same"})

    def test_a_slower_machine_is_not_a_slower_program(self):
        old, new = [record("a", 100, limit=50)], [record("a", 300, limit=150)]
        row = self.compare(old, new)["a"]
        self.assertEqual((row["verdict"], row["by_limit"]), ("same", True))
        self.assertAlmostEqual(row["speed"], 1)

    def test_intervals_are_those_of_the_documentation(self):
        def square(spread, n):
            z, f = 2.5758, n - 1
            t = z + (z**3 + z) / (4 * f) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f * f)
            return (t * 1.2533 * spread / (1.349 * (1 - 1.2 / n)) / math.sqrt(n)) ** 2

        row = self.compare([record("a", 100, spread=0.1, repeats=9)],
                           [record("a", 50, spread=0.2, repeats=30)])["a"]
        half = math.sqrt(square(0.1, 9) + square(0.2, 30))
        self.assertAlmostEqual(row["speed"], 2)
        self.assertAlmostEqual(row["low"], 2 * math.exp(-half))
        self.assertAlmostEqual(row["high"], 2 * math.exp(half))

    def test_rows_by_ranks(self):
        two, many = record("a", 100), record("a", 100)
        many["params"]["ranks"] = 8
        slow = copy.deepcopy(many)
        slow["value"] = 200
        self.assertEqual(self.verdicts([two, many], [two, slow], status=3),
                         {"a": "same", "a, 8 ranks": "worse"})

    def test_a_run_now(self):
        recorded = json.loads(ramjet("bench", "--quick", "--json", "ult_switch").stdout)
        self.assertEqual(recorded[0]["version"], 1)
        old = self.file("old.json", recorded)
        done = ramjet("bench", "--quick", "--compare", old, "--json", status=4)  # two repeats
        rows = json.loads(done.stdout)
        self.assertEqual([(r["name"], r["verdict"]) for r in rows], [("ult_switch", "unclear")])
        self.assertEqual(rows[0]["before"], recorded[0]["value"])
        unknown = self.file("unknown.json", [record("no_such", 1)])
        done = ramjet("bench", "--compare", unknown, status=1)
        self.assertIn("none of its benchmarks is known", done.stderr)

    def test_named_rows_alone(self):
        old, new = ([record("am_rate", 100), record("ult_switch", ns)] for ns in (100, 200))
        self.assertEqual(self.verdicts(old, new, "am_rate"), {"am_rate": "same"})
        self.assertEqual(self.verdicts(old, new, "ult_switch", status=3), {"ult_switch": "worse"})
        done = ramjet("bench", "ult_mutex", "--compare", self.folder / "old.json", status=1)
        self.assertIn("old.json has none of the benchmarks that are named", done.stderr)

    def test_many_rows(self):
        rows = [{**record(f"row {i}", 100), "params": {}} for i in range(40_000)]
        self.assertEqual(len(self.compare(rows, rows, status=4)), len(rows))

    def test_the_table(self):
        done = ramjet("bench", "--compare", self.file("old.json", [record("a", 100)]), "--with",
                      self.file("new.json", [record("a", 50)]))
        self.assertRegex(done.stdout, r"(?m)^  a +100 +50 +ns +2\.00 \* +1\.9\d - 2\.\d\d +better$")


class Whole(Files):
    def setUp(self):
        super().setUp()
        self.made = self.page("report", self.file("machine.json", MACHINE_FILE))

    def test_numbers_are_those_of_the_file(self):
        def curves(title):
            return {c["name"]: c["points"] for p in self.made.plots for c in p["curves"]
                    if p["title"].startswith(title)}
        self.assertEqual(curves("A read of memory in random order"),
                         {"each waits for the one before": CURVE, "reads overlap": CURVE[:5]})
        self.assertEqual(curves("A barrier of more ranks")["a barrier"], [[4, 8000], [8, 16000]])
        self.assertEqual(curves("A byte of messages")["a byte"], MACHINE_FILE["crowd"]["bytes"])
        self.assertEqual(curves("Reads of this core's memory by stride"),
                         {"16 KiB": CURVE, "64 KiB": CURVE})
        bulk = curves("Bytes fetched")
        self.assertEqual(bulk["words"], [[x, x / y] for x, y in CURVE])
        self.assertEqual(len(bulk["bulk"]), 4)
        shown = {row[0]: row[1] for table in self.made.tables for row in table if len(row) == 2}
        self.assertEqual(shown["a request and its reply"], "100 ns")

    def test_rows_of_pairs_and_of_an_idle_network(self):
        rows = [row for table in self.made.tables for row in table]
        self.assertIn(["a poll that finds nothing", "4 ns", "8 ns", "2"], rows)
        found = {row[0]: row[1:] for row in rows if row[0] in ("the same L3 cache", "other node")}
        self.assertEqual(found["the same L3 cache"][:3], ["0, 2", "100 ns", "9 ns"])
        self.assertEqual(found["other node"][:3], ["-", "20 us", "-"])

    def test_what_was_not_steady_is_marked(self):
        said = [word for word in self.made.words if "pace changed" in word]
        self.assertEqual(said, ["The machine's pace changed by 50 % meanwhile: these figures are "
                                "worth measuring again on a quieter machine."])

    def test_each_plot_has_its_table(self):
        places = [a for a in self.made.named("div") if a.get("class") == "plot"]
        plots = self.made.plots
        self.assertEqual([int(a["data-plot"]) for a in places], list(range(len(plots))))
        for place, plot in zip(places, plots):
            self.assertEqual(place["role"], "img")
            self.assertTrue(place["aria-label"].startswith(plot["title"]))
            xs = {x for c in plot["curves"] for x, _ in c["points"]}
            beside = [t for t in self.made.tables
                      if t[0][0] == plot["x"]["label"] and len(t) == len(xs) + 1]
            self.assertTrue(beside, plot["title"])
        self.assertEqual(len(self.made.named("details")), len(plots))
        self.assertEqual(len(self.made.named("summary")), len(plots))

    def test_it_is_usable_without_eyes_or_mouse(self):
        self.assertEqual([a["lang"] for a in self.made.named("html")], ["en"])
        for name in ("main", "header", "h1", "nav"):
            self.assertEqual(len(self.made.named(name)), 1, name)
        for a in self.made.named("section"):
            self.assertIn(a["aria-labelledby"], self.made.ids)
        for a in self.made.named("a"):
            self.assertIn(a["href"].removeprefix("#"), self.made.ids)
        for a in self.made.named("th"):
            self.assertIn(a["scope"], ("row", "col"))
        for a in self.made.named("div"):
            if a.get("class") == "scrolls":
                self.assertEqual((a["tabindex"], a["role"]), ("0", "region"))
                self.assertTrue(a["aria-label"])
        for table in self.made.tables:
            self.assertEqual({len(row) for row in table}, {len(table[0])})

    def test_it_fetches_nothing(self):
        policy = [a["content"] for a in self.made.named("meta") if "http-equiv" in a]
        self.assertEqual(len(policy), 1)
        self.assertTrue(policy[0].startswith("default-src 'none';"))
        self.assertEqual([t for t, _ in self.made.tags if t in ("link", "img", "iframe")], [])
        for tag, attributes in self.made.tags:
            self.assertNotIn("src", attributes, tag)
            self.assertFalse([n for n in attributes if n.startswith("on")], tag)

    def test_what_files_say_is_text(self):
        self.assertEqual(len(self.made.named("b")), 0)
        self.assertEqual(len(self.made.scripts), 4)  # numbers, two libraries, ours
        self.assertIn("A <b>&\"'</script><script>alert(1)</script>", "".join(self.made.words))
        hostile = "</script><!--<script>"
        run = {"ranks": 2, "rows": [{"way": hostile, "n": 1, "seconds": 1.0},
                                    {"way": "b", "n": 2, "seconds": 2.0}]}
        made = self.page("report", self.file("app.json", run))
        self.assertEqual(len(made.scripts), 4)
        self.assertIn(hostile, json.dumps(made.plots))

    def test_libraries_come_with_their_licences(self):
        for name in ("d3", "plot"):
            text = (ROOT / f"tools/pages/vendor/{name}.LICENSE").read_text(encoding="utf-8")
            script = [s for s in self.made.scripts.values() if text.strip() in s]
            self.assertEqual(len(script), 1)
            code = (ROOT / f"tools/pages/vendor/{name}.min.js").read_text(encoding="utf-8")
            self.assertIn(code.strip(), script[0])

    def test_text_and_json(self):
        path = self.file("machine.json", MACHINE_FILE)
        text = ramjet("report", path).stdout
        self.assertRegex(text, r"(?m)^  A page has 4 KiB\. +4 KiB +yes$")
        document = json.loads(ramjet("report", "-", "--json",
                                     text=path.read_text(encoding="utf-8")).stdout)
        self.assertEqual([s["title"] for s in document["sections"]], self.made.headings)
        self.assertEqual([p for s in document["sections"] for p in s["plots"]], self.made.plots)


class Kinds(Files):
    def test_benchmarks_against_recorded_figures(self):
        recorded = ROOT / "docs/figures.json"
        records = json.loads(recorded.read_text(encoding="utf-8"))
        made = self.page("report", recorded)
        self.assertEqual([row[0] for row in made.tables[-1][1:]], [r["name"] for r in records])
        shown = {row["row"]: row["value"] for row in made.plots[0]["intervals"]}
        for r in records:
            if r["ratio_to_limit"]:
                speed = 1 / r["ratio_to_limit"] if r["better"] == "lower" else r["ratio_to_limit"]
                self.assertAlmostEqual(shown[r["name"]], speed)

    def test_two_runs_are_compared(self):
        old = self.file("old.json", [record("a", 100), record("b", 100), record("c", 7)])
        new = self.file("new.json", [record("a", 50), record("b", 150)])
        made = self.page("report", old, new)
        self.assertEqual([row[-1] for row in made.tables[-1]],
                         ["verdict", "better", "worse", "only before"])
        self.assertEqual([(i["row"], i["tone"]) for i in made.plots[0]["intervals"]],
                         [("a", "good"), ("b", "bad")])
        self.assertAlmostEqual(made.plots[0]["intervals"][0]["value"], 2)

    def test_a_sweep_of_an_app(self):
        runs = [{"ranks": n, "seed": 1, "ways": [{"way": w, "seconds": s / n, "checksum": "x"}
                                                 for w, s in (("natural", 4.0), ("batched", 2.0))]}
                for n in (1, 2, 4)]
        path = self.file("sweep.json", "\n".join(map(json.dumps, runs)))
        made = self.page("report", path)
        [plot] = made.plots
        self.assertEqual((plot["x"]["label"], plot["y"]["label"]), ("ranks", "seconds"))
        self.assertEqual({c["name"]: c["points"] for c in plot["curves"]},
                         {"natural": [[1, 4], [2, 2], [4, 1]],
                          "batched": [[1, 2], [2, 1], [4, .5]]})
        self.assertIn("In all rows: seed 1, checksum x.", made.words)

    def test_apps_as_they_are(self):
        em3d = pathlib.Path(RAMJET).parent / "em3d"
        out = ramjet("run", "-n", "2", em3d, "--json", "--nodes", "20", "--degree", "4",
                     "--iterations", "1", "--repeats", "1", "--remote", "0,50").stdout
        made = self.page("report", self.file("em3d.json", out))
        [plot] = made.plots
        self.assertEqual((plot["x"]["label"], plot["y"]["label"]),
                         ("remote_percent", "ns_per_edge"))
        found = {(r["version"], r["remote_percent"]): r["ns_per_edge"]["median"]
                 for r in json.loads(out)["results"]}
        self.assertEqual({(c["name"], x): y for c in plot["curves"] for x, y in c["points"]}, found)

    def test_the_study(self):
        out = ramjet("tam", "study", "--quick", "--one-block-size", "--json").stdout
        data = json.loads(out)
        made = self.page("report", self.file("study.json", out))
        self.assertEqual(len(made.plots), 12)  # four figures for three costs of a miss
        wanted = [[r["bytes"], r["ratio"]] for r in data["ratios"]
                  if (r["name"], r["ways"], r["miss_cycles"]) == ("mean", 2, 24)]
        self.assertIn(wanted, [c["points"] for p in made.plots for c in p["curves"]
                               if c["name"] == "2 ways"])
        held = [row[2] for t in made.tables for row in t if row[2:3] in (["reproduced"],
                                                                         ["not reproduced"])]
        self.assertEqual([h == "reproduced" for h in held],
                         [c["reproduced"] for c in data["claims"]])

    def test_several_kinds_on_one_page(self):
        made = self.page("report", self.file("machine.json", MACHINE_FILE),
                         self.file("run.json", [record("a", 1, limit=2)]))
        self.assertEqual(made.headings[0], "This core's memory")
        self.assertIn("Benchmarks: ", made.headings[-1])


class Papers(Files):
    PAPERS = json.loads((ROOT / "tools/pages/papers.json").read_text(encoding="utf-8"))["papers"]

    def test_every_item_is_there_and_what_is_missing_is_said(self):
        made = self.page("papers", self.file("run.json", [record("ult_mutex", 2.5)]))
        for paper in self.PAPERS:
            for item in paper["items"]:
                if not item.get("study"):
                    self.assertIn(f"{paper['name']}, {item['place']}: {item['what']}",
                                  made.headings)
            self.assertIn(paper["cite"], made.words)
        said = [w for w in made.words if "ot measured here" in w or "is measured here" in w]
        needing = [i for p in self.PAPERS for i in p["items"]
                   if i.get("study") or i.get("programs") or
                   any("ours" in r and not r["ours"].startswith("budget")
                       for r in i.get("rows", []))]
        self.assertEqual(len(said), len(needing))

    def test_numbers_stand_side_by_side(self):
        machine = copy.deepcopy(MACHINE_FILE)
        machine["near"]["put_ns"] = 3.0
        machine["far"] = {"put_ns": 600.0, "puts_by_group": [[1, 800], [16, 40]]}
        made = self.page("papers", self.file("machine.json", machine))
        rows = {row[0]: row[1:] for table in made.tables for row in table if len(row) == 4}
        self.assertEqual(rows["Split-C's put"], ["300 ns", "3 ns", "1/100"])
        self.assertEqual(rows["Split-C's put, no memory shared"], ["300 ns", "600 ns", "2 times"])
        self.assertIn("A put takes 3 ns, 1/100 of what Split-C's took on the T3D; to a rank that "
                      "shares no memory 600 ns. Where a sync follows each, a put takes 8 ns and "
                      "800 ns; one of 16 before a sync takes 4 ns and 40 ns.", made.words)
        self.assertEqual(rows["send"][0], "21 instructions")
        budgets = json.loads((ROOT / "docs/budgets.json").read_text(encoding="utf-8"))
        budget = next(b["instructions"] for b in budgets if b["path"] == "probe_send")
        self.assertEqual(rows["send"][1], f"{budget} instructions")

    def test_references_are_understood(self):
        """Each of ours is found, or the benchmark or curve that it names exists."""
        listed = ramjet("bench", "--list").stdout
        names = set(re.findall(r"(?m)^(\S+)", listed))
        for paper in self.PAPERS:
            for item in paper["items"]:
                for row in item.get("rows", []):
                    for name in re.findall(r"bench (\w+)", row.get("ours", "")):
                        self.assertIn(name, names)
                for number in re.findall(r"\{(\d+)\*?\}", item.get("says", "")):
                    self.assertIn("ours", item["rows"][int(number) - 1])

    def test_programs_of_a_table(self):
        table = {"repeats": 3, "places": ["2"], "seconds": {"radix: radix sort": [[1.0, 2.0]]},
                 "paper": {"radix: radix sort": [35.2, 55.4]}}
        made = self.page("papers", self.file("table.json", table))
        self.assertIn(["radix: radix sort", "1 | 2 | 0.50", "35.2 | 55.4 | 0.64"],
                      [row for t in made.tables for row in t])

    def test_a_page_that_cannot_be_written_is_not_measured_for(self):
        for page in ("/nowhere/page.html", self.folder):
            self.assertIn(f"ramjet papers: cannot write {page}: ",
                          ramjet("papers", "-o", page, status=1).stderr)

    def test_measured_now(self):
        made = self.folder / "page.html"
        done = ramjet("papers", "--quick", "-o", made)
        self.assertEqual(done.stderr, "")
        page = Page(made.read_text(encoding="utf-8"))
        self.assertLess(made.stat().st_size, PAGE_BYTES_MAX)
        missing = [w for w in page.words if "it needs" in w]
        self.assertEqual(missing, ["Not measured here: it needs scripts/splitc-table --json."])
        self.assertGreater(len(page.plots), 30)
        self.assertNotIn("not measured", page.words)


class Vendor(unittest.TestCase):
    SUMS = {"d3.min.js": "912111098ea99503a6f4967361d2bbdc9dbf58cf9c678c8e27e5b02d1a07f0c1",
            "plot.min.js": "4358086467740777dd788d6b27a95cebdbaefdd50c730a3060117073bd7134cb"}

    def test_libraries_are_as_published(self):
        for name, wanted in self.SUMS.items():
            content = (ROOT / "tools/pages/vendor" / name).read_bytes()
            self.assertEqual(hashlib.sha256(content).hexdigest(), wanted, name)


if __name__ == "__main__":
    unittest.main()
