// SPDX-License-Identifier: Apache-2.0
// Floats as programs print them.
#ifndef FRONTEND_NUMBER_TEXT_HPP
#define FRONTEND_NUMBER_TEXT_HPP

#include <string>

namespace frontend {

// With as few digits as give it back, of 15, 16 and 17; C's %g has the same text.
std::string number_text(double number);

}  // namespace frontend

#endif
