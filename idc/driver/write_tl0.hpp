// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_DRIVER_WRITE_TL0_HPP
#define IDC_DRIVER_WRITE_TL0_HPP

#include <string>

#include "frontend/team.hpp"
#include "idc/emit/emit.hpp"

namespace idc::driver {

// The program in TL0, to a file; "-": standard output. It is not verified here: tl0 does that when
// it reads it. However many threads there are, it is the same.
void write_tl0(const graph::program& graphs, const emit::find_line& line_of,
               frontend::team& threads, const std::string& name);

}  // namespace idc::driver

#endif
