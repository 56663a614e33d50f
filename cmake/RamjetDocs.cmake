# SPDX-License-Identifier: Apache-2.0
# The target `docs`: the manual of the public interface, by Doxygen. Its warnings are errors.
find_program(DOXYGEN doxygen)
if(DOXYGEN)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  configure_file(docs/api/Doxyfile.in docs/Doxyfile @ONLY)
  add_custom_target(docs COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/docs/Doxyfile
    COMMENT "Making the manual of the interface" VERBATIM)
endif()
