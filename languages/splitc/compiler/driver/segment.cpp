// SPDX-License-Identifier: Apache-2.0
// The options stand in the library's file `flags`, in lines `purpose: options`; how they work is
// said there.
#include "languages/splitc/compiler/driver/segment.hpp"

#include <sstream>
#include <string_view>

#include "languages/support/files.hpp"

namespace splitcc::driver {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kProcessor = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view kProcessor = "aarch64";
#else
constexpr std::string_view kProcessor = "";  // for others no way is known
#endif

bool is_placed(const options& o) { return !o.position_independent && !kProcessor.empty(); }

// The words of the lines of these purposes, in their order: those for all processors, and those for
// this one. @FOLDER@ stands for the file's folder.
std::vector<std::string> flags_for(const installation& places,
                                   std::initializer_list<const char*> purposes) {
  constexpr std::string_view kFolder = "@FOLDER@";
  std::istringstream lines(frontend::read_file(places.placement_dir + "/flags"));
  std::vector<std::string> flags;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string purpose;
    words >> purpose;
    bool wanted = false;
    for (const std::string p : purposes)
      wanted |= purpose == p + ":" || purpose == p + "." + std::string(kProcessor) + ":";
    if (!wanted) continue;
    for (std::string word; words >> word; flags.push_back(word))
      if (const std::size_t at = word.find(kFolder); at != std::string::npos)
        word.replace(at, kFolder.size(), places.placement_dir);
  }
  return flags;
}

}  // namespace

std::vector<std::string> placement_for_compiler(const options& o, const installation& places) {
  if (!is_placed(o)) return {};
  return flags_for(places, {"symmetric.compile", "splitc.compile"});
}

std::vector<std::string> placement_of_object(const options& o, const installation& places) {
  if (!is_placed(o)) return {};
  return flags_for(places, {"splitc.object"});
}

std::vector<std::string> placement_for_linker(const options& o, const installation& places) {
  if (!is_placed(o)) return {};
  return flags_for(places, {"symmetric.link", "splitc.link"});
}

}  // namespace splitcc::driver
