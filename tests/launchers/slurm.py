# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node in a temporary folder: munged, slurmctld and slurmd of its own, beside any
that the machine may have. They need root, and end with this process whatever happens to it.
"""

import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

START_S = 30
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sinfo", "scancel")
PR_SET_PDEATHSIG = 1

CONFIGURATION = """\
ClusterName=ramjet-test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={port_of_control}
SlurmdPort={port_of_node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
CommunicationParameters=NoAddrCache
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmdSpoolDir={folder}/slurmd
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
KillWait=2
FirstJobId={first_job}
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def find(program):
    """Its path; Debian keeps what root runs in folders that others do not search."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def why_not():
    """Why there can be no Slurm here, or None."""
    missing = [program for program in PROGRAMS if find(program) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (scripts/setup test)"
    if os.geteuid() != 0:
        return "only root may start Slurm's daemons"
    return None


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Slurm:
    """`with Slurm(environment) as slurm:` -- `slurm.environment` is what its commands need."""

    def __init__(self, environment):
        self.folder = None
        self.daemons = []
        self.environment = dict(environment)

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ramjet-slurm-"))
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if len(self.daemons) > 1:
            self._say("scancel", "--user=root", "--signal=KILL")
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _daemon(self, program, *words):
        log = open(self.folder / f"{program}.out", "w", encoding="utf-8")
        self.daemons.append(subprocess.Popen(
            [find(program), *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env=self.environment, cwd=self.folder, preexec_fn=die_with_parent))
        log.close()

    def _say(self, program, *words):
        return subprocess.run([find(program), *words], capture_output=True, text=True, timeout=30,
                              check=False, env=self.environment)

    def _start(self):
        folder = self.folder
        folder.chmod(0o755)
        for name in ("state", "slurmd"):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(128))
        control, node = free_ports(2)
        first_job = 1 + os.getpid() * 64  # its PMIx has a folder by this number, maybe in /tmp
        configuration = folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=folder, port_of_control=control,
            port_of_node=node, first_job=first_job), encoding="utf-8")
        self.environment["SLURM_CONF"] = str(configuration)
        self._daemon("munged", "--foreground", "--force", f"--socket={folder}/munge.socket",
                     f"--key-file={key}", f"--pid-file={folder}/munged.pid",
                     f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed")
        self._await(lambda: (folder / "munge.socket").exists(), "munged listens")
        self._daemon("slurmctld", "-D", "-c", "-f", str(configuration))
        self._daemon("slurmd", "-D", "-c", "-f", str(configuration))
        self._await(lambda: self._say("sinfo", "-h", "-o", "%T").stdout.strip() == "idle",
                    "the node is idle")

    def _await(self, condition, what):
        end = time.monotonic() + START_S
        while not condition():
            ended = [d.args[0] for d in self.daemons if d.poll() is not None]
            if ended or time.monotonic() > end:
                raise RuntimeError(f"Slurm does not start: waited until {what}; ended: {ended}\n"
                                   + self.logs())
            time.sleep(0.1)

    def logs(self):
        names = [f for pattern in ("*.log", "*.out") for f in sorted(self.folder.glob(pattern))]
        return "\n".join(f"--- {f.name}\n{f.read_text(errors='replace')[-3000:]}" for f in names)
