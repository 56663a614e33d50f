// SPDX-License-Identifier: Apache-2.0
// The version for C++; C and C++ share the macros.
#pragma once

#include <ramjet/version.h>
