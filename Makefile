# SPDX-License-Identifier: Apache-2.0
# The short commands. Each sets up what it needs first; CMakeLists.txt is the build itself.
# PRESET=release|ci|perf|plain|debug|asan|tsan|aarch64 chooses the kind of build, as
# CMakePresets.json defines it.

PRESET ?= release
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)

build_dir = $(if $(filter release ci,$(PRESET)),build,build-$(PRESET))

.DEFAULT_GOAL := help
.PHONY: help configure compile build demo test test-quick check bench bench-peers splitc-table \
  model-check \
  install package docs format tidy clean

help:
	@echo "make demo         count the k-mers of a genome, run EM3D, then measure this machine"
	@echo "make build        build the library, the command and every program into build/"
	@echo "make test         build, then run every test"
	@echo "make test-quick   build, then run the unit and the conformance tests"
	@echo "make check        format, static analysis, fuzzers, sanitizers, 64-bit ARM: slow, thorough"
	@echo "make bench        measure; BENCH='NAME...' for some only"
	@echo "make bench-peers  measure other systems beside this one"
	@echo "make splitc-table run the Split-C programs, and print their times beside a paper's"
	@echo "make model-check  compare what ramjet model predicts with runs on this machine"
	@echo "make install      install below PREFIX ($(PREFIX))"
	@echo "make package      make the Debian packages in build/"
	@echo "make docs         make the manual of the interface (HTML) in build/docs/"
	@echo "make format       format the sources in place"
	@echo "make tidy         check the house rules of the sources"
	@echo "make clean        remove the build folders"
	@echo
	@echo "Missing packages are installed where that is allowed, else named. Options: PRESET=debug,"
	@echo "JOBS=n. Programs land in $(build_dir)/bin/."

configure:
	@mkdir -p $(build_dir)
	@cmake --preset $(PRESET) > $(build_dir)/configure.log 2>&1 || \
	  { cat $(build_dir)/configure.log; exit 1; }

compile: configure
	@cmake --build --preset $(PRESET) -j $(JOBS) $(addprefix --target ,$(TARGETS))

build:
	@scripts/setup build
	@$(MAKE) --no-print-directory compile

demo:
	@scripts/setup build demo
	@$(MAKE) --no-print-directory compile TARGETS='ramjet_command kmer em3d'
	@scripts/demo

test:
	@scripts/setup build test
	@$(MAKE) --no-print-directory compile
	@scripts/run-tests $(PRESET) $(build_dir) $(JOBS)

test-quick:
	@scripts/setup build test
	@$(MAKE) --no-print-directory compile
	@scripts/run-tests $(PRESET) $(build_dir) $(JOBS) -L '^(unit|conformance)$$'

check:
	@scripts/setup build test check
	@$(MAKE) --no-print-directory compile
	@scripts/check

bench: build
	@$(build_dir)/bin/ramjet bench $(BENCH)

bench-peers: build
	@scripts/setup peers
	@bench/peers/run.sh

splitc-table: build
	@scripts/splitc-table

model-check: build
	@scripts/model-check

install: build
	@cmake --install $(build_dir) --prefix "$(PREFIX)"

package: build
	@scripts/setup package
	@cd $(build_dir) && cpack -G DEB

docs:
	@scripts/setup build docs
	@$(MAKE) --no-print-directory compile TARGETS=docs
	@echo "The manual of the interface: $(build_dir)/docs/html/index.html"

format:
	@scripts/setup check
	@scripts/format

tidy:
	@scripts/setup build
	@$(MAKE) --no-print-directory configure
	@python3 tests/tidy/tidy.py --build $(build_dir)

clean:
	@rm -rf build build-perf build-plain build-debug build-asan build-tsan build-aarch64 build-peers
