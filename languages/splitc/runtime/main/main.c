/* SPDX-License-Identifier: Apache-2.0
 * libramjet_splitc.a: the `main` of compiled Split-C programs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#include "languages/splitc/check/entry.h"
#include "ramjet/splitc_start.h"

/* Of the program, or of user_main.c. */
int splitc_main(int argc, char** argv, char** environment);
/* Of the process, where the program comes to its end; user_main.c may set it. */
int splitc_exit_status;

int main(int argc, char** argv, char** environment) {
  splitc_run(argc, argv, environment, splitc_main);
  const int checked = splitc_check_status();
  return checked != 0 ? checked : splitc_exit_status;
}

/* The C library's, or that of a sanitizer, by way of splitc_fork. */
pid_t fork(void) {
  typedef int function(void);
  function* the_next;
  *(void**)&the_next = dlsym(RTLD_NEXT, "fork");
  return splitc_fork(the_next);
}

/* Variables have to stay on the stack: others may hold pointers to them. */
const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "detect_stack_use_after_return=0"; }
