#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# other_clock.sh PROGRAM [ARGUMENT]...: runs it where CLOCK_MONOTONIC is 1000 s later for each rank
# of mpirun.
exec unshare -T --monotonic "$((OMPI_COMM_WORLD_RANK * 1000))" "$@"
