# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, in four components, each a Debian package: `command` (the
# command `ramjet`), `library` (the shared library), `compiler` (splitcc, tl0, idc) and
# `development` (all else).
include(CMakePackageConfigHelpers)

install(TARGETS ramjet_command COMPONENT command)
install(TARGETS ${subcommand_programs} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ramjet
  COMPONENT command)
install(TARGETS splitcc tl0 idc COMPONENT compiler)
install(TARGETS ramjet ramjet_shared ramjet_symmetric ramjet_splitc EXPORT ramjetTargets
  ARCHIVE COMPONENT development
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(DIRECTORY include/ramjet TYPE INCLUDE FILES_MATCHING PATTERN *.h PATTERN *.hpp)
install(DIRECTORY include/split-c TYPE INCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/ramjet/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ramjet)

# find_package(ramjet)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ramjet)
install(EXPORT ramjetTargets NAMESPACE ramjet:: DESTINATION ${config_dir})
configure_package_config_file(cmake/ramjetConfig.cmake.in ramjetConfig.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(ramjetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ramjetConfig.cmake
              ${PROJECT_BINARY_DIR}/ramjetConfigVersion.cmake
              cmake/RamjetSplitC.cmake cmake/RamjetTam.cmake
  DESTINATION ${config_dir})

# pkg-config. The files find their prefix from their own place, so the tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_prefix)
set(symmetric_dir ${CMAKE_INSTALL_LIBDIR}/ramjet)
install(FILES cmake/symmetric/flags cmake/symmetric/symmetric.ld cmake/symmetric/commons.ld
  DESTINATION ${symmetric_dir})

function(install_pkg_config pc_name pc_kind pc_cflags pc_libs)
  configure_file(cmake/ramjet.pc.in ${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(pc_libs "-l:libramjet.a -lsodium -lstdc++ -pthread")
install_pkg_config(ramjet "" "" "${pc_libs}")
install_pkg_config(ramjet-shared " (shared library)" "" "-lramjet -pthread")
ramjet_symmetric_flags(pc_cflags symmetric.compile)
ramjet_symmetric_flags(pc_flags symmetric.link)
list(JOIN pc_cflags " " pc_cflags)
list(JOIN pc_flags " " pc_flags)
# pkg-config quotes what is in a -L, and the linker finds scripts by it.
string(REPLACE "-Wl,-T,@FOLDER@/" "-L\${libdir}/ramjet -Wl,-T," pc_flags "${pc_flags}")
install_pkg_config(ramjet-symmetric " (symmetric variables)" " ${pc_cflags}"
  "${pc_flags} ${pc_libs}")

install(FILES tools/gdb/ramjet-gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/ramjet)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libramjet-dev/examples)

# What the manual pages refer to.
foreach(page characterize launchers model observe report tam-study trace)
  install(FILES docs/${page}.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ramjet COMPONENT command)
endforeach()
foreach(page id splitc tl0)
  install(FILES docs/${page}.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/splitcc
    COMPONENT compiler)
endforeach()

# The commands' manual pages and completions. Pages are compressed, as packages have them.
find_program(GZIP gzip REQUIRED)
function(gzip_to output input)
  execute_process(COMMAND ${GZIP} -9nc ${input} OUTPUT_FILE ${output} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(GLOB man_pages CONFIGURE_DEPENDS docs/man/*.1)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man)
foreach(page IN LISTS man_pages)
  cmake_path(GET page FILENAME name)
  gzip_to(${PROJECT_BINARY_DIR}/man/${name}.gz ${page})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  set(component command)
  if(name MATCHES "^(splitcc|tl0|idc)")
    set(component compiler)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/man/${name}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT ${component})
endforeach()
foreach(pair ramjet=command splitcc=compiler tl0=compiler idc=compiler)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 component)
  install(FILES packaging/completion/${name}.bash RENAME ${name} COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES packaging/completion/_${name} COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES packaging/completion/${name}.fish COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()

# What editors know of Split-C; on Debian, Vim and Emacs look in these folders.
set(editors packaging/editors)
install(DIRECTORY ${editors}/vim/ DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles
  COMPONENT compiler)
install(FILES ${editors}/emacs/splitc-mode.el
  DESTINATION ${CMAKE_INSTALL_DATADIR}/emacs/site-lisp COMPONENT compiler)
install(DIRECTORY ${editors}/vscode/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ramjet/vscode-splitc
  COMPONENT compiler)

include(RamjetPackage)
