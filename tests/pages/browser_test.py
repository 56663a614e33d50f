#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each kind of page in a real browser: it draws, complains of nothing and asks for nothing, and
the timeline of a trace does what its buttons, its keys and the mouse tell it.

    browser_test.py RAMJET ROOT TRACED [CLASS]
    browser_test.py RAMJET ROOT TRACED --pictures FOLDER   writes pictures to look at

Skipped where there is no Chromium.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import browser
from results import MACHINE_FILE, record

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
RAMJET, ROOT, TRACED = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
LIMIT_S = 900
FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
CANVAS = "document.querySelector('figure.timeline canvas')"


def ramjet(*words, text=None):
    done = subprocess.run([RAMJET, *map(str, words)], input=text or "", text=True, check=False,
                          capture_output=True, timeout=LIMIT_S)
    if done.returncode != 0:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


class Pages:
    """Makes one page of each kind in a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def file(self, name, what):
        path = self.folder / name
        path.write_text(what if isinstance(what, str) else json.dumps(what), encoding="utf-8")
        return path

    def made(self, name, *words):
        page = self.folder / f"{name}.html"
        ramjet(*words, "-o", page)
        return page

    def characterization(self):
        return self.made("machine", "report", self.file("machine.json", MACHINE_FILE))

    def benchmark(self):
        return self.made("bench", "report", pathlib.Path(ROOT) / "docs/figures.json")

    def comparison(self):
        old = self.file("old.json", [record("a", 100), record("b", 100), record("c", 7)])
        new = self.file("new.json", [record("a", 50), record("b", 150)])
        return self.made("comparison", "report", old, new)

    def sweep(self):
        runs = [{"ranks": n, "rows": [{"way": w, "n": n, "seconds": s / n}
                                      for w, s in (("natural", 4.0), ("batched", 2.0))]}
                for n in (1, 2, 4)]
        return self.made("sweep", "report", self.file("app.json", "\n".join(map(json.dumps, runs))))

    def papers(self):
        return self.made("papers", "papers", self.file("machine.json", MACHINE_FILE))

    def study(self):
        found = ramjet("tam", "study", "--quick", "--one-block-size", "--json")
        return self.made("study", "report", self.file("study.json", found))

    def trace(self):
        file = self.folder / "job.trace"
        ramjet("run", "-n", "3", "--trace", file, TRACED, "all")
        return self.made("trace", "report", file)


class Browsed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="browser-test-")
        cls.addClassCleanup(cls.holder.cleanup)
        cls.pages = Pages(cls.holder.name)
        cls.browser = cls.enterClassContext(browser.Browser())

    def open(self, path, **more):
        tab = browser.Tab(self.browser, path, **more)
        self.addCleanup(tab.close)
        return tab

    def check_is_quiet(self, tab):
        self.assertEqual(tab.complaints(), [])
        self.assertEqual(tab.requests(), [tab.url])


class Kinds(Browsed):
    def check_plots(self, path):
        """Each plot has marks, in light and in dark, wide and narrow, and on paper."""
        for width, scheme in ((1000, "light"), (380, "dark")):
            tab = self.open(path, width=width, scheme=scheme)
            tab.wait("document.documentElement.dataset.drawn !== undefined")
            plots = tab.value("JSON.parse(document.getElementById('plots').textContent).length")
            self.assertGreater(plots, 0)
            marks = tab.value(
                "[...document.querySelectorAll('.plot')].map((plot) => plot.querySelectorAll("
                "'svg path, svg circle, svg line, svg rect').length)")
            self.assertEqual(len(marks), plots)
            self.assertGreater(min(marks), 3, path)
            tables = tab.value("document.querySelectorAll('figure details table').length")
            self.assertEqual(tables, plots)
            self.assertLessEqual(tab.value("document.documentElement.scrollWidth"), width, path)
            self.check_contents(tab)
            self.check_is_quiet(tab)
        self.check_print(tab)
        self.report(path, tab)

    def check_contents(self, tab):
        """No entry of the contents is wider than its column, and the columns leave room for the
        numbers in front of the entries."""
        wide, gap = tab.value("""(() => {
            const list = document.querySelector("nav ol");
            if (list === null) return [0, 1];
            const wide = [...list.children].filter((li) => li.scrollWidth > li.clientWidth).length;
            const style = getComputedStyle(list);
            return [wide, parseFloat(style.columnGap) - parseFloat(style.paddingLeft)];
          })()""")
        self.assertEqual(wide, 0)
        self.assertGreater(gap, 0)

    def check_print(self, tab):
        self.assertTrue(tab.printed().startswith(b"%PDF"))

    def report(self, path, tab):
        print(f"{path.name}: first contentful paint after {tab.first_paint_ms():.0f} ms, "
              f"{path.stat().st_size // 1000} kB")

    def test_characterization(self):
        self.check_plots(self.pages.characterization())

    def test_benchmark(self):
        self.check_plots(self.pages.benchmark())

    def test_comparison(self):
        self.check_plots(self.pages.comparison())

    def test_sweep(self):
        self.check_plots(self.pages.sweep())

    def test_papers(self):
        self.check_plots(self.pages.papers())

    def test_study(self):
        self.check_plots(self.pages.study())


class Trace(Browsed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.path = cls.pages.trace()

    def opened(self, **more):
        tab = self.open(self.path, **more)
        tab.wait("document.documentElement.dataset.timelines === '1'")
        tab.value(f"{CANVAS}.scrollIntoView({{block: 'center'}})")
        return tab

    def drawn(self, tab):
        tab.value(FRAME)
        return {name: float(value)
                for name, value in tab.value(f"({{...{CANVAS}.dataset}})").items()}

    def said(self, tab):
        return tab.value("document.querySelector('.timeline .said').textContent")

    def span(self, tab):
        view = self.drawn(tab)
        return view["to"] - view["from"]

    def colours(self, tab):
        """How many pixels the canvas has of each colour."""
        return dict(tab.value(f"""(() => {{
            const canvas = {CANVAS}, found = new Map();
            const copy = new OffscreenCanvas(canvas.width, canvas.height);
            const c = copy.getContext("2d", {{willReadFrequently: true}});
            c.drawImage(canvas, 0, 0);
            const {{data}} = c.getImageData(0, 0, copy.width, copy.height);
            for (let i = 0; i < data.length; i += 4) {{
              const colour = data.slice(i, i + 3).join();
              found.set(colour, (found.get(colour) ?? 0) + 1);
            }}
            return [...found];
          }})()"""))

    def middle(self, tab):
        box = tab.value(f"(() => {{ const b = {CANVAS}.getBoundingClientRect(); "
                        "return [b.x, b.y, b.width, b.height]; })()")
        return box[0] + box[2] * 0.6, box[1] + box[3] * 0.5, box

    def test_it_draws_in_light_and_in_dark(self):
        tab = self.opened()
        light = self.colours(tab)
        self.assertGreater(light["213,94,0"], 100)  # waits
        self.assertGreater(light["238,241,244"], 100)  # the rest
        tab.media(scheme="dark")
        self.drawn(tab)
        dark = self.colours(tab)
        self.assertGreater(dark["240,138,60"], 100)
        self.assertNotIn("238,241,244", dark)
        self.check_is_quiet(tab)

    def test_keys(self):
        tab = self.opened()
        for _ in range(40):  # by keys alone to the canvas
            tab.key("Tab")
            if tab.value(f"document.activeElement === {CANVAS}"):
                break
        self.assertTrue(tab.value(f"document.activeElement === {CANVAS}"))
        whole = self.span(tab)
        tab.key("+")
        self.assertAlmostEqual(self.span(tab), whole / 2, delta=2)
        before = self.drawn(tab)["from"]
        tab.key("ArrowRight")
        self.assertGreater(self.drawn(tab)["from"], before)
        tab.key("-")
        tab.key("ArrowDown")
        self.assertEqual(self.drawn(tab)["row"], 1)
        self.assertIn("rank 1: ", self.said(tab))
        tab.key("Home")
        first = self.drawn(tab)["slice"]
        self.assertRegex(self.said(tab), r"^rank 1: .* at [\d.e+]+ (ns|us|ms|s)[.,]")
        tab.key("n")
        self.assertEqual(self.drawn(tab)["slice"], first + 1)
        tab.key("p")
        self.assertEqual(self.drawn(tab)["slice"], first)
        tab.key("0")
        self.assertEqual(self.span(tab), whole)
        tab.key("Escape")
        self.assertEqual(self.drawn(tab)["slice"], -1)
        self.check_is_quiet(tab)

    def test_an_arrow_is_followed(self):
        tab = self.opened()
        whole = self.span(tab)
        tab.value(f"{CANVAS}.focus()")
        tab.key("Home")
        for _ in range(200):
            if " sends " in self.said(tab):
                break
            tab.key("n")
        name = re.search(r"^rank 0: sends (.*) to rank (\d)", self.said(tab))
        self.assertIsNotNone(name, self.said(tab))
        tab.key("f")
        self.assertRegex(self.said(tab),
                         f"^rank {name[2]}: handles {re.escape(name[1])} of rank 0")
        tab.key("Enter")
        view = self.drawn(tab)
        self.assertGreater(view["arrows"], 0)
        self.assertLessEqual(view["to"] - view["from"], whole)

    def test_mouse(self):
        tab = self.opened(height=9000)  # all of the page, so that nothing scrolls
        whole = self.span(tab)
        x, y, box = self.middle(tab)
        tab.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120)
        self.assertEqual(self.span(tab), whole)  # it is for the page
        tab.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120, modifiers=2)
        tab.wait(f"{CANVAS}.dataset.to - {CANVAS}.dataset.from < {whole}")
        view = self.drawn(tab)
        tab.mouse("mousePressed", x, y, button="left", clickCount=1)
        tab.mouse("mouseMoved", x - 200, y, button="left", buttons=1)
        tab.mouse("mouseReleased", x - 200, y, button="left", clickCount=1)
        tab.wait(f"{CANVAS}.dataset.from > {view['from']}")
        tab.mouse("mouseMoved", box[0] + box[2] - 40, y)
        tab.wait("!document.querySelector('.timeline .tip').hidden")
        self.assertTrue(tab.value("document.querySelector('.tip').textContent")
                        .startswith("rank 1"))
        self.check_is_quiet(tab)

    def test_buttons_and_places(self):
        tab = self.opened()
        whole = self.span(tab)
        press = "[...document.querySelectorAll('.tools button')].find((b) => b.textContent === %r)"
        tab.value(press % "Zoom in" + ".click()")
        self.assertAlmostEqual(self.span(tab), whole / 2, delta=2)
        tab.value(press % "All" + ".click()")
        self.assertEqual(self.span(tab), whole)
        places = tab.value("JSON.parse(document.getElementById('timeline0').textContent).places")
        short = min(range(len(places)),
                    key=lambda i: places[i]["where"][1] - places[i]["where"][0])
        tab.value(f"(() => {{ const s = document.querySelector('.tools select'); s.value = {short};"
                  " s.dispatchEvent(new Event('change')); })()")
        view, [begin, end] = self.drawn(tab), places[short]["where"]
        self.assertLess(view["to"] - view["from"], whole)
        self.assertTrue(view["from"] <= begin <= end <= view["to"])
        self.assertEqual(view["row"], places[short]["row"])
        self.assertTrue(self.said(tab).startswith(places[short]["name"] + ", at "))
        self.assertEqual(
            tab.value("[...document.querySelectorAll('.tools button, .tools input, .tools select')]"
                      ".filter((e) => !(e.textContent || e.closest('label').textContent)).length"),
            0)

    def test_paper_and_narrow_screens(self):
        tab = self.opened(scheme="dark")
        pdf = tab.printed()
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertIn("240,138,60", self.colours(tab))  # dark again
        tab.size(380, 800)
        tab.wait(f"{CANVAS}.width < 400")
        self.assertLessEqual(tab.value("document.documentElement.scrollWidth"), 380)
        tab.value("dispatchEvent(new Event('beforeprint'))")
        self.assertGreater(self.colours(tab)["238,241,244"], 100)  # light on paper
        tab.value("dispatchEvent(new Event('afterprint'))")
        self.drawn(tab)
        self.assertNotIn("238,241,244", self.colours(tab))
        self.check_is_quiet(tab)


def write_pictures(folder):
    """Of each kind of page: light, dark, narrow, and on paper."""
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, browser.Browser() as b:
        pages = Pages(made)
        for make in (pages.characterization, pages.benchmark, pages.comparison, pages.sweep,
                     pages.papers, pages.study, pages.trace):
            for name, width, scheme in (("light", 1000, "light"), ("dark", 1000, "dark"),
                                        ("narrow", 380, "light")):
                tab = browser.Tab(b, make(), width=width, scheme=scheme)
                data = "document.documentElement.dataset"
                tab.wait(f"{data}.timelines !== undefined || {data}.drawn !== undefined")
                tab.value(FRAME)
                tab.picture(out / f"{make.__name__}-{name}.png")
                if name == "light":
                    (out / f"{make.__name__}.pdf").write_bytes(tab.printed())
                tab.close()


if __name__ == "__main__":
    if browser.find() is None:
        print("skipped: there is no Chromium here; scripts/setup check installs it")
        sys.exit(SKIPPED)
    if "--pictures" in sys.argv:
        write_pictures(sys.argv[sys.argv.index("--pictures") + 1])
    else:
        unittest.main(verbosity=2)
