#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ramjet, its peers and the raw limit of this machine, side by side.
Messages, whole programs, then threads.

Runs rounds of raw limit, Ramjet, Open MPI and UCX (within the machine and by TCP), Boost, pthreads
and oneTBB, one after the other, and prints medians. Every ratio about messages is a value over the
raw limit that the same run took in between, so it holds on a machine whose memory system drifts. A
peer that is not installed is named and left out.

    compare.py [--rounds N] [--tiny] [--priority] [--json FILE] [--bin FOLDER]

The exit status is 1 if a program failed, 2 if nothing can be measured here.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

from suite import (ALL_CORE_ROWS, BARRIER_ROWS, KERNEL_ROWS, LOW_IS_GOOD, MESSAGE_ROWS,
                   NETWORK_ROWS, OPTIONAL_ROWS, PAIR_ROWS, PROGRAM_ROWS, ROWS, THREAD_ROWS, UNIT_OF,
                   UNITS)

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 180
KILL_AFTER_S = 5


class ProgramFailed(Exception):
    pass


# ---- cores -------------------------------------------------------------------------------------

def physical_cores():
    """One allowed CPU of each physical core: two threads of one core share what is measured."""
    cores = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        topology = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology")
        try:
            key = ((topology / "physical_package_id").read_text().strip(),
                   (topology / "core_id").read_text().strip())
        except OSError:
            key = cpu
        cores.setdefault(key, cpu)
    return sorted(cores.values())


# ---- running programs --------------------------------------------------------------------------

def stop(process):
    """Ends a program and what it started: politely first, so that mpirun removes its files."""
    for number, patience in ((signal.SIGTERM, KILL_AFTER_S), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.communicate(timeout=patience)
            return
        except subprocess.TimeoutExpired:
            continue


def outrank_others():
    """Puts this process, and the scheduling group of its session, before all other programs."""
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    try:
        pathlib.Path("/proc/self/autogroup").write_text("-20")
    except OSError:
        pass  # this kernel schedules without groups, and the priority is enough


def run(command, cpus, environment, priority):
    """The standard output of a command that may use these CPUs."""
    def prepare():
        os.sched_setaffinity(0, cpus)
        if priority:
            outrank_others()

    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=environment, start_new_session=True, preexec_fn=prepare)
    try:
        output, errors = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        stop(process)
        raise ProgramFailed(f"no result after {LIMIT_S} s") from None
    except BaseException:
        stop(process)
        raise
    if process.returncode != 0:
        said = "\n".join((errors.strip() or output.strip()).splitlines()[-12:])
        raise ProgramFailed(f"exit status {process.returncode}\n{said}")
    return output


def records_of(output):
    """The records by name, with values and limits in the row's own unit."""
    try:
        records = json.loads(output)
    except json.JSONDecodeError as error:
        raise ProgramFailed(f"its output is not JSON ({error})") from None
    by_name = {}
    for record in records:
        name, unit = record["name"], record["unit"]
        scale = 1
        if name in UNIT_OF:
            scale = UNITS[UNIT_OF[name]].get(unit)
            if scale is None:
                raise ProgramFailed(f"{name} is in {unit}, not {UNIT_OF[name]}")
        limit = record.get("limit")
        by_name[name] = {"value": record["value"] * scale, "limit": limit and limit * scale,
                         "params": record.get("params", {})}
    return by_name


class System:
    """A column of the table, or one of several ways to run it; `launches` are (command, CPUs)."""

    def __init__(self, key, label, launches, environment=None, missing=None):
        self.key, self.label, self.missing = key, label, missing
        self.launches = [] if missing else list(launches)
        self.environment = environment or dict(os.environ)
        self.samples = {}  # row -> [{"value", "limit", "ratio"}], one a round
        self.params = {}
        self.failures = []

    def run_round(self, raw_limits, priority):
        for launch in list(self.launches):
            command, cpus = launch
            try:
                records = records_of(run(command, cpus, self.environment, priority))
            except ProgramFailed as failure:
                self.launches.remove(launch)  # it would fail again
                self.failures.append(f"{self.label}: {' '.join(map(str, command))}: {failure}")
                continue
            for name, record in records.items():
                limit = record["limit"] or raw_limits.get(name)
                ratio = record["value"] / limit if limit else None
                self.samples.setdefault(name, []).append(
                    {"value": record["value"], "limit": limit, "ratio": ratio})
                self.params[name] = record["params"]

    def median(self, name, field):
        values = [sample[field] for sample in self.samples.get(name, []) if sample[field]]
        return statistics.median(values) if values else None


