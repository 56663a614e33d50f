# SPDX-License-Identifier: Apache-2.0
# Completion of the command `ramjet` in bash. What there is to choose from is asked of the command
# itself: `ramjet --help`, `ramjet COMMAND --help`, `ramjet bench --list`.

_ramjet_options() { "$1" "$2" --help 2>/dev/null | sed -nE 's/^  (-.,)?(--[a-z-]+).*/\2/p'; }

# The words between which an option chooses, as --bind core|none; else the name of its value.
_ramjet_value() {
  "$1" "$2" --help 2>/dev/null | sed -nE "s/^  (-.,)?$3 ([^ ]+).*/\\2/p" | tr '|' '\n'
}

_ramjet() {
  local self=$1 current=$2 previous=$3 command=${COMP_WORDS[1]} value
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "--help --version $("$self" --help 2>/dev/null |
      sed -nE 's/^  ([a-z]+)  .*/\1/p')" -- "$current")
    return
  fi
  case $command in
    help)
      mapfile -t COMPREPLY < <(compgen -W 'run top bench characterize trace model tam report papers info' -- "$current")
      return ;;
    run | top | bench | characterize | trace | model | tam | report | papers | info) ;;
    *) return ;;
  esac
  if [[ $previous == --* ]]; then
    value=$(_ramjet_value "$self" "$command" "$previous")
    case $value in
      '') ;;
      *[a-z]*) mapfile -t COMPREPLY < <(compgen -W "$value" -- "$current"); return ;;
      FILE | OLD | NEW | PAGE | RUNS) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
      *) return ;;
    esac
  fi
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_ramjet_options "$self" "$command")" -- "$current")
  elif [[ $command == bench ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$self" bench --list 2>/dev/null |
      sed -E 's/ .*//')" -- "$current")
  elif [[ $command == characterize ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'memory near far crowd choices' -- "$current")
  elif [[ $command == model ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$self" model --list 2>/dev/null |
      sed -E 's/ .*//')" -- "$current"; compgen -f -- "$current")
  elif [[ $command == tam ]]; then
    mapfile -t COMPREPLY < <(compgen -W study -- "$current")
  elif [[ $command == trace || $command == report || $command == papers ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif [[ $command == run ]]; then
    mapfile -t COMPREPLY < <(compgen -c -- "$current"; compgen -f -- "$current")
  fi
}
complete -o filenames -F _ramjet ramjet
