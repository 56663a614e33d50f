# SPDX-License-Identifier: Apache-2.0
# ramjet_build_info: an interface target that provides the private header build_info.hpp, which
# says what a binary was built from. Rewritten at build time, and only when something changed.
# This file is also the script that writes the header (cmake -P).

if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(
    COMMAND git -c safe.directory=* describe --always --dirty --abbrev=12 --match=
    WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE BUILD_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT BUILD_COMMIT)
    set(BUILD_COMMIT unknown)
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/build_info.hpp.in ${OUTPUT} @ONLY)
  return()
endif()

string(TOUPPER ${CMAKE_BUILD_TYPE} build_type_upper)
set(build_flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}}")
if(RAMJET_SANITIZE)
  string(APPEND build_flags " -fsanitize=${RAMJET_SANITIZE}")
endif()
string(STRIP "${build_flags}" build_flags)
set(build_info_dir ${PROJECT_BINARY_DIR}/build_info)

add_custom_target(ramjet_build_info_header
  COMMAND ${CMAKE_COMMAND}
    -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -D OUTPUT=${build_info_dir}/build_info.hpp
    -D "BUILD_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -D "BUILD_FLAGS=${build_flags}"
    -D BUILD_TYPE=${CMAKE_BUILD_TYPE}
    -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${build_info_dir}/build_info.hpp
  COMMENT "Noting the commit, compiler and flags"
  VERBATIM)
add_library(ramjet_build_info INTERFACE)
target_include_directories(ramjet_build_info INTERFACE ${build_info_dir})
add_dependencies(ramjet_build_info ramjet_build_info_header)
