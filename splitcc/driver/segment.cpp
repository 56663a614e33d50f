// SPDX-License-Identifier: Apache-2.0
#include "splitcc/driver/segment.hpp"

namespace splitcc::driver {

std::vector<std::string> placement_for_compiler(const options& o) {
  if (o.position_independent) return {};
#ifdef __x86_64__
  return {"-fno-pie", "-mcmodel=medium", "-mlarge-data-threshold=0"};
#else
  return {"-fno-pie"};
#endif
}

std::vector<std::string> placement_for_linker(const options& o) {
  if (o.position_independent) return {};
  return {"-no-pie"};
}

}  // namespace splitcc::driver
