// SPDX-License-Identifier: Apache-2.0
// All descriptors there are, for reports.
#pragma once

#include "ramjet/ult/detail/control.hpp"

namespace ramjet::ult::detail {

// Calls visit for every descriptor of a thread that has not been released. While other workers run
// it may miss some, or show one in the middle of a change. Legal in a signal handler.
void visit_descriptors(void (*visit)(const descriptor&, void*), void* argument) noexcept;

}  // namespace ramjet::ult::detail
