#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh prefix|plugin|kinds|deb|man|docs BUILD_DIR   one of the checks of what gets installed.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
what=$1 build_dir=$2
work_dir=$(mktemp -d)
trap 'rm -rf "$work_dir"' EXIT

die() { echo "install.$what: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || { echo "$1 is not installed"; exit 77; }; }

# Runs PROGRAM on two ranks with the installed command; both must have said who they are.
run_two_ranks() {  # PREFIX PROGRAM...
  local output rank
  output=$("$1/bin/ramjet" run -n 2 --timeout 60 "${@:2}" 2>&1) || die "${*:2} failed: $output"
  for rank in 0 1; do
    grep -q "rank $rank of 2" <<<"$output" || die "${*:2}: no 'rank $rank of 2' in: $output"
  done
}

# Builds and runs both projects against the tree at PREFIX, by each of the two ways, with the
# archive and with the shared library.
use_installed() {  # PREFIX
  local prefix=$1 language flags kind
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ramjet.pc)")
  LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
  export PKG_CONFIG_PATH LD_LIBRARY_PATH
  for language in cpp c; do
    cmake -S "$here/$language" -B "$work_dir/$language" -G Ninja -D CMAKE_PREFIX_PATH="$prefix"
    cmake --build "$work_dir/$language"
    for kind in ramjet shared; do
      is_linked_as "$kind" "$work_dir/$language/hello_$kind"
      run_two_ranks "$prefix" "$work_dir/$language/hello_$kind"
    done
    for kind in ramjet ramjet-shared; do
      read -ra flags <<<"$(pkg-config --cflags --libs "$kind")"
      if [[ $language == cpp ]]; then
        c++ -std=c++20 "$here/cpp/hello.cpp" -o "$work_dir/hello_cpp" "${flags[@]}"
      else
        cc -std=c11 "$here/c/hello.c" -o "$work_dir/hello_c" "${flags[@]}"
      fi
      is_linked_as "${kind#ramjet-}" "$work_dir/hello_$language"
      run_two_ranks "$prefix" "$work_dir/hello_$language"
    done
  done
}

# Where there is no libsodium, Ramjet is not found; a project that can do without it goes on.
refuse_without_libsodium() {  # PREFIX
  mkdir "$work_dir/without"
  cat >"$work_dir/without/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(without LANGUAGES C)
find_package(ramjet QUIET)
if(ramjet_FOUND OR NOT ramjet_NOT_FOUND_MESSAGE MATCHES "needs libsodium")
  message(FATAL_ERROR "found: ${ramjet_FOUND}, ${ramjet_NOT_FOUND_MESSAGE}")
endif()
END
  PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH='' cmake -S "$work_dir/without" \
    -B "$work_dir/without/build" -G Ninja -D CMAKE_PREFIX_PATH="$1"
}

# Split-C: by find_package in a project without a language, and by splitcc alone.
use_splitcc() {  # PREFIX
  cmake -S "$here/splitc" -B "$work_dir/splitc" -G Ninja -D CMAKE_PREFIX_PATH="$1"
  cmake --build "$work_dir/splitc"
  "$1/bin/splitcc" "$here/splitc/hello.sc" -o "$work_dir/hello_splitc"
  run_two_ranks "$1" "$work_dir/splitc/bin/hello"
  run_two_ranks "$1" "$work_dir/hello_splitc"
}

# Code blocks: by find_package, and by tl0 alone.
use_tl0() {  # PREFIX
  cmake -S "$here/tam" -B "$work_dir/tam" -G Ninja -D CMAKE_PREFIX_PATH="$1"
  cmake --build "$work_dir/tam"
  "$1/bin/tl0" "$here/tam/hello.tl0" -o "$work_dir/hello_tl0"
  run_two_ranks "$1" "$work_dir/tam/hello"
  run_two_ranks "$1" "$work_dir/hello_tl0"
}