# ---- the systems -------------------------------------------------------------------------------

def raw_system(options, pair, cores):
    program = options.bin / "peers" / "raw_limit"
    return System("raw", "raw limit", split(program, options, pair, cores, "pair,barrier,network"),
                  missing=None if program.exists() else f"{program} is not built")


def split(program, options, pair, cores, pair_sets):
    """Launches of a program that starts its own ranks: two cores, then all."""
    command = [program] + (["--tiny"] if options.tiny else [])
    if len(cores) == len(pair):
        return [(command + ["--set", f"{pair_sets},all_cores"], pair)]
    return [(command + ["--set", pair_sets], pair), (command + ["--set", "all_cores"], cores)]


def ramjet_system(options, pair, cores):
    program = options.bin / "ramjet"
    if not program.exists():
        return System("ramjet", "Ramjet", [], missing=f"{program} is not built (make build)")
    known = ""
    for question in ("--list", "--help"):
        asked = subprocess.run([program, "bench", question], stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, timeout=30)
        known += asked.stdout
    words = set(known.replace(",", " ").split())

    def wanted(names):
        return [name for name in names if name in words or name not in OPTIONAL_ROWS]

    ends = ["--json"] + (["--quick"] if options.tiny else [])
    launches = [([program, "bench", *wanted(PAIR_ROWS + BARRIER_ROWS), *ends], pair)]
    for rows in (NETWORK_ROWS, THREAD_ROWS, PROGRAM_ROWS, *([name] for name in KERNEL_ROWS)):
        if wanted(rows):
            launches.append(([program, "bench", *wanted(rows), *ends], pair))
    if wanted(ALL_CORE_ROWS):
        launches.append(([program, "bench", *wanted(ALL_CORE_ROWS), *ends], cores))
    return System("ramjet", "Ramjet", launches)


# Both of Open MPI's ways to send within a node, and the one between nodes. Debian's default refuses
# UCX without a network device, hence the explicit transports.
OPEN_MPI_LAYERS = {"ob1": {"pml": "ob1", "btl": "vader,self"},
                   "ucx": {"pml": "ucx", "pml_ucx_tls": "any", "pml_ucx_devices": "any"},
                   "tcp": {"pml": "ob1", "btl": "tcp,self", "btl_tcp_if_include": "lo",
                           "btl_tcp_eager_limit": "131072"}}
NODE_LAYERS = ("ob1", "ucx")


def open_mpi_system(options, pair, cores, layer, scratch):
    program = options.bin / "peers" / "mpi_peer"
    missing = None
    if not shutil.which("mpirun"):
        missing = "mpirun is not installed (Debian: openmpi-bin libopenmpi-dev)"
    elif not program.exists():
        missing = f"{program} is not built (Debian: libopenmpi-dev)"
    environment = dict(os.environ, TMPDIR=scratch)
    if os.geteuid() == 0:
        environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if layer == "ucx":
        environment.setdefault("UCX_TLS", "shm,self")
    for name, value in OPEN_MPI_LAYERS[layer].items():
        environment[f"OMPI_MCA_{name}"] = value

    def launch(ranks, sets, cpus):
        # Without yielding, eight ranks on two cores spin for milliseconds in every barrier.
        idle = "1" if ranks > len(cpus) else "0"
        return ([shutil.which("mpirun") or "mpirun", "--oversubscribe", "--bind-to", "none",
                 "--mca", "mpi_yield_when_idle", idle, "-n", str(ranks), program, "--set", sets]
                + (["--tiny"] if options.tiny else []), cpus)

    if layer not in NODE_LAYERS:
        launches = [launch(2, "network", pair)]
    elif len(cores) == len(pair):
        launches = [launch(2, "pair,barrier,all_cores,programs", pair)]
    else:
        launches = [launch(2, "pair,barrier,programs", pair),
                    launch(len(cores), "all_cores", cores)]
    if layer in NODE_LAYERS:
        launches += [launch(4, "barrier", pair), launch(8, "barrier", pair)]
    return System(f"openmpi-{layer}", f"Open MPI ({layer})", launches, environment, missing)


def ucx_systems(options, pair, cores):
    """Within the machine, and by TCP."""
    program = options.bin / "peers" / "ucx_peer"
    missing = None if program.exists() else f"{program} is not built (Debian: libucx-dev)"
    by_tcp = [program, "--set", "network"] + (["--tiny"] if options.tiny else [])
    environment = dict(os.environ, UCX_TLS="tcp,self", UCX_NET_DEVICES="lo",
                       UCX_RNDV_THRESH="131072")
    return (System("ucx", "UCX", split(program, options, pair, cores, "pair"), missing=missing),
            System("ucx-tcp", "UCX (tcp)", [(by_tcp, pair)], environment, missing))


