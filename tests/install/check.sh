#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh prefix|deb|man BUILD_DIR   one of the three checks of what gets installed.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
what=$1 build_dir=$2
work_dir=$(mktemp -d)
trap 'rm -rf "$work_dir"' EXIT

die() { echo "install.$what: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || { echo "$1 is not installed"; exit 77; }; }

# Runs PROGRAM on two ranks with the installed command; both must have said who they are.
run_two_ranks() {  # PREFIX PROGRAM
  local output
  output=$("$1/bin/ramjet" run -n 2 --timeout 60 "$2") || die "$2 failed: $output"
  for rank in 0 1; do
    grep -q "rank $rank of 2" <<<"$output" || die "$2: no 'rank $rank of 2' in: $output"
  done
}

# Builds and runs both projects against the tree at PREFIX, by each of the two ways.
use_installed() {  # PREFIX
  local prefix=$1 language flags
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ramjet.pc)")
  LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")  # only a shared libramjet needs it
  export PKG_CONFIG_PATH LD_LIBRARY_PATH
  for language in cpp c; do
    cmake -S "$here/$language" -B "$work_dir/$language" -G Ninja -D CMAKE_PREFIX_PATH="$prefix"
    cmake --build "$work_dir/$language"
    run_two_ranks "$prefix" "$work_dir/$language/hello"

    read -ra flags <<<"$(pkg-config --cflags --libs ramjet)"
    if [[ $language == cpp ]]; then
      c++ -std=c++20 "$here/cpp/hello.cpp" -o "$work_dir/hello_cpp" "${flags[@]}"
    else
      cc -std=c11 "$here/c/hello.c" -o "$work_dir/hello_c" "${flags[@]}"
    fi
    run_two_ranks "$prefix" "$work_dir/hello_$language"
  done
}

check_prefix() {
  cmake --install "$build_dir" --prefix "$work_dir/prefix"
  use_installed "$work_dir/prefix"
  [[ $(pkg-config --modversion ramjet) == "$("$work_dir/prefix/bin/ramjet" --version |
    grep -oE '[0-9]+\.[0-9]+\.[0-9]+')" ]] || die "ramjet.pc and ramjet --version disagree"
}

check_deb() {
  need dpkg-shlibdeps
  need file
  (cd "$build_dir" && cpack -G DEB -B "$work_dir")
  local package content expected
  package=$(find "$work_dir" -maxdepth 1 -name 'ramjet_*.deb')
  content=$(dpkg-deb -c "$package" | awk '{print $6}')
  echo "$content"
  for expected in bin/ramjet include/ramjet/ramjet.h include/ramjet/ramjet.hpp \
      include/ramjet/version.hpp lib/cmake/ramjet/ramjetConfig.cmake lib/pkgconfig/ramjet.pc \
      share/man/man1/ramjet.1 share/doc/ramjet/copyright; do
    grep -qx "./usr/$expected" <<<"$content" || die "the package lacks /usr/$expected"
  done
  ! grep -v '^\./usr/' <<<"$content" || die "the package leaves /usr"
  dpkg-deb -f "$package" Depends | grep -q libstdc++6 || die "the package names no dependencies"
  dpkg-deb -x "$package" "$work_dir/root"
  use_installed "$work_dir/root/usr"
}

check_man() {
  need man
  local page complaints
  for page in "$here"/../../docs/man/*.1; do
    complaints=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [[ -z $complaints ]] || die "$page: $complaints"
    LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$page" | grep -q 'SYNOPSIS' || die "$page: no synopsis"
  done
}

"check_$what"
