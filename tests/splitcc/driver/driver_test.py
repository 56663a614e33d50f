#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command splitcc: its options, its files, its errors.

    driver_test.py SPLITCC WORK_FOLDER [name of a test ...]
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

SPLITCC, WORK = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()

MAIN = """#include <split-c/split-c.h>
#include <stdio.h>
int helper(int);
splitc_main()
{
  on_one printf("%d\\n", helper(2));
}
"""
HELPER = '#include "helper.h"\nint helper(int n) { return n * FACTOR; }\n'


class Driver(unittest.TestCase):
    def setUp(self):
        self.folder = WORK / self.id().split(".")[-1]
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "tmp").mkdir(parents=True)
        self.write("main.sc", MAIN)
        self.write("helper.c", HELPER)
        self.write("helper.h", "#define FACTOR 21\n")

    def tearDown(self):
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], "temporary files are left")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def environment(self, **more):
        return {**os.environ, "TMPDIR": str(self.folder / "tmp"), **more}

    def splitcc(self, *words, status=0, says=None, stdin="", **environment):
        """Standard output; `says` is searched for in standard error."""
        done = subprocess.run([SPLITCC, *words], cwd=self.folder, input=stdin, text=True,
                              capture_output=True, env=self.environment(**environment),
                              timeout=60, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        if says is None:
            self.assertEqual(done.stderr, "")
        else:
            self.assertRegex(done.stderr, says)
        return done.stdout

    def output_of(self, program):
        return subprocess.run([self.folder / program], capture_output=True, text=True, timeout=60,
                              check=True).stdout

    def files(self):
        return {f.name for f in self.folder.iterdir()} - {"main.sc", "helper.c", "helper.h", "tmp"}

    def wrong(self, *words, says, **more):
        self.splitcc(*words, status=2, says=f"^splitcc: error: {says}.*\n$", **more)

    def fails(self, *words, says, **more):
        self.splitcc(*words, status=1, says=f"^splitcc: error: {says}.*\n$", **more)
        self.assertEqual(self.files(), set())

    # --- Wrong command lines ---

    def test_wrong_words(self):
        self.wrong(says="no input files")
        self.wrong("-c", says="no input files")
        self.wrong("-lm", says="no input files")
        self.wrong("-nonsense", "main.sc", says="unknown option '-nonsense'")
        self.wrong("main.sc", "-o", says="a value is missing behind '-o'")
        self.wrong("-c", "main.sc", "helper.c", "-o", "x.o", says="-o names one file, but .* 2")
        self.wrong("-c", "helper.o", says="no source files")
        self.wrong("-std=c++20", "main.sc", says="-std=c\\+\\+20 is not a standard of C")
        self.wrong("-m32", "main.sc", says="-m32: global pointers need a 64-bit machine")
        self.wrong("-fmax-errors=x", "main.sc", says="-fmax-errors takes a number")
        self.wrong("-c", "-", says="to read standard input, say its language")
        self.wrong("-c", "main.txt", says="no source files: by its ending, 'main.txt' is for the")
        self.wrong("-std=", "main.sc", says="-std= names no standard")
        self.wrong("-o", "", "main.sc", says="-o names no file")
        self.wrong("-fdiagnostics-color=often", "main.sc", says="-fdiagnostics-color takes always")
        self.wrong("-fcheck", "-fPIC", "main.sc", says="-fcheck is for programs at a fixed address")
        self.wrong("-fcheck", "-fsanitize=undefined,address", "main.sc", says="-fcheck looks at")
        self.wrong("-x", "pascal", "main.sc",
                   says="-x pascal is not a language; splitc, c, c\\+\\+")
        self.wrong("-shared", "main.sc", "-o", "main.so", says="-shared needs .* with -fPIC")
        self.wrong("-save-temps=here", "main.sc", says="-save-temps takes =obj or =cwd")

    def test_words_that_are_nearly_right(self):
        self.wrong("--hlep", says="unknown option '--hlep'; did you mean '--help'\\?")
        self.wrong("-emitc", "main.sc", says="unknown option '-emitc'; did you mean '-emit-c'\\?")
        self.wrong("-fno-own-loop", "main.sc", says=".*; did you mean '-fno-own-loops'\\?")
        self.wrong("-fopt-reprot", "main.sc", says=".*; did you mean '-fopt-report'\\?")
        self.wrong("-qwertz", says="unknown option '-qwertz' \\(see")

    def test_questions_about_the_c_compiler(self):
        self.assertRegex(self.splitcc("-dumpmachine"), r"^\w+-\w+-\w+")
        self.assertRegex(self.splitcc("-print-prog-name=ld"), r"ld\n$")

    def test_files_that_cannot_be_used(self):
        self.fails("-c", "absent.sc", says="absent.sc cannot be read: No such file")
        self.fails("absent.o", says="absent.o cannot be read: No such file")
        self.fails("absent", says="absent cannot be read: No such file")
        self.fails("-c", "-x", "splitc", ".", "-o", "y.o", says=". cannot be read: it is a folder")
        self.fails("-c", "main.sc", "-o", "absent/x.o", says="absent/x.o cannot be written")
        self.fails("-c", "main.sc", "-o", ".", says=". cannot be written: it is a folder")
        self.fails("-c", "main.sc", "-o", "main.sc", says=".* would overwrite the source")
        self.fails("main.sc", "-o", "./main.sc", says=".* would overwrite the source")
        self.fails("-c", "main.sc", RAMJET_CC="absent-cc",
                   says="the C compiler 'absent-cc' cannot be run: No such file")
        self.fails("-c", "main.sc", TMPDIR="absent", says="no temporary folder absent/.*: No")
        self.fails("-x", "splitc", "-fsyntax-only", "absent.c", says="absent.c cannot be read: No")
        self.assertEqual((self.folder / "main.sc").read_text(), MAIN)

    def test_headers_that_are_not_there(self):
        self.write("x.sc", '#include "absent.h"\n')
        self.splitcc("-c", "x.sc", status=1,
                     says="^x.sc:1:10: fatal error: absent.h: No such file or directory\n")

    def test_the_header_is_for_split_c(self):
        self.write("plain.c", "#include <split-c/split-c.h>\n")
        done = subprocess.run([SPLITCC, "-c", "plain.c"], cwd=self.folder, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"split-c\.h:\d+:2: error: .* compile with splitcc")
        self.assertEqual(done.stderr.count(" error: "), 1)

    def test_a_full_disk_is_said(self):
        self.splitcc("-E", "main.sc", "-o", "/dev/full", status=1,
                     says="/dev/full cannot be written")
        for words in (["-S"], ["-c"]):
            done = subprocess.run([SPLITCC, *words, "main.sc", "-o", "/dev/full"],
                                  cwd=self.folder, env=self.environment(), capture_output=True,
                                  text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("No space left on device", done.stderr)
            self.assertNotIn("refused", done.stderr)

    def test_what_only_the_c_compiler_refuses(self):
        self.write("mode.sc", MAIN + "typedef int odd __attribute__((mode(nosuch)));\n")
        self.splitcc("-c", "mode.sc", status=1,
                     says=r"mode.sc:8:.*nosuch[\s\S]*refused what mode.sc was translated to")

    # --- What is made ---

    def test_objects_and_assembly(self):
        self.splitcc("-c", "main.sc", "helper.c")
        self.assertEqual(self.files(), {"main.o", "helper.o"})
        self.splitcc("-S", "main.sc", "-o", "x.s")
        self.assertIn("splitc_main", (self.folder / "x.s").read_text())
        self.splitcc("-c", "--param=max-unroll-times=4", "--param", "l1-cache-size=32", "main.sc")
        self.splitcc("-emit-c", "main.sc")
        self.assertIn("splitc_main", (self.folder / "main.splitc.c").read_text())

    def test_preprocessing(self):
        text = self.splitcc("-E", "-DX=12", "-x", "splitc", "-", stdin="X Y __SPLITC__ a := b;\n")
        self.assertIn("\n12 Y 1 a := b;\n", text)
        text = self.splitcc("-E", "-P", "-UX", "-DX", "-UX", "-x", "splitc", "-", stdin="X\n")
        self.assertNotIn("# 1", text)
        macros = self.splitcc("-E", "-dM", "-DX=12", "main.sc").splitlines()
        self.assertIn("#define X 12", macros)
        self.assertIn("#define __SPLITC__ 1", macros)
        self.assertTrue(all(line.startswith("#define ") for line in macros))
        text = self.splitcc("-E", "-dD", "helper.c")
        self.assertIn("\n#define FACTOR 21\n", text)
        self.assertIn("return n * 21;", text)
        self.splitcc("-dD", "-c", "main.sc", "-o", "x.o")  # means something with -E only
        (self.folder / "x.o").unlink()
        self.splitcc("-E", "main.sc", "-o", "out.sci")
        self.splitcc("-c", "out.sci")
        self.assertEqual(self.files(), {"out.sci", "out.o"})

    def test_standard_input(self):
        self.splitcc("-x", "splitc", "-fsyntax-only", "-", stdin=MAIN)
        self.splitcc("-x", "splitc", "-c", "-", "-o", "x.o", stdin=MAIN)
        self.splitcc("-x", "splitc", "-fsyntax-only", "-", stdin="int x = ;\n", status=1,
                     says="^<stdin>:1:9: error: ")
        self.assertEqual(self.files(), {"x.o"})

    def test_syntax_only_writes_nothing(self):
        self.splitcc("-fsyntax-only", "main.sc", "-x", "splitc", "helper.c")
        self.assertEqual(self.files(), set())

    def test_c_through_the_front_end(self):
        self.write("old.c", "f(x) int x; { return x; }\n")
        self.splitcc("-x", "splitc", "-c", "old.c", "helper.c", "-x", "none", "main.sc")
        self.assertEqual(self.files(), {"old.c", "old.o", "helper.o", "main.o"})

    def test_linking_with_foreign_objects_and_archives(self):
        compiler = shutil.which("gcc")
        subprocess.run([compiler, "-c", "helper.c", "-fno-pie"], cwd=self.folder, check=True)
        subprocess.run(["ar", "rc", "libhelper.a", "helper.o"], cwd=self.folder, check=True)
        self.splitcc("main.sc", "helper.o", "-o", "by_object")
        self.splitcc("-c", "main.sc")
        self.splitcc("main.o", "-L.", "-lhelper", "-o", "by_archive")
        self.splitcc("main.o", "helper.c", "-O0", "-g")
        for program in ("by_object", "by_archive", "a.out"):
            self.assertEqual(self.output_of(program), "42\n")

    def test_tables_for_debuggers(self):
        """Those of the library come with those of the program's own parts."""
        self.splitcc("main.sc", "helper.c", "-o", "none")
        self.splitcc("-g", "main.sc", "helper.c", "-o", "all")
        self.splitcc("-g", "-c", "main.sc")
        self.splitcc("main.o", "helper.c", "-o", "of_an_object")
        for program, there in (("none", False), ("all", True), ("of_an_object", True)):
            has_tables = b"\0.debug_info\0" in (self.folder / program).read_bytes()
            self.assertEqual(has_tables, there, program)
            self.assertEqual(self.output_of(program), "42\n")

    def make_of_version_9(self, name):
        """Changes the note that says which splitcc it was: the first digit of the version."""
        path = self.folder / name
        contents = path.read_bytes()
        head = b"\x5c\0\0\0Ramjet\0\0"
        self.assertEqual(contents.count(head), 1)
        before, _, rest = contents.partition(head)
        path.write_bytes(before + head + b"9" + rest[1:])

    def test_objects_of_another_version(self):
        self.splitcc("-c", "main.sc", "-o", "main.o")
        self.splitcc("main.o", "helper.c", "-o", "program")
        sentence = r"main\.sc was compiled by splitcc 9\.\d+\.\d+, and .*: compile it again\n$"
        self.make_of_version_9("program")
        done = subprocess.run([self.folder / "program"], capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertRegex(done.stderr, "^ramjet: " + sentence)
        self.assertEqual((done.returncode, done.stdout), (70, ""))
        self.make_of_version_9("main.o")
        subprocess.run(["ar", "rc", "libmain.a", "main.o"], cwd=self.folder, check=True)
        for linked in ("main.o", "libmain.a"):
            self.splitcc(linked, "helper.c", "-o", "x", status=1,
                         says=f"^splitcc: error: {linked}: {sentence}")
        self.assertEqual(self.files(), {"main.o", "libmain.a", "program"})

    def test_names_of_sources_in_objects(self):
        name = 'a "b\\ \u00e4%d.sc'
        self.write(name, "splitc_main() { return 0; }\n")
        self.splitcc("-c", name, "-o", "x.o")
        self.assertIn(name.encode() + b"\0", (self.folder / "x.o").read_bytes())

    def test_errors_of_the_linker(self):
        self.splitcc("helper.c", "-o", "x", status=1,
                     says="\nsplitcc: note: nothing that was linked has a splitc_main, or a main")
        self.splitcc("main.sc", "-o", "x", status=1, says="undefined reference to .helper'")
        self.assertEqual(self.files(), set())

    def test_variables_that_no_segment_holds(self):
        self.write("vast.sc", "char vast[5L << 40];\nsplitc_main() { vast[1] = 1; }\n")
        self.splitcc("vast.sc", "-o", "x", status=1,
                     says="variables need more than the 4 TiB that one rank can have\n")

    def test_a_failed_source_does_not_keep_others(self):
        self.write("bad.sc", "int f( { }\n")
        self.splitcc("-c", "bad.sc", "main.sc", status=1, says="^bad.sc:1:")
        self.assertEqual(self.files(), {"bad.sc", "main.o"})
        self.splitcc("bad.sc", "main.sc", "-o", "x", status=1, says="^bad.sc:1:")

    # --- Dependencies ---

    def test_dependencies(self):
        self.write("uses.sc", '#include "helper.h"\n#include <stdio.h>\nint x = FACTOR;\n')
        self.splitcc("-MD", "-MP", "-c", "uses.sc")
        rule = (self.folder / "uses.d").read_text()
        self.assertRegex(rule, r"^uses\.o: uses\.sc ")
        self.assertIn("\nhelper.h:\n", rule)
        self.assertIn("stdio.h", rule)
        self.splitcc("-MMD", "-MF", "x.d", "-MT", "$(goal)", "-c", "uses.sc", "-o", "y.o")
        self.assertEqual((self.folder / "x.d").read_text(), "$(goal): uses.sc helper.h\n")
        self.assertEqual(self.splitcc("-MM", "uses.sc"), "uses.o: uses.sc helper.h\n")
        self.write("early.sc", '#include "yet_to_be_made.h"\n')
        self.assertEqual(self.splitcc("-MM", "-MG", "early.sc"),
                         "early.o: early.sc yet_to_be_made.h\n")
        self.splitcc("-MM", "early.sc", status=1, says="early.sc:1:10: fatal error: yet_to_be_made")
        self.splitcc("-MMD", "-c", "helper.c")
        self.assertEqual((self.folder / "helper.d").read_text(), "helper.o: helper.c helper.h\n")

    # --- What the preprocessor does not know ---

    def test_strings_over_several_lines(self):
        self.write("long.sc", '#include "helper.h"\n#if 0\nit\'s "no C\n#endif\n'
                   'char *s = "a // b\n\t/* \\"c";\n#define S "one\n two"\nchar *t = S;\n'
                   'int line = __LINE__; char *file = __FILE__;\nint bad = ;\n')
        says = (r'^long.sc:5:11: warning: .*\[-Wraw-newline\]\n(.*\n){2}'
                r'long.sc:7:11: warning: .*\[-Wraw-newline\]\n(.*\n){2}long.sc:11:11: error: ')
        self.splitcc("-fsyntax-only", "long.sc", status=1, says=says)
        text = self.splitcc("-E", "-w", "long.sc")
        self.assertIn('"a // b\\n\t/* \\"c"', text)
        self.assertIn('char *t = "one\\n two";', text)
        self.assertIn('int line = 10; char *file = "long.sc";', text)
        self.splitcc("-E", "-w", "-MMD", "-MF", "l.d", "long.sc", "-o", "l.sci")
        for rule in ((self.folder / "l.d").read_text(), self.splitcc("-MM", "-w", "long.sc")):
            self.assertEqual(rule.replace("\\\n", "").split(), ["long.o:", "long.sc", "helper.h"])

    def test_strings_over_several_lines_in_headers(self):
        (self.folder / "d").mkdir()
        self.write("d/long.h", '#ifndef LONG\n#define LONG\n#include "deep.h"\n'
                   'char *file = __FILE__; int line = __LINE__;\n#endif\n')
        self.write("d/deep.h", '#pragma once\n#define S "one /* \n two, helper"\n'
                   'char *t = "// X\n \'";\n#define X 1\nint bad = X(;\n')
        self.write("uses.sc", '#include "d/long.h"  // first\n#include <long.h>\n'
                   '#include "d/deep.h"\nchar *s = S;\nint x = X;\n')
        says = (r'd/deep.h:2:11: warning: .*\[-Wraw-newline\]\n(.*\n){2}'
                r'd/deep.h:4:11: warning: .*\[-Wraw-newline\]\n(.*\n){2}'
                r'In file included from d/long.h:3,\n +from uses.sc:1:\nd/deep.h:7:13: error: ')
        self.splitcc("-fsyntax-only", "-Id", "uses.sc", status=1, says=says)
        text = self.splitcc("-E", "-w", "-Id", "-MMD", "-MF", "l.d", "uses.sc")
        self.assertIn('char *t = "// X\\n \'";', text)
        self.assertIn('char *s = "one /* \\n two, helper";\nint x = 1;', text)
        self.assertIn('char *file = "d/long.h"; int line = 4;', text)
        self.assertNotIn(str(self.folder / "tmp"), text)
        self.assertEqual(text.count("char *t"), 1)
        self.assertEqual((self.folder / "l.d").read_text().replace("\\\n", "").split(),
                         ["uses.o:", "uses.sc", "d/long.h", "d/deep.h"])

    def test_text_that_is_no_c_under_if_0(self):
        self.write("old.sc", '#if 0\ndon\'t say "this\n#else\nint x;\n#endif\n')
        self.splitcc("-c", "old.sc")

    # --- Messages ---

    def test_errors_have_the_form_of_gcc(self):
        self.write("bad.sc", "#define E ]\nint f()\n{\n\tint x = E;\n  return y;\n}\n")
        self.splitcc("-c", "bad.sc", status=1,
                     says=r"^bad.sc:4:17: error: .*\n    4 \|         int x = E;\n"
                          r"      \|                 \^\n(.*\n)*"
                          r"bad.sc:5:10: error: .*y.*\n    5 \|   return y;\n"
                          r"      \|          \^\n")
        self.write("head.h", "int z = ;\n")
        self.write("in.sc", '\n#include "head.h"\n')
        self.splitcc("-c", "in.sc", status=1,
                     says="^In file included from in.sc:2:\nhead.h:1:9: error: ")

    def test_error_limit_and_color(self):
        self.write("bad.sc", "".join(f"int x{i} = ;\n" for i in range(30)))
        for words, count in (((), 20), (("-fmax-errors=3",), 3), (("-fmax-errors=0",), 30)):
            done = subprocess.run([SPLITCC, "-c", *words, "bad.sc"], cwd=self.folder, text=True,
                                  capture_output=True, env=self.environment(), check=False)
            self.assertEqual(len(re.findall(": error: ", done.stderr)), count)
        self.splitcc("-c", "-fdiagnostics-color", "bad.sc", status=1, says="\33\\[01;31m")

    def test_warnings_by_name(self):
        self.write("w.sc", 'char *s = "a\nb";\n')
        self.splitcc("-c", "w.sc", says=r"warning: .*\[-Wraw-newline\]")
        self.splitcc("-c", "-Wno-raw-newline", "w.sc")
        self.splitcc("-c", "-w", "w.sc")
        self.splitcc("-c", "-Werror=raw-newline", "w.sc", status=1,
                     says=r"error: .*\[-Werror=raw-newline\]")
        self.splitcc("-c", "-Werror", "w.sc", status=1, says=r"\[-Werror=raw-newline\]")
        self.splitcc("-c", "-Werror", "-Wno-error=raw-newline", "w.sc", says=r"\[-Wraw-newline\]")
        self.write("u.sc", "int x = 99999999999999999999;\n")  # a warning without a name
        self.splitcc("-c", "u.sc", says=r"warning: integer constant is too large for its type\n")
        self.splitcc("-c", "-Werror", "u.sc", status=1, says=r"for its type \[-Werror\]\n")
        self.write("c.sc", "static int unused;\nint f(int x) { int y; return x; }\n")
        self.splitcc("-c", "c.sc")
        self.splitcc("-c", "-Wall", "c.sc", says=r"c.sc:2:\d+: warning: .*\[-Wunused-variable\]")

    # --- The driver itself ---

    def test_show_and_verbose(self):
        shown = self.splitcc("-show", "-O3", "-DX='a b'", "main.sc", "helper.o", "-lm", "-o", "x")
        lines = shown.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[0], r"^splitcc -emit-c -O3 '-DX=.*a b.*' -x splitc main.sc -o ")
        self.assertRegex(lines[1], r" -O3 .*-c main\.splitc\.c -o main\.o$")
        self.assertRegex(lines[2], r" -o x main\.o helper\.o -lm ")
        self.assertEqual(self.files(), set())
        self.splitcc("-v", "-c", "main.sc", says=r"\S+ -E .* main.sc\n.* -c ")

    def test_help_and_version(self):
        self.assertRegex(self.splitcc("--version"), r"^splitcc \(Ramjet\) \d+\.\d+\.\d+\n")
        text = self.splitcc("--help")
        for option in ("-o FILE", "-c ", "-MD", "-show", "-fsyntax-only", "-fopt-report", "@FILE"):
            self.assertIn(f"\n  {option}", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_response_files(self):
        self.write("words", "-c \"main.sc\"\n-o 'a b.o' -DX=\\\"y\\\" @more")
        self.write("more", "-O1\n")
        self.splitcc("@words")
        self.assertIn("a b.o", self.files())
        self.write("itself", "@itself")
        self.wrong("@itself", says="'@itself' is nested too deeply")
        for i in range(40):
            self.write(f"w{i}", f"@w{i + 1} @w{i + 1}")
        self.write("w40", "")
        self.wrong("@w0", says="there are over 10000 files of words; do they name each other")
        self.splitcc("-c", "-x", "splitc", "@absent", status=1, says="@absent cannot be read")

    def test_saved_temporaries(self):
        self.splitcc("-save-temps", "-c", "main.sc")
        self.assertEqual(self.files(), {"main.o", "main.splitc.i", "main.splitc.c"})
        (self.folder / "d").mkdir()
        self.splitcc("-save-temps=obj", "-c", "main.sc", "-o", "d/x.o")
        self.assertEqual({f.name for f in (self.folder / "d").iterdir()},
                         {"x.o", "main.splitc.i", "main.splitc.c"})

    def test_a_signal_ends_the_compiler_too(self):
        self.write("slow", "#!/bin/sh\necho $$ > pid\nexec sleep 60\n")
        (self.folder / "slow").chmod(0o755)
        pid = self.folder / "pid"
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            pid.unlink(missing_ok=True)
            with subprocess.Popen([SPLITCC, "helper.c", "main.sc", "-o", "x"], cwd=self.folder,
                                  env=self.environment(RAMJET_CC="./slow")) as running:
                while not (pid.exists() and pid.read_text().strip()):
                    time.sleep(0.01)
                self.assertNotEqual(list((self.folder / "tmp").iterdir()), [])
                running.send_signal(number)
                self.assertEqual(running.wait(timeout=30), -number)
            while self.is_running(int(pid.read_text())):
                time.sleep(0.01)
            self.assertEqual(list((self.folder / "tmp").iterdir()), [], "temporary files are left")

    def test_a_signal_ends_a_compiler_that_has_hardly_begun(self):
        """It is sent by the compiler, at once, on the processor that both have."""
        self.write("hasty.c", """#include <signal.h>
                                 #include <unistd.h>
                                 int main(void) {
                                   kill(getppid(), SIGTERM);
                                   sleep(1);
                                   return write(9, "alive", 5) < 0;
                                 }""")
        subprocess.run(["cc", "-O1", "-static", "hasty.c", "-o", "hasty"], cwd=self.folder,
                       check=True)
        core = {min(os.sched_getaffinity(0))}
        for _ in range(20):
            read, write = os.pipe()
            with os.fdopen(read) as alive, subprocess.Popen(
                    ["sh", "-c", f"exec {SPLITCC} -c helper.c 9>&{write}"], cwd=self.folder,
                    pass_fds=[write], preexec_fn=lambda: os.sched_setaffinity(0, core),
                    env=self.environment(RAMJET_CC="./hasty")) as running:
                os.close(write)
                self.assertEqual(running.wait(timeout=30), -signal.SIGTERM)
                self.assertEqual(alive.read(), "")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], "temporary files are left")

    @staticmethod
    def is_running(pid):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        except FileNotFoundError:
            return False
        return state.rpartition(")")[2].split()[0] != "Z"

    def test_a_compiler_that_dies_is_named(self):
        self.write("dies", "#!/bin/sh\nkill -9 $$\n")
        (self.folder / "dies").chmod(0o755)
        self.splitcc("-c", "main.sc", RAMJET_CC="./dies", status=1,
                     says=r"^splitcc: error: './dies' was ended by signal 9")

    def test_a_compiler_that_fails_is_noticed_where_ends_of_children_are_ignored(self):
        for ignored in (signal.SIG_DFL, signal.SIG_IGN):
            done = subprocess.run(
                [SPLITCC, "-c", "main.sc"], cwd=self.folder, check=False,
                env=self.environment(RAMJET_CC="false"),
                preexec_fn=lambda how=ignored: signal.signal(signal.SIGCHLD, how))
            self.assertEqual(done.returncode, 1)

    # --- CMake ---

    def test_cmake_without_a_language(self):
        module = pathlib.Path(__file__).resolve().parents[3] / "cmake" / "RamjetSplitC.cmake"
        self.write("CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.25)
project(trial NONE)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(RAMJET_SPLITCC "{SPLITCC}")
include("{module}")
ramjet_add_splitc_executable(trial main.sc helper.c OPTIONS -O1 "-DX=a b" LINK -lm)
""")
        build = ["cmake", "--build", "build"]
        subprocess.run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja"], cwd=self.folder,
                       check=True, capture_output=True, timeout=60)
        for _ in range(2):
            subprocess.run(build, cwd=self.folder, check=True, capture_output=True, timeout=60)
        self.assertEqual(self.output_of("build/bin/trial"), "42\n")
        entries = json.loads((self.folder / "build" / "compile_commands.json").read_text())
        self.assertEqual([pathlib.Path(e["file"]).name for e in entries], ["main.sc", "helper.c"])
        self.assertIn("-DX=a b", entries[0]["arguments"])
        self.write("helper.h", "#define FACTOR 5\n")
        done = subprocess.run(build, cwd=self.folder, check=True, capture_output=True, text=True,
                              timeout=60)
        self.assertNotIn("Compiling main.sc", done.stdout)
        self.assertEqual(self.output_of("build/bin/trial"), "10\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
