// SPDX-License-Identifier: Apache-2.0
// Preloaded into the ranks of a job: in rank FAIL_RANK, epoll_ctl fails with ENOSPC after
// FAIL_AFTER calls that add a descriptor, as where fs.epoll.max_user_watches is used up.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

int epoll_ctl(int set, int operation, int fd, struct epoll_event* event) {
  static atomic_long calls;
  static int (*real)(int, int, int, struct epoll_event*);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "epoll_ctl");
  const char* wanted = getenv("FAIL_RANK");
  const char* own = getenv("RAMJET_RANK");
  const char* after = getenv("FAIL_AFTER");
  if (operation == EPOLL_CTL_ADD && wanted != NULL && own != NULL && after != NULL &&
      strcmp(wanted, own) == 0 && atomic_fetch_add(&calls, 1) >= atol(after)) {
    errno = ENOSPC;
    return -1;
  }
  return real(set, operation, fd, event);
}
