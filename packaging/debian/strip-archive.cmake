# SPDX-License-Identifier: Apache-2.0
# Run by cpack before it makes the packages: debug information of the archive is left out. That of
# the command and of the shared library goes to the packages named -dbgsym.
file(GLOB_RECURSE archives ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.a)
foreach(archive IN LISTS archives)
  execute_process(COMMAND strip --strip-debug --remove-section=.comment ${archive}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
