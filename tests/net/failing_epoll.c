// SPDX-License-Identifier: Apache-2.0
// Preloaded into the launcher and the ranks of a job: in rank FAIL_RANK, or in the launcher where
// that is "launcher", epoll_ctl fails with ENOSPC after FAIL_AFTER calls that add a descriptor, as
// where fs.epoll.max_user_watches is used up. FAIL_PIDFD and FAIL_LIMIT: in the launcher, and in
// its children before they become ranks, pidfd_open and setrlimit fail, too.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static int is_launcher(void) { return getenv("RAMJET_RANK") == NULL; }

// Of the limits of open files, none is raised by the launcher where a rank lowers it again.
int setrlimit(__rlimit_resource_t resource, const struct rlimit* limit) {
  static int (*real)(__rlimit_resource_t, const struct rlimit*);
  static atomic_int calls;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "setrlimit");
  if (is_launcher() && getenv("FAIL_LIMIT") != NULL && atomic_fetch_add(&calls, 1) > 0) {
    errno = EPERM;
    return -1;
  }
  return real(resource, limit);
}

long syscall(long number, ...) {
  static long (*real)(long, ...);
  va_list words;
  long w[6];
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "syscall");
  va_start(words, number);
  for (int i = 0; i < 6; ++i) w[i] = va_arg(words, long);
  va_end(words);
  if (number == SYS_pidfd_open && is_launcher() && getenv("FAIL_PIDFD") != NULL) {
    errno = EMFILE;
    return -1;
  }
  return real(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}

int epoll_ctl(int set, int operation, int fd, struct epoll_event* event) {
  static atomic_long calls;
  static int (*real)(int, int, int, struct epoll_event*);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "epoll_ctl");
  const char* wanted = getenv("FAIL_RANK");
  const char* own = is_launcher() ? "launcher" : getenv("RAMJET_RANK");
  const char* after = getenv("FAIL_AFTER");
  if (operation == EPOLL_CTL_ADD && wanted != NULL && after != NULL && strcmp(wanted, own) == 0 &&
      atomic_fetch_add(&calls, 1) >= atol(after)) {
    errno = ENOSPC;
    return -1;
  }
  return real(set, operation, fd, event);
}
