# SPDX-License-Identifier: Apache-2.0
# What a build for another processor holds: the library, splitcc, the examples, and the tests that
# run by themselves or as jobs on one machine. Programs run under CMAKE_CROSSCOMPILING_EMULATOR. An
# emulated program cannot start another one, so the native build's command starts the jobs: board
# and lanes are laid out alike on both processors.
set(RAMJET_NATIVE_COMMAND ${PROJECT_SOURCE_DIR}/build/bin/ramjet CACHE FILEPATH
  "The native build's command, which starts the jobs")
add_executable(ramjet_command IMPORTED)
set_target_properties(ramjet_command PROPERTIES
  IMPORTED_LOCATION ${RAMJET_NATIVE_COMMAND} CROSSCOMPILING_EMULATOR "")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
ramjet_add_programs(examples)
target_link_libraries(heat_c PRIVATE m)
add_subdirectory(languages/support)
add_subdirectory(languages/splitc/compiler)

# Debian's package holds libraries for the build machine alone, and the sources.
add_subdirectory(/usr/src/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
set_target_properties(gtest gtest_main gmock gmock_main PROPERTIES
  COMPILE_OPTIONS -w COMPILE_WARNING_AS_ERROR OFF)

enable_testing()
add_subdirectory(tests)
