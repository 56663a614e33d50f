# SPDX-License-Identifier: Apache-2.0
"""Runs a rank on a machine of its own, as Ramjet sees it: in a process namespace of its own.

  machine.py PROGRAM [ARGUMENT]...

SIGUSR1 is handed on; other signals end it and the program with it. The exit status is the
program's. Needs root.
"""

import ctypes
import os
import signal
import sys

CLONE_NEWNS, CLONE_NEWPID = 0x00020000, 0x20000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def must(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), what)


def enter(command):
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    must(LIBC.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "mount")
    must(LIBC.mount(b"proc", b"/proc", b"proc", 0, None), "mount /proc")
    os.execvp(command[0], command)


def main(command):
    must(LIBC.unshare(CLONE_NEWNS | CLONE_NEWPID), "unshare")
    asked = {signal.SIGUSR1}
    signal.pthread_sigmask(signal.SIG_BLOCK, asked)
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, asked)
        enter(command)
    signal.signal(signal.SIGUSR1, lambda *_: os.kill(child, signal.SIGUSR1))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, asked)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main(sys.argv[1:])
