#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/peers/run.sh [OPTIONS OF compare.py]   builds what is missing and prints the comparison.
# Ramjet itself is measured as build/bin/ramjet, where that is built.
set -euo pipefail
cd "$(dirname "$0")/../.."

build="build-peers"
mkdir -p "$build"
{
  cmake -S bench/peers -B "$build" -DRAMJET_BUILD_PEERS=ON -DCMAKE_BUILD_TYPE=Release
  cmake --build "$build"
} > "$build/build.log" 2>&1 || { cat "$build/build.log" >&2; exit 1; }

# exec: an interrupt reaches the program that cleans up, and nothing else.
exec python3 bench/peers/compare.py "$@"
