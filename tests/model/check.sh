#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh MODEL.pml WORK_DIR   checks one model exhaustively with Spin.
#
# A model may name options for the C compiler and for the search, each on a line of its own:
#   /* cc: -DCOLLAPSE */
#   /* pan: -a -m2000000 */
set -euo pipefail

model=$1 work_dir=$2
if ! command -v spin >/dev/null; then
  echo "spin is not installed"
  exit 77
fi

option() { sed -n "s|^/\* $1: \(.*\) \*/\$|\1|p" "$model"; }

# A mistake is found soon: there the compiler takes longer than the search.
effort=-O2
[[ $model != *.bad.pml ]] || effort=-O0

rm -rf "$work_dir"
mkdir -p "$work_dir"
cd "$work_dir"
spin -a "$model"
read -ra for_compiler < <(option cc) || true
read -ra for_search < <(option pan) || true
cc "$effort" -w "${for_compiler[@]}" -o pan pan.c
./pan -m1000000 "${for_search[@]}" | tee pan.log

grep -q '^State-vector.*errors: ' pan.log || { echo "$model: the search gave no result"; exit 1; }
if [[ $model == *.bad.pml ]]; then
  ! grep -q 'errors: 0$' pan.log || { echo "$model: the mistake in it was not found"; exit 1; }
  exit 0
fi
grep -q 'errors: 0$' pan.log || { echo "$model: does not hold"; exit 1; }
if grep -E 'Search not completed|max search depth too small|out of memory' pan.log; then
  echo "$model: the state space was not searched to its end"
  exit 1
fi
