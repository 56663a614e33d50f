// SPDX-License-Identifier: Apache-2.0
#include "job/bootstrap/inherited_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/system.hpp"
#include "job/bootstrap/variables.hpp"

namespace ramjet::job {

namespace {

// The launcher has sealed its files against shrinking, and only memory files have seals. Another
// file may have the number by now.
bool is_job_file(int descriptor) {
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

}  // namespace

int number_from_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return -1;
  int value;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  return error == std::errc{} && *end == '\0' && value >= 0 ? value : -1;
}

int open_inherited_file(const char* variable, std::string& message) {
  const int inherited = number_from_environment(variable);
  if (inherited >= 0 && is_job_file(inherited)) {
    ::fcntl(inherited, F_SETFD, FD_CLOEXEC);
    return inherited;
  }
  const int launcher = number_from_environment(kEnvLauncher);
  if (inherited < 0 || launcher <= 0) {
    message = " (was the environment copied?)";
    return -1;
  }
  const std::string path = "/proc/" + std::to_string(launcher) + "/fd/" + std::to_string(inherited);
  const int opened = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (opened >= 0 && is_job_file(opened)) return opened;
  const std::string error = opened >= 0 ? "another file" : std::strerror(errno);
  if (opened >= 0) ::close(opened);
  message = ": descriptor " + std::to_string(inherited) +
            " is not the job's here, and neither is " + path + " (" + error +
            "): was the environment copied from another job, or does this process belong to "
            "another user or container?";
  return -1;
}

void keep_from_children(const char* variable) {
  const int inherited = number_from_environment(variable);
  if (inherited >= 0 && is_job_file(inherited)) ::fcntl(inherited, F_SETFD, FD_CLOEXEC);
}

bool has_lost_environment() {
  for (const char* variable : {kEnvDescriptor, kEnvRank, kEnvSize, kEnvSecret})
    if (std::getenv(variable) != nullptr) return false;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const std::filesystem::path file = std::filesystem::read_symlink(entry.path(), error);
    const std::string_view name = file.native();
    if (name.find(base::kMemoryFileName) == name.npos) continue;
    if (is_job_file(std::atoi(entry.path().filename().c_str()))) return true;
  }
  return false;
}

}  // namespace ramjet::job
