# SPDX-License-Identifier: Apache-2.0
# What most sources include is parsed once, and not again for each of them, which is most of what a
# small source costs. The machine code stays the same. A source includes what it uses all the same:
# the `plain` preset does without, and so do the sanitized builds and every compiler but gcc.

# Of a header parsed ahead gcc forgets where it switches warnings off, which libstdc++ does
# for these three in its strings. They are looked for in the `plain` build.
set(ramjet_forgotten_warnings -Wno-array-bounds -Wno-stringop-overflow
  -Wno-stringop-overread)

# The headers are ours too, and their warnings are wanted; CMake would make them system headers.
set(CMAKE_PCH_PROLOGUE "")

# For ccache: the preprocessed source names the precompiled header that it begins with.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache AND CMAKE_CXX_COMPILER_ID STREQUAL GNU
    AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()

# ramjet_precompile(KIND TARGET...): the targets start from cmake/precompiled/KIND.hpp, compiled
# once for all of its kind and with the options of the first one's folder.
function(ramjet_precompile kind)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  set(owner precompiled_${kind})
  if(NOT TARGET ${owner})
    set(empty ${PROJECT_BINARY_DIR}/precompiled/${kind}.cpp)
    file(CONFIGURE OUTPUT ${empty} CONTENT "")
    add_library(${owner} OBJECT ${empty})
    target_include_directories(${owner} PRIVATE
      ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
    set(libraries_of_command fmt::fmt)
    set(libraries_of_test GTest::gtest GTest::gmock)
    target_link_libraries(${owner} PRIVATE ${libraries_of_${kind}})
    # gcc recognizes a `#pragma once` header in a precompiled one by its time of modification. A
    # cached result has the times of another checkout, and the header would be read twice.
    set_target_properties(${owner} PROPERTIES CXX_COMPILER_LAUNCHER "")
    target_precompile_headers(${owner} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/precompiled/${kind}.hpp>)
    if(kind STREQUAL library)
      ramjet_for_shared(${owner})
    endif()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(sources ${target} SOURCES)
    if(sources MATCHES "\\.cpp")  # CMake fails on a target in C alone
      target_precompile_headers(${target} REUSE_FROM ${owner})
      target_compile_options(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:${ramjet_forgotten_warnings}>")
    endif()
  endforeach()
endfunction()
