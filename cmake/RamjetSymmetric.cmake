# SPDX-License-Identifier: Apache-2.0
# Programs whose variables lie in their segments.
#
# ramjet::symmetric   what a C or C++ program links that has RAMJET_SYMMETRIC variables
# ramjet::splitc      the same for what splitcc makes: its `main`, and all variables symmetric
#
# The options stand in cmake/symmetric/flags. Where there are none, RAMJET_SYMMETRIC is an error
# that says so.
set(ramjet_symmetric_folder ${PROJECT_SOURCE_DIR}/cmake/symmetric)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ramjet_symmetric_folder}/flags)

string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" ramjet_symmetric_processor)
if(ramjet_symmetric_processor MATCHES "^(x86_64|amd64)$")
  set(ramjet_symmetric_processor x86_64)
elseif(ramjet_symmetric_processor MATCHES "^(aarch64|arm64)$")
  set(ramjet_symmetric_processor aarch64)
else()
  set(ramjet_symmetric_processor "")
endif()

# ramjet_symmetric_flags(OUT PURPOSE): a list. All but splitc.link is for these processors alone.
function(ramjet_symmetric_flags out purpose)
  set(options "")
  string(REPLACE "." "\\." pattern ${purpose})
  if(ramjet_symmetric_processor)
    string(APPEND pattern "(\\.${ramjet_symmetric_processor})?")
  endif()
  if(purpose STREQUAL "splitc.link" OR ramjet_symmetric_processor)
    file(STRINGS ${ramjet_symmetric_folder}/flags options REGEX "^${pattern}: ")
    list(TRANSFORM options REPLACE "^${pattern}: " "")
    list(JOIN options " " options)
    separate_arguments(options UNIX_COMMAND "${options}")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# Gives them to whoever links the target: here, and where it is installed.
function(ramjet_add_symmetric_flags target purpose)
  ramjet_symmetric_flags(compile ${purpose}.compile)
  ramjet_symmetric_flags(link ${purpose}.link)
  target_compile_options(${target} INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${compile}>")
  foreach(option IN LISTS link)
    string(REPLACE @FOLDER@ ${ramjet_symmetric_folder} here "${option}")
    string(REPLACE @FOLDER@ "$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/ramjet" there "${option}")
    if(here STREQUAL there)
      target_link_options(${target} INTERFACE ${option})
    else()
      target_link_options(${target} INTERFACE
        $<BUILD_INTERFACE:${here}> $<INSTALL_INTERFACE:${there}>)
    endif()
  endforeach()
endfunction()

add_library(ramjet_symmetric INTERFACE)
add_library(ramjet::symmetric ALIAS ramjet_symmetric)
set_target_properties(ramjet_symmetric PROPERTIES EXPORT_NAME symmetric)
ramjet_add_symmetric_flags(ramjet_symmetric symmetric)

file(GLOB splitc_main_sources CONFIGURE_DEPENDS languages/splitc/runtime/main/*.c)
add_library(ramjet_splitc STATIC ${splitc_main_sources})
add_library(ramjet::splitc ALIAS ramjet_splitc)
set_target_properties(ramjet_splitc PROPERTIES EXPORT_NAME splitc)
ramjet_add_symmetric_flags(ramjet_splitc splitc)
target_include_directories(ramjet_splitc PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(ramjet_splitc PRIVATE ramjet::ramjet INTERFACE ramjet_symmetric ramjet)
