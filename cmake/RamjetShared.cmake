# SPDX-License-Identifier: Apache-2.0
# ramjet::shared, which is libramjet.so: for plugins, extension modules and other languages. It is
# linked from the objects of the archive, so these are position-independent. An executable that
# links the archive does not pay for that: code is position-independent there too by the default of
# Debian's and Ubuntu's compilers, and the linker turns accesses to thread-local variables, which
# are initial-exec here, into those by a constant offset.
#
# Hidden is what no public header declares: their declarations stand between
# `#pragma GCC visibility push(default)` and `pop`. A private header that names a public class first
# gives it that visibility, too. tests/install/exports.py checks that nothing else is exported, and
# that nothing is missing that a program needs.
function(ramjet_for_shared target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -ftls-model=initial-exec)
endfunction()
ramjet_for_shared(ramjet)
ramjet_for_shared(ramjet_jobs)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/shared.cpp CONTENT "")  # CMake wants a source
add_library(ramjet_shared SHARED ${PROJECT_BINARY_DIR}/shared.cpp)
add_library(ramjet::shared ALIAS ramjet_shared)
set_target_properties(ramjet_shared PROPERTIES
  OUTPUT_NAME ramjet
  EXPORT_NAME shared
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(ramjet_shared
  INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(ramjet_shared INTERFACE cxx_std_20)
target_link_libraries(ramjet_shared
  PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,ramjet>
  INTERFACE Threads::Threads)
# What is not ours stays out of sight; an undefined symbol is an error here, not when it is loaded.
target_link_options(ramjet_shared PRIVATE LINKER:--exclude-libs,libsodium.a LINKER:-z,defs)
