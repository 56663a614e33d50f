// SPDX-License-Identifier: Apache-2.0
// Preloaded into the ranks of a job under PMIx: rank DIE_RANK is killed in the middle of
// ramjet::init, at its call number DIE_AT, from 1, that makes a socket for the ranks of its machine
// (1: before the ranks have met, 2: before it has their memory), or at the call that makes their
// memory (memory).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

static void die_at(const char* step) {
  const char* own = getenv("PMIX_RANK");
  const char* rank = getenv("DIE_RANK");
  const char* at = getenv("DIE_AT");
  if (own && rank && at && strcmp(own, rank) == 0 && strcmp(step, at) == 0) raise(SIGKILL);
}

int socket(int domain, int type, int protocol) {
  static int (*real)(int, int, int);
  static char count[] = "0";
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "socket");
  if (domain == AF_UNIX && (type & SOCK_SEQPACKET) == SOCK_SEQPACKET && count[0] < '9') {
    ++count[0];
    die_at(count);
  }
  return real(domain, type, protocol);
}

int memfd_create(const char* name, unsigned flags) {
  static int (*real)(const char*, unsigned);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "memfd_create");
  die_at("memory");
  return real(name, flags);
}
