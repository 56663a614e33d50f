#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one test and ends it if it hangs, with what is needed to find out why.

    hang_watch.py [--limit S] [--says REGEX] [--status N] COMMAND [ARGUMENTS]

--limit S     the test hangs if it writes nothing, handles no message and none of its processes that
              have worked ends for two times S seconds (default 30) of the machine's time
--says REGEX  what the test writes must match, whatever else is right
--status N    the exit status that it must end with (default 0); `failure`: any but 0

The limit grows with measured load, and with nothing else: a second in which processes of others
took a share of the processors counts as 1 - share, at least as a quarter. A line of output is
progress and starts the limit anew, and so is the end of a process that has worked, such as a
compiler. When the limit has passed, the jobs are asked for the report of who waits for whom: if
their counters of messages have moved since the report before, that is progress too. A test that
goes on for twenty limits is ended all the same.

A hang fails. It is reported with the command, its settings, all that the test has written (the seed
is there), the job's own report of who waits for whom, and the stacks of all its processes by gdb.
Nothing is repeated.
"""

# It runs before almost every test: what takes long to load is loaded where it is needed.
import os
import resource
import select
import sys
import time

LEAST_SHARE = 0.25  # of a second that counts on a machine that others keep busy
SKIPPED = 77  # CTest's SKIP_RETURN_CODE: passed on
LIMITS_IN_ALL = 20  # of a test that makes progress without end
LOOK_S = 1.0  # between two measurements
WORK_S = 0.2  # of processor time: a compiler's, and not that of a `sleep` in a loop
END_LOOK_S = 0.005  # whether a test that has closed its output has ended
REPORT_S = 10  # for the job's own report
REPORT_ENDS = rb"(?m)^  (?:likely|the job moves): .*\n"  # the last line of most
GDB_S, GDB_S_IN_ALL, GDB_PROCESSES = 30, 120, 24
TICKS = os.sysconf("SC_CLK_TCK")
CORES = os.cpu_count() or 1
# What tests heed: a shell's background and nohup ignore the first three, Python the others.
HEEDED = (1, 2, 3, 13, 25)  # SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ


def usage(message):
    print(f"hang_watch.py: {message}\n{__doc__}", file=sys.stderr)
    sys.exit(2)


class Options:
    def __init__(self, words):
        self.limit, self.says, self.status = 30.0, None, "0"
        while words and words[0].startswith("--"):
            name, words = words[0], words[1:]
            if name == "--":
                break
            if name not in ("--limit", "--says", "--status") or not words:
                usage(f"{name} is not an option, or has no value")
            value, words = words[0], words[1:]
            setattr(self, name[2:], float(value) if name == "--limit" else value)
        if not words:
            usage("no command")
        self.command = words


def stat_fields(pid):
    """/proc/PID/stat after the name: [0] is the state, [1] the parent; [] if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rsplit(b")", 1)[1].split()
    except OSError:
        return []


def tree_of(root):
    """{pid: ticks of processor time, its dead children's too} of root and what it started."""
    parents, ticks = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := stat_fields(name)):
            parents.setdefault(int(fields[1]), []).append(int(name))
            ticks[int(name)] = sum(map(int, fields[11:15]))
    found, rest = {}, [root]
    while rest:
        pid = rest.pop()
        if pid in ticks and pid not in found:
            found[pid] = ticks[pid]
            rest += parents.get(pid, [])
    return found


def is_launcher(pid):
    """A `ramjet run`, or ramjet-run, and not its job-guard, which has the same command line."""
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:
            if file.read() == b"job-guard\n":
                return False
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
        name = os.path.basename(words[0])
        return name == b"ramjet-run" or (name == b"ramjet" and words[1:2] == [b"run"])
    except OSError:
        return False


def busy_ticks():
    """Of all processors: user, nice, system, irq, softirq, and what the host took away."""
    with open("/proc/stat", "rb") as file:
        fields = [int(word) for word in file.readline().split()[1:]]
    return sum(fields[:3]) + sum(fields[5:8])


class MachineClock:
    """Seconds of a machine that others leave to the test."""

    def __init__(self, root):
        self.root, self.seconds = root, 0.0  # which has just begun
        self.at, self.all, self.own = time.monotonic(), busy_ticks(), 0
        self.members = {}

    def look(self):
        """Whether a process of the test that had worked has ended since it looked before."""
        now = time.monotonic()
        passed = now - self.at
        if passed < LOOK_S:
            return False
        members = tree_of(self.root)
        total, own = busy_ticks(), sum(members.values())
        has_ended = any(ticks >= WORK_S * TICKS for pid, ticks in self.members.items()
                        if pid not in members)
        # A process that ended with its parent alive is counted there; one that did not is lost.
        others = (total - self.all) - max(0, own - self.own)
        share = max(0.0, others / TICKS / passed / CORES)
        self.seconds += passed * max(LEAST_SHARE, 1 - share)
        self.at, self.all, self.own, self.members = now, total, own, members
        return has_ended


