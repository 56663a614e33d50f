# SPDX-License-Identifier: Apache-2.0
# The Debian packages (`cpack -G DEB`): ramjet, libramjet0.1, libramjet-dev, and -dbgsym packages.
set(RAMJET_MAINTAINER "Ramjet developers <dev@ramjet.invalid>" CACHE STRING
  "Maintainer of the Debian packages: Name <address>")
set(library_package libramjet${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ramjet)
set(CPACK_PACKAGE_CONTACT ${RAMJET_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/strip-archive.cmake)
set(CPACK_COMPONENTS_ALL command library compiler development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME ramjet)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION net)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "libpmix2, libfabric1")  # loaded by jobs that use them
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "starts and measures programs of Active Messages
Ramjet is a C++20 and C runtime for Active Messages: a message names the
handler that takes it out of the network and into the running computation.
.
This package holds the command ramjet, which starts jobs on one machine or
several, explains hangs, and measures what messages cost.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# CPack's own shlibs file comes with scripts that call ldconfig; a trigger does it.
set(debian_files ${PROJECT_BINARY_DIR}/debian)
file(WRITE ${debian_files}/triggers "activate-noawait ldconfig\n")
file(WRITE ${debian_files}/shlibs "libramjet ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} "
  "${library_package} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${debian_files}/triggers ${debian_files}/shlibs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "runtime for Active Messages, shared library
Ramjet is a C++20 and C runtime for Active Messages: a message names the
handler that takes it out of the network and into the running computation.
.
This package holds the shared library, for plugins and other languages.")

set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME splitcc)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "libramjet-dev (= ${PROJECT_VERSION}-1), gcc")
set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS ramjet)
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "compilers for Split-C and Id
Split-C is C for machines with distributed memory: global pointers, arrays
spread over the processors, assignments that complete later.
.
This package holds the compiler splitcc, which translates Split-C to C, has
the C compiler do the rest, and links with Ramjet; idc, which does the same for
Id, an implicitly parallel language; and tl0, for code blocks of the threaded
abstract machine.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libramjet-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_DEBUGINFO_PACKAGE OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS  # what links the archive links libsodium, too
  "${library_package} (= ${PROJECT_VERSION}-1), libsodium-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS ramjet)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "runtime for Active Messages, development files
Ramjet is a C++20 and C runtime for Active Messages: a message names the
handler that takes it out of the network and into the running computation.
.
This package holds the headers, the static library and examples.")

# Each package has the copyright and two changelogs: the package's own, and the project's.
string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(packaging/debian/changelog.in changelog.Debian @ONLY)
gzip_to(${PROJECT_BINARY_DIR}/changelog.Debian.gz ${PROJECT_BINARY_DIR}/changelog.Debian)
gzip_to(${PROJECT_BINARY_DIR}/changelog.gz ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
foreach(pair ramjet=command ${library_package}=library splitcc=compiler libramjet-dev=development)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 package)
  list(GET pair 1 component)
  install(FILES packaging/debian/copyright ${PROJECT_BINARY_DIR}/changelog.Debian.gz
                ${PROJECT_BINARY_DIR}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
include(CPack)
