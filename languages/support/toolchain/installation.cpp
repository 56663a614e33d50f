// SPDX-License-Identifier: Apache-2.0
#include "languages/support/toolchain/installation.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "languages/support/files.hpp"

#ifndef FRONTEND_LIBDIR
#define FRONTEND_LIBDIR "lib"  // relative to the prefix; the build says which
#endif
#ifndef FRONTEND_DEFAULT_CC
#define FRONTEND_DEFAULT_CC "cc"
#endif

namespace frontend {
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
  return folder == "/usr/include" || folder == "/usr/lib" || folder == "/usr/" FRONTEND_LIBDIR;
}

}  // namespace

installation find_installation() {
  installation found;
  const fs::path here = folder_of_executable();
  if (!read_places(here / "compilers.places", found)) {
    const fs::path prefix = here.parent_path();
    found.placement_dir = (prefix / FRONTEND_LIBDIR / "ramjet").string();
    for (const auto& [folder, list] : {std::pair{prefix / "include", &found.include_dirs},
                                       std::pair{prefix / FRONTEND_LIBDIR, &found.library_dirs}})
      if (!is_systems(folder)) list->push_back(folder.string());
  }
  const char* asked = std::getenv("RAMJET_CC");
  std::istringstream words(asked && *asked ? asked : FRONTEND_DEFAULT_CC);
  for (std::string word; words >> word;) found.c_compiler.push_back(word);
  if (found.c_compiler.empty()) found.c_compiler.push_back(FRONTEND_DEFAULT_CC);
  return found;
}

void check_library(const installation& places, const std::string& archive) {
  if (places.library_dirs.empty()) return;
  for (const std::string& folder : places.library_dirs)
    if (fs::exists(fs::path(folder) / archive)) return;
  throw failure("there is no " + archive + " in " + places.library_dirs.front() +
                ": Ramjet is not built, or not installed in whole");
}

std::vector<std::string> library_words(const installation& places,
                                       const std::vector<std::string>& archives,
                                       debugger_tables tables) {
  std::vector<std::string> words;
  if (tables == debugger_tables::left_out) words.emplace_back("-Wl,--strip-debug");
  for (const std::string& folder : places.library_dirs) words.push_back("-L" + folder);
  words.push_back("-Wl,--start-group");  // they may call each other
  for (const std::string& archive : archives) words.push_back("-l:" + archive);
  for (const char* word : {"-Wl,--end-group", "-lsodium", "-lstdc++", "-lm", "-pthread"})
    words.emplace_back(word);
  return words;
}

}  // namespace frontend
