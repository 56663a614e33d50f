// SPDX-License-Identifier: Apache-2.0
// Which splitcc made an object, and of what: a note in the object (splitc_start.h says its form).
// The driver reads it before it links, the library before the program runs.
#ifndef SPLITCC_DRIVER_OBJECT_NOTE_HPP
#define SPLITCC_DRIVER_OBJECT_NOTE_HPP

#include <string>
#include <string_view>

namespace splitcc::driver {

// Code for the end of a unit: puts the note into its object.
std::string object_note(std::string_view source);

// A sentence, if `contents` - of an object, an archive, a shared object - have a note of another
// version whose output may not fit ours; else empty. Objects for link-time optimisation hide it.
std::string version_problem(std::string_view contents);

}  // namespace splitcc::driver

#endif
