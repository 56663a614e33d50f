# SPDX-License-Identifier: Apache-2.0
"""What /proc tells of processes that may end at any moment: one that has is left out."""

import pathlib


def contents(pid, name):
    """Of /proc/PID/NAME; none if the process has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def processes_with(mark):
    """Living processes whose environment holds the mark: all of a job, whatever became of them."""
    return [int(entry.name) for entry in pathlib.Path("/proc").iterdir()
            if entry.name.isdigit() and mark.encode() in contents(entry.name, "environ")]


def programs_with(mark, name):
    """Those of them that run this program."""
    return [pid for pid in processes_with(mark) if contents(pid, "comm") == f"{name}\n".encode()]


def ranks_with(mark):
    """{rank: pid} of the ranks among them."""
    found = {}
    for pid in processes_with(mark):
        for word in contents(pid, "environ").split(b"\0"):
            if word.startswith(b"RAMJET_RANK="):
                found[int(word[12:])] = pid
    return found


def process_states(mark):
    """The state letters of these processes, as in /proc: R, S, T, ..."""
    stats = [contents(pid, "stat") for pid in processes_with(mark)]
    return {stat.decode().rsplit(")", 1)[1].split()[0] for stat in stats if stat}
