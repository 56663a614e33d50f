// SPDX-License-Identifier: Apache-2.0
// What GoogleTest programs include.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine.hpp"
