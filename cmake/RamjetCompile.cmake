# SPDX-License-Identifier: Apache-2.0
# Language levels, warnings, sanitizers and ccache for everything built in this tree.
# Warnings become errors with -DCMAKE_COMPILE_WARNING_AS_ERROR=ON (the `ci` preset).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()  # the rest is for our own code, not for a project that embeds us
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# ccache, where it is installed and nobody asked for another launcher. The sloppiness is what it
# needs to share objects that begin with a precompiled header: __TIME__ is used nowhere.
find_program(RAMJET_CCACHE ccache DOC "Compiler cache; empty: none")
if(RAMJET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(ccache_command env CCACHE_SLOPPINESS=pch_defines,time_macros ${RAMJET_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${ccache_command})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache_command})
endif()

add_compile_options(
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow
  -Wcast-align -Wformat=2 -Wimplicit-fallthrough
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
  "$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual;-Wextra-semi>"
  "$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>")

# gcc 12 sees overlaps in std::string's operator+ that are not there (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()

set(RAMJET_SANITIZE "" CACHE STRING
  "Sanitizers for the whole tree, as -fsanitize= takes them (address,undefined or thread)")
if(RAMJET_SANITIZE)
  add_compile_options(
    -fsanitize=${RAMJET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${RAMJET_SANITIZE})
endif()
