// SPDX-License-Identifier: Apache-2.0
// Everything of Ramjet for C++. See docs/architecture.md for the layers behind it.
#pragma once

#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/handler.hpp"
#include "ramjet/job.hpp"
#include "ramjet/segment.hpp"
#include "ramjet/status.hpp"
#include "ramjet/team.hpp"
