// SPDX-License-Identifier: Apache-2.0
// The front end of Id, whatever text it gets: no crash, no hang; what passes all checks comes to
// the kernel language, and that can be printed.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "languages/id/driver/front_end.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  // Messages are made, and nobody reads them. (glibc: stderr is a variable.)
  static std::FILE* const nowhere = stderr = std::fopen("/dev/null", "w");
  if (!nowhere) std::abort();
  frontend::message_options how;
  how.errors_max = 10;
  try {
    idc::driver::front_end program("input.id",
                                   std::string(reinterpret_cast<const char*>(data), bytes), how);
    if (program.check() && program.lower() && idc::core::print(program.core()).empty())
      std::abort();
  } catch (const frontend::too_many_errors&) {
  }
  return 0;
}
