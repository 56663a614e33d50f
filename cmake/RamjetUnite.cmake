# SPDX-License-Identifier: Apache-2.0
# Sources of one room (src/am, apps/kmer) are compiled together, some at a time: what they include
# is parsed, and its templates are instantiated, once for all of them, which is more than half of
# what a source costs. Every source stands by itself all the same: the `plain` preset compiles each
# alone. So do the debug and sanitized builds, where one file is compiled again more often than all.

option(RAMJET_UNITE "Compile sources of one room together" ${PROJECT_IS_TOP_LEVEL})

# ramjet_unite(TARGET [EXCEPT SOURCE...]): all but the exceptions, and sources with options of their
# own, which are compiled alone. Sources are full paths.
function(ramjet_unite target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" EXCEPT)
  if(NOT RAMJET_UNITE)
    return()
  endif()
  set(sources_at_once 9)  # so that all processors have something to compile until the end
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources "" ${arg_EXCEPT})
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE room)
    string(REGEX MATCH "^(languages/[^/]+/|papers/|tools/)?[^/]+(/[^/]+)?/" room "${room}")
    string(MAKE_C_IDENTIFIER "${room}" room)
    if(NOT DEFINED count_${room})
      set(count_${room} 0)
    endif()
    math(EXPR part "${count_${room}} / ${sources_at_once}")
    math(EXPR count_${room} "${count_${room}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}${part})
  endforeach()
endfunction()
