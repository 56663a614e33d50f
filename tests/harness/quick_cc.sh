#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The C compiler of this build, for tests whose programs run for a moment: it does not optimise,
# whatever it is told. RAMJET_CC names this script.
exec "${TESTS_CC:?names the C compiler}" "$@" -O0
