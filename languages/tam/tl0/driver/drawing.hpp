// SPDX-License-Identifier: Apache-2.0
// Graphviz's command dot, where it is installed.
#ifndef TL0_DRIVER_DRAWING_HPP
#define TL0_DRIVER_DRAWING_HPP

#include <string>

namespace tl0::driver {

// The SVG of a graph in dot's language. Throws frontend::failure: no dot, or it has failed.
std::string drawing(const std::string& graph);

}  // namespace tl0::driver

#endif