def thread_systems(options, pair):
    """Of threads, then those of them that have whole programs, too."""
    peers = (("boost", "Boost", "fiber", "libboost-fiber-dev libboost-context-dev"),
             ("pthreads", "pthreads", "pthread", "libc6-dev"),
             ("tbb", "oneTBB", "tbb", "libtbb-dev"), ("openmp", "OpenMP", "openmp", "g++"),
             ("openmp-llvm", "OpenMP (LLVM)", "openmp_llvm", "libomp-dev"))
    tiny = ["--tiny"] if options.tiny else []

    def systems(peers, end):
        paths = [options.bin / "peers" / f"{peer[2]}{end}" for peer in peers]
        return [System(key, label, [([path] + tiny, pair)],
                       missing=None if path.exists() else
                       f"{path} is not built (Debian: {package})")
                for (key, label, _, package), path in zip(peers, paths)]
    return systems(peers, "_peer"), systems(peers[-2:], "_programs_peer")


# ---- the table ---------------------------------------------------------------------------------

def better_of(systems, name):
    """The system with the better median ratio in this row, or None if none has it."""
    measured = [each for each in systems if each.median(name, "value") is not None]
    if not measured:
        return None
    sign = 1 if UNIT_OF[name] in LOW_IS_GOOD else -1
    return min(measured, key=lambda each: sign * (each.median(name, "ratio") or 0))


def number(value):
    if value is None:
        return "-"
    digits = max(0, 3 - len(str(int(abs(value)))))
    return f"{value:.{digits}f}"


def times(ratio):
    return "" if ratio is None else f"x{number(ratio)}"


def table(rows, limit_of, columns):
    """limit_of(row): what stands in the column of raw limits."""
    head = ["name", "unit", "raw limit"]
    for label, _ in columns:
        head += [label, "ratio"]
    lines = [head]
    for name in rows:
        line = [name, UNIT_OF[name], number(limit_of(name))]
        for _, systems in columns:
            best = better_of(systems, name)
            line += [number(best and best.median(name, "value")),
                     times(best and best.median(name, "ratio"))]
        lines.append(line)
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = []
    for line in lines:
        cells = [cell.ljust(width) if i < 2 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths))]
        text.append("  ".join(cells).rstrip())
    text.insert(1, "-" * max(map(len, text)))
    return "\n".join(text)


def limit_drift(systems):
    """How far apart one limit came out in different runs, at most."""
    drift = 1
    for name in ROWS:
        limits = [sample["limit"] for each in systems for sample in each.samples.get(name, [])
                  if sample["limit"]]
        if limits:
            drift = max(drift, max(limits) / min(limits))
    return drift


def better_layers(layers):
    """Which of Open MPI's layers stands in which row of the table."""
    chosen = {}
    for name in ROWS:
        best = better_of(layers, name)
        if best:
            chosen.setdefault(best.key.removeprefix("openmpi-"), []).append(name)
    return "; ".join(f"{layer} for {', '.join(names)}" for layer, names in chosen.items())


def notes(systems, layers, pair, cores, options):
    rounds = f"{options.rounds} round{'s' if options.rounds > 1 else ''}"
    text = [f"Medians of {rounds} on {cpu_model()}, CPUs {' and '.join(map(str, pair))}"
            f" (am_all_to_all, am_incast: {len(cores)} ranks, a core each).",
            "A ratio is a value over the raw limit taken within the same run: times are better low,"
            " rates high.",
            "The rows ult_* and those of whole programs know only the limit of Ramjet's run in the "
            "round."]
    drift = limit_drift(systems)
    if options.tiny:
        text.append("A tiny run shows that everything runs; its figures mean nothing.")
    elif drift > 1.3:
        text.append(f"One and the same limit came out up to {drift:.1f} times apart in different "
                    "runs: read ratios, not times.")
    if chosen := better_layers(layers):
        text.append(f"Open MPI shows its better layer in each row: {chosen}.")
    for each in systems:
        for params in list(each.params.values())[:1]:
            about = [str(params[key]) for key in ("library", "settings", "build") if key in params]
            if about:
                text.append(f"{each.label}: {'; '.join(about)}")
        if each.missing:
            text.append(f"{each.label} is missing: {each.missing}")
    return "\n".join(text)


# ---- where and when ----------------------------------------------------------------------------

def cpu_model():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def commit():
    asked = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"],
                           capture_output=True, text=True)
    return asked.stdout.strip() if asked.returncode == 0 else None


