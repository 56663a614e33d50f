/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into the launcher: malloc fails from call number FAIL_MALLOC_AFTER on. Not in ranks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static long left = -1;

__attribute__((constructor)) static void begin(void) {
  const char* after = getenv("FAIL_MALLOC_AFTER");
  if (after != NULL && getenv("RAMJET_RANK") == NULL) left = atol(after);
}

void* malloc(size_t bytes) {
  static void* (*next)(size_t);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "malloc");
  if (left == 0) {
    errno = ENOMEM;
    return NULL;
  }
  if (left > 0) --left;
  return next(bytes);
}
