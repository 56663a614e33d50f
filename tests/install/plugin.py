# SPDX-License-Identifier: Apache-2.0
"""One rank of a job in Python.

    plugin.py c LIBRARY       the C interface of libramjet.so, by ctypes
    plugin.py object OBJECT   a shared object that uses Ramjet itself
"""

import ctypes
import os
import sys


def by_the_c_interface(library):
    library.ramjet_init(ctypes.byref(ctypes.c_int(0)),
                        ctypes.byref(ctypes.POINTER(ctypes.c_char_p)()))
    rank, size = library.ramjet_rank(), library.ramjet_size()
    status = library.ramjet_barrier(ctypes.c_void_p())  # RAMJET_WORLD
    library.ramjet_finalize()
    return rank, size, status


def main():
    library = ctypes.CDLL(sys.argv[2], mode=os.RTLD_NOW)
    if sys.argv[1] == "c":
        rank, size, status = by_the_c_interface(library)
        assert status == 0, status
    else:
        rank, size = int(os.environ["RAMJET_RANK"]), int(os.environ["RAMJET_SIZE"])
        found = library.number_of_next_rank()
        assert found == (rank + 1) % size, found
    print(f"rank {rank} of {size}", flush=True)


main()