class Process:
    """As subprocess.Popen; reads nothing, and writes into `output`."""

    def __init__(self, command):
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2:
                self.keep(int(name))
        self.output, into = os.pipe()
        self.pid = os.posix_spawnp(
            command[0], command, os.environ, setsigdef=HEEDED, file_actions=(
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, into, 1), (os.POSIX_SPAWN_DUP2, into, 2)))
        os.close(into)
        self.returncode = None  # as of subprocess: minus the signal

    @staticmethod
    def keep(descriptor):
        try:
            os.set_inheritable(descriptor, False)
        except OSError:
            pass  # that of the listing

    def poll(self, how=os.WNOHANG):
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, how)
            if pid != 0:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self):
        return self.poll(0)


class Test:
    def __init__(self, options):
        self.options, self.text = options, bytearray()
        self.process = Process(options.command)
        self.output = self.process.output
        os.set_blocking(self.output, False)
        self.selector = select.poll()
        self.selector.register(self.output, select.POLLIN)
        self.open = True
        self.asked = []  # what the reports say of messages, in their order

    def forward(self, timeout):
        """Passes on what comes within `timeout`; returns whether something has."""
        if not self.open:
            time.sleep(timeout)
            return False
        if not self.selector.poll(timeout * 1000):
            return False
        part = os.read(self.output, 1 << 16)
        if not part:
            self.open = False
            self.selector.unregister(self.output)
            return False
        self.text += part
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        return True

    def run(self):
        """Whether it ended by itself."""
        clock, began = MachineClock(self.process.pid), 0.0
        while self.open or self.process.poll() is None:
            has_written = self.forward(LOOK_S if self.open else END_LOOK_S)
            has_ended_some = clock.look()
            if has_written or has_ended_some:
                began = clock.seconds
            if clock.seconds > LIMITS_IN_ALL * self.options.limit:
                say(f"HANGS: it has not ended in {LIMITS_IN_ALL} limits, though it goes on")
                return False
            if clock.seconds - began > self.options.limit:
                if not self.has_moved():
                    say(f"HANGS: it did nothing for {self.options.limit:g} s of the machine's time")
                    return False
                began = clock.seconds
        self.process.wait()
        return True

    def ask(self):
        """Has all jobs of the test report who waits for whom; what came meanwhile, as text."""
        import re
        import signal
        launchers = [pid for pid in tree_of(self.process.pid) if is_launcher(pid)]
        start = len(self.text)
        for pid in launchers:
            os.kill(pid, signal.SIGUSR1)
        end = time.monotonic() + (REPORT_S if launchers else 0)
        while time.monotonic() < end and self.process.poll() is None:
            self.forward(0.5)
            if len(re.findall(REPORT_ENDS, self.text[start:])) >= len(launchers):
                break
        return self.text[start:]

    def has_moved(self):
        """Whether messages were handled since it was asked before: at first nobody knows."""
        import re
        self.asked.append(re.findall(rb"(?m)^.* (?:in all: .*|no messages .*)$", self.ask()))
        if len(self.asked) == 1:
            return bool(self.asked[0])
        return self.asked[-1] != self.asked[-2]

    def explain(self):
        shown = [f"{name}={value}" for name, value in sorted(os.environ.items())
                 if name.startswith("RAMJET_")]
        say("the command: " + " ".join(shown + self.options.command))
        self.ask()
        show_stacks(sorted(tree_of(self.process.pid)))

    def end(self):
        import signal
        born = {pid: stat_fields(pid)[19:20] for pid in tree_of(self.process.pid)}
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGTERM)
        end = time.monotonic() + REPORT_S
        while self.process.poll() is None and time.monotonic() < end:
            self.forward(0.1)
        for pid, when in born.items():
            if when and stat_fields(pid)[19:20] == when:  # not another of the same number
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.process.wait()

    def verdict(self):
        """What is not as it should be, or nothing."""
        status = self.process.returncode
        status = 128 - status if status < 0 else status
        wanted = self.options.status
        if status == SKIPPED:
            return ""
        if (status == 0) if wanted == "failure" else (status != int(wanted)):
            return f"exit status {status}, where {wanted} is right"
        if self.options.says:
            import re
            if not re.search(self.options.says, self.text.decode(errors="replace")):
                return f"nothing that it wrote matches: {self.options.says}"
        return ""


def say(text):
    print(f"hang_watch: {text}", flush=True)


def show_stacks(pids):
    import subprocess
    end = time.monotonic() + GDB_S_IN_ALL
    for pid in pids[:GDB_PROCESSES]:
        left = end - time.monotonic()
        if left <= 0:
            break
        say(f"stacks of process {pid}")
        try:
            subprocess.run(["gdb", "--batch", "-nx", "-iex", "set debuginfod enabled off",
                            "-ex", "set width 0", "-ex", "thread apply all backtrace 30",
                            "-p", str(pid)],
                           stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=min(left, GDB_S), check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            say(f"no stacks: {error}")
            if isinstance(error, FileNotFoundError):
                return


def main():
    began = time.monotonic()
    # What a developer's machine was found to be decides no test.
    os.environ.setdefault("RAMJET_PROFILE", "none")
    test = Test(Options(sys.argv[1:]))
    if not test.run():
        test.explain()
        test.end()
        return 1
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{time.monotonic() - began:.2f} s by the clock, "
          f"{used.ru_utime + used.ru_stime:.2f} s of processors", flush=True)
    if wrong := test.verdict():
        say(wrong)
        return 1
    return SKIPPED if test.process.returncode == SKIPPED else 0


if __name__ == "__main__":
    sys.exit(main())
