// SPDX-License-Identifier: Apache-2.0
#include "launch/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "job/bootstrap/variables.hpp"
#include "node/board.hpp"

namespace ramjet::launcher {
namespace {

constexpr const char* kJobVariables[] = {job::kEnvDescriptor, job::kEnvDirectory, job::kEnvRank,
                                         job::kEnvSize,       job::kEnvNode,      job::kEnvNodes,
                                         job::kEnvSecret,     job::kEnvLauncher};

std::string_view name_of(std::string_view pair) { return pair.substr(0, pair.find('=')); }

}  // namespace

bool is_job_variable(std::string_view pair) {
  return std::find(std::begin(kJobVariables), std::end(kJobVariables), name_of(pair)) !=
         std::end(kJobVariables);
}

problem check_additions(const std::vector<std::string>& additions) {
  for (const std::string& pair : additions) {
    const std::size_t sign = pair.find('=');
    if (sign == 0 || sign == pair.npos) {
      return {kUsageStatus, text("'%s' sets no variable; write NAME=VALUE", pair.c_str())};
    }
    if (is_job_variable(pair)) {
      return {kUsageStatus, text("%s is set by the launcher itself; choose another name",
                                 std::string(name_of(pair)).c_str())};
    }
  }
  return {};
}

std::vector<std::string> environment_with(const std::vector<std::string>& additions) {
  const auto is_replaced = [&](std::string_view pair, auto from) {
    return std::any_of(from, additions.end(),
                       [pair](std::string_view later) { return name_of(later) == name_of(pair); });
  };
  std::vector<std::string> result;
  for (char** pair = environ; *pair != nullptr; ++pair) {
    if (!is_job_variable(*pair) && !is_replaced(*pair, additions.begin())) {
      result.emplace_back(*pair);
    }
  }
  for (auto i = additions.begin(); i != additions.end(); ++i) {
    if (!is_replaced(*i, i + 1)) result.push_back(*i);
  }
  return result;
}

}  // namespace ramjet::launcher
