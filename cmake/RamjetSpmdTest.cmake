# SPDX-License-Identifier: Apache-2.0

# ramjet_spmd_test(NAME TARGET RANKS n... [ARGS a...] [RUN_ARGS a...] [ENV K=V...]
#                  [LABELS l...] [TIMEOUT seconds])
#
# Registers one test NAME.nN for each rank count N: `ramjet run -n N --timeout S RUN_ARGS TARGET
# ARGS`. The launcher ends the whole job after TIMEOUT seconds (60 unless told; three times that
# under a sanitizer or an emulator) and says why; CTest's own limit stands 30 s behind it. A test with more than
# two ranks has the machine to itself.
function(ramjet_spmd_test name target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "RANKS;ARGS;RUN_ARGS;ENV;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_RANKS)
    message(FATAL_ERROR "ramjet_spmd_test(${name}): give RANKS; unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(CMAKE_CROSSCOMPILING)  # an emulated rank takes some ten times as long
    list(FILTER arg_RANKS INCLUDE REGEX "^[1-4]$")
  endif()
  if(RAMJET_SANITIZE OR CMAKE_CROSSCOMPILING)
    math(EXPR arg_TIMEOUT "3 * ${arg_TIMEOUT}")
  endif()
  math(EXPR ctest_timeout "${arg_TIMEOUT} + 30")

  foreach(ranks IN LISTS arg_RANKS)
    set(test ${name}.n${ranks})
    add_test(NAME ${test} COMMAND
      ramjet_command run -n ${ranks} --timeout ${arg_TIMEOUT} ${arg_RUN_ARGS}
      ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}> ${arg_ARGS})
    set_tests_properties(${test} PROPERTIES
      TIMEOUT ${ctest_timeout}
      PROCESSORS ${ranks}
      ENVIRONMENT "${arg_ENV}"
      LABELS "${arg_LABELS}")
    if(ranks GREATER 2)
      set_tests_properties(${test} PROPERTIES RUN_SERIAL TRUE)
    endif()
  endforeach()
endfunction()
