// SPDX-License-Identifier: Apache-2.0
// What the sources of the command include. Not CLI11: it defines objects, which every source that
// saw it would have to compile.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine.hpp"
