// SPDX-License-Identifier: Apache-2.0
#include "splitcc/driver/installation.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#ifndef SPLITCC_LIBDIR
#define SPLITCC_LIBDIR "lib"  // relative to the prefix; the build says which
#endif
#ifndef SPLITCC_DEFAULT_CC
#define SPLITCC_DEFAULT_CC "cc"
#endif

namespace splitcc::driver {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_executable() {
  std::error_code wrong;
  const fs::path self = fs::read_symlink("/proc/self/exe", wrong);
  return wrong ? fs::path("/usr/bin") : self.parent_path();
}

bool read_places(const fs::path& file, installation& found) {
  std::ifstream in(file);
  if (!in) return false;
  for (std::string line; std::getline(in, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string kind = line.substr(0, blank), where = line.substr(blank + 1);
    if (kind == "include") found.include_dirs.push_back(where);
    if (kind == "library") found.library_dirs.push_back(where);
    if (kind == "placement") found.placement_dir = where;
  }
  return true;
}

// The system's own folders are looked into anyhow, and in an order that is not ours to change.
bool is_systems(const fs::path& folder) {
  return folder == "/usr/include" || folder == "/usr/lib" || folder == "/usr/" SPLITCC_LIBDIR;
}

}  // namespace

installation find_installation() {
  installation found;
  const fs::path here = folder_of_executable();
  if (!read_places(here / "splitcc.places", found)) {
    const fs::path prefix = here.parent_path();
    found.placement_dir = (prefix / SPLITCC_LIBDIR / "ramjet").string();
    for (const auto& [folder, list] : {std::pair{prefix / "include", &found.include_dirs},
                                       std::pair{prefix / SPLITCC_LIBDIR, &found.library_dirs}})
      if (!is_systems(folder)) list->push_back(folder.string());
  }
  const char* asked = std::getenv("SPLITCC_CC");
  std::istringstream words(asked && *asked ? asked : SPLITCC_DEFAULT_CC);
  for (std::string word; words >> word;) found.c_compiler.push_back(word);
  if (found.c_compiler.empty()) found.c_compiler.push_back(SPLITCC_DEFAULT_CC);
  return found;
}

}  // namespace splitcc::driver
