// SPDX-License-Identifier: Apache-2.0
// What the sources of the command and of the apps include.
#pragma once

#include <fmt/format.h>

#include "engine.hpp"
