#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts.sh   every shell script of the tree passes shellcheck.
set -euo pipefail
cd "$(dirname "$0")/../.."

mapfile -t scripts < <(git ls-files --cached --others --exclude-standard |
  xargs -d '\n' awk 'FNR == 1 && /^#!.*sh$/ {print FILENAME} {nextfile}')
((${#scripts[@]} >= 10)) || { echo "only ${#scripts[@]} shell scripts found"; exit 1; }
shellcheck --severity=warning "${scripts[@]}"
