#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The C compiler of this build, for tests whose programs run for a moment: it does not optimise,
# whatever it is told, and links by mold where that is installed. RAMJET_CC names this script.
linker=
! command -v ld.mold >/dev/null || linker=-fuse-ld=mold
exec "${TESTS_CC:?names the C compiler}" "$@" -O0 $linker
