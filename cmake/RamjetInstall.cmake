# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the Debian package (`cpack -G DEB`).
include(CMakePackageConfigHelpers)

install(TARGETS ramjet EXPORT ramjetTargets)
install(TARGETS ramjet_command)
install(DIRECTORY include/ramjet TYPE INCLUDE FILES_MATCHING PATTERN *.h PATTERN *.hpp)
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
  DESTINATION ${config_dir})

# pkg-config. The file finds its prefix from its own place, so the tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_prefix)
set(pc_libs "-lramjet")
if(NOT BUILD_SHARED_LIBS)
  string(APPEND pc_libs " -lsodium -lstdc++ -pthread")
endif()
configure_file(cmake/ramjet.pc.in ramjet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ramjet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES tools/gdb/ramjet-gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/ramjet)

file(GLOB man_pages CONFIGURE_DEPENDS docs/man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ramjet)
set(CPACK_PACKAGE_CONTACT "The Ramjet authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})  # a shared libramjet
set(CPACK_DEBIAN_PACKAGE_DEPENDS libsodium-dev)  # what links the archive links it, too
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libpmix2, libfabric1")  # loaded by jobs that use them
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Ramjet is a C++20 and C runtime for Active Messages: a message names the
handler that takes it out of the network and into the running computation.
This package holds the library, its headers and the ramjet command.")
include(CPack)
