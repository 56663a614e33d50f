#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command `ramjet` as its users meet it, without jobs.

    tools_test.py RAMJET MAN_FOLDER [CLASS]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RAMJET = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "ramjet"
MAN = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path("docs/man")
LIMIT_S = 60
COMMANDS = ("run", "top", "bench", "characterize", "trace", "model", "tam", "report", "papers",
            "info")


def ramjet(*words, stdout=subprocess.PIPE, **variables):
    return subprocess.run([RAMJET, *words], stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, text=True, timeout=LIMIT_S, check=False,
                          env={**os.environ, **variables})


class Words(unittest.TestCase):
    def test_wrong_command_lines_are_refused_in_one_line(self):
        for words, sentence in (
                (["info", "--bogus"], "ramjet info: unknown option '--bogus'"),
                (["info", "more"], "ramjet info: unexpected argument 'more'"),
                (["info", "--json=3"], "ramjet info: --json takes no value"),
                (["bench", "--bogus"], "ramjet bench: unknown option '--bogus'"),
                (["bench", "--repeats"], "ramjet bench: --repeats needs a value"),
                (["bench", "--repeats", "abc"],
                 "ramjet bench: --repeats abc: give a number from 1 to 1000000"),
                (["bench", "--repeats", "1000001"],
                 "ramjet bench: --repeats 1000001: give a number from 1 to 1000000"),
                (["tam"], "ramjet tam: say what: study"),
                (["tam", "study", "more"], "ramjet tam: unexpected argument 'more'"),
                (["tam", "study", "--size", "MMT"],
                 "ramjet tam: --size MMT: give NAME=N, of a program of the study"),
                (["bench", "--with", "new.json"],
                 "ramjet bench: --with and --tolerance belong to --compare"),
                (["bench", "--compare", "old.json", "--tolerance", "-1"],
                 "ramjet bench: --tolerance -1: give a number from 0 to 1000"),
                (["report"], "ramjet report: name the files with results"),
                (["report", "a.json", "--json", "-o", "a.html"],
                 "ramjet report: --json prints, and -o writes a page"),
                (["papers", "--quick", "a.json"],
                 "ramjet papers: --quick measures, and FILE is measured"),
                (["run", "--bogus", "-n", "1", "true"], "ramjet run: unknown option '--bogus'"),
                (["run", "--tag-output=3", "-n", "1", "true"],
                 "ramjet run: --tag-output takes no value"),
                (["run", "-n", "1", "--timeout"], "ramjet run: --timeout needs a value"),
                (["help", "bench", "more"], "ramjet: unexpected argument 'more'"),
                (["--version", "more"], "ramjet: unexpected argument 'more'"),
                (["help", "fly"], "ramjet: there is no command 'fly'"),
                (["version"], "ramjet: there is no command 'version'")):
            with self.subTest(words):
                done = ramjet(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith(sentence), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertRegex(done.stderr, r"ramjet[ a-z]* --help\b")

    def test_help_of_everything(self):
        overview = ramjet("--help").stdout
        for words in (["help"], ["help", "help"], ["-h"]):
            self.assertEqual(ramjet(*words).stdout, overview, words)
        self.assertEqual(ramjet().stderr, overview)
        for command in COMMANDS:
            self.assertIn(f"  {command} ", overview)
            text = ramjet(command, "--help").stdout
            self.assertIn(f"usage: ramjet {command}", text)
            self.assertEqual(ramjet("help", command).stdout, text)

    def test_a_subcommand_whose_program_is_missing_says_where_it_was_looked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(RAMJET, folder)
            for words in (["tam", "study"], ["help", "characterize"]):
                done = subprocess.run([alone, *words], capture_output=True, text=True,
                                      timeout=LIMIT_S, check=False)
                self.assertEqual((done.returncode, done.stdout), (127, ""))
                self.assertIn(f"neither in {folder} nor in", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)


class Output(unittest.TestCase):
    def test_a_full_disk_is_told(self):
        for words in (["info"], ["info", "--json"], ["--help"], ["--version"], ["bench", "--list"],
                      *[[command, "--help"] for command in COMMANDS]):
            with self.subTest(words), open("/dev/full", "w", encoding="ascii") as full:
                done = ramjet(*words, stdout=full)
                self.assertEqual(
                    (done.returncode, done.stderr),
                    (1, "ramjet: cannot write standard output: No space left on device\n"))


    def test_words_of_files_steer_no_terminal(self):
        words = "\x1b]0;title\x07 \x9b31m \x7f"
        params = {"note": words, "provenance": {"commit": words}}
        records = [{"name": words, "value": value, "unit": "ns", "params": params}
                   for value in (1, -1)]
        skeleton = f'skeleton x "{words}" compute 1'
        with tempfile.TemporaryDirectory(prefix="tools-test-") as folder:
            def file(name, text):
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as made:
                    made.write(text)
                return path

            good, bad = (file(f"{i}.json", json.dumps([r])) for i, r in enumerate(records))
            model = ("model", "--parameters", "L=1,o=1,g=1,G=1", "--ranks", "1")
            for command in (("report", good), ("bench", "--compare", good, "--with", good),
                            ("bench", "--compare", good, "--with", bad),
                            (*model, file("x.skeleton", skeleton)),
                            ("report", words)):
                done = ramjet(*command)
                said = done.stdout + done.stderr
                self.assertIn("\\x1b", said)
                self.assertFalse(set("\x1b\x07\x9b\x7f") & set(said), said)


class Info(unittest.TestCase):
    def test_channels_for_tests_are_told_apart(self):
        self.assertRegex(ramjet("info").stdout,
                         r"(?m)^  channels +shm, self \(faulty: for tests\)$")
        build = json.loads(ramjet("info", "--json").stdout)["build"]
        self.assertEqual((build["channels"], build["channels_for_tests"]),
                         (["shm", "self"], ["faulty"]))

    def test_networks_are_told(self):
        self.assertRegex(ramjet("info").stdout, r"(?m)^  networks +tcp, ofi$")

    def test_the_parts_of_a_segment_are_told(self):
        given = {"RAMJET_SEGMENT_BYTES": "256M"}
        segment = json.loads(ramjet("info", "--json", **given).stdout)["segment"]
        self.assertEqual((segment["address_space_bytes"], segment["own_part_bytes"],
                          segment["symmetric_part_bytes"]), (256 << 20, 128 << 20, 128 << 20))
        self.assertRegex(ramjet("info", **given).stdout, r"(?m)^  own part +128 MiB$")

    def test_settings_have_a_value_and_a_meaning(self):
        given = {"RAMJET_CHAIN_LIMIT": "64M"}
        ranks = json.loads(ramjet("info", "--json", **given).stdout)["ranks"]
        settings = {name: of for name, of in ranks.items() if name.startswith("RAMJET_")}
        self.assertIn("RAMJET_CHAIN_LIMIT", settings)
        text = ramjet("info", **given).stdout
        for name, setting in settings.items():
            value = given.get(name, os.environ.get(name) or setting["default"])
            mark = " (default)" if value == setting["default"] else ""
            self.assertEqual(setting["value"], value)
            shown = value or "empty"
            self.assertRegex(text, rf"(?m)^  {name} +{re.escape(shown + mark)}\n +"
                                   rf"{re.escape(setting['meaning'])}$")


OPTION = r"(?<![\w-])--?[A-Za-z][\w-]*"


def page_of(command=None):
    """The manual page as plain text with its .TP tags, by section."""
    name = "ramjet.1" if command is None else f"ramjet-{command}.1"
    text = (MAN / name).read_text(encoding="utf-8").replace("\\-", "-")
    text = re.sub(r"\\f[A-Z]", " ", text)
    parts = re.split(r"(?m)^\.SH (.*)\n", text)
    return dict(zip(parts[1::2], parts[2::2]))


def tags(section):
    return "\n".join(re.findall(r"(?m)^\.TP\n(.*)$", section))


class Manual(unittest.TestCase):
    def test_options_are_those_of_the_help(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = ramjet(command, "--help").stdout
                lines = re.findall(r"(?m)^  (-\S+)", text[text.index("Options:"):])
                of_help = set(re.findall(OPTION, " ".join(lines).replace(",", " ")))
                self.assertIn("--help", of_help)
                self.assertEqual(set(re.findall(OPTION, tags(page_of(command)["OPTIONS"]))),
                                 of_help)

    def test_the_command_has_its_options_and_commands(self):
        page = page_of()
        text = ramjet("--help").stdout
        self.assertLessEqual(set(re.findall(OPTION, text)) - {"-n"},
                             set(re.findall(OPTION, tags(page["OPTIONS"]))))
        for command in (*COMMANDS, "help"):
            self.assertRegex(tags(page["DESCRIPTION"]), rf"\.B {command}\b")

    def test_every_setting_stands_in_the_environment(self):
        ranks = json.loads(ramjet("info", "--json").stdout)["ranks"]
        settings = {name for name in ranks if name.startswith("RAMJET_")}
        named = set(re.findall(r"RAMJET_\w+", tags(page_of("run")["ENVIRONMENT"])))
        self.assertGreater(len(settings), 2)
        self.assertLessEqual(settings, named)


if __name__ == "__main__":
    unittest.main()
