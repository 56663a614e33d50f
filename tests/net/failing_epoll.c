// SPDX-License-Identifier: Apache-2.0
// Preloaded into the launcher and the ranks of a job. Each variable makes one call fail:
//   FAIL_RANK, FAIL_AFTER   epoll_ctl, with ENOSPC, in that rank or "launcher", after FAIL_AFTER
//                           calls that add a descriptor: fs.epoll.max_user_watches is used up
//   FAIL_PIDFD              pidfd_open, in the launcher
//   FAIL_LIMIT              setrlimit, in the launcher's children before they become ranks
//   FAIL_RECV               recv of control connections, with ENOMEM, in each rank for one second
//                           from its first; the number of failed calls is printed at the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

static int is_launcher(void) { return getenv("RAMJET_RANK") == NULL; }

static atomic_long refused;

__attribute__((destructor)) static void report(void) {
  if (refused != 0) fprintf(stderr, "recv failed %ld times\n", refused);
}

ssize_t recv(int fd, void* into, size_t bytes, int flags) {
  enum { kControlMessage = 28 };
  static ssize_t (*real)(int, void*, size_t, int);
  static _Atomic time_t first;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "recv");
  if (getenv("FAIL_RECV") != NULL && bytes == kControlMessage && flags == MSG_DONTWAIT) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t never = 0;
    atomic_compare_exchange_strong(&first, &never, now.tv_sec);
    if (now.tv_sec <= first + 1) {
      ++refused;
      errno = ENOMEM;
      return -1;
    }
  }
  return real(fd, into, bytes, flags);
}

// The launcher's first call raises its own limit.
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
