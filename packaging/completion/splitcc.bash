# SPDX-License-Identifier: Apache-2.0
# Completion of the command `splitcc` in bash. The options are asked of the command itself.

_splitcc() {
  local self=$1 current=$2 previous=$3
  COMPREPLY=()
  case $previous in
    -x) mapfile -t COMPREPLY < <(compgen -W 'splitc splitc-cpp-output none c' -- "$current"); return ;;
    -I | -L | -isystem) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
  esac
  if [[ $current == -std=* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '-std=gnu89 -std=gnu99 -std=gnu11 -std=gnu17' -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$self" --help 2>/dev/null |
      sed -nE 's/^  (--?[A-Za-z][A-Za-z-]*=?).*/\1/p')" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _splitcc splitcc
