// SPDX-License-Identifier: Apache-2.0
// em3d: EM3D in the six versions of Arpaci et al. 1995, section 8. See README.md.
//
// The same program runs in every rank. kRoot compares every run with a serial one, and reports; all
// ranks learn how that went and end with the same status.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <system_error>

#include <ramjet/ramjet.hpp>

#include "failure.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "report.hpp"

namespace em3d {
namespace {

// Prints what the command line led to, in place of a measurement. Returns the exit status.
int tell(const std::string& message, int exit_status) {
  std::FILE* to = exit_status == 0 ? stdout : stderr;
  if (std::fputs(message.c_str(), to) >= 0 && std::fflush(to) == 0) return exit_status;
  std::fprintf(stderr, "em3d: cannot write standard output: %s\n", std::strerror(errno));
  return kExitFailure;
}

// At kRoot. Returns the exit status of all ranks.
int conclude(const options& o, const measurement& m) {
  try {
    report(o, ramjet::size(), m);
  } catch (const std::system_error& e) {
    std::fprintf(stderr, "em3d: cannot write standard output: %s\n", e.code().message().c_str());
    return kExitFailure;
  }
  if (!m.wrong) return 0;
  std::fprintf(stderr, "em3d: wrong field: %s\n", m.wrong->c_str());
  return kExitFailure;
}

int run(int argc, char** argv) {
  std::string message;
  int exit_status = 0;
  std::optional<options> o = read_options(argc, argv, message, exit_status);
  if (!o) return ramjet::rank() == kRoot ? tell(message, exit_status) : exit_status;
  if (ramjet::size() == 1) o->remote_percents = {0};
  try {
    const measurement m = measure(*o);
    if (ramjet::rank() == kRoot) exit_status = conclude(*o, m);
    require(ramjet::broadcast(exit_status, kRoot));
    return exit_status;
  } catch (const memory_error& e) {  // in all ranks
    if (ramjet::rank() == kRoot) std::fprintf(stderr, "em3d: %s\n", e.what());
    return kExitFailure;
  } catch (const std::bad_alloc&) {
    message = "out of memory";
  } catch (const std::exception& e) {
    message = e.what();
  }
  // The others do not learn of it: leaving the job is what ends it.
  std::fprintf(stderr, "em3d: rank %d: %s\n", ramjet::rank(), message.c_str());
  std::_Exit(kExitFailure);
}

}  // namespace
}  // namespace em3d

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int exit_status = em3d::run(argc, argv);
  ramjet::finalize();
  return exit_status;
}
