// SPDX-License-Identifier: Apache-2.0
// The options stand in the library's file `flags`, in lines `purpose: options`; how they work is
// said there.
#include "splitcc/driver/segment.hpp"

#include <sstream>

#include "splitcc/driver/files.hpp"

namespace splitcc::driver {
namespace {

// The words of the lines of these purposes, in their order. @FOLDER@ stands for the file's folder.
std::vector<std::string> flags_for(const installation& places,
                                   std::initializer_list<std::string_view> purposes) {
  constexpr std::string_view kFolder = "@FOLDER@";
  std::istringstream lines(read_file(places.placement_dir + "/flags"));
  std::vector<std::string> flags;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string purpose;
    words >> purpose;
    bool wanted = false;
    for (std::string_view p : purposes) wanted |= purpose == std::string(p) + ":";
    if (!wanted) continue;
    for (std::string word; words >> word; flags.push_back(word))
      if (const std::size_t at = word.find(kFolder); at != std::string::npos)
        word.replace(at, kFolder.size(), places.placement_dir);
  }
  return flags;
}

#ifdef __x86_64__
constexpr bool kPlaced = true;
#else
constexpr bool kPlaced = false;  // the way is known for x86-64 alone
#endif

}  // namespace

std::vector<std::string> placement_for_compiler(const options& o, const installation& places) {
  if (o.position_independent || !kPlaced) return {};
  return flags_for(places, {"symmetric.compile", "splitc.compile"});
}

std::vector<std::string> placement_for_linker(const options& o, const installation& places) {
  if (o.position_independent || !kPlaced) return {};
  return flags_for(places, {"symmetric.link", "splitc.link"});
}

}  // namespace splitcc::driver
