# SPDX-License-Identifier: Apache-2.0
# Completion of the command `tl0` in bash. The options are asked of the command itself.

_tl0() {
  local self=$1 current=$2
  COMPREPLY=()
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$self" --help 2>/dev/null |
      sed -nE 's/^  (--?[A-Za-z][A-Za-z-]*=?).*/\1/p')" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _tl0 tl0
