# SPDX-License-Identifier: Apache-2.0
# ramjet_add_tam_executable(NAME SOURCE [SCHEDULER AM|UNENABLED|MD|HYBRID])
#
# Builds the program NAME from code blocks (SOURCE.tl0) or from Id (SOURCE.id), translated by tl0
# and idc to C, which the project's C compiler compiles: a target as add_executable makes it, linked
# with Ramjet. The scheduler is AM where none is named.
include_guard(GLOBAL)

# The translator: a target in Ramjet's own build, else installed.
function(_ramjet_find_translator out name)
  if(TARGET ${name})
    set(${out} ${name} PARENT_SCOPE)
    return()
  endif()
  string(TOUPPER ${name} variable)
  find_program(RAMJET_${variable} ${name} HINTS ${RAMJET_PREFIX}/bin REQUIRED
    DOC "The compiler ${name}")
  set(${out} ${RAMJET_${variable}} PARENT_SCOPE)
endfunction()

function(ramjet_add_tam_executable name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SCHEDULER" "")
  set(schedulers AM UNENABLED MD HYBRID)
  if(NOT arg_SCHEDULER)
    set(arg_SCHEDULER AM)
  endif()
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SCHEDULER IN_LIST schedulers)
    message(FATAL_ERROR "ramjet_add_tam_executable(${name}): give one source, and as SCHEDULER one "
      "of ${schedulers}")
  endif()
  _ramjet_find_translator(tl0 tl0)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  cmake_path(GET source FILENAME file)
  set(unit ${CMAKE_CURRENT_BINARY_DIR}/${file}.c)  # one for all programs of the source
  get_property(known GLOBAL PROPERTY ramjet_tam_unit_${unit})
  if(NOT known)
    set(blocks ${source})
    if(file MATCHES "\\.id$")
      _ramjet_find_translator(idc idc)
      set(blocks ${CMAKE_CURRENT_BINARY_DIR}/${file}.tl0)
      add_custom_command(OUTPUT ${blocks} COMMAND ${idc} -S ${source} -o ${blocks}
        DEPENDS ${idc} ${source} COMMENT "Compiling ${file}" VERBATIM)
    endif()
    add_custom_command(OUTPUT ${unit} COMMAND ${tl0} -S ${blocks} -o ${unit}
      DEPENDS ${tl0} ${blocks} COMMENT "Translating ${file}" VERBATIM)
    set_property(GLOBAL PROPERTY ramjet_tam_unit_${unit} ${source})
  elseif(NOT known STREQUAL source)
    message(FATAL_ERROR "${source} and ${known} have one name; put them in folders of their own")
  endif()
  add_executable(${name} ${unit})
  target_link_libraries(${name} PRIVATE ramjet::ramjet m)
  target_compile_definitions(${name} PRIVATE TAM_SCHEDULER=TAM_${arg_SCHEDULER})
  target_compile_options(${name} PRIVATE -ffp-contract=off)  # as the tools have it
endfunction()
