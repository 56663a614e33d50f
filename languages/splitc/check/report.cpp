// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/check/report.hpp"

#include <cstdio>
#include <set>
#include <vector>

#include "base/exit_status.hpp"
#include "ramjet/job.hpp"

namespace ramjet::splitc::check {

namespace {

std::uint64_t said = 0;

void say(std::initializer_list<remark> remarks) {
  std::string message;
  for (const remark& r : remarks) {
    message += shown(r.at);
    message += message.find('\n') == std::string::npos ? ": check: " : ": note: ";
    message += r.text + "\n";
  }
  std::fwrite(message.data(), 1, message.size(), stderr);  // in one piece among other processors'
  std::fflush(stderr);
  ++said;
}

}  // namespace

void report(std::initializer_list<remark> remarks) {
  static std::set<std::vector<std::string>> known;
  std::vector<std::string> sites;
  for (const remark& r : remarks) sites.push_back(shown(r.at));
  if (known.insert(sites).second) say(remarks);
}

void report_and_end(std::initializer_list<remark> remarks) {
  say(remarks);
  ramjet::end_job(base::kExitChecked);
}

std::uint64_t reports() noexcept { return said; }

std::string counted(std::uint64_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace ramjet::splitc::check
