# SPDX-License-Identifier: Apache-2.0
# How tests are registered. Every program runs below tests/harness/hang_watch.py, which ends what
# hangs and says where it stood: no test needs a time limit of its own, and none is repeated.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
# The interpreter itself, where what is found is a script that looks for it: most tests start one.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
  OUTPUT_VARIABLE Python3_EXECUTABLE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# Compiled here, as it is loaded before almost every test.
set(ramjet_hang_watch ${PROJECT_BINARY_DIR}/tests/hang_watch.pyc)
set(ramjet_hang_watch_source ${PROJECT_SOURCE_DIR}/tests/harness/hang_watch.py)
execute_process(COMMAND ${Python3_EXECUTABLE} -c
    "import sys, py_compile; py_compile.compile(sys.argv[1], cfile=sys.argv[2], doraise=True)"
    ${ramjet_hang_watch_source} ${ramjet_hang_watch} COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${ramjet_hang_watch_source} ${Python3_EXECUTABLE})

set(RAMJET_HANG_LIMIT 30)  # of hang_watch.py, in seconds
if(RAMJET_SANITIZE OR CMAKE_CROSSCOMPILING)
  math(EXPR RAMJET_HANG_LIMIT "3 * ${RAMJET_HANG_LIMIT}")
endif()

# ramjet_watched_test(NAME COMMAND word... [SAYS regex] [STATUS n|failure] [TIMEOUT seconds]
#                     [PROCESSORS n | ALONE] [ENV K=V...] [LABELS l...])
#
# The test passes if the command ends with the status (0) and has written what matches the regular
# expression of Python. TIMEOUT: where more than RAMJET_HANG_LIMIT may pass between two
# lines. ALONE: while no other test runs, as what measures needs it: ranks that answer each other at
# once take ten times as long where they have to wait for a processor.
function(ramjet_watched_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALONE" "SAYS;STATUS;TIMEOUT;PROCESSORS"
    "COMMAND;ENV;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_COMMAND)
    message(FATAL_ERROR "ramjet_watched_test(${name}): give COMMAND; unknown: "
      "${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${RAMJET_HANG_LIMIT})
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  set(expected --limit ${arg_TIMEOUT})
  if(arg_SAYS)
    list(APPEND expected --says ${arg_SAYS})
  endif()
  if(arg_STATUS)
    list(APPEND expected --status ${arg_STATUS})
  endif()
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -I -S ${ramjet_hang_watch} ${expected} --
    ${arg_COMMAND})
  # CTest's own limit is there for the watch itself: it is beyond all that the watch allows.
  math(EXPR beyond "100 * ${arg_TIMEOUT}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${beyond} PROCESSORS ${arg_PROCESSORS}
    RUN_SERIAL ${arg_ALONE} ENVIRONMENT "${arg_ENV}" LABELS "${arg_LABELS}")
endfunction()

# ramjet_spmd_test(NAME TARGET RANKS n... [ARGS a...] [RUN_ARGS a...] [and as above, but COMMAND])
#
# Registers one test NAME.nN for each rank count N: `ramjet run -n N RUN_ARGS TARGET ARGS`. What is
# run in several configurations stands in tests/matrix.txt.
function(ramjet_spmd_test name target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SAYS;STATUS;TIMEOUT"
    "RANKS;ARGS;RUN_ARGS;ENV;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_RANKS)
    message(FATAL_ERROR "ramjet_spmd_test(${name}): give RANKS; unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(CMAKE_CROSSCOMPILING)  # an emulated rank takes some ten times as long
    list(FILTER arg_RANKS INCLUDE REGEX "^[1-4]$")
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    ramjet_watched_test(${name}.n${ranks} PROCESSORS ${ranks}
      COMMAND $<TARGET_FILE:ramjet_command> run -n ${ranks} ${arg_RUN_ARGS}
              ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}> ${arg_ARGS}
      SAYS "${arg_SAYS}" STATUS "${arg_STATUS}" TIMEOUT "${arg_TIMEOUT}"
      ENV ${arg_ENV} LABELS ${arg_LABELS})
  endforeach()
endfunction()
