# SPDX-License-Identifier: Apache-2.0
# cmake -D CLANGXX=... -D SOURCE_DIR=... -D BUILD_DIR=... -P build_fuzzers.cmake
# Builds the libFuzzer programs, and the library under them, with clang and its sanitizers.
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${CMAKE_COMMAND}
  -S ${SOURCE_DIR} -B ${BUILD_DIR} -G Ninja
  -D CMAKE_CXX_COMPILER=${CLANGXX} -D CMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g"
  -D RAMJET_SANITIZE=fuzzer-no-link,address,undefined)
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${CMAKE_COMMAND}
  --build ${BUILD_DIR} --target fuzzers)
