# SPDX-License-Identifier: Apache-2.0
"""What the checks of programs on graphs have in common."""

import json
import pathlib
import subprocess
import tempfile

from kernels_check import Case, options

# Two components, a loop, parallel edges, and vertices without an edge.
SMALL = [(0, 1), (1, 2), (2, 3), (3, 3), (0, 1), (3, 4), (1, 4), (6, 7)]
SMALL_VERTICES = 9
# The same with other numbers, far apart.
FAR = [tuple({0: 5, 1: 70, 2: 10**8, 3: 2**33, 4: 2**63, 6: 2**64 - 2, 7: 2**64 - 1}[v]
             for v in edge) for edge in SMALL]


def renumbered(edges):
    """The numbers that the edges name, in order, and the edges between their places."""
    names = sorted({v for edge in edges for v in edge})
    places = {name: place for place, name in enumerate(names)}
    return names, [(places[a], places[b]) for a, b in edges]


def edge_list(edges):
    return "".join(f"{a} {b}\n" for a, b in edges)


def matrix_market(vertices, edges, header="pattern general"):
    return (f"%%MatrixMarket matrix coordinate {header}\n{vertices} {vertices} {len(edges)}\n" +
            "".join(f"{a + 1} {b + 1}\n" for a, b in edges))


def metis(vertices, edges):
    """Without loops, which METIS does not have."""
    lines = [[] for _ in range(vertices)]
    for a, b in edges:
        lines[a].append(b + 1)
        lines[b].append(a + 1)
    return f"% made by hand\n{vertices} {len(edges)}\n" + "".join(
        " ".join(map(str, line)) + "\n" for line in lines)


class GraphCase(Case):
    def check_size(self, found, vertices, edges):
        self.assertEqual((found["vertices"], found["edges"]), (vertices, len(edges)))

    def check_ways(self, found, ways, rate="teps"):
        self.assertEqual([way["way"] for way in found["ways"]], ways)
        for way in found["ways"]:
            self.assertGreater(way["seconds"], 0)
            self.assertGreater(way[rate], 0)
            if found["serial"] is None:
                self.assertIsNone(way["ratio_to_serial"])
            else:
                self.assertAlmostEqual(way["ratio_to_serial"],
                                       way["seconds"] / found["serial"]["seconds"])

    def found_on_two_nodes(self, app, *arguments, ranks=4):
        command = [options.ramjet, "run", "-n", str(ranks), "--nodes", "2", "--timeout", "60",
                   options.apps / app, "--json", *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def check_text(self, app, ways, *arguments):
        """Of a graph of scale 5; returns it."""
        text = self.output(app, "--scale", 5, *arguments, ranks=2)
        self.assertRegex(text, r"^A Kronecker graph of scale 5.*: 32 vertices, 512 edges over 2 r")
        for way in (*ways, "serial"):
            self.assertRegex(text, rf"\n +{way} +\d+\.\d+ +\d+\.\d+")
        help_text = self.output(app, "--help", ranks=3)
        self.assertEqual(help_text.count(f"Usage: {app} [options]"), 1)
        return text

    def check_command_line(self, app, ways):
        self.app_fails(2, "--scale 32: give a whole number from 1 to 31", app, "--scale", 32)
        self.app_fails(2, f"--ways {ways[0]},quick: give some of {','.join(ways)} "
                       r"\(see", app, "--ways", f"{ways[0]},quick")
        self.app_fails(2, "--ways '': give a value", app, "--ways", "")
        self.app_fails(2, "--file and the size of a Kronecker graph exclude each other", app,
                       "--file", "x", "--scale", 3)
        self.app_fails(2, "unknown option '--nonsense'", app, "--nonsense")

    def check_small_full_disk(self, app):
        for arguments in (["--scale", "3"], ["--scale", "3", "--json"], ["--help"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([options.apps / app, *arguments], stdout=full, text=True,
                                        stderr=subprocess.PIPE, timeout=60, check=False)
            self.assertEqual((result.returncode, result.stderr),
                             (1, f"{app}: cannot write standard output: "
                                 "No space left on device\n"))


class FileCase(GraphCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="graph-test-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)

    def file(self, text, name="graph"):
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def rectangle(self, rows, columns, entries):
        return self.file(f"%%MatrixMarket matrix coordinate pattern general\n"
                         f"{rows} {columns} {len(entries)}\n" +
                         "".join(f"{a + 1} {b + 1}\n" for a, b in entries), "rectangle.mtx")

    def small_file(self):
        return self.file(edge_list(SMALL))

    def check_bad_files(self, app):
        self.app_fails(1, "absent: No such file or directory", app, "--file",
                       self.folder / "absent")
        self.app_fails(1, ":2: 'x' stands where", app, "--file", self.file("0 1\n1 x\n"))
        self.app_fails(1, "not enough memory for 2147483648 vertices and 2199023255552 edges: a "
                       r"rank needs at least \d+\.\d GB", app, "--scale", 31, "--edge-factor", 1024)
