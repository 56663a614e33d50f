// SPDX-License-Identifier: Apache-2.0
// Messages, collectives and the global address space for C++. User-level threads are in threads.hpp
// (ult.hpp without a job, coroutine.hpp for co_await), the threaded abstract machine in tam.hpp.
// See docs/architecture.md for the layers behind it.
#pragma once

#include "ramjet/agenda.hpp"
#include "ramjet/am.hpp"
#include "ramjet/block_array.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/completion.hpp"
#include "ramjet/gas.hpp"
#include "ramjet/global_ptr.hpp"
#include "ramjet/handler.hpp"
#include "ramjet/hash_table.hpp"
#include "ramjet/indexed.hpp"
#include "ramjet/job.hpp"
#include "ramjet/mutex.hpp"
#include "ramjet/procedure.hpp"
#include "ramjet/segment.hpp"
#include "ramjet/spread.hpp"
#include "ramjet/status.hpp"
#include "ramjet/symmetric.h"
#include "ramjet/team.hpp"
#include "ramjet/work_queue.hpp"
