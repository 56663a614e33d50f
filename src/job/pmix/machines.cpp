// SPDX-License-Identifier: Apache-2.0
#include "job/pmix/machines.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <unordered_map>

namespace ramjet::job {

namespace {

// Abstract sockets belong to a network namespace, the numbers of processes to another.
constexpr const char* kNamespaces[] = {"/proc/self/ns/net", "/proc/self/ns/pid"};
constexpr const char* kBootId = "/proc/sys/kernel/random/boot_id";  // another one for each start

}  // namespace

bool identify_machine(std::string& into, std::string& message) {
  std::ifstream file(kBootId);
  std::string text;
  if (!(file >> text)) {
    message = std::string("cannot tell which machine this is: ") + kBootId + " cannot be read";
    return false;
  }
  for (const char* space : kNamespaces) {
    struct stat about;
    if (stat(space, &about) != 0) {
      message =
          std::string("cannot tell which machine this is: ") + space + ": " + std::strerror(errno);
      return false;
    }
    text += "," + std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino);
  }
  into = text + ",user " + std::to_string(geteuid());
  return true;
}

std::vector<std::uint16_t> number_machines(const std::vector<std::string>& of_rank) {
  std::unordered_map<std::string, std::uint16_t> numbers;
  std::vector<std::uint16_t> result;
  result.reserve(of_rank.size());
  for (const std::string& text : of_rank)
    result.push_back(numbers.try_emplace(text, std::uint16_t(numbers.size())).first->second);
  return result;
}

}  // namespace ramjet::job