def saved_records(systems, pair, cores):
    where = {"cpu": cpu_model(), "kernel": platform.release(), "commit": commit()}
    records = []
    for each in systems:
        for name, samples in each.samples.items():
            lower = UNIT_OF.get(name, "GB/s") in LOW_IS_GOOD
            limit = None if each.key == "raw" else each.median(name, "limit")
            ratio = None if each.key == "raw" else each.median(name, "ratio")
            used = sorted(cores if name in ALL_CORE_ROWS else pair)
            records.append({
                "name": name, "value": each.median(name, "value"),
                "unit": UNIT_OF.get(name, "GB/s"), "better": "lower" if lower else "higher",
                "limit": limit, "ratio_to_limit": ratio,
                "params": {**each.params[name], "system": each.key, "cpus": used,
                           "rounds": samples, **where}})
    return records


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds of all systems (default 5)")
    parser.add_argument("--tiny", action="store_true",
                        help="only show that everything runs: one round of too few messages")
    parser.add_argument("--priority", action="store_true",
                        help="let what is measured outrank all other programs (needs root)")
    parser.add_argument("--json", metavar="FILE", help="save the records of all systems")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="where ramjet and peers/ are (default: build/bin)")
    options = parser.parse_args()
    if options.tiny:
        options.rounds = 1
    if options.priority and os.geteuid() != 0:
        parser.error("--priority needs root")
    return options


def latest_limits(raw, ramjet):
    """For programs that take none themselves: those of this round."""
    limits = {name: samples[-1]["value"] for name, samples in raw.samples.items()}
    for name in THREAD_ROWS + PROGRAM_ROWS + KERNEL_ROWS:
        if name in ramjet.samples and ramjet.samples[name][-1]["limit"]:
            limits[name] = ramjet.samples[name][-1]["limit"]
    return limits


def measure(options, scratch):
    cores = physical_cores()
    pair = cores[:2]
    if len(pair) < 2:
        print("compare.py: two cores are needed, and this process may use one", file=sys.stderr)
        return 2
    raw = raw_system(options, pair, cores)
    if raw.missing:
        print(f"compare.py: {raw.missing} (bench/peers/run.sh builds it)", file=sys.stderr)
        return 2
    ramjet = ramjet_system(options, pair, cores)
    layers = [open_mpi_system(options, pair, cores, layer, scratch) for layer in NODE_LAYERS]
    mpi_by_tcp = open_mpi_system(options, pair, cores, "tcp", scratch)
    ucx, ucx_by_tcp = ucx_systems(options, pair, cores)
    of_threads, of_programs = thread_systems(options, pair)
    systems = [raw, ramjet, *layers, ucx, mpi_by_tcp, ucx_by_tcp, *of_threads, *of_programs]
    for round_number in range(options.rounds):
        for each in systems:
            progress(f"round {round_number + 1} of {options.rounds}: {each.label}")
            each.run_round({} if each is raw else latest_limits(raw, ramjet), options.priority)
    progress("")
    print(table(MESSAGE_ROWS, lambda name: raw.median(name, "value"),
                [("Ramjet", [ramjet]), ("Open MPI", layers), ("UCX", [ucx])]))
    print("\n" + table(NETWORK_ROWS, lambda name: raw.median(name, "value"),
                       [("Ramjet", [ramjet]), ("Open MPI", [mpi_by_tcp]), ("UCX", [ucx_by_tcp])]))
    print("\n" + table(PROGRAM_ROWS, lambda name: ramjet.median(name, "limit"),
                       [("Ramjet", [ramjet]), ("Open MPI", layers)]))
    print("\n" + table(KERNEL_ROWS, lambda name: ramjet.median(name, "limit"),
                       [(each.label, [each]) for each in [ramjet, *of_programs]]))
    print("\n" + table(THREAD_ROWS, lambda name: ramjet.median(name, "limit"),
                       [(each.label, [each]) for each in [ramjet, *of_threads]]))
    print("\n" + notes(systems, layers, pair, cores, options))
    if options.json:
        text = json.dumps(saved_records(systems, pair, cores), indent=1)
        pathlib.Path(options.json).write_text(text + "\n")
    failures = [failure for each in systems for failure in each.failures]
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    return 1 if failures else 0


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main():
    def interrupt(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
    options = parse_arguments()
    # Open MPI's sockets and files go where this program removes them, whatever becomes of mpirun.
    with tempfile.TemporaryDirectory(prefix="peers-") as scratch:
        return measure(options, scratch)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("interrupted; everything that was started has been ended", file=sys.stderr)
        sys.exit(130)
