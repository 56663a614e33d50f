// SPDX-License-Identifier: Apache-2.0
// The compiler proper: from preprocessed text to GNU C, in this process.
#ifndef SPLITCC_DRIVER_TRANSLATE_HPP
#define SPLITCC_DRIVER_TRANSLATE_HPP

#include <optional>
#include <string>
#include <string_view>

#include "languages/splitc/compiler/driver/command_line.hpp"

namespace splitcc::driver {

// Nothing if there were errors, which are printed. With -fsyntax-only the text is empty.
std::optional<std::string> translate(std::string_view text, const std::string& source,
                                     const options& asked, diagnostics& report);

}  // namespace splitcc::driver

#endif
