// SPDX-License-Identifier: Apache-2.0
// User-level threads that block on polled conditions: a library of its own, and what the message
// layer blocks through. A header for each concept; this one has them all.
#pragma once

#include "ramjet/ult/barrier.hpp"
#include "ramjet/ult/channel.hpp"
#include "ramjet/ult/condition.hpp"
#include "ramjet/ult/condition_variable.hpp"
#include "ramjet/ult/local.hpp"
#include "ramjet/ult/mutex.hpp"
#include "ramjet/ult/node.hpp"
#include "ramjet/ult/once.hpp"
#include "ramjet/ult/scheduler.hpp"
#include "ramjet/ult/semaphore.hpp"
#include "ramjet/ult/shared_mutex.hpp"
#include "ramjet/ult/tasks.hpp"
#include "ramjet/ult/thread.hpp"
#include "ramjet/ult/unowned_mutex.hpp"
