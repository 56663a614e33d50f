// SPDX-License-Identifier: Apache-2.0
// Whether what is written is a file that is read: writing it would destroy that.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace console {

// The first of these names that is the regular file `output`, through a link or by another name,
// too; "-" is standard input. None if there is no such file as `output`; names that cannot be
// looked at are passed over.
std::optional<std::string> input_that_is(const std::string& output,
                                         const std::vector<std::string>& inputs);
// The same of the file that standard output goes to.
std::optional<std::string> input_on_standard_output(const std::vector<std::string>& inputs);

}  // namespace console
