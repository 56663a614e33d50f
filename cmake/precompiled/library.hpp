// SPDX-License-Identifier: Apache-2.0
// What programs include, for the library's own sources: they are compiled with other options.
#pragma once

#include "engine.hpp"
