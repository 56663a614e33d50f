// SPDX-License-Identifier: Apache-2.0
// tl0 --run: the words of the command line, the execution, and its end.
#ifndef TL0_DRIVER_EXECUTE_HPP
#define TL0_DRIVER_EXECUTE_HPP

#include "languages/tam/tl0/driver/options.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace tl0::driver {

// The status to exit with. Throws usage_error if the words are not what main's inlet takes.
int execute(const program& p, const options& o, frontend::messages& report);

}  // namespace tl0::driver

#endif