# Variables in the segment: by CMake and by pkg-config.
use_symmetric() {  # PREFIX
  [[ $(uname -m) == x86_64 ]] || return 0
  local flags quoted program
  cmake -S "$here/symmetric" -B "$work_dir/symmetric" -G Ninja -D CMAKE_PREFIX_PATH="$1"
  cmake --build "$work_dir/symmetric"
  read -ra flags <<<"$(pkg-config --cflags --libs ramjet-symmetric)"
  c++ -std=c++20 "$here/symmetric/marked.cpp" -o "$work_dir/symmetric/by_pkg_config" "${flags[@]}"
  # From a folder with a space in its name, which pkg-config quotes for the shell.
  ln -s "$1" "$work_dir/a prefix"
  quoted=$(PKG_CONFIG_PATH="$work_dir/a prefix${PKG_CONFIG_PATH#"$1"}" \
    pkg-config --cflags --libs ramjet-symmetric)
  eval "c++ -std=c++20 '$here/symmetric/marked.cpp' -o '$work_dir/symmetric/spaced' $quoted"
  for program in marked splitc by_pkg_config spaced; do
    run_two_ranks "$1" "$work_dir/symmetric/$program"
  done
  local said
  ! said=$(c++ -std=c++20 -c "$here/symmetric/marked.cpp" -o /dev/null -I "$1/include" 2>&1) ||
    die "RAMJET_SYMMETRIC is taken without its options"
  grep -q "RAMJET_SYMMETRIC: see the options of CMake's ramjet::symmetric" <<<"$said" ||
    die "the compiler says: $said"
}

is_linked_as() {  # ramjet|shared PROGRAM
  local found=ramjet
  ! readelf -d "$2" | grep -q 'NEEDED.*libramjet' || found=shared
  [[ $found == "$1" ]] || die "$2 is linked with $found, not with $1"
}

# Two ranks in Python: by the C interface; by a shared object that links libramjet.so; by one that
# holds the archive.
check_plugin() {
  local objects=("$work_dir/shared.so" "$work_dir/archive.so") object
  local compile=(c++ -std=c++20 -O2 -fPIC -shared -I "$here/../../include" -I "$build_dir/include"
    "$here/plugin.cpp")
  "${compile[@]}" -o "$work_dir/shared.so" -L "$build_dir" -Wl,-rpath,"$build_dir" -lramjet
  "${compile[@]}" -o "$work_dir/archive.so" "$build_dir/libramjet.a" -lsodium
  ln -s "$build_dir/bin" "$work_dir/bin"
  run_two_ranks "$work_dir" python3 "$here/plugin.py" c "$build_dir/libramjet.so"
  for object in "${objects[@]}"; do
    run_two_ranks "$work_dir" python3 "$here/plugin.py" object "$object"
  done
}

# A program that is compiled in another way than the library.
check_kinds() {
  local compile=(c++ -std=c++20 -O1 -I "$here/../../include" -I "$build_dir/include"
    "$here/cpp/hello.cpp" -o "$work_dir/hello") link=("$build_dir/libramjet.a" -lsodium -pthread)
  ln -s "$build_dir/bin" "$work_dir/bin"
  local option
  for option in -fsanitize=thread -fsanitize=address,undefined -D_GLIBCXX_ASSERTIONS; do
    echo "with $option"
    "${compile[@]}" "$option" "${link[@]}"
    run_two_ranks "$work_dir" "$work_dir/hello"
  done
  # Code of a shared object must not keep an address that __tls_get_addr gave before a switch.
  c++ -std=c++20 -O2 -fPIC -S -I "$here/../../include" -I "$build_dir/include" \
    "$here/switches.cpp" -o "$work_dir/switches.s"
  ! grep -i 'tlsgd\|tlsdesc\|__tls_get_addr' "$work_dir/switches.s" ||
    die "a variable of the system thread is found once, and used after a switch"
  local said
  ! said=$("${compile[@]}" -D_GLIBCXX_DEBUG "${link[@]}" 2>&1) ||
    die "the linker takes a program whose containers have another layout"
  grep -q "build_the_library_with_GLIBCXX_DEBUG_too" <<<"$said" || die "the linker says: $said"
}

check_docs() {
  need doxygen
  cmake --build "$build_dir" --target docs
  [[ -s $build_dir/docs/html/index.html ]] || die "there is no index.html"
}

