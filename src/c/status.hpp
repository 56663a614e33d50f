// SPDX-License-Identifier: Apache-2.0
// The C name of a status: job.cpp asserts that the numbers are the same.
#pragma once

#include "ramjet/ramjet.h"
#include "ramjet/status.hpp"

namespace ramjet {

constexpr ramjet_status c_status(status s) noexcept { return static_cast<ramjet_status>(s); }

}  // namespace ramjet
