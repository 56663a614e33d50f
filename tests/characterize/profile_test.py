#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles of the machine in jobs: which are used, which are ignored and how that is said, and that
programs are right under every value that a profile may hold.

    profile_test.py RAMJET HELLO CONFORMANCE GAS
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

RAMJET, HELLO, CONFORMANCE, GAS = map(os.path.abspath, sys.argv[1:5])
del sys.argv[1:5]
NEVER = 1 << 40
LEAST = {"near_read_streaming_bytes": 1024, "near_write_streaming_bytes": 1024,
         "far_read_part_bytes": 4096, "far_write_part_bytes": 16384, "block_bytes": 256,
         "hub_bytes": 64, "parts_bytes": 64, "short_yield_ns": 200, "lines_ahead": 1}
MOST = {"near_read_streaming_bytes": NEVER, "near_write_streaming_bytes": NEVER,
        "far_read_part_bytes": 61440, "far_write_part_bytes": 4 << 20, "block_bytes": 8192,
        "hub_bytes": 1 << 20, "parts_bytes": NEVER, "short_yield_ns": 100000, "lines_ahead": 32}


class Profiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="ramjet_profile_")
        self.addCleanup(self.folder.cleanup)
        self.environment = {**os.environ, "XDG_CACHE_HOME": self.folder.name}
        self.environment.pop("RAMJET_PROFILE", None)
        info = self.info()
        self.path, self.machine, self.build = info["file"], info["machine"], info["build"]
        self.assertTrue(self.path.startswith(self.folder.name + "/ramjet/profiles/"), self.path)

    def ramjet(self, *words, **variables):
        return subprocess.run([RAMJET, *words], stdin=subprocess.DEVNULL, text=True, check=False,
                              capture_output=True,
                              env={**self.environment, **variables})

    def info(self, **variables):
        done = self.ramjet("info", "--profile", "--json", **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def store(self, figures, machine=None, build=None, version=3, end=None, drift=104):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        lines = (f"machine {machine or self.machine}\nbuild {build or self.build}\n"
                 f"made 2026-01-31T12:00:00Z\nsamples many\ndrift {drift}\n" +
                 "".join(f"{name} {value}\n" for name, value in figures.items()))
        checksum = 0xcbf29ce484222325
        for byte in lines.encode():
            checksum = (checksum ^ byte) * 0x100000001b3 % (1 << 64)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(f"ramjet-profile {version}\n{lines}")
            file.write(f"end {checksum:016x}\n" if end is None else end)
        os.chmod(self.path, 0o600)

    def job(self, *words, **variables):
        done = self.ramjet("run", "-n", "4", *words, HELLO, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def check_ignored(self, sentence):
        for words in ((), ("--nodes", "2")):
            said = self.job(*words)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn(f"the profile {self.path} ", said)
            self.assertIn(sentence, said)
            self.assertIn("ramjet characterize makes a new one", said)
        info = self.info()
        self.assertFalse(info["in_use"])
        self.assertIn(sentence, info["problem"])
        self.assertFalse(any(c["measured"] for c in info["choices"].values()))
        self.assertEqual(self.job("--no-profile"), "")
        self.assertEqual(self.job(RAMJET_PROFILE="none"), "")

    def test_none(self):
        self.assertEqual(self.job(), "")
        self.assertFalse(self.info()["in_use"])
        self.assertIn("not there: ramjet characterize makes it",
                      self.ramjet("info", "--profile").stdout)

    def test_in_use(self):
        self.store({"block_bytes": 4096, "near_write_streaming_bytes": NEVER})
        self.assertEqual(self.job(), "")
        self.assertEqual(self.job("--nodes", "2"), "")
        info = self.info()
        self.assertEqual((info["in_use"], info["made"]), (True, "2026-01-31T12:00:00Z"))
        self.assertEqual(info["choices"]["block_bytes"]["value"], 4096)
        self.assertTrue(info["choices"]["block_bytes"]["measured"])
        self.assertIsNone(info["choices"]["near_write_streaming_bytes"]["value"])
        self.assertFalse(info["choices"]["hub_bytes"]["measured"])
        text = self.ramjet("info", "--profile").stdout
        self.assertEqual((info["quick"], info["drift"]), (False, 1.04))
        for words in ("in use, made 2026-01-31T12:00:00Z, measured whole while the machine's pace "
                      "changed by 4 %", "up to 4 KiB aggregated messages gather",
                      "block_bytes: measured here", "hub_bytes: built in",
                      "at all sizes writes to near memory are copied"):
            self.assertIn(words, text)
        self.assertFalse(self.info(RAMJET_PROFILE="none")["in_use"])
        self.assertTrue(self.info(RAMJET_PROFILE=self.path, XDG_CACHE_HOME="/nowhere")["in_use"])

    def test_of_another_machine(self):
        self.store({}, machine="Cray T3D, 64 processors")
        self.check_ignored("is of another machine (Cray T3D, 64 processors; this is ")

    def test_of_another_build(self):
        self.store({}, build="ramjet 0.0.1, GNU C++ 4")
        self.check_ignored("is of another build (ramjet 0.0.1, GNU C++ 4; this is ")

    def test_of_another_version(self):
        for version in (2, 4):
            self.store({}, version=version)
            self.check_ignored(f"is of version {version}, and this build reads 3")

    def test_damaged(self):
        self.store({"block_bytes": 4096}, end="")
        self.check_ignored("is damaged: its end is missing")
        self.store({"block_bytes": 4096}, end="end 0123456789abcdef\n")
        self.check_ignored("is damaged: its checksum is another one")
        self.store({"block_bytes": 4})
        self.check_ignored("is damaged: a figure of it is out of its range")

    def test_written_by_others(self):
        self.store({})
        os.chmod(self.path, 0o666)
        self.check_ignored("may be written by others")

    def test_a_named_file_that_is_not_there(self):
        said = self.job(RAMJET_PROFILE="/nowhere/profile")
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("the profile /nowhere/profile is not there; it is ignored: without "
                      "RAMJET_PROFILE the one that ramjet characterize makes is read", said)

    def test_on_another_node_alone(self):
        """The rank that reads it there says so; rank 0's is as good as before."""
        wrapper = 'test "$RAMJET_NODE" = 0 || export RAMJET_PROFILE=/nowhere/profile; exec "$0"'
        done = self.ramjet("run", "-n", "4", "--nodes", "2", "sh", "-c", wrapper, HELLO)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\Aramjet: rank [23]: on \S+, the profile /nowhere/profile "
                                      r"is not there[^\n]*\n\Z")

    def characterize(self, *words, refuses=True):
        """The choices that it finds. It keeps them unless it says that the machine was too busy."""
        done = self.ramjet("characterize", "--quick", "--json", *words, "choices")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = json.loads(done.stdout)["choices"]
        is_busy = refuses and (found["drift"] > 2 or found["lost"] > 0.25)
        self.assertEqual(done.returncode, 1 if is_busy else 0, done.stderr)
        if is_busy:
            self.assertFalse(found["kept"])
            self.assertEqual(done.stderr,
                             f"ramjet characterize: the profile is not kept: {found['refused']}; "
                             "run again on a quieter machine (--replace keeps it all the same)\n")
        else:
            self.assertEqual((done.stderr, found["refused"]), ("", None))
        return found

    def test_not_kept_beside_a_busy_loop(self):
        """Of two processors another program has one: the rank there runs for half of the time."""
        allowed = os.sched_getaffinity(0)
        if len(allowed) < 2:
            self.skipTest("ranks that share a processor take turns anyway")
        self.store({"block_bytes": 4096}, drift=126)
        with open(self.path, encoding="utf-8") as file:
            before = file.read()
        two = sorted(allowed)[:2]
        self.addCleanup(os.sched_setaffinity, 0, allowed)
        os.sched_setaffinity(0, two[1:])
        with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as loop:
            os.sched_setaffinity(0, two)
            try:
                found = self.characterize()
            finally:
                loop.kill()
        self.assertFalse(found["kept"])
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

    def test_kept_by_characterize(self):
        self.characterize("--no-profile", refuses=False)
        self.assertFalse(os.path.exists(self.path))
        found = self.characterize("--replace", refuses=False)
        self.assertTrue(found["profile"]["in_use"])
        self.assertTrue(all(c["measured"] for c in found["profile"]["choices"].values()))
        self.assertEqual(found["steady"], found["drift"] <= 1.25)
        self.assertEqual({c["figure"] for c in found["compared"]} | {"short_yield_ns"},
                         set(found["profile"]["choices"]))
        self.assertEqual(self.info()["choices"], found["profile"]["choices"])
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)
        self.assertEqual(self.job(), "")
        self.check_choices({f: c["value"] for f, c in found["profile"]["choices"].items()})

    def test_quick_replaces_no_whole_and_steady_one_unless_asked(self):
        self.store({"block_bytes": 4096}, drift=126)
        found = self.characterize()
        self.assertEqual(found["kept"], found["refused"] is None)
        self.assertEqual(self.info()["quick"], found["kept"])
        self.store({"block_bytes": 4096}, drift=125)
        self.assertFalse(self.characterize()["kept"])
        self.assertEqual((self.info()["quick"], self.info()["made"]),
                         (False, "2026-01-31T12:00:00Z"))
        done = self.ramjet("characterize", "--quick", "choices")
        self.assertRegex(done.stdout + done.stderr, "not kept: the profile that is there was "
                         "measured whole|the profile is not kept: ")
        self.assertTrue(self.characterize("--replace", refuses=False)["kept"])
        self.assertTrue(self.info()["quick"])

    def check_choices(self, in_use):
        """--check forces the profile's value first, then others, and tells the drift, too."""
        done = self.ramjet("characterize", "--quick", "--check", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = json.loads(done.stdout)
        self.assertEqual(found["steady"], found["drift"] <= 1.25)
        for c in found["compared"]:
            never = in_use[c["figure"]] is None
            first = c["forced"][0]["value"]
            self.assertTrue(never or first == in_use[c["figure"]], c["figure"])
            self.assertGreater(len(c["forced"]), 1, c["figure"])

    def test_cannot_be_kept(self):
        # Said before anything is measured: the first job would refuse such a channel.
        done = self.ramjet("characterize", "--quick", "choices", XDG_CACHE_HOME="/dev/null",
                           RAMJET_CHANNEL="pigeons")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^ramjet characterize: cannot store the profile as "
                                      r"/dev/null/ramjet/profiles/\S+: Not a directory; "
                                      r"--no-profile measures and keeps nothing\n$")

    def test_no_folder(self):
        nowhere = {"HOME": "", "XDG_CACHE_HOME": ""}
        done = self.ramjet("characterize", "--quick", "choices", RAMJET_CHANNEL="pigeons",
                           **nowhere)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, "", "ramjet characterize: there is no folder for the profile: set HOME or "
            "XDG_CACHE_HOME; --no-profile measures and keeps nothing\n"))
        said = self.ramjet("info", "--profile", **nowhere).stdout
        self.assertIn("none: there is no folder for it; set HOME or XDG_CACHE_HOME, and then", said)
        said = self.ramjet("info", "--profile", RAMJET_PROFILE="none").stdout
        self.assertIn("none is wanted (RAMJET_PROFILE=none)", said)

    def test_check(self):
        done = self.ramjet("characterize", "--quick", "--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("reads of near memory (near_read_streaming_bytes is never)",
                      "writes to far memory (far_write_part_bytes is 64 KiB)", "chosen/best",
                      "within 5 % of the best at"):
            self.assertIn(words, done.stdout)

    def check_programs(self, *words):
        for program, groups in ((GAS, ("bulk", "split_phase", "completion")),
                                (CONFORMANCE, ("aggregated", "collectives", "reductions",
                                               "waiting"))):
            for ranks in ("2", "5"):
                done = self.ramjet("run", "-n", ranks, *words, program, "--scale=0.1", *groups)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                print("ok:", os.path.basename(program), ranks, *words, flush=True)

    def test_programs_by_the_least_figures(self):
        self.store(LEAST)
        self.assertTrue(self.info()["in_use"])
        self.check_programs()
        self.check_programs("--nodes", "2")

    def test_programs_by_the_most(self):
        self.store(MOST)
        self.assertTrue(self.info()["in_use"])
        self.check_programs()
        self.check_programs("--nodes", "2")


if __name__ == "__main__":
    unittest.main(verbosity=2)
