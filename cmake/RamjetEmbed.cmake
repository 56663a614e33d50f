# SPDX-License-Identifier: Apache-2.0
# ramjet_embed(VARIABLE NAMESPACE HEADER FILE...): a source, whose path goes into the variable, with
# NAMESPACE::embedded(name), which HEADER declares: the text of the file of this name, or nothing.
function(ramjet_embed variable namespace header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(EMBED_NAMESPACE ${namespace})
  set(EMBED_HEADER ${header})
  set(EMBED_FILES "")
  foreach(path IN LISTS ARGN)
    cmake_path(GET path FILENAME name)
    file(READ ${path} text)
    string(APPEND EMBED_FILES
      "  if (file == \"${name}\")\n    return R\"embedded(${text})embedded\";\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in ${source} @ONLY)
  set(${variable} ${source} PARENT_SCOPE)
endfunction()
