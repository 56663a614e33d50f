// SPDX-License-Identifier: Apache-2.0
// Channels of closed endpoints that still have messages for endpoints of other nodes that are not
// open yet, over networks that take nothing for such. The rank's other endpoints pump them.
//
//        keep()             all has gone, or nobody will take it
//   (closing) ---> unsent ---------------------------------------> gone
//
// Threads: any with an endpoint; one at a time pumps.
#pragma once

#include <memory>

#include "channel/channel.hpp"

namespace ramjet::detail::unsent {

// The endpoint is closed; its channel awaits openings.
void keep(std::unique_ptr<channel::channel> of, unsigned endpoint);
// Whether there are any. A load.
bool is_any() noexcept;
void pump();

// Messages of one endpoint to another one that will never be taken.
struct loss {
  unsigned endpoint;
  unsigned port;  // of the receiver
};
// The first that was found; null if none was.
const loss* first_loss() noexcept;
// At the end of the job: what is still there is lost, and forgotten.
void give_up();

}  // namespace ramjet::detail::unsent