check_prefix() {
  cmake --install "$build_dir" --prefix "$work_dir/prefix"
  use_installed "$work_dir/prefix"
  refuse_without_libsodium "$work_dir/prefix"
  use_splitcc "$work_dir/prefix"
  use_tl0 "$work_dir/prefix"
  use_symmetric "$work_dir/prefix"
  grep -q "usage: ramjet tam" <<<"$("$work_dir/prefix/bin/ramjet" tam --help)" ||
    die "the installed command does not find its programs"
  [[ $(pkg-config --modversion ramjet) == "$("$work_dir/prefix/bin/ramjet" --version |
    grep -oE '[0-9]+\.[0-9]+\.[0-9]+')" ]] || die "ramjet.pc and ramjet --version disagree"
}

check_deb() {
  need dpkg-shlibdeps
  need file
  # xz, by which the packages are made else, takes five times as long as all the rest.
  (cd "$build_dir" && cpack -G DEB -B "$work_dir" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip)
  local package packages content expected
  packages=("$work_dir"/*.deb)
  content=$(for package in "${packages[@]}"; do dpkg-deb -c "$package"; done | awk '{print $6}')
  echo "$content"
  for expected in bin/ramjet libexec/ramjet/ramjet-tam libexec/ramjet/ramjet-characterize \
      libexec/ramjet/ramjet-model libexec/ramjet/ramjet-run libexec/ramjet/ramjet-top \
      share/man/man1/ramjet-model.1.gz \
      include/ramjet/ramjet.h include/ramjet/ramjet.hpp \
      include/ramjet/version.hpp 'lib/.*cmake/ramjet/ramjetConfig.cmake' \
      'lib/.*pkgconfig/ramjet.pc' 'lib/.*libramjet.a' 'lib/.*libramjet.so' \
      bin/splitcc bin/idc bin/tl0 share/man/man1/idc.1.gz share/man/man1/tl0.1.gz \
      share/fish/vendor_completions.d/idc.fish share/fish/vendor_completions.d/tl0.fish \
      include/split-c/split-c.h \
      share/vim/vimfiles/syntax/splitc.vim share/vim/vimfiles/ftdetect/splitc.vim \
      share/emacs/site-lisp/splitc-mode.el share/ramjet/vscode-splitc/package.json \
      share/ramjet/vscode-splitc/syntaxes/splitc.tmLanguage.json \
      'lib/.*cmake/ramjet/RamjetSplitC.cmake' share/man/man1/splitcc.1.gz \
      'lib/.*cmake/ramjet/RamjetTam.cmake' \
      share/bash-completion/completions/splitcc \
      'lib/.*libramjet_splitc.a' 'lib/.*ramjet/flags' \
      'lib/.*ramjet/symmetric.ld' 'lib/.*ramjet/commons.ld' \
      share/man/man1/ramjet.1.gz share/doc/ramjet/copyright \
      share/doc/ramjet/characterize.md share/doc/splitcc/id.md \
      share/bash-completion/completions/ramjet share/zsh/vendor-completions/_ramjet \
      share/fish/vendor_completions.d/ramjet.fish \
      share/doc/libramjet-dev/examples/bank/bank.cpp; do
    grep -qx "./usr/$expected" <<<"$content" || die "the packages lack /usr/$expected"
  done
  ! grep -v '^\./usr/\|^\./$' <<<"$content" || die "the packages leave /usr"
  dpkg-deb -f "$work_dir"/ramjet_*.deb Depends | grep -q libstdc++6 ||
    die "the package names no dependencies"
  [[ -n $(find "$work_dir" -name 'ramjet-dbgsym_*') ]] || die "there is no -dbgsym package"
  (($(du -cm "${packages[@]}" | awk 'END { print $1 }') < 18)) || die "the packages are large"
  for package in "${packages[@]}"; do dpkg-deb -x "$package" "$work_dir/root"; done
  use_installed "$work_dir/root/usr"
  use_splitcc "$work_dir/root/usr"
  use_tl0 "$work_dir/root/usr"
  use_symmetric "$work_dir/root/usr"
  need lintian
  # No upload to Debian closes an issue there; the .pc files are found where CMake installs them;
  # CPack writes scripts that call ldconfig beside the trigger that does.
  local expected=initial-upload-closes-no-bugs,maintscript-calls-ldconfig
  expected+=,pkg-config-unavailable-for-cross-compilation
  lintian --allow-root --fail-on error,warning --suppress-tags "$expected" "${packages[@]}" ||
    die "lintian finds fault"
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
