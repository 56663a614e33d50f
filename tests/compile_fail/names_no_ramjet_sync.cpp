// expect: use of deleted function .*sync|call to deleted function .*sync
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void complete() { static_cast<void>(ramjet::sync()); }
