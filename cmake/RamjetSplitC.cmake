# SPDX-License-Identifier: Apache-2.0
# ramjet_add_splitc_executable(NAME SOURCE... [OPTIONS word...] [LINK word...])
#
# Builds the program NAME from Split-C (.sc) and other sources with splitcc, in
# CMAKE_RUNTIME_OUTPUT_DIRECTORY, else in bin/; it needs no enable_language(). NAME is a target that
# is built by default, splitc::NAME the program for $<TARGET_FILE:...> and add_test(). OPTIONS go to
# the compiler and to the linker, LINK to the linker alone: objects, archives, -lNAME. Headers that
# a source includes are dependencies of its object.
# The entries of compile_commands.json are written where CMAKE_EXPORT_COMPILE_COMMANDS is on.
#
# This file is also the script that writes them (cmake -P).
if(CMAKE_SCRIPT_MODE_FILE)
  # ENTRIES: a file with those of all programs, which shall stand in DATABASE at the end.
  file(READ ${ENTRIES} entries)
  set(text "[\n]\n")
  if(EXISTS ${DATABASE})
    file(READ ${DATABASE} text)
  endif()
  string(FIND "${text}" "${entries}" found)
  if(found EQUAL -1)
    string(REGEX REPLACE "[ \n]*\\][ \n]*$" "" text "${text}")
    if(NOT text MATCHES "\\[[ \n]*$")
      string(APPEND text ",")
    endif()
    file(WRITE ${DATABASE} "${text}\n${entries}\n]\n")
  endif()
  return()
endif()

include_guard(GLOBAL)
set(ramjet_splitc_script ${CMAKE_CURRENT_LIST_FILE})

# The compiler and what its programs are linked with: targets in Ramjet's own build, else installed.
function(_ramjet_find_splitcc command depends)
  if(TARGET splitcc)
    set(${command} $<TARGET_FILE:splitcc> PARENT_SCOPE)
    set(needed splitcc)
    foreach(target IN ITEMS ramjet ramjet_splitc)
      if(TARGET ${target})
        list(APPEND needed ${target} $<TARGET_FILE:${target}>)
      endif()
    endforeach()
    set(${depends} ${needed} PARENT_SCOPE)
    return()
  endif()
  find_program(RAMJET_SPLITCC splitcc HINTS ${RAMJET_PREFIX}/bin REQUIRED
    DOC "The Split-C compiler")
  set(${command} ${RAMJET_SPLITCC} PARENT_SCOPE)
  set(${depends} ${RAMJET_SPLITCC} PARENT_SCOPE)
endfunction()

# The options that the kind of build asks for.
function(_ramjet_splitc_build_type out)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  set(of_DEBUG -O0 -g)
  set(of_RELEASE -O3)
  set(of_RELWITHDEBINFO -O2 -g)
  set(of_MINSIZEREL -Os)
  set(${out} ${of_${type}} PARENT_SCOPE)
endfunction()

function(_ramjet_json_string out text)
  string(REGEX REPLACE "([\\\"])" "\\\\\\1" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

function(_ramjet_add_database_entry to source output words)
  set(arguments "")
  foreach(word IN LISTS words)
    _ramjet_json_string(word "${word}")
    list(APPEND arguments ${word})
  endforeach()
  list(JOIN arguments ", " arguments)
  _ramjet_json_string(directory ${CMAKE_CURRENT_BINARY_DIR})
  _ramjet_json_string(file ${source})
  _ramjet_json_string(output ${output})
  set(entry "{\n  \"directory\": ${directory},\n  \"arguments\": [${arguments}],\n")
  string(APPEND entry "  \"file\": ${file},\n  \"output\": ${output}\n}")
  set(all "${${to}}")
  if(all)
    string(APPEND all ",\n")
  endif()
  set(${to} "${all}${entry}" PARENT_SCOPE)
endfunction()

# At the end of the outermost CMakeLists.txt, when all programs are known. CMake writes its own
# entries each time it runs, so it is looked after in every build.
function(_ramjet_splitc_database)
  get_property(entries GLOBAL PROPERTY ramjet_splitc_entries)
  set(file ${CMAKE_BINARY_DIR}/splitc_compile_commands.json)
  file(GENERATE OUTPUT ${file} CONTENT "${entries}")
  add_custom_target(splitc_compile_commands ALL
    COMMAND ${CMAKE_COMMAND} -D DATABASE=${CMAKE_BINARY_DIR}/compile_commands.json
      -D ENTRIES=${file} -P ${ramjet_splitc_script}
    COMMENT "" VERBATIM)
endfunction()

function(_ramjet_add_to_database entries)
  get_property(all GLOBAL PROPERTY ramjet_splitc_entries)
  if(all)
    string(APPEND all ",\n")
  else()
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL _ramjet_splitc_database)
  endif()
  set_property(GLOBAL PROPERTY ramjet_splitc_entries "${all}${entries}")
endfunction()

function(ramjet_add_splitc_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;LINK")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ramjet_add_splitc_executable(${name}): give sources")
  endif()
  _ramjet_find_splitcc(splitcc depends)
  _ramjet_splitc_build_type(kind)
  set(objects "")
  set(entries "")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir)
  file(MAKE_DIRECTORY ${folder})
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET source FILENAME file)
    string(MD5 mark ${source})  # sources of one name in two folders
    string(SUBSTRING ${mark} 0 6 mark)
    set(object ${folder}/${file}.${mark}.o)
    set(words ${splitcc} ${kind} ${arg_OPTIONS} -MD -MT ${object} -MF ${object}.d
      -c ${source} -o ${object})
    add_custom_command(OUTPUT ${object} COMMAND ${words} DEPENDS ${source} ${depends}
      DEPFILE ${object}.d COMMENT "Compiling ${file} with splitcc" VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND objects ${object})
    _ramjet_add_database_entry(entries ${source} ${object} "${words}")
  endforeach()

  set(program_folder ${CMAKE_CURRENT_BINARY_DIR}/bin)  # beside the build files it would clash
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set(program_folder ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  endif()
  file(MAKE_DIRECTORY ${program_folder})
  set(program ${program_folder}/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${splitcc} ${kind} ${arg_OPTIONS} ${objects} ${arg_LINK} -o ${program}
    DEPENDS ${objects} ${depends} COMMENT "Linking ${name} with splitcc"
    VERBATIM COMMAND_EXPAND_LISTS)
  if(CMAKE_EXPORT_COMPILE_COMMANDS)
    _ramjet_add_to_database("${entries}")
  endif()
  add_custom_target(${name} ALL DEPENDS ${program})
  add_executable(splitc::${name} IMPORTED GLOBAL)
  set_target_properties(splitc::${name} PROPERTIES IMPORTED_LOCATION ${program})
  add_dependencies(splitc::${name} ${name})
endfunction()
