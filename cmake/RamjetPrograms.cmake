# SPDX-License-Identifier: Apache-2.0

# ramjet_add_programs(DIR [LIBRARY...]): every folder DIR/NAME with C or C++ sources becomes the
# program NAME, linked with Ramjet and the libraries, unless NAME is a target already.
function(ramjet_add_programs dir)
  set(headers engine)
  if(fmt::fmt IN_LIST ARGN)
    set(headers command)
  endif()
  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/${dir}/*)
  foreach(folder IN LISTS folders)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.c)
    cmake_path(GET folder FILENAME name)
    if(sources AND NOT TARGET ${name})
      add_executable(${name} ${sources})
      target_link_libraries(${name} PRIVATE ramjet::ramjet ${ARGN})
      ramjet_precompile(${headers} ${name})
    endif()
  endforeach()
endfunction()
