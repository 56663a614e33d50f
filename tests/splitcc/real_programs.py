#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that everybody uses, compiled by splitcc -x splitc, beside gcc.

    real_programs.py --compiler C --work FOLDER [options] [NAME...]

--compiler C      splitcc
--work FOLDER     sources and programs
--jobs J          compilations at a time (default: the number of processors)
--syntax          only -fsyntax-only, beside gcc's: the processor time of each file, preprocessor
                  included, as the median of runs that alternate; lines are those of the file
--repeats N       of these runs (default 5)
NAME              zlib, bzip2, lua, sqlite (default: all)

The sources are Debian's (apt-get source, from a list of sources of its own). Each program runs its
own tests, and what it computes is compared with what gcc makes of the same sources. Of SQLite's
scripts of tests those named below run, a few minutes of them, if tcl8.6-dev is there.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SKIPPED = 77  # to hang_watch.py
SOURCES = """Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""
OPTIMISE = ["-O1", "-w"]

LUA_SCRIPT = r"""
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
assert(fib(20) == 6765)
local t = {}
for i = 1, 2000 do t[i] = (i * 7919) % 2003 end
table.sort(t)
for i = 2, #t do assert(t[i - 1] <= t[i]) end
assert(string.format("%5.2f|%x|%q|%s", 3.14159, 255, "a\n", nil) == " 3.14|ff|\"a\\\n\"|nil")
assert(("hello world"):gsub("o", "0") == "hell0 w0rld")
assert(("key = value"):match("^(%w+)%s*=%s*(%w+)$") == "key")
local co = coroutine.wrap(function(a)
  for i = 1, 3 do a = coroutine.yield(a * 2) end
  return "end"
end)
assert(co(1) == 2 and co(5) == 10 and co(7) == 14 and co(0) == "end")
local ok, message = pcall(function() error({code = 42}) end)
assert(not ok and message.code == 42)
assert(select(2, pcall(function() local x; x() end)):match("attempt to call"))
local doubled = {__index = function(_, k) return k .. k end, __add = function() return 9 end}
local m = setmetatable({}, doubled)
assert(m.ab == "abab" and m + 1 == 9)
assert(math.maxinteger + 1 == math.mininteger and 7 // 2 == 3 and -7 // 2 == -4 and 7 % -3 == -2)
assert(2^53 == 9007199254740992.0 and 1e308 * 10 == math.huge and 3 | 4 == 7 and ~0 == -1)
assert(load("return 1 + ...")(41) == 42 and utf8.char(228, 8364) == "\u{e4}\u{20ac}")
for i = 1, 50 do local big = {} for k = 1, 2000 do big[k] = {k} end end
collectgarbage()
do local closed; do local x <close> = setmetatable({}, {__close = function() closed = true end}) end
assert(closed) end
goto out
error("goto")
::out::
print(string.pack("<i4z", 100000, "packed"):byte(1, -1))
print(os.time{year=2000, month=1, day=1, hour=12} > 0, #string.dump(fib) > 100, fib(22))
"""

SQL_SCRIPT = """
CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO t SELECT i, 'row ' || i, i / 7.0 FROM n;
CREATE INDEX by_b ON t(b);
BEGIN; UPDATE t SET c = c * 2 WHERE a % 3 = 0; DELETE FROM t WHERE b LIKE '%99'; COMMIT;
BEGIN; DELETE FROM t; ROLLBACK;
SELECT count(*), sum(a), round(sum(c), 6), min(b), max(b) FROM t;
SELECT a % 5 AS g, count(*), group_concat(substr(b, -1)) FROM t WHERE a < 100 GROUP BY g ORDER BY g;
SELECT x.a, y.b FROM t x JOIN t y ON y.a = x.a + 1 WHERE x.b = 'row 17';
SELECT a, row_number() OVER (ORDER BY c DESC), lag(b) OVER (ORDER BY a) FROM t LIMIT 3;
SELECT json_extract('{"k":[1,2,{"z":3}]}', '$.k[2].z'), printf('%.3e', 12345.678), hex(zeroblob(3));
SELECT strftime('%Y-%m-%d', 2451545.0), upper('abc'), 7 / 2, 7 % 3, -7 / 2, 1 << 40, abs(-9.5);
CREATE VIEW v AS SELECT a FROM t WHERE a < 4; SELECT * FROM v;
CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET c = -1 WHERE a = new.a; END;
INSERT INTO t VALUES(99999, 'last', 3); SELECT c FROM t WHERE a = 99999;
SELECT 1/0, NULL IS NULL, typeof(3.0), CAST('12abc' AS INTEGER), 0.1 + 0.2;
PRAGMA integrity_check;
VACUUM;
"""

SQL_SCRIPTS = """
select1 select2 select3 select4 select5 insert insert2 update delete join join2 index index2
trigger1 trigger2 view func expr date types types2 cast collate1 between where where2 in like
null notnull subquery coalesce distinct orderby1 limit minmax trans rollback savepoint autoinc
check fkey2 alter vacuum pragma table tempdb temptable unique intpkey rowid printf quote substr
json101 window1 with1 upsert1 returning1 fts3aa fts3ab btree01 capi2 bind blob hook main misc1
misc2 tokenize utf16align lastinsert corrupt2
""".split()


def run(command, folder, **more):
    """What it writes; raises if its status is not 0."""
    done = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **{"stdin": subprocess.DEVNULL} | more)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).decode(errors="replace")
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}\n{said[-3000:]}")
    return done.stdout


def fetch(name, work):
    """The unpacked source of a package of Debian."""
    folder = os.path.join(work, "sources", name)
    if not os.path.isdir(folder):
        apt, archives = os.path.join(work, "apt"), os.path.join(work, "archives")
        for part in ("sources.d", "lists/partial"):
            os.makedirs(os.path.join(apt, part), exist_ok=True)
        os.makedirs(archives, exist_ok=True)
        with open(os.path.join(apt, "sources.d", "source.sources"), "w", encoding="utf-8") as file:
            file.write(SOURCES)
        get = ["apt-get", "-q", "-o", "Dir::Etc::sourcelist=/dev/null", "-o",
               f"Dir::Etc::sourceparts={apt}/sources.d", "-o", f"Dir::State::lists={apt}/lists"]
        if not glob.glob(f"{apt}/lists/*Sources*"):
            run([*get, "update"], archives)
        run([*get, "source", "--download-only", name], archives)
        os.makedirs(folder + ".part", exist_ok=True)
        archive = [path for path in glob.glob(f"{archives}/{name}_*.orig.tar.*")
                   if not path.endswith(".asc")][0]
        run(["tar", "xf", archive, "--strip-components=1"], folder + ".part")
        os.rename(folder + ".part", folder)
    return folder


class Build:
    """The programs of one compiler."""

    def __init__(self, name, compiler, work, pool):
        self.name, self.compiler, self.pool = name, compiler, pool
        self.work = os.path.join(work, "built", name)
        self.objects = {}  # {(source, flags...): (path, its compilation)}
        os.makedirs(self.work, exist_ok=True)

    def compiled(self, source, flags):
        """The object; one that two programs have in common is made once."""
        key = (source, *flags)
        if key not in self.objects:
            target = os.path.join(self.work, f"{len(self.objects)}_{os.path.basename(source)}.o")
            self.objects[key] = target, self.pool.submit(
                run, [*self.compiler, *OPTIMISE, *flags, "-c", source, "-o", target], self.work)
        return self.objects[key]

    def program(self, output, sources, flags=(), libraries=()):
        """Compiles the sources, links; the program's path."""
        output = os.path.join(self.work, output, os.path.basename(output))
        os.makedirs(os.path.dirname(output), exist_ok=True)
        objects = [self.compiled(source, flags) for source in sources]
        for _, made in objects:
            made.result()
        # Objects: the language of sources does not matter any more.
        run([self.compiler[0], *(target for target, _ in objects), *libraries, "-o", output],
            self.work)
        return output


def sources_of(folder, *patterns, but=()):
    return sorted(path for pattern in patterns for path in glob.glob(f"{folder}/{pattern}")
                  if os.path.basename(path) not in but)


def zlib(build, work):
    folder = fetch("zlib", work)
    library = sources_of(folder, "*.c")
    flags = ["-DHAVE_UNISTD_H", "-DHAVE_STDARG_H", "-I", folder]
    output = b""
    for test in ("example", "infcover"):
        program = build.program(test, [*library, f"{folder}/test/{test}.c"], flags)
        output += run([program], os.path.dirname(program))
    program = build.program("minigzip", [*library, f"{folder}/test/minigzip.c"], flags)
    with open(f"{folder}/ChangeLog", "rb") as text:
        packed = run([program, "-9"], folder, stdin=text)
    with open(f"{folder}/ChangeLog", "rb") as text:
        if run(["gzip", "-dc"], folder, stdin=None, input=packed) != text.read():
            raise RuntimeError("minigzip: gzip unpacks something else")
    return output + packed


def bzip2(build, work):
    folder = fetch("bzip2", work)
    parts = ("blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib",
             "bzip2")
    program = build.program("bzip2", [f"{folder}/{part}.c" for part in parts],
                            ["-D_FILE_OFFSET_BITS=64"])
    for number in "123":
        with open(f"{folder}/sample{number}.ref", "rb") as plain, \
             open(f"{folder}/sample{number}.bz2", "rb") as packed:
            if run([program, "-" + number], folder, stdin=plain) != packed.read():
                raise RuntimeError(f"bzip2: sample{number}.ref is packed to something else")
            plain.seek(0)
            packed.seek(0)
            if run([program, "-d"], folder, stdin=packed) != plain.read():
                raise RuntimeError(f"bzip2: sample{number}.bz2 is unpacked to something else")
    return b""


def lua(build, work):
    folder = fetch("lua5.4", work) + "/src"
    flags = ["-DLUA_COMPAT_5_3", "-DLUA_USE_LINUX"]
    program = build.program("lua", sources_of(folder, "*.c", but=("luac.c",)), flags,
                            ["-lm", "-ldl"])
    compiler = build.program("luac", sources_of(folder, "*.c", but=("lua.c",)), flags,
                             ["-lm", "-ldl"])
    script = os.path.join(build.work, "script.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write(LUA_SCRIPT)
    output = run([program, script], build.work)
    run([compiler, "-o", script + "c", script], build.work)
    listing = run([compiler, "-l", script], build.work)
    lines = [line for line in listing.splitlines() if b"0x" not in line]
    return output + run([program, script + "c"], build.work) + b"\n".join(lines)


def amalgamation(work):
    """The folder with sqlite3.c and shell.c, made from the sources of the package."""
    folder, source = os.path.join(work, "sources", "amalgamation"), fetch("sqlite3", work)
    if not os.path.exists(f"{folder}/shell.c"):
        os.makedirs(folder, exist_ok=True)
        run([f"{source}/configure", "--disable-tcl", "--disable-shared"], folder)
        run(["make", "sqlite3.c", "shell.c"], folder)
    return folder


def sqlite_scripts(build, work):
    """SQLite's own tests: how many each script makes, and which fail."""
    if not os.path.exists("/usr/lib/tcl8.6/tclConfig.sh"):
        print("sqlite: without tcl8.6-dev its scripts of tests do not run", flush=True)
        return b""
    source, folder = fetch("sqlite3", work), os.path.join(work, "sources", "testfixture")
    if not os.path.exists(f"{folder}/sqlite3.c"):
        os.makedirs(folder, exist_ok=True)
        run([f"{source}/configure", "--with-tcl=/usr/lib/tcl8.6", "--disable-shared"], folder)
        run(["make", "sqlite3.c"], folder)
    asked = ("include Makefile\nasked:\n\t@echo $(TESTSRC) $(TOP)/src/tclsqlite.c sqlite3.c\n"
             "\t@echo $(TCC) $(TESTFIXTURE_FLAGS)\n")
    sources, words = run(["make", "-s", "-f", "-", "asked"], folder, stdin=None,
                         input=asked.encode()).decode().splitlines()
    flags = [f"-I{folder}" if word == "-I." else word for word in words.split()[1:]
             if word not in ("-g", "-O2")]
    program = build.program("testfixture", [os.path.join(folder, path) for path in sources.split()],
                            [*flags, "-DSQLITE_NO_SYNC=1", "-DSQLITE_TEMP_STORE=1"],
                            ["-ltcl8.6", "-lz", "-lm", "-ldl", "-lpthread"])
    results = b""
    for script in SQL_SCRIPTS:  # some fail for root, whatever compiler made the program
        said = subprocess.run([program, f"{source}/test/{script}.test"], check=False,
                              cwd=os.path.dirname(program), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
        found = re.findall(rb"\d+ errors out of \d+ tests|^!Failures.*", said, re.M)
        if not found:
            said = said[-3000:].decode(errors="replace")
            raise RuntimeError(f"{script}.test did not end:\n{said}")
        results += script.encode() + b": " + b"; ".join(found) + b"\n"
    return results


def sqlite(build, work):
    folder = amalgamation(work)
    flags = ["-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE", "-DSQLITE_ENABLE_MATH_FUNCTIONS",
             "-DHAVE_USLEEP=1", "-I", folder]
    libraries = ["-lm", "-ldl", "-lpthread"]
    shell = build.program("sqlite3", [f"{folder}/sqlite3.c", f"{folder}/shell.c"], flags, libraries)
    database = os.path.join(build.work, "test.db")
    if os.path.exists(database):
        os.remove(database)
    output = run([shell, database], build.work, stdin=None, input=SQL_SCRIPT.encode())
    speed = build.program("speedtest1", [f"{folder}/sqlite3.c",
                                         f"{work}/sources/sqlite3/test/speedtest1.c"], flags,
                          libraries)
    verified = run([speed, "--size", "5", "--verify", ":memory:"], build.work)
    output += b"\n".join(line for line in verified.splitlines() if b"Verification" in line)
    return output + sqlite_scripts(build, work)


PROGRAMS = {"zlib": zlib, "bzip2": bzip2, "lua": lua, "sqlite": sqlite}


def processor_time(command):
    """(seconds of user and system, exit status, what it says)."""
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return (used.ru_utime + used.ru_stime, running.returncode,
                said.read().decode(errors="replace"))


def compare_file(path, compilers, flags, repeats):
    """Prints the medians; whether splitcc takes the file."""
    times = [[], []]
    for _ in range(repeats):
        for taken, compiler in zip(times, compilers):
            seconds, status, said = processor_time([*compiler, "-w", "-fsyntax-only", *flags, path])
            taken.append(seconds)
    if status != 0:
        print(f"{os.path.basename(path)}: refused:\n{said[:2000]}", flush=True)
        return False
    with open(path, "rb") as file:
        lines = sum(1 for _ in file)
    gcc, splitcc = map(statistics.median, times)
    print(f"{os.path.basename(path)}, {lines} lines: gcc {gcc:.3f} s, {lines / gcc:.0f} lines a "
          f"second; splitcc {splitcc:.3f} s, {lines / splitcc:.0f} lines a second; gcc's time is "
          f"{gcc / splitcc:.2f} times splitcc's", flush=True)
    return True


def all_sources(name, work):
    if name == "sqlite":
        return sources_of(amalgamation(work), "sqlite3.c", "shell.c")
    if name == "lua":
        return sources_of(fetch("lua5.4", work) + "/src", "*.c")
    return sources_of(fetch(name, work), "*.c", but=("dlltest.c",))  # for Windows


def compare_syntax(options, work):
    """The number of files that splitcc refuses."""
    compilers = ["gcc"], [options.compiler, "-x", "splitc"]
    return sum(not compare_file(path, compilers, ["-I", os.path.dirname(path)], options.repeats)
               for name in options.names or PROGRAMS for path in all_sources(name, work))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--syntax", action="store_true")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.compiler, work = os.path.abspath(options.compiler), os.path.abspath(options.work)
    if not shutil.which("apt-get"):
        print("real_programs.py: the sources are Debian's, and there is no apt-get")
        return SKIPPED
    os.makedirs(work, exist_ok=True)
    if options.syntax:
        return 1 if compare_syntax(options, work) else 0
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name in options.names or PROGRAMS:
            try:
                expected = PROGRAMS[name](Build("gcc", ["gcc"], work, pool), work)
                got = PROGRAMS[name](Build("splitcc", [options.compiler, "-x", "splitc"], work,
                                           pool), work)
                wrong = "" if got == expected else f"{got[-2000:]}\n, not\n{expected[-2000:]}"
            except RuntimeError as error:
                wrong = str(error)
            failures += bool(wrong)
            print(f"{name}: {wrong or 'passes its tests, and computes what gcc computes'}",
                  flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
