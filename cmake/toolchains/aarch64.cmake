# SPDX-License-Identifier: Apache-2.0
# 64-bit ARM on another machine: Debian's cross compiler, and qemu's user mode to run what it makes.
# (scripts/setup check; scripts/check uses it as the preset `aarch64`.)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Libraries are those of arm64; programs that the build itself runs are this machine's. The headers
# of PMIx and libfabric, which are loaded and not linked, are the same for both.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR}
  "/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig:/usr/lib/x86_64-linux-gnu/pkgconfig")

find_program(RAMJET_QEMU qemu-aarch64 REQUIRED)
# What a program loads is of the arm64 packages, all of it. With -L /usr/aarch64-linux-gnu the
# loader would be the cross compiler's and libc the package's, which share a structure that differs
# between their versions: pthread_create then goes round a list whose head is elsewhere, for ever.
set(CMAKE_CROSSCOMPILING_EMULATOR ${RAMJET_QEMU})
foreach(file /lib/ld-linux-aarch64.so.1 /usr/lib/aarch64-linux-gnu/libstdc++.so.6)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${file} is missing, which arm64 programs load: scripts/setup check")
  endif()
endforeach()
