#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a page of what `ramjet tam study --json` found: the tables and figures 3 to 6 of Spertus
and Dally 1995, beside the paper's numbers, and which of its claims hold. One file of HTML.

    ramjet tam study --json | apps/tam/page.py -o study.html
"""

import argparse
import html
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "measured"))
import plotting  # noqa: E402

# By program: colour and marker. The colours stay apart for colour-blind readers, too.
STYLES = {
    "MMT": ("#D55E00", "o"),
    "QS": ("#E69F00", "s"),
    "DTW": ("#009E73", "^"),
    "paraffins": ("#0072B2", "D"),
    "wavefront": ("#CC79A7", "v"),
    "SS": ("#56B4E9", "P"),
    "mean": ("#000000", "."),
    "mean without SS": ("#000000", "."),
}
MISS_CYCLES = (12, 24, 48)
WAYS = {1: ("#D55E00", "o"), 2: ("#009E73", "^"), 4: ("#0072B2", "s")}
STYLE = """body { font: 16px/1.5 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em;
       color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .2em .7em; text-align: right }
td:first-child, th:first-child, td.text { text-align: left } tr { border-bottom: 1px solid #ddd }
.theirs { color: #888 } .yes { color: #00704a } .no { color: #b04000 } svg { max-width: 100% }"""


def curve(data, name, ways, miss):
    """Kilobytes and ratios."""
    points = sorted((r["bytes"] / 1024, r["ratio"]) for r in data["ratios"]
                    if (r["name"], r["ways"], r["miss_cycles"]) == (name, ways, miss))
    return zip(*points)


def axes_of(pyplot, label):
    figure, all_axes = pyplot.subplots(1, 3, figsize=(13, 4), layout="constrained", sharey=True)
    for axes, miss in zip(all_axes, MISS_CYCLES):
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.axhline(1, color="#777777", linewidth=1)
        axes.set_title(f"a miss costs {miss} cycles", fontsize=11)
        axes.set_xlabel("each cache (KB)")
        plotting.plain(axes, grid="both")
    all_axes[0].set_ylabel(label)
    return figure, all_axes


def drawn(figure, all_axes):
    all_axes[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    text = io.StringIO()
    figure.savefig(text, format="svg")
    return text.getvalue()[text.getvalue().index("<svg"):]


def figure_of_means(pyplot, data):
    figure, all_axes = axes_of(pyplot, "cycles of MD / cycles of AM")
    for axes, miss in zip(all_axes, MISS_CYCLES):
        for ways, (colour, marker) in WAYS.items():
            axes.plot(*curve(data, "mean", ways, miss), color=colour, marker=marker,
                      label="direct-mapped" if ways == 1 else f"{ways} ways")
    return drawn(figure, all_axes)


def figure_of_programs(pyplot, data, ways, names):
    figure, all_axes = axes_of(pyplot, "cycles of MD / cycles of AM")
    for axes, miss in zip(all_axes, MISS_CYCLES):
        for name in names:
            colour, marker = STYLES[name]
            axes.plot(*curve(data, name, ways, miss), color=colour, marker=marker, label=name,
                      linewidth=2.4 if name.startswith("mean") else 1.3)
    return drawn(figure, all_axes)


def table(head, rows):
    cells = "".join(f"<th>{html.escape(str(h))}</th>" for h in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{cells}</tr>{body}</table>"


def beside(ours, theirs, digits=2):
    def text(value):
        return f"{value:.{digits}f}" if value < 10 else f"{value:.1f}" if value < 100 else \
            f"{value:.0f}"
    return f'{text(ours)} <span class="theirs">{text(theirs)}</span>'


def granularity(data):
    paper = data["papers"]["spertus_dally_1995"]["table_2"]
    rows = []
    for p in data["programs"]:
        theirs = paper[p["name"]]
        ours = [p[how][key] for key in ("threads_a_quantum", "instructions_a_thread",
                                        "instructions_a_quantum") for how in ("MD", "AM")]
        ours += [r["ratio"] for miss in MISS_CYCLES for r in data["ratios"]
                 if (r["name"], r["ways"], r["miss_cycles"], r["bytes"])
                 == (p["name"], 4, miss, 8192)]
        rows.append([p["name"], *(beside(*pair) for pair in zip(ours, theirs))])
    return table(["", *paper["columns"]], rows)


def accesses(data):
    theirs = data["papers"]["spertus_dally_1995"]["average_ratios_percent"]
    names = ("reads", "writes", "fetches")
    rows = []
    for p in data["programs"]:
        md, am = ([sum(p[how]["counts"]["accesses"][n].values()) for n in names]
                  for how in ("MD", "AM"))
        rows.append([p["name"], *(f"{100 * m / a:.0f}" for m, a in zip(md, am))])
    rows.append(["mean", *(beside(100 * data["mean_ratios"][n], theirs[n]) for n in names)])
    return table(["MD/AM, percent", *names], rows)


def messages(data):
    paper = data["papers"]["von_eicken_1992"]
    rows = []
    for kind in data["programs"][0]["AM"]["counts"]["messages"]:
        row = [kind]
        for p in data["programs"]:
            all_kinds = p["AM"]["counts"]["messages"]
            row.append(f"{100 * all_kinds[kind] / sum(all_kinds.values()):.1f}")
        rows.append([*row, f'<span class="theirs">{paper["table_3"].get(kind, "")}</span>'])
    for name, key, their in (("TL0 instructions a message", "tl0_instructions",
                              "tl0_instructions_a_message"),
                             ("AM instructions a message", "instructions",
                              "risc_instructions_a_message")):
        counts = [p["AM"]["counts"] for p in data["programs"]]
        rows.append([name, *(f"{c[key] / sum(c['messages'].values()):.1f}" for c in counts),
                     f'<span class="theirs">{paper[their]}</span>'])
    return table(["percent", *(p["name"] for p in data["programs"]), "Table 3"], rows)


def native(data):
    """Times of this processor, and MD/AM beside that of the counted machine."""
    schedulers = list(data["native"][0]["medians"])
    costs = [c["miss_cycles"] for c in data["native"][0]["counted"]]
    rows = []
    for n in data["native"]:
        rows.append([f"{n['name']} {' '.join(n['arguments'])}",
                     *(f"{1e3 * n['medians'][s]:.1f}" for s in schedulers), f"{n['ratio']:.2f}",
                     *(f"{c['ratio']:.2f}" for c in n["counted"]), f"{n['counted_today']:.2f}"])
    return table(["milliseconds", *schedulers, "MD/AM", *(f"counted, {c:g}" for c in costs),
                  "counted, caches of today"], rows)


def figure_of_native(pyplot, data):
    """By program: MD/AM as measured, and as counted by what a miss costs."""
    figure, axes = pyplot.subplots(figsize=(9, 4), layout="constrained")
    runs = data["native"]
    counted = [(f"counted, a miss costs {c['miss_cycles']:g}",
                [n["counted"][i]["ratio"] for n in runs])
               for i, c in enumerate(runs[0]["counted"])]
    counted.append(("counted, caches of today", [n["counted_today"] for n in runs]))
    markers = "os^Dv<"
    for (label, ratios), marker in zip(counted, markers):
        axes.plot(range(len(runs)), ratios, marker, color="#777777", markersize=5, label=label,
                  fillstyle="none")
    axes.plot(range(len(runs)), [n["ratio"] for n in runs], "D", color="#D55E00", markersize=9,
              label="measured here")
    axes.set_xticks(range(len(runs)), [n["name"] for n in runs])
    axes.axhline(1, color="#777777", linewidth=1)
    axes.set_ylabel("MD / AM")
    plotting.plain(axes, grid="y")
    return drawn(figure, [axes])


def claims(data):
    rows = [[html.escape(c["place"]), html.escape(c["text"]),
             '<b class="yes">reproduced</b>' if c["reproduced"] else
             '<b class="no">not reproduced</b>', html.escape(c["evidence"])]
            for c in data["claims"]]
    return table(["section", "what the paper says", "", "ours"], rows).replace(
        "<td>", '<td class="text">')


def page(pyplot, data):
    names = [p["name"] for p in data["programs"]]
    runs = ", ".join(f"{p['name']} {' '.join(p['arguments'])}" for p in data["programs"])
    parts = [
        ("What the paper says of its measurements", claims(data)),
        ("Table 2: threads a quantum, instructions a thread and a quantum; cycles of MD/AM at "
         "8 KB, 4 ways", granularity(data)),
        ("Section 3.1: accesses", accesses(data)),
        ("Figure 3: geometric means", figure_of_means(pyplot, data)),
        ("Figure 4: 4 ways", figure_of_programs(pyplot, data, 4, [*names, "mean"])),
        ("Figure 5: direct-mapped", figure_of_programs(pyplot, data, 1, [*names, "mean"])),
        ("Figure 6: direct-mapped, without SS",
         figure_of_programs(pyplot, data, 1, ["mean without SS"])),
        *([("Today: processor time, and MD/AM beside that of the counted machine",
            figure_of_native(pyplot, data) + native(data))] if "native" in data else []),
        ("Messages (von Eicken et al. 1992, Table 3)", messages(data))]
    body = "".join(f"<h2>{html.escape(title)}</h2>{text}" for title, text in parts)
    return (f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>AM and MD</title>'
            f"<style>{STYLE}</style><h1>The schedulers AM and MD of the threaded abstract machine"
            f"</h1><p>{html.escape(runs)}. The paper's numbers are in grey: "
            f"{html.escape(data['papers']['spertus_dally_1995']['source'])}.</p>{body}</html>\n")


def read(data):
    for key in ("papers", "ratios", "programs", "claims", "mean_ratios"):
        data[key]
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file", nargs="?", default="-",
                        help="output of ramjet tam study --json (default: standard input)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("study.html"),
                        help="what to write (default: %(default)s)")
    options = parser.parse_args()
    data = plotting.load_json(options.file, "ramjet tam study", read)
    text = page(plotting.load_pyplot(), data)
    try:
        options.output.write_text(text, encoding="utf-8")
    except OSError as e:
        plotting.fail(f"cannot write {options.output}: {e.strerror}")


if __name__ == "__main__":
    main()
